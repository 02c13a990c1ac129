"""Roads drawn with characters.

Letters say who won, shapes say which derived road it is, and a whole or broken shape says whether the pattern
repeats. Colour, where there is any, only says it again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.game.glossary import Glossary
from croupier_protocol.game.roads import (
    LETTERS,
    Bead,
    Cell,
    DerivedRoad,
    Entry,
    Mark,
    Roads,
    Spot,
    bead_plate,
    latest,
    lay_out,
)

Paint = Callable[[str, str], str]
"""Gives a text the colour of a role (player, banker, tie, repeat, break), or leaves it plain."""

CELL: Final = 3
"""Characters of a bead or a big-road cell: pairs, the winner's letter, ties."""

GAP: Final = "   "
"""Between two roads side by side."""


class Signs(NamedTuple):
    """The characters that a terminal can show."""

    marks: Mapping[DerivedRoad, Mapping[Mark, str]]
    banker_pair: str
    player_pair: str
    both_pairs: str
    none: str


def _marks(*signs: tuple[str, str]) -> Mapping[DerivedRoad, Mapping[Mark, str]]:
    return {
        road: {Mark.RED: repeat, Mark.BLUE: broken}
        for road, (repeat, broken) in zip(DerivedRoad, signs, strict=True)
    }


SHAPES: Final = Signs(_marks(("○", "◌"), ("●", "◐"), ("╱", "╲")), "˙", ".", ":", "–")
"""Ring, disc and slash, whole where the pattern repeats; pairs as dots, Banker's above, Player's below."""

ROLES: Final[Mapping[Mark, str]] = {Mark.RED: "repeat", Mark.BLUE: "break"}
"""The colour roles of marks: they are not those of Banker and Player."""

LATIN: Final = Signs(_marks(("o", "c"), ("*", "+"), ("/", "\\")), "'", ".", ":", "-")
"""The same for a terminal that has no more than ASCII."""


def signs_for(encoding: str) -> Signs:
    """The signs that a stream of this encoding can carry."""
    try:
        "".join(sign for pair in SHAPES.marks.values() for sign in pair.values()).encode(encoding)
        (SHAPES.banker_pair + SHAPES.none).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return LATIN
    return SHAPES


class Grid(NamedTuple):
    """Signs by their spots, each `cell` characters wide when it is seen."""

    signs: Mapping[Spot, str]
    cell: int = 1

    @property
    def rows(self) -> int:
        """Rows that hold something."""
        return max((spot.row + 1 for spot in self.signs), default=0)

    @property
    def columns(self) -> int:
        """Columns up to the last that holds something."""
        return max((spot.column + 1 for spot in self.signs), default=0)

    def line(self, row: int, width: int) -> str:
        """One row, filled up to `width` characters."""
        blank = " " * self.cell
        signs = "".join(self.signs.get(Spot(column, row), blank) for column in range(self.columns))
        return signs + " " * (width - self.columns * self.cell)


