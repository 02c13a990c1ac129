"""The roads of a shoe: letters say who won, shapes which derived road it is; colour only says it again."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from croupier_client.cli.scoreboard import SHAPES
from croupier_client.terminal.draw.phase import SIDES
from croupier_client.terminal.draw.picture import Block, Line, Role, Span, apart, beside, block, stack
from croupier_client.terminal.words import Words
from croupier_protocol.game.coup import Side
from croupier_protocol.game.roads import (
    LETTERS,
    ROWS,
    Bead,
    DerivedRoad,
    Entry,
    Mark,
    Roads,
    Spot,
    bead_plate,
    latest,
    lay_out,
)

GAP: Final = 2
"""Columns between two roads."""

BEAD: Final = 2
"""Columns of a bead: pairs, and who won."""

CELL: Final = 3
"""Columns of a cell of the big road: pairs, who won, and ties after it."""

LEAST_DERIVED: Final = 8
"""Columns of a derived road that its name has room in."""

_MARK_ROLES: Final = {Mark.RED: Role.REPEATS, Mark.BLUE: Role.BREAKS}


class _Widths(NamedTuple):
    """Columns of marks that each road has room for."""

    beads: int
    big: int
    derived: int


def _shared(width: int) -> _Widths:
    """How roads side by side share `width`: a third for the derived ones, the rest halves of coups alike."""
    derived = max(LEAST_DERIVED, (width - 4 * GAP) // 10)
    rest = width - 3 * derived - 4 * GAP
    beads = max(4, rest * 2 // 5 // BEAD)
    return _Widths(beads, max(4, (rest - beads * BEAD) // CELL), derived)


def roads(shoe: Roads, words: Words, width: int) -> Block:
    """All five roads side by side, each under its name with what it would get next."""
    widths = _shared(width)
    wide = widths.big * CELL
    titles = [
        block(widths.beads * BEAD, [(Span(words.bead_plate, Role.QUIET),)]),
        block(wide, [apart((Span(words.big_road, Role.QUIET),), _asks(shoe, words), wide)]),
    ]
    parts = [
        _grid(beads(shoe, widths.beads), widths.beads, BEAD),
        _grid(big_road(shoe, widths.big), widths.big, CELL),
    ]
    for road, name in zip(DerivedRoad, words.derived, strict=True):
        titles.append(block(widths.derived, [(Span(name, Role.QUIET),)]))
        parts.append(_grid(derived(shoe, road, widths.derived), widths.derived, 1))
    return stack(width, beside(*titles, gap=GAP), beside(*parts, gap=GAP))


def _asks(shoe: Roads, words: Words) -> Line:
    """The marks that the derived roads would get next, if Player or if Banker won."""
    spans: list[Span] = []
    for side, name in zip(Side, words.next_short, strict=True):
        spans.append(Span(f" {name} ", Role.QUIET))
        spans += [_mark(road, mark) for road, mark in shoe.ask(side).items()]
    return tuple(spans)


def small_road(shoe: Roads, width: int, rows: int) -> Block:
    """The newest part of the big road, on fewer rows and without ties and pairs: for the lobby."""
    columns = width // 2
    signs = {
        spot: (Span(LETTERS[entry.winner] + " ", SIDES[entry.winner], strong=True),)
        for spot, entry in latest(shoe.big_road(rows), columns)
    }
    return _grid(signs, columns, 2, rows, at=0)


def beads(shoe: Roads, columns: int) -> Mapping[Spot, Line]:
    """The bead plate: every coup, ties too."""
    return {
        spot: (_pairs(bead), Span(LETTERS[bead.outcome], SIDES[bead.outcome], strong=True))
        for spot, bead in bead_plate(shoe.beads, columns=columns)
    }


def big_road(shoe: Roads, columns: int) -> Mapping[Spot, Line]:
    """The big road: runs of one winner."""
    return {
        spot: (
            _pairs(entry),
            Span(LETTERS[entry.winner], SIDES[entry.winner], strong=True),
            _ties(entry.ties),
        )
        for spot, entry in latest(shoe.big_road(), columns)
    }


def derived(shoe: Roads, road: DerivedRoad, columns: int) -> Mapping[Spot, Line]:
    """One derived road: whole shapes where the pattern repeats, broken ones where it breaks."""
    marks = shoe.derived[road]
    drawn = list(zip(lay_out(marks), marks, strict=True))
    return {spot: (_mark(road, mark),) for spot, mark in latest(drawn, columns)}


def _grid(
    signs: Mapping[Spot, Line], columns: int, cell: int, rows: int = ROWS, at: int | None = None
) -> Block:
    """Signs at their spots; a place without one is a faint dot."""
    before = cell // 2 if at is None else at
    empty: Line = (Span(" " * before), Span("·", Role.GRID), Span(" " * (cell - before - 1)))
    lines = [
        [span for column in range(columns) for span in signs.get(Spot(column, row), empty)]
        for row in range(rows)
    ]
    return block(columns * cell, lines)


def _pairs(coup: Bead | Entry) -> Span:
    if coup.player_pair and coup.banker_pair:
        return Span(SHAPES.both_pairs, Role.INK)
    if coup.banker_pair:
        return Span(SHAPES.banker_pair, Role.BANKER)
    return Span(SHAPES.player_pair, Role.PLAYER) if coup.player_pair else Span(" ")


def _ties(ties: int) -> Span:
    """A slash for one tie, the number of several."""
    if ties == 0:
        return Span(" ")
    return Span("/" if ties == 1 else str(ties) if ties < 10 else "+", Role.TIE)


def _mark(road: DerivedRoad, mark: Mark | None) -> Span:
    if mark is None:
        return Span(SHAPES.none, Role.LINE)
    return Span(SHAPES.marks[road][mark], _MARK_ROLES[mark])
