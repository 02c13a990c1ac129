"""How often a table has something to tell, and what it left out while it stood still. No I/O.

A server that stands still for two seconds makes one event two seconds late, and does not even try to send the
many others that would have come meanwhile: its tables wait for each other's steps. Counting only what came
would hide the pause from every percentile (coordinated omission). So where nothing was due between the time
at which a late event was due and its arrival, the events that the table has in such a time on average are
counted as late too, each from the time at which it would have been due.
"""

import math
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

ENOUGH_EVENTS: Final = 20
"""A table's mean spacing counts once it is made from so many."""


class Late(Struct, frozen=True):
    """An event that was due earlier than it came by more than `spacing_ms`; milliseconds, server's clock.

    The spacing is the table's as it was known then: later it contains the pause that is looked for.
    """

    due_ms: float
    came_ms: float
    spacing_ms: float


class Rhythm:
    """One table's mean spacing, from the events that anybody has seen of it; endless while there were few.

    `seq` is the last of them.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.spacing_ms = math.inf
        self._epoch = ""
        self._first = (0, 0)

    def see(self, epoch: str, seq: int, due_ms: int) -> None:
        """Takes an event that is not the last one; others may have seen later ones."""
        if epoch != self._epoch:
            self._epoch, self.seq, self._first, self.spacing_ms = epoch, seq, (seq, due_ms), math.inf
        elif seq > self.seq:
            self.seq = seq
            events, span_ms = seq - self._first[0], due_ms - self._first[1]
            if events >= ENOUGH_EVENTS and span_ms > 0:
                self.spacing_ms = span_ms / events


def omitted(late: Late, next_due_ms: float) -> Iterator[float]:
    """How late the events were that `late` kept from being due: milliseconds, longest first.

    An event that was due meanwhile shows that the table went on: from then on nothing is missing.

    >>> list(omitted(Late(1000, 3000, spacing_ms=500), next_due_ms=3010))
    [1500, 1000, 500]
    >>> list(omitted(Late(1000, 3000, spacing_ms=500), next_due_ms=1500))
    []
    """
    until_ms = min(late.came_ms, next_due_ms)
    due_ms = late.due_ms + late.spacing_ms
    while due_ms < until_ms:
        yield late.came_ms - due_ms
        due_ms += late.spacing_ms
