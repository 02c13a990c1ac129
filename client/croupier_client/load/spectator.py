"""One spectator of a load test: as lean as a real client may be, and suspicious of every event."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec import field

from croupier_client.errors import CroupierError, LinkLostError, ViolationError
from croupier_client.follower import BELIEVED_AHEAD
from croupier_client.load.book import Book
from croupier_client.load.lean_socket import Socket, Target, TurnedAwayError
from croupier_client.load.rhythm import Rhythm
from croupier_client.load.stream import Header, Stream
from croupier_client.load.tally import Count
from croupier_client.load.times import Measure
from croupier_client.load.timetable import Arrivals
from croupier_client.timing import Backoff, Timing
from croupier_protocol.codec import MSGPACK
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_server import Hello, Watch
from croupier_protocol.messages.values import TableId

_DECODER: Final = msgspec.msgpack.Decoder(Header)
_HELLO: Final = MSGPACK.encode(Hello(test=True))


class Place(msgspec.Struct):
    """What all spectators of a process share: where the server is, what time it has, where they write.

    `arrivals` is told of each one that is in.
    """

    target: Target
    book: Book
    now_ms: Callable[[], float]
    arrivals: Arrivals
    timing: Timing = field(default_factory=Timing)
    rhythms: defaultdict[str, Rhythm] = field(default_factory=lambda: defaultdict(Rhythm))
    last: tuple[bytes, Header] = (b"", Header(""))

    def decode(self, frame: bytes) -> Header:
        """What is judged of a message. All spectators of a table get the same ones, one after another.

        Raises:
            ViolationError: the frame is no message.
        """
        known, header = self.last
        if frame != known:
            try:
                header = _DECODER.decode(frame)
            except msgspec.MsgspecError as error:
                raise ViolationError(f"the server sent a frame that does not decode: {error}") from error
            self.last = frame, header
        return header


class Spectator:
    """Watches one table until it leaves, reconnecting and resuming as any client does."""

    def __init__(self, place: Place, table: TableId, source: str | None) -> None:
        self._place = place
        self._table = table
        self._source = source
        self._stream = Stream(place.book, place.rhythms[table], table, self._begin)
        self._socket: Socket | None = None
        self._watching = False
        self._ever = False
        self._ahead = 0
        self._tried_s = 0.0
        self._meant = False

    async def run(self, due_s: float) -> None:
        """Comes at `due_s`, steady time, and watches until it is cancelled.

        It ends by itself only when the server says that there is no use in trying again.
        """
        await self._place.timing.sleep(max(0.0, due_s - time.monotonic()))
        self._tried_s = due_s
        backoff = Backoff(self._place.timing)
        while True:
            try:
                await self._connection()
            except LinkLostError as lost:
                if self._end():
                    backoff.reset()
                    self._tried_s = 0.0
                self._count(lost)
                await self._place.timing.sleep(backoff.wait_s(lost.retry_after_s))
                self._tried_s = self._tried_s or time.monotonic()
            except CroupierError as error:
                self._end()
                self._count(error)
                return
            finally:
                self._meant = False

    def cut(self) -> None:
        """Breaks the connection, as a bad network does; the spectator comes back by itself."""
        if self._socket is not None and self._watching:
            self._meant = True
            self._socket.abort()

    def stop_reading(self) -> None:
        """Reads nothing more: what comes when it reads again is late for that reason."""
        self._stream.timed = False
        if self._socket is not None:
            self._socket.pause()

    def read_again(self) -> None:
        """Reads on from wherever the server has kept it."""
        if self._socket is not None:
            self._socket.heard_s = time.monotonic()
            self._socket.go_on()

    def leave(self) -> None:
        """Says goodbye; whoever runs the spectator cancels it."""
        if self._socket is not None:
            self._socket.close()
        self._leave()

    def look(self, now_s: float) -> None:
        """Gives up a connection on which nothing has come for too long; called now and then."""
        found = self._socket
        silent = found is not None and now_s - found.heard_s > self._place.timing.silence_s
        if found is not None and silent and self._stream.timed:
            found.abort()

    async def _connection(self) -> None:
        place = self._place
        self._socket = found = await Socket.open(place.target, self._take_frame, self._source)
        try:
            if not self._ever:
                place.book.done(Measure.CONNECT, self._tried_s)
            self._stream.asked()
            found.send(_HELLO, MSGPACK.encode(Watch(table=self._table, since=self._stream.since)))
            await found.closed()
        finally:
            found.abort()

    def _take_frame(self, frame: bytes) -> None:
        came_ms = self._place.now_ms()
        header = self._place.decode(frame)
        if header.type == "error":
            raise self._refused(header.code)
        self._stream.take(header, came_ms)
        if header.type == "watching":
            self._ahead = 0
            if header.resumed:
                self._begin()

    def _refused(self, code: str) -> CroupierError:
        if code == ErrorCode.SINCE_AHEAD:
            self._ahead += 1
            if self._ahead >= BELIEVED_AHEAD:
                self._ahead = 0
                self._stream.forget()
        return LinkLostError(f"the server refused to let us watch: {code}")

    def _begin(self) -> None:
        """The spectator has the present."""
        if self._watching:
            return
        self._watching = True
        book = self._place.book
        book.watching += 1
        if self._ever:
            book.tally.add(Count.RESUMED)
            book.done(Measure.RESUME, self._tried_s)
        else:
            self._ever = True
            book.tally.add(Count.JOINED)
            book.done(Measure.SNAPSHOT, self._tried_s)
            self._place.arrivals.come(self._tried_s, time.monotonic())

    def _end(self) -> bool:
        """The connection is gone; whether it was a good one."""
        watched = self._watching
        self._leave()
        if watched and not self._meant:
            self._place.book.tally.add(Count.CUTS)
        return watched

    def _leave(self) -> None:
        self._socket = None
        if self._watching:
            self._watching = False
            self._place.book.watching -= 1

    def _count(self, error: CroupierError) -> None:
        tally = self._place.book.tally
        if isinstance(error, TurnedAwayError):
            tally.add(Count.TURNED_AWAY)
        elif not self._meant:
            tally.failed(error)


async def watch_silence(spectators: Mapping[int, Spectator]) -> None:
    """Looks at every spectator's connection once a second."""
    while True:
        await asyncio.sleep(1.0)
        now_s = time.monotonic()
        for spectator in list(spectators.values()):
            spectator.look(now_s)
