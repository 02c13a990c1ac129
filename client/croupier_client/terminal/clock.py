"""The server's time as a countdown shows it. No I/O."""

from typing import Final

HELD_MS: Final = 2_000.0
"""An estimate that gets better corrects itself by less; more is another clock, after a move or a step."""


class ShownClock:
    """Time that is shown never runs back where the estimate of it got better: it stands until it is true."""

    def __init__(self) -> None:
        self._last_ms = 0.0

    def shown(self, now_ms: float) -> float:
        """What to show when the estimate is `now_ms`.

        >>> clock = ShownClock()
        >>> [clock.shown(now_ms) for now_ms in (10_000.0, 9_900.0, 10_050.0, 3_000.0)]
        [10000.0, 10000.0, 10050.0, 3000.0]
        """
        if not 0 < self._last_ms - now_ms < HELD_MS:
            self._last_ms = now_ms
        return self._last_ms
