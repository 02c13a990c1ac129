"""What became of deliveries, for the metrics."""

import time
from collections.abc import Callable

from croupier_server.store.keys import PitId


class Tally:
    """Counts of one server since its start; `waiting` and `behind_s` are of pits that it delivers for now.

    `steady` is a clock in seconds that never goes back.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self.delivered = 0
        self.failed = 0
        self.lost = 0
        self._steady = steady
        self._last: dict[PitId, int] = {}
        self._taken: dict[tuple[PitId, str], int] = {}
        self._level_s: dict[tuple[PitId, str], float] = {}

    def add(self, pit: PitId, last: int) -> None:
        """The pit's last delivery has this number."""
        for key in self._taken:
            if key[0] == pit and not self._waits(key):
                self._level_s[key] = self._steady()
        self._last[pit] = last

    def take(self, pit: PitId, receiver: str, number: int) -> None:
        """A receiver has taken everything up to this number."""
        key = pit, receiver
        self._taken[key] = number
        if not self._waits(key):
            self._level_s[key] = self._steady()
        self._level_s.setdefault(key, self._steady())

    def leave(self, pit: PitId) -> None:
        """Another server delivers the pit's from now on."""
        self._last.pop(pit, None)
        self._taken = {key: number for key, number in self._taken.items() if key[0] != pit}
        self._level_s = {key: since_s for key, since_s in self._level_s.items() if key[0] != pit}

    @property
    def waiting(self) -> int:
        """Deliveries that have yet to be taken, counted for each receiver."""
        return sum(self._waits(key) for key in self._taken)

    @property
    def behind_s(self) -> float:
        """For how long some receiver has never been without a delivery that it has yet to take.

        However many it takes meanwhile: one that is slower than rounds end falls behind as well.
        """
        waited = [self._steady() - self._level_s[key] for key in self._taken if self._waits(key)]
        return max(waited, default=0.0)

    def _waits(self, key: tuple[PitId, str]) -> int:
        return max(self._last.get(key[0], 0) - self._taken[key], 0)
