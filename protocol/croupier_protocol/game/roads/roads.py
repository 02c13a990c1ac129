"""All roads of a shoe as one value that grows coup by coup."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.game.roads.bead import Bead, FinishedCoup
from croupier_protocol.game.roads.derived import OFFSETS, DerivedRoad, Mark, next_mark
from croupier_protocol.game.roads.layout import ROWS, Spot, lay_out

Ask = Mapping[DerivedRoad, Mark | None]
"""The mark that each derived road would get next; None where it would get none."""


class Entry(Struct, frozen=True):
    """One decision on the big road, with the number of ties that came after it.

    Pairs and natural are those of the decision itself. A tie has no entry: its own pairs show on the bead
    plate only.
    """

    winner: Outcome
    ties: int = 0
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False


class Cell(NamedTuple):
    """An entry and where the big road shows it."""

    spot: Spot
    entry: Entry


def _no_marks() -> Mapping[DerivedRoad, tuple[Mark, ...]]:
    return dict.fromkeys(OFFSETS, ())


class Roads(Struct, frozen=True):
    """The roads of a shoe after some number of coups.

    `columns` are the runs of one winner, ties left out. `derived` holds the marks of each derived road,
    oldest first. Ties before the first decision are kept as `leading_ties` and counted on its entry.

    >>> from croupier_protocol.game.roads.bead import read_letters
    >>> roads = Roads.of(read_letters("BBPPPBB"))
    >>> ["".join(marks) for marks in roads.derived.values()]
    ['RBBR', 'R', '']
    >>> {road.value: mark and mark.value for road, mark in roads.ask(Side.PLAYER).items()}
    {'big_eye_boy': 'B', 'small_road': 'R', 'cockroach_road': None}
    """

    beads: tuple[Bead, ...] = ()
    columns: tuple[tuple[Entry, ...], ...] = ()
    leading_ties: int = 0
    derived: Mapping[DerivedRoad, tuple[Mark, ...]] = field(default_factory=_no_marks)

    @classmethod
    def of(cls, coups: Iterable[FinishedCoup]) -> "Roads":
        """The roads of a shoe that has seen these coups, oldest first."""
        roads = cls()
        for coup in coups:
            roads = roads.add(coup)
        return roads

    def add(self, coup: FinishedCoup) -> "Roads":
        """The roads after one more coup. This value stays as it is."""
        bead = Bead.of(coup)
        beads = (*self.beads, bead)
        if bead.outcome is Outcome.TIE:
            return self._add_tie(beads)
        derived = {
            road: self.derived[road] if mark is None else (*self.derived[road], mark)
            for road, mark in self._next(bead.outcome).items()
        }
        ties = 0 if self.columns else self.leading_ties
        entry = Entry(bead.outcome, ties, bead.player_pair, bead.banker_pair, bead.natural)
        columns = (
            (*self.columns[:-1], (*self.columns[-1], entry))
            if self._continues(bead.outcome)
            else (*self.columns, (entry,))
        )
        return Roads(beads, columns, self.leading_ties, derived)

    def _add_tie(self, beads: tuple[Bead, ...]) -> "Roads":
        if not self.columns:
            return replace(self, beads=beads, leading_ties=self.leading_ties + 1)
        *before, last = self.columns[-1]
        column = (*before, replace(last, ties=last.ties + 1))
        return replace(self, beads=beads, columns=(*self.columns[:-1], column))

    def ask(self, side: Side) -> Ask:
        """The mark that each derived road would get if `side` won the next coup. Asking changes nothing."""
        return self._next(Outcome(side.value))

    def big_road(self, rows: int = ROWS) -> tuple[Cell, ...]:
        """The big road as `rows` rows show it, oldest entry first.

        A shoe that has seen nothing but ties shows them in one cell whose winner is the tie.
        """
        entries = [entry for column in self.columns for entry in column]
        if not entries and self.leading_ties:
            entries = [Entry(Outcome.TIE, self.leading_ties)]
        spots = lay_out((entry.winner for entry in entries), rows)
        return tuple(Cell(spot, entry) for spot, entry in zip(spots, entries, strict=True))

    def _continues(self, winner: Outcome) -> bool:
        return bool(self.columns) and self.columns[-1][0].winner is winner

    def _next(self, winner: Outcome) -> Ask:
        # Four lengths are all that the three roads look at.
        lengths = [len(column) for column in self.columns[-4:]]
        continues = self._continues(winner)
        return {road: next_mark(lengths, offset, continues=continues) for road, offset in OFFSETS.items()}
