"""The store's clock as seen from a process: never asked for, only overheard in replies."""

import time
from collections.abc import Callable
from typing import Final

STEP_MS: Final = 250
"""A reply this far off the estimate means that one of the clocks was set, not that it drifts."""


class StoreClock:
    """An estimate of the store's clock on top of a steady one.

    Every reply that carries the store's time narrows the estimate: that time was read between sending and
    receiving. When a reply contradicts the estimate by more than `STEP_MS`, the store's clock has stepped;
    `stepped_ms` is the sum of all steps so far, so that each table can see by how much its times moved
    since it last looked.

    >>> steady = iter([10.0]).__next__
    >>> clock = StoreClock(steady)
    >>> clock.observe(9.0, 9.002, 1_000_000)
    >>> clock.now_ms()
    1001000
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self.steady = steady
        self.stepped_ms = 0
        self._offset_ms: float | None = None

    def observe(self, sent: float, received: float, store_ms: int) -> None:
        """Takes in a reply: when it was asked for and came, in steady seconds, and the time it carried."""
        lowest = store_ms - received * 1000
        highest = store_ms + 1 - sent * 1000
        offset = self._offset_ms
        if offset is None:
            self._offset_ms = (lowest + highest) / 2
        elif lowest - STEP_MS <= offset <= highest + STEP_MS:
            self._offset_ms = min(max(offset, lowest), highest)
        else:
            self._offset_ms = (lowest + highest) / 2
            self.stepped_ms += round(self._offset_ms - offset)

    @property
    def known(self) -> bool:
        """Whether any reply has come yet."""
        return self._offset_ms is not None

    def now_ms(self) -> int:
        """The store's time now, in whole milliseconds; the machine's own before the first reply."""
        if self._offset_ms is None:
            return time.time_ns() // 1_000_000
        return int(self.steady() * 1000 + self._offset_ms)

    def seconds_until(self, moment_ms: int) -> float:
        """Steady seconds from now until the store's clock shows `moment_ms`; never below zero."""
        if self._offset_ms is None:
            return 0.0
        return max(0.0, (moment_ms - self._offset_ms) / 1000 - self.steady())
