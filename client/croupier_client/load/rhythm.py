"""How often a table has something to tell, and what it left out while it stood still. No I/O.

A server that stands still for two seconds makes one event two seconds late, and does not even try to send the
many others that would have come meanwhile: its tables wait for each other's steps. Counting only what came
would hide the pause from every percentile (coordinated omission). So where nothing was due between the time
at which a late event was due and its arrival, the events that the table has in such a time on average are
counted as late too, each from the time at which it would have been due.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

ENOUGH_EVENTS: Final = 20
"""A table's mean spacing counts once it is made from so many."""


class Arrival(Struct, frozen=True):
    """When an event was due and when it came, in milliseconds of the server's clock.

    `spacing_ms` is the table's as it was known then: later it contains the pause that is looked for.
    """

    due_ms: float
    came_ms: float
    spacing_ms: float | None


class Rhythm:
    """One table's mean spacing, from the events that anybody has seen of it."""

    def __init__(self) -> None:
        self._first: tuple[str, int, int] | None = None
        self._seq = 0
        self._due_ms = 0

    def see(self, epoch: str, seq: int, due_ms: int) -> None:
        """Takes an event; the same one may be seen by many."""
        if seq == self._seq:
            return
        if self._first is None or self._first[0] != epoch:
            self._first, self._seq, self._due_ms = (epoch, seq, due_ms), seq, due_ms
        elif seq > self._seq:
            self._seq, self._due_ms = seq, due_ms

    @property
    def spacing_ms(self) -> float | None:
        """Between two events on average; None while there were too few."""
        if self._first is None or self._seq - self._first[1] < ENOUGH_EVENTS:
            return None
        spacing_ms = (self._due_ms - self._first[2]) / (self._seq - self._first[1])
        return spacing_ms if spacing_ms > 0 else None


def omitted(late: Arrival, next_due_ms: float) -> Iterator[float]:
    """How late the events were that `late` kept from being due: milliseconds, longest first.

    An event that was due meanwhile shows that the table went on: from then on nothing is missing.

    >>> list(omitted(Arrival(1000, 3000, spacing_ms=500), next_due_ms=3010))
    [1500, 1000, 500]
    >>> list(omitted(Arrival(1000, 3000, spacing_ms=500), next_due_ms=1500))
    []
    """
    spacing_ms = late.spacing_ms
    if spacing_ms is None:
        return
    until_ms = min(late.came_ms, next_due_ms)
    due_ms = late.due_ms + spacing_ms
    while due_ms < until_ms:
        yield late.came_ms - due_ms
        due_ms += spacing_ms
