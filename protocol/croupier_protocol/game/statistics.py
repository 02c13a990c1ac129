"""Statistics of a shoe, coup by coup: counts, streaks, naturals, pairs and third cards."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.game.roads import FinishedCoup


class Streak(NamedTuple):
    """So many coups in a row that one side won, ties between them left out."""

    side: Side
    length: int


class Drew(NamedTuple):
    """Who took a third card in a coup."""

    player: bool
    banker: bool


def _no_outcomes() -> Mapping[Outcome, int]:
    return dict.fromkeys(Outcome, 0)


def _no_streaks() -> Mapping[Side, int]:
    return dict.fromkeys(Side, 0)


class Statistics(Struct, frozen=True):
    """What a shoe has seen so far.

    A streak is what one column of the big road shows: a tie neither breaks nor lengthens it. `naturals`
    counts coups that a natural ended, whoever had it. Of `coups`, `drawn_known` are those whose cards were
    told; the counts of third cards are out of these.

    >>> from croupier_protocol.game.roads import read_letters
    >>> seen = Statistics.of(read_letters("BBTBPP"))
    >>> seen.coups, seen.outcomes[Outcome.BANKER], seen.longest[Side.BANKER], seen.streak.length
    (6, 3, 3, 2)
    """

    outcomes: Mapping[Outcome, int] = field(default_factory=_no_outcomes)
    naturals: int = 0
    player_pairs: int = 0
    banker_pairs: int = 0
    both_pairs: int = 0
    streak: Streak | None = None
    longest: Mapping[Side, int] = field(default_factory=_no_streaks)
    drawn_known: int = 0
    player_thirds: int = 0
    banker_thirds: int = 0

    @classmethod
    def of(cls, coups: Iterable[FinishedCoup]) -> "Statistics":
        """The statistics of a shoe that has seen these coups, of which only the results are known."""
        seen = cls()
        for coup in coups:
            seen = seen.add(coup)
        return seen

    @property
    def coups(self) -> int:
        """How many coups there have been."""
        return sum(self.outcomes.values())

    def add(self, coup: FinishedCoup, drew: Drew | None = None) -> "Statistics":
        """The statistics after one more coup; `drew` says who took a third card, where that is known."""
        streak = _streak_after(self.streak, coup.outcome)
        longest = self.longest
        if streak is not None and streak.length > longest[streak.side]:
            longest = {**longest, streak.side: streak.length}
        return replace(
            self,
            outcomes={**self.outcomes, coup.outcome: self.outcomes[coup.outcome] + 1},
            naturals=self.naturals + coup.natural,
            player_pairs=self.player_pairs + coup.player_pair,
            banker_pairs=self.banker_pairs + coup.banker_pair,
            both_pairs=self.both_pairs + (coup.player_pair and coup.banker_pair),
            streak=streak,
            longest=longest,
            drawn_known=self.drawn_known + (drew is not None),
            player_thirds=self.player_thirds + (drew is not None and drew.player),
            banker_thirds=self.banker_thirds + (drew is not None and drew.banker),
        )


def _streak_after(streak: Streak | None, outcome: Outcome) -> Streak | None:
    if outcome is Outcome.TIE:
        return streak
    side = Side(outcome.value)
    return Streak(side, streak.length + 1 if streak is not None and streak.side is side else 1)
