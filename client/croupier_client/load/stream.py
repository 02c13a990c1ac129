"""Whether one connection's stream of a table is whole, and how late it is. No I/O.

All spectators and players of a test judge what comes to them by this, not by the client library's own fold.
"""

from collections.abc import Callable

from msgspec import Struct

from croupier_client.load.book import Book
from croupier_client.load.rhythm import Late, Rhythm, omitted
from croupier_client.load.tally import Count
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


class Stream:
    """One connection's view of one table. `since` is how far it has come.

    `take` is called for every event of every spectator: what is usual takes the short way through it.
    """

    def __init__(self, book: Book, rhythm: Rhythm, table: str, on_snapshot: Callable[[], None]) -> None:
        self.timed = True
        self._epoch = ""
        self._seq = 0
        self._book = book
        self._rhythm = rhythm
        self._table = table
        self._on_snapshot = on_snapshot
        self._live_from = 0
        self._late: Late | None = None
        self._asked = False
        self._rewound = False

    @property
    def since(self) -> Since | None:
        """Where to resume; None for a snapshot."""
        return Since(epoch=self._epoch, seq=self._seq) if self._epoch else None

    def forget(self) -> None:
        """A snapshot is wanted, and not what follows on anything."""
        self._epoch = ""

    def asked(self) -> None:
        """A `watch` was sent: a snapshot is in order."""
        self._asked = True
        self._late = None

    def rewind(self) -> None:
        """Somebody else said since when events are wanted: the next one may be any that was seen before."""
        self._rewound = True

    def take(self, header: Header, came_ms: float) -> None:
        """Takes the answer to `watch`, a snapshot or an event that came at `came_ms`, server time."""
        if header.at_ms:
            self._take_event(header, came_ms)
        elif header.type == "watching":
            self._live_from = header.seq
            self._asked = not header.resumed
        elif header.type == "snapshot":
            self._take_snapshot(header)

    def _take_snapshot(self, header: Header) -> None:
        tally = self._book.tally
        tally.add(Count.SNAPSHOTS)
        if not self._asked:
            tally.add(Count.MOVED)
        if header.epoch == self._epoch and header.seq < self._seq:
            tally.fault(Count.DISORDER, self._tell("a snapshot goes back", header))
        self._epoch, self._seq = header.epoch, header.seq
        self._live_from = max(self._live_from, header.seq)
        self._late = None
        self._asked = False
        self._on_snapshot()

    def _take_event(self, header: Header, came_ms: float) -> None:
        book, seq = self._book, header.seq
        book.tally.add(Count.EVENTS)
        usual = seq == self._seq + 1 and header.epoch == self._epoch and not self._rewound
        if not usual and not self._follows(header):
            return
        self._epoch, self._seq = header.epoch, seq
        rhythm = self._rhythm
        if seq != rhythm.seq:
            rhythm.see(header.epoch, seq, header.due_ms)
        if seq <= self._live_from or not self.timed:  # what was missed during a cut is late for that reason
            return
        late_ms = came_ms - header.due_ms
        if self._late is not None:
            for more_ms in omitted(self._late, header.due_ms):
                book.pushed(self._late.came_ms - more_ms, more_ms)
                book.tally.add(Count.OMITTED)
            self._late = None
        if late_ms > rhythm.spacing_ms:
            self._late = Late(header.due_ms, came_ms, rhythm.spacing_ms)
        elif late_ms < -book.error_ms:
            book.tally.add(Count.TOO_EARLY)
        if not book.from_ms <= header.due_ms < book.until_ms:  # as `pushed`, without its call
            book.turn(header.due_ms)
        book.pushes.add(late_ms)

    def _follows(self, header: Header) -> bool:
        """Judges an event that is not simply the next one; whether it is news."""
        tally = self._book.tally
        if self._rewound and header.seq <= self._seq:
            self._seq = header.seq - 1
        self._rewound = False
        if header.epoch != self._epoch:
            tally.fault(Count.DISORDER, self._tell("another epoch without a snapshot", header))
        elif header.seq == self._seq:
            tally.fault(Count.DUPLICATES, self._tell("again", header))
            return False
        elif header.seq < self._seq:
            tally.fault(Count.DISORDER, self._tell("an earlier event", header))
            return False
        elif header.seq > self._seq + 1:
            tally.fault(Count.GAPS, self._tell("events are missing before", header))
        return True

    def _tell(self, what: str, header: Header) -> str:
        before = f"{self._seq} of {self._epoch}" if self._epoch else "nothing"
        return f"{self._table}: {what}: {header.type} {header.seq} of {header.epoch} after {before}"
