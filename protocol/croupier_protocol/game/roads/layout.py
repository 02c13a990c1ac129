"""Where a road is drawn: down each column, to the right where there is no room below.

The same rule draws the big road and the derived roads. It decides about places only; what is drawn there was
known before.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple, TypeVar

ROWS: Final = 6
"""The rows of a scoreboard."""


class Spot(NamedTuple):
    """A place on a scoreboard, counted from 0 at the top left."""

    column: int
    row: int


def lay_out(values: Iterable[Hashable], rows: int = ROWS) -> Iterator[Spot]:
    """The spot of each value, in order: equal values go down a column, another value starts the next one.

    A run turns right at the bottom row, or above an occupied spot, and keeps its row from then on. The next
    run starts in the first column after the start of the one before it whose top is free. No two values share
    a spot, and a spot never depends on what comes later.

    >>> [tuple(spot) for spot in lay_out("BBBBP", rows=3)]
    [(0, 0), (0, 1), (0, 2), (1, 2), (1, 0)]
    """
    taken: set[Spot] = set()
    spot = Spot(-1, 0)
    start, turned, last = -1, False, None
    for value in values:
        if not taken or value != last:
            start = next(column for column in count(start + 1) if Spot(column, 0) not in taken)
            spot, turned, last = Spot(start, 0), False, value
        else:
            below = Spot(spot.column, spot.row + 1)
            turned = turned or below.row == rows or below in taken
            spot = Spot(spot.column + 1, spot.row) if turned else below
        taken.add(spot)
        yield spot


Drawn = TypeVar("Drawn")


def latest(drawn: Sequence[tuple[Spot, Drawn]], columns: int) -> tuple[tuple[Spot, Drawn], ...]:
    """What a window of `columns` columns shows of a road: the newest entry and as much before it as fits.

    The window moves by whole columns. A long run that reaches beyond the newest entry is cut at the edge.

    >>> road = list(zip(lay_out("BPBPB"), "BPBPB"))
    >>> [(tuple(spot), value) for spot, value in latest(road, 2)]
    [((0, 0), 'P'), ((1, 0), 'B')]
    """
    if not drawn:
        return ()
    hidden = max(0, drawn[-1][0].column - columns + 1)
    return tuple(
        (Spot(spot.column - hidden, spot.row), value)
        for spot, value in drawn
        if hidden <= spot.column < hidden + columns
    )
