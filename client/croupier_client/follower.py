"""Following one table: which messages count, and what to ask for when they do not join up. No I/O.

Rules:

1. A `watch` command makes everything that comes before its `watching` answer old: it is dropped.
2. After `watching`, either the missed events follow (`resumed`) or a snapshot does.
3. An event counts only when it is the next one. Any other, be it later, earlier or of another epoch, means
   that the stream and this view no longer belong together: the table is watched again, once, and what
   comes until the answer is dropped.
4. When that does not help, the caller makes a new connection and asks for a snapshot.
5. `since_ahead` says that this server is behind, so another is tried; the third one in a row is believed.
"""

from enum import Enum, auto
from typing import Final

from croupier_protocol.messages.events import TableEvent, UnknownEvent
from croupier_protocol.messages.to_client import TableView, Watching
from croupier_protocol.messages.to_server import Since, Watch
from croupier_protocol.messages.values import RequestId, TableId
from croupier_protocol.view import GapError, fold

BELIEVED_AHEAD: Final = 3
"""So many servers in a row that have not seen our last event are right: it is lost."""


class Verdict(Enum):
    """What to do with a message."""

    DELIVER = auto()
    DROP = auto()
    WATCH_AGAIN = auto()
    RECONNECT = auto()


class _State(Enum):
    ASKED = auto()
    SNAPSHOT_DUE = auto()
    LIVE = auto()


class Follower:
    """One table's stream as this client has it. `view` is up to date with everything delivered."""

    def __init__(self, table: TableId) -> None:
        self.table = table
        self.view: TableView | None = None
        self._state = _State.ASKED
        self._request: RequestId | None = None
        self._afresh = False
        self._misfits = 0
        self._ahead = 0

    def watch(self, request: RequestId) -> Watch:
        """The command that starts this stream, or continues it where the view ends."""
        self._state = _State.ASKED
        self._request = request
        since = None
        if self.view is not None and not self._afresh:
            since = Since(epoch=self.view.epoch, seq=self.view.seq)
        return Watch(id=request, table=self.table, since=since)

    def watching(self, answer: Watching) -> None:
        """Takes the answer to `watch`; one to an older `watch` changes nothing."""
        if answer.id != self._request:
            return
        resumed = answer.resumed and self.view is not None and not self._afresh
        self._state = _State.LIVE if resumed else _State.SNAPSHOT_DUE
        self._ahead = 0

    def snapshot(self, view: TableView) -> Verdict:
        """Takes a snapshot, asked for or not: the server may move a slow watcher to the present."""
        if self._state is _State.ASKED:
            return Verdict.DROP
        self.view = view
        self._state = _State.LIVE
        self._afresh = False
        return Verdict.DELIVER

    def event(self, event: TableEvent | UnknownEvent) -> Verdict:
        """Takes an event, if it is the next one."""
        if self._state is not _State.LIVE or self.view is None:
            return Verdict.DROP
        try:
            self.view = fold(self.view, event)
        except GapError:
            self._misfits += 1
            if self._misfits == 1:
                return Verdict.WATCH_AGAIN
            self._afresh = True
            self._state = _State.ASKED
            return Verdict.RECONNECT
        self._misfits = 0
        return Verdict.DELIVER

    def since_ahead(self) -> Verdict:
        """Takes the refusal `since_ahead`."""
        self._ahead += 1
        if self._ahead < BELIEVED_AHEAD:
            return Verdict.RECONNECT
        self._ahead = 0
        self._afresh = True
        return Verdict.WATCH_AGAIN
