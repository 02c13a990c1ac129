"""The store's clock as seen from a process: never asked for, only overheard in replies."""

import time
from collections.abc import Callable
from typing import Final

STEP_MS: Final = 250
"""A reply this far off the estimate means that one of the clocks was set, not that it drifts."""


class StoreClock:
    """An estimate of the store's clock on top of a steady one.

    Every reply that carries the store's time narrows the bounds between which the difference of the two
    clocks lies: that time was read between sending and receiving. The estimate is their middle. When a reply
    contradicts the bounds by more than `STEP_MS`, the store's clock has stepped; `stepped_ms` is the sum of
    all steps so far, so that each table can see by how much its times moved since it last looked.

    >>> steady = iter([10.0]).__next__
    >>> clock = StoreClock(steady)
    >>> clock.observe(8.0, 10.0, 1_000_000)
    >>> clock.now_ms()
    1001000
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self.steady = steady
        self.stepped_ms = 0
        self._bounds: tuple[float, float] | None = None

    def observe(self, sent: float, received: float, store_ms: int) -> None:
        """Takes in a reply: when it was asked for and came, in steady seconds, and the time it carried."""
        lowest = store_ms - received * 1000
        highest = store_ms + 1 - sent * 1000
        if self._bounds is None:
            self._bounds = lowest, highest
            return
        low, high = self._bounds
        if lowest - STEP_MS <= high and low <= highest + STEP_MS:
            self._bounds = _within(low, lowest, highest), _within(high, lowest, highest)
        else:
            # Told as if known exactly: if this reply was slow, the next quick one tells the rest as a step.
            stepped_to = (lowest + highest) / 2
            self.stepped_ms += round(stepped_to - (low + high) / 2)
            self._bounds = stepped_to, stepped_to

    @property
    def known(self) -> bool:
        """Whether any reply has come yet."""
        return self._bounds is not None

    def now_ms(self) -> int:
        """The store's time now, in whole milliseconds; the machine's own before the first reply."""
        if self._bounds is None:
            return time.time_ns() // 1_000_000
        return int(self.steady() * 1000 + sum(self._bounds) / 2)

    def seconds_until(self, moment_ms: int) -> float:
        """Steady seconds from now until the store's clock shows `moment_ms`; never below zero."""
        if self._bounds is None:
            return 0.0
        return max(0.0, (moment_ms - sum(self._bounds) / 2) / 1000 - self.steady())


def _within(value: float, lowest: float, highest: float) -> float:
    return min(max(value, lowest), highest)
