"""The bets: what wins, what pushes and what each pays.

A bet is a pay table: lines that are tried from top to bottom, of which the first that fits the finished coup
decides. A coup that fits no line loses the bet. Adding a bet is adding data here; nothing else knows any bet
by name.

Pays are "to one": 8 means that a winning stake comes back with eight times as much beside it. They are exact
fractions. Rule sets offer bets of this catalogue, at its pays or at others (`Bet.paying`).
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Final, NewType

import msgspec

from croupier_protocol.game.coup import SCORES, Outcome, Score

BetName = NewType("BetName", str)
"""A bet's name as slips, messages and configurations write it."""


class When(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a finished coup must show for a line to decide: every field that is not None must hold."""

    outcome: Outcome | None = None
    banker_total: int | None = None
    banker_cards: int | None = None

    def fits(self, score: Score) -> bool:
        """Whether a coup that ended with `score` shows all that is asked."""
        return all(getattr(self, field) in {None, getattr(score, field)} for field in self.__struct_fields__)


class Line(msgspec.Struct, frozen=True, dict=True):
    """One line of a pay table: what it pays to one in the case `when`; None is a push, the stake returns."""

    when: When
    pays: Fraction | None

    @cached_property
    def ratio(self) -> tuple[int, int] | None:
        """The pays as numerator and denominator."""
        return None if self.pays is None else self.pays.as_integer_ratio()


class Bet(msgspec.Struct, frozen=True, dict=True):
    """A bet with its pay table.

    `commission` says whether the house's commission, where a rule set has one, is taken from this bet's wins.
    """

    name: BetName
    lines: tuple[Line, ...]
    commission: bool = False

    @cached_property
    def by_score(self) -> Mapping[Score, Line | None]:
        """The line that decides for each score; None where the bet loses."""
        return {
            score: next((line for line in self.lines if line.when.fits(score)), None)
            for score in SCORES.values()
        }

    @property
    def pays(self) -> tuple[Fraction, ...]:
        """What the winning lines pay, from the top."""
        return tuple(line.pays for line in self.lines if line.pays is not None)

    def paying(self, *pays: Fraction | int) -> "Bet":
        """This bet with other pays for its winning lines, from the top.

        >>> [str(pay) for pay in TIE.paying(9).pays]
        ['9']

        Raises:
            ValueError: there are more or fewer pays than winning lines.
        """
        if len(pays) != len(self.pays):
            raise ValueError(f"{self.name} has {len(self.pays)} pays, not {len(pays)}")
        rest = iter(pays)
        lines = tuple(
            line if line.pays is None else Line(line.when, Fraction(next(rest))) for line in self.lines
        )
        return msgspec.structs.replace(self, lines=lines)


_TIE_PUSHES: Final = Line(When(outcome=Outcome.TIE), None)

PLAYER: Final = Bet(
    BetName("player"),
    (Line(When(outcome=Outcome.PLAYER), Fraction(1)), _TIE_PUSHES),
)
BANKER: Final = Bet(
    BetName("banker"),
    (Line(When(outcome=Outcome.BANKER), Fraction(1)), _TIE_PUSHES),
    commission=True,
)
TIE: Final = Bet(
    BetName("tie"),
    (Line(When(outcome=Outcome.TIE), Fraction(8)),),
)

MAIN_BETS: Final = (PLAYER, BANKER, TIE)
"""The three bets that every rule set offers."""

CATALOGUE: Final[Mapping[BetName, Bet]] = {bet.name: bet for bet in MAIN_BETS}
"""Every bet there is."""
