"""Counting whole rounds in what a watcher yields."""

from croupier_client.watcher import TableMessage
from croupier_protocol.messages.events import BettingOpened, RoundSettled
from croupier_protocol.messages.to_client import TableView


class RoundCounter:
    """Counts rounds seen from their `betting` to their `settled`; `complete` is how many.

    A round that was under way at the beginning, or when a snapshot took the place of events, does not count.
    """

    def __init__(self) -> None:
        self.complete = 0
        self._seen: int | None = None

    def see(self, message: TableMessage) -> None:
        """Takes the next message."""
        match message:
            case TableView():
                self._seen = None
            case BettingOpened():
                self._seen = message.round
            case RoundSettled() if message.round == self._seen:
                self._seen = None
                self.complete += 1
