"""Whether the event loop is behind: for everybody here, waiting begins with that."""

import asyncio
from collections import deque
from typing import Final

from croupier_server.sight.metrics import Observe, unmeasured

LOOK_S: Final = 0.1
"""Between two looks at the clock."""

LATE_S: Final = 0.25
"""A look that comes so late has waited for turns of the loop as long as that: players would notice."""

LOOKS: Final = 5
"""So many late looks in a row mean being behind. One alone is a machine that stood still for a moment, after
which all is well; a queue that stands makes every look late."""


class Lag:
    """Watches one event loop.

    >>> lag = Lag()
    >>> for late_s in (0.3, 0.3, 0.0, 0.3, 0.3, 0.3, 0.3):
    ...     lag.seen(late_s)
    >>> lag.behind
    False
    >>> lag.seen(0.3)
    >>> lag.behind
    True
    """

    def __init__(self, observe: Observe = unmeasured) -> None:
        self._observe = observe
        self._late: deque[float] = deque([0.0], maxlen=LOOKS)

    @property
    def least_s(self) -> float:
        """How late at least each of the last looks came."""
        return min(self._late)

    @property
    def behind(self) -> bool:
        """Whether whoever joins now would wait, and make all others wait longer."""
        return len(self._late) == LOOKS and self.least_s >= LATE_S

    def seen(self, late_s: float) -> None:
        """A look came so late."""
        self._late.append(late_s)

    async def run(self) -> None:
        """Looks until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOK_S
            await asyncio.sleep(LOOK_S)
            late_s = max(loop.time() - due, 0.0)
            self.seen(late_s)
            self._observe(late_s)
