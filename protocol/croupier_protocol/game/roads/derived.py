"""The derived roads: big eye boy, small road and cockroach road.

They do not show who won. They show whether the big road repeats itself: each compares the newest column with
one before it, 1, 2 or 3 columns back. Red means that the pattern repeats, blue that it breaks. What is
compared are logical columns, runs of one winner at their full length, never the columns of a drawing.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final


class Mark(StrEnum):
    """A mark of a derived road: red where the pattern repeats, blue where it breaks. Neither is a side."""

    RED = "R"
    BLUE = "B"


class DerivedRoad(StrEnum):
    """The roads that are derived from the big road."""

    BIG_EYE_BOY = "big_eye_boy"
    SMALL_ROAD = "small_road"
    COCKROACH_ROAD = "cockroach_road"


OFFSETS: Final[Mapping[DerivedRoad, int]] = {
    DerivedRoad.BIG_EYE_BOY: 1,
    DerivedRoad.SMALL_ROAD: 2,
    DerivedRoad.COCKROACH_ROAD: 3,
}
"""How many columns back each derived road looks."""


def next_mark(lengths: Sequence[int], offset: int, *, continues: bool) -> Mark | None:
    """The mark that the next decision adds to the road that looks `offset` columns back.

    `lengths` are the lengths of the columns so far; the next decision `continues` the last of them or begins
    a new one. None: the road has not begun yet.

    The published rule has two halves that turn out to be one question, whether the last column is as long as
    the one `offset` before it. A new column is red when it is: both ended at the same length. Going on is
    blue when it is: the last column grows past the other just where that one ended. So the marks for the two
    sides are always opposite.

    >>> next_mark([2, 2], 1, continues=False), next_mark([2, 2], 1, continues=True)
    (<Mark.RED: 'R'>, <Mark.BLUE: 'B'>)
    """
    if len(lengths) <= offset:
        return None
    equal = lengths[-1] == lengths[-1 - offset]
    return Mark.BLUE if equal is continues else Mark.RED