class Scoreboard:
    """Draws roads in one language on one kind of terminal, at most `width` characters wide."""

    def __init__(self, glossary: Glossary, paint: Paint, signs: Signs = SHAPES, width: int = 80) -> None:
        self._glossary = glossary
        self._paint = paint
        self._signs = signs
        self._width = width

    def full(self, roads: Roads) -> Iterator[str]:
        """Every road under its name, the ask marks, and what the signs mean."""
        yield self._glossary.bead_plate
        yield from _beside([self._beads(roads.beads, self._width // CELL)])
        yield ""
        yield self._glossary.big_road
        yield from _beside([self._cells(roads.big_road(), self._width // CELL)])
        yield ""
        names = [self._glossary.derived_roads[road] for road in DerivedRoad]
        most = (self._width - len(GAP) * (len(names) - 1)) // len(names)
        grids = [self._derived(road, roads.derived[road], most) for road in DerivedRoad]
        widths = [max(grid.columns, len(name)) for grid, name in zip(grids, names, strict=True)]
        yield GAP.join(f"{name:{width}}" for name, width in zip(names, widths, strict=True)).rstrip()
        yield from _beside(grids, widths)
        yield ""
        yield from self._asks(roads)
        yield ""
        yield from self._legend()

    def compact(self, roads: Roads) -> Iterator[str]:
        """The newest part of the big road and its derived roads side by side, no higher than needed."""
        columns = self._width // (2 * CELL)
        most = (self._width - columns * CELL - len(GAP) * len(DerivedRoad)) // len(DerivedRoad)
        grids = [self._cells(roads.big_road(), columns)]
        grids += [self._derived(road, roads.derived[road], most) for road in DerivedRoad]
        yield from _beside(grids)

    def _beads(self, beads: Sequence[Bead], columns: int) -> Grid:
        placed = bead_plate(beads, columns=columns)
        return Grid(
            {spot: self._pairs(bead) + self._letter(bead.outcome) + " " for spot, bead in placed}, CELL
        )

    def _cells(self, road: Sequence[Cell], columns: int) -> Grid:
        signs = {
            spot: self._pairs(entry) + self._letter(entry.winner) + self._ties(entry.ties)
            for spot, entry in latest(road, columns)
        }
        return Grid(signs, CELL)

    def _derived(self, road: DerivedRoad, marks: Sequence[Mark], columns: int) -> Grid:
        drawn = list(zip(lay_out(marks), marks, strict=True))
        return Grid({spot: self._mark(road, mark) for spot, mark in latest(drawn, columns)})

    def _letter(self, outcome: Outcome) -> str:
        return self._paint(LETTERS[outcome], outcome.value)

    def _pairs(self, coup: Bead | Entry) -> str:
        if coup.player_pair and coup.banker_pair:
            return self._signs.both_pairs
        if coup.banker_pair:
            return self._paint(self._signs.banker_pair, "banker")
        return self._paint(self._signs.player_pair, "player") if coup.player_pair else " "

    def _ties(self, ties: int) -> str:
        """A slash for one tie, the number of several."""
        if ties == 0:
            return " "
        return self._paint("/" if ties == 1 else str(ties) if ties < 10 else "+", "tie")

    def _mark(self, road: DerivedRoad, mark: Mark) -> str:
        return self._paint(self._signs.marks[road][mark], ROLES[mark])

    def _asks(self, roads: Roads) -> Iterator[str]:
        names = [self._glossary.next_wins[side] for side in Side]
        for side, name in zip(Side, names, strict=True):
            marks = [
                self._signs.none if mark is None else self._mark(road, mark)
                for road, mark in roads.ask(side).items()
            ]
            yield f"{name:{max(map(len, names))}}  {' '.join(marks)}"

    def _legend(self) -> Iterator[str]:
        words = self._glossary
        letters = [f"{self._letter(outcome)} {words.outcomes[outcome]}" for outcome in Outcome]
        ties = [f"{self._ties(1)} {self._ties(2)} {words.ties_after}"]
        pairs = [
            f"{self._paint(self._signs.banker_pair, 'banker')} {words.bets['banker_pair']}",
            f"{self._paint(self._signs.player_pair, 'player')} {words.bets['player_pair']}",
            f"{self._signs.both_pairs} {words.both_pairs}",
        ]
        marks = [
            "".join(self._mark(road, mark) for road in DerivedRoad) + " " + words.marks[mark] for mark in Mark
        ]
        yield GAP.join(letters + ties)
        yield GAP.join(pairs)
        yield GAP.join(marks)


def _beside(grids: Sequence[Grid], widths: Sequence[int] | None = None) -> Iterator[str]:
    """Grids side by side as lines, as many as the highest of them needs."""
    widths = [grid.columns * grid.cell for grid in grids] if widths is None else widths
    for row in range(max(grid.rows for grid in grids)):
        lines = [grid.line(row, width) for grid, width in zip(grids, widths, strict=True)]
        yield GAP.join(lines).rstrip()
