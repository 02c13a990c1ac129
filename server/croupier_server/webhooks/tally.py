"""What became of deliveries, for the metrics."""

from croupier_server.store.keys import PitId


class Tally:
    """Counts of one server since its start; `waiting` is of those pits that it delivers for now."""

    def __init__(self) -> None:
        self.delivered = 0
        self.failed = 0
        self.lost = 0
        self._last: dict[PitId, int] = {}
        self._taken: dict[tuple[PitId, str], int] = {}

    def add(self, pit: PitId, last: int) -> None:
        """The pit's last delivery has this number."""
        self._last[pit] = last

    def take(self, pit: PitId, receiver: str, number: int) -> None:
        """A receiver has taken everything up to this number."""
        self._taken[pit, receiver] = number

    def leave(self, pit: PitId) -> None:
        """Another server delivers the pit's from now on."""
        self._last.pop(pit, None)
        self._taken = {key: number for key, number in self._taken.items() if key[0] != pit}

    @property
    def waiting(self) -> int:
        """Deliveries that have yet to be taken, counted for each receiver."""
        return sum(max(self._last.get(pit, 0) - number, 0) for (pit, _), number in self._taken.items())
