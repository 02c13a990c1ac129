"""How far the server's clock is from this machine's steady clock."""

from collections import deque
from typing import Final, NamedTuple

KEPT_SAMPLES: Final = 16
"""Enough to meet a short round trip, few enough to follow two clocks that drift apart."""


class ClockOffset(NamedTuple):
    """``server time = steady clock + offset_ms``, right to within `error_ms` either way."""

    offset_ms: float
    error_ms: float

    def server_ms(self, monotonic_s: float) -> float:
        """The server's time at a moment of this machine's steady clock."""
        return monotonic_s * 1000.0 + self.offset_ms


def measured(sent_s: float, received_s: float, server_ms: int) -> ClockOffset:
    """What one question and its answer say: the server looked at its clock somewhere between the two.

    A server's time is cut to whole milliseconds, so half of one is added to it and to the error.

    >>> measured(10.0, 10.25, 50_000)
    ClockOffset(offset_ms=39875.5, error_ms=125.5)
    """
    middle_ms = (sent_s + received_s) * 500.0
    return ClockOffset(server_ms + 0.5 - middle_ms, (received_s - sent_s) * 500.0 + 0.5)


class OffsetEstimate:
    """The latest samples; the one with the shortest round trip knows best."""

    def __init__(self) -> None:
        self._samples: deque[ClockOffset] = deque(maxlen=KEPT_SAMPLES)

    def add(self, sample: ClockOffset) -> None:
        self._samples.append(sample)

    @property
    def best(self) -> ClockOffset | None:
        """The best of the kept samples; None before the first."""
        return min(self._samples, key=lambda sample: sample.error_ms, default=None)

    def clear(self) -> None:
        """Forgets all: another server may have another clock."""
        self._samples.clear()
