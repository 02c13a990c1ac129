"""Whether one connection's stream of a table is whole, and how late it is. No I/O.

All spectators and players of a test judge what comes to them by this, not by the client library's own fold.
"""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from croupier_client.load.rhythm import Arrival, Rhythm, omitted
from croupier_client.load.tally import Count, Tally
from croupier_protocol.messages.to_server import Since


class Header(Struct, frozen=True, gc=False):
    """All that is judged of any message; the rest is skipped while decoding."""

    type: str
    epoch: str = ""
    seq: int = 0
    due_ms: int = 0
    at_ms: int = 0
    code: str = ""
    resumed: bool = False


class Book(Struct):
    """Where everybody in a process writes: the tally of this second, the stage, and the clock's error.

    The tally is replaced every second by whoever sends it on, so nobody keeps it.
    """

    tally: Tally = msgspec.field(default_factory=Tally)
    stage: str = ""
    error_ms: float = 0.0
    watching: int = 0
    playing: int = 0


class Stream:
    """One connection's view of one table. `since` is how far it has come."""

    def __init__(self, book: Book, rhythm: Rhythm, table: str, on_snapshot: Callable[[], None]) -> None:
        self.since: Since | None = None
        self.timed = True
        self._book = book
        self._rhythm = rhythm
        self._table = table
        self._on_snapshot = on_snapshot
        self._live_from = 0
        self._last: Arrival | None = None
        self._asked = False
        self._rewound = False

    def asked(self) -> None:
        """A `watch` was sent: a snapshot is in order."""
        self._asked = True
        self._last = None

    def rewind(self) -> None:
        """Somebody else said since when events are wanted: the next one may be any that was seen before."""
        self._rewound = True

    def take(self, header: Header, came_ms: float) -> None:
        """Takes the answer to `watch`, a snapshot or an event that came at `came_ms`, server time."""
        if header.type == "watching":
            self._live_from = header.seq
            self._asked = not header.resumed
        elif header.type == "snapshot":
            self._take_snapshot(header)
        elif header.at_ms:
            self._take_event(header, came_ms)

    def _take_snapshot(self, header: Header) -> None:
        tally = self._book.tally
        tally.add(Count.SNAPSHOTS)
        if not self._asked:
            tally.add(Count.MOVED)
        since = self.since
        if since is not None and header.epoch == since.epoch and header.seq < since.seq:
            tally.fault(Count.DISORDER, self._tell("a snapshot goes back", header, since))
        self.since = Since(epoch=header.epoch, seq=header.seq)
        self._live_from = max(self._live_from, header.seq)
        self._last = None
        self._asked = False
        self._on_snapshot()

    def _take_event(self, header: Header, came_ms: float) -> None:
        tally, since = self._book.tally, self.since
        tally.add(Count.EVENTS)
        if self._rewound and since is not None and header.seq <= since.seq:
            since = Since(epoch=header.epoch, seq=header.seq - 1)
        self._rewound = False
        if since is None or header.epoch != since.epoch:
            tally.fault(Count.DISORDER, self._tell("another epoch without a snapshot", header, since))
        elif header.seq == since.seq:
            tally.fault(Count.DUPLICATES, self._tell("again", header, since))
            return
        elif header.seq < since.seq:
            tally.fault(Count.DISORDER, self._tell("an earlier event", header, since))
            return
        elif header.seq > since.seq + 1:
            tally.fault(Count.GAPS, self._tell("events are missing before", header, since))
        self.since = Since(epoch=header.epoch, seq=header.seq)
        self._rhythm.see(header.epoch, header.seq, header.due_ms)
        if (
            header.seq > self._live_from and self.timed
        ):  # what was missed during a cut is late for that reason
            self._time(header, came_ms)

    def _time(self, header: Header, came_ms: float) -> None:
        book = self._book
        late_ms = came_ms - header.due_ms
        if late_ms < -book.error_ms:
            book.tally.add(Count.TOO_EARLY)
        if self._last is not None:
            for more_ms in omitted(self._last, header.due_ms):
                book.tally.push(book.stage, more_ms)
                book.tally.add(Count.OMITTED)
        book.tally.push(book.stage, late_ms)
        self._last = Arrival(header.due_ms, came_ms, self._rhythm.spacing_ms)

    def _tell(self, what: str, header: Header, since: Since | None) -> str:
        before = "nothing" if since is None else f"{since.seq} of {since.epoch}"
        return f"{self._table}: {what}: {header.type} {header.seq} of {header.epoch} after {before}"
