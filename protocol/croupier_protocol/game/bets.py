"""The bets: what wins, what pushes and what each pays.

A bet is a pay table: lines that are tried from top to bottom, of which the first that fits the finished coup
decides. A coup that fits no line loses the bet. Adding a bet is adding data here; nothing else knows any bet
by name.

Pays are "to one": 8 means that a winning stake comes back with eight times as much beside it. They are exact
fractions. Rule sets offer bets of this catalogue at its pays or at others (`Bet.paying`), as they are or with
exceptions (`Bet.except_when`).
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Final, NewType, TypeAlias

import msgspec

from croupier_protocol.game.coup import Outcome, Pairs, Score

BetName = NewType("BetName", str)
"""A bet's name as slips, messages and configurations write it."""

Number: TypeAlias = int | tuple[int, ...]
"""A number, or several of which any will do."""


class When(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, dict=True
):
    """What a finished coup must show for a line to decide: every field that is not None must hold.

    The fields are those of `Score` and `Pairs`.
    """

    outcome: Outcome | None = None
    natural: bool | None = None
    margin: Number | None = None
    cards: Number | None = None
    player_total: Number | None = None
    player_cards: Number | None = None
    banker_total: Number | None = None
    banker_cards: Number | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    either_pair: bool | None = None
    perfect_pairs: Number | None = None

    def fits(self, score: Score, pairs: Pairs) -> bool:
        """Whether a coup that ended with `score` and `pairs` shows all that is asked.

        >>> from croupier_protocol.game.coup import NO_PAIRS
        >>> seven_in_three = When(banker_total=7, banker_cards=3)
        >>> seven_in_three.fits(Score(0, 7, 3, 3), NO_PAIRS), seven_in_three.fits(Score(0, 7, 2, 2), NO_PAIRS)
        (True, False)
        """
        for field, of_pairs, wanted in self._asked:
            if getattr(pairs if of_pairs else score, field) not in wanted:
                return False
        return True

    @cached_property
    def _asked(self) -> tuple[tuple[str, bool, tuple[object, ...]], ...]:
        """Each field that must hold, whether it is one of `Pairs`, and the values that will do."""
        asked = ((field, getattr(self, field)) for field in self.__struct_fields__)
        return tuple(
            (field, hasattr(Pairs, field), value if isinstance(value, tuple) else (value,))
            for field, value in asked
            if value is not None
        )

    @property
    def asks_for_pairs(self) -> bool:
        """Whether any of it is about pairs."""
        return any(of_pairs for _, of_pairs, _ in self._asked)


class Line(msgspec.Struct, frozen=True):
    """One line of a pay table: what it pays to one in the case `when`; None is a push, the stake returns."""

    when: When
    pays: Fraction | None


class Bet(msgspec.Struct, frozen=True, dict=True):
    """A bet with its pay table.

    `commission` says whether the house's commission, where a rule set has one, is taken from this bet's wins.
    """

    name: BetName
    lines: tuple[Line, ...]
    commission: bool = False

    def deciding(self, score: Score, pairs: Pairs) -> int | None:
        """Which line, from 0, decides a coup that ended with `score` and `pairs`; None if the bet loses."""
        for index, line in enumerate(self.lines):
            if line.when.fits(score, pairs):
                return index
        return None

    def line(self, score: Score, pairs: Pairs) -> Line | None:
        """The line that decides a coup that ended with `score` and `pairs`; None if the bet loses."""
        index = self.deciding(score, pairs)
        return None if index is None else self.lines[index]

    @cached_property
    def asks_for_pairs(self) -> bool:
        """Whether pairs have a part in what the bet returns."""
        return any(line.when.asks_for_pairs for line in self.lines)

    @property
    def pays(self) -> tuple[Fraction, ...]:
        """What the winning lines pay, from the top."""
        return tuple(line.pays for line in self.lines if line.pays is not None)

    @cached_property
    def most(self) -> tuple[int, int]:
        """The most that a winning line pays, as numerator and denominator: quicker to multiply by."""
        return max(self.pays).as_integer_ratio()

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

    def except_when(self, when: When, pays: Fraction | None) -> "Bet":
        """This bet with one more line, above all others: in the case `when` it pays `pays`; None is a push.

        >>> banker = BANKER.except_when(When(outcome=Outcome.BANKER, banker_total=6), Fraction(1, 2))
        >>> [str(pay) for pay in banker.pays]
        ['1/2', '1']
        """
        return msgspec.structs.replace(self, lines=(Line(when, pays), *self.lines))


def _bet(name: str, *lines: tuple[When, str | None], commission: bool = False) -> Bet:
    """A bet from its lines, pays written as text; None is a push."""
    return Bet(
        BetName(name),
        tuple(Line(when, None if pays is None else Fraction(pays)) for when, pays in lines),
        commission,
    )


_PLAYER_WINS: Final = When(outcome=Outcome.PLAYER)
_BANKER_WINS: Final = When(outcome=Outcome.BANKER)
_TIE: Final = When(outcome=Outcome.TIE)

PLAYER: Final = _bet("player", (_PLAYER_WINS, "1"), (_TIE, None))
BANKER: Final = _bet("banker", (_BANKER_WINS, "1"), (_TIE, None), commission=True)
TIE: Final = _bet("tie", (_TIE, "8"))

MAIN_BETS: Final = (PLAYER, BANKER, TIE)
"""The bets on who wins."""


def _bonus(name: str, side: Outcome) -> Bet:
    """The bonus on one hand: the more points it wins by, the more it pays; a natural counts for itself."""
    by_points = ((9, "30"), (8, "10"), (7, "6"), (6, "4"), (5, "2"), (4, "1"))
    return _bet(
        name,
        *((When(outcome=side, natural=False, margin=points), pays) for points, pays in by_points),
        (When(outcome=side, natural=True), "1"),
        (When(outcome=Outcome.TIE, natural=True), None),
    )


_TIES: Final = ("150", "215", "225", "200", "120", "110", "45", "45", "80", "80")
"""What a tie of 0 to 9 pays."""

SIDE_BETS: Final = (
    _bet("player_pair", (When(player_pair=True), "11")),
    _bet("banker_pair", (When(banker_pair=True), "11")),
    _bet("either_pair", (When(either_pair=True), "5")),
    _bet("perfect_pair", (When(perfect_pairs=1), "25"), (When(perfect_pairs=2), "200")),
    _bonus("player_bonus", Outcome.PLAYER),
    _bonus("banker_bonus", Outcome.BANKER),
    *(
        _bet(f"tie_{points}", (When(outcome=Outcome.TIE, player_total=points), pays))
        for points, pays in enumerate(_TIES)
    ),
    _bet("super_6", (When(outcome=Outcome.BANKER, banker_total=6), "12")),
    _bet(
        "lucky_6",
        (When(outcome=Outcome.BANKER, banker_total=6, banker_cards=2), "12"),
        (When(outcome=Outcome.BANKER, banker_total=6, banker_cards=3), "20"),
    ),
    _bet("small", (When(cards=4), "3/2")),
    _bet("big", (When(cards=(5, 6)), "27/50")),
    _bet("dragon_7", (When(outcome=Outcome.BANKER, banker_total=7, banker_cards=3), "40")),
    _bet("panda_8", (When(outcome=Outcome.PLAYER, player_total=8, player_cards=3), "25")),
)
"""The bets that settle by themselves, whatever becomes of the main bets."""

CATALOGUE: Final[Mapping[BetName, Bet]] = {bet.name: bet for bet in (*MAIN_BETS, *SIDE_BETS)}
"""Every bet there is, in the order in which people are shown them."""
