"""A connection as the library has it, with bounds on what comes in; it knows when its peer was heard last."""

import asyncio
from typing import Any, Final
from typing import Protocol as Interface

from websockets.asyncio.server import Server, ServerConnection
from websockets.frames import CloseCode as FrameCloseCode
from websockets.http11 import Request
from websockets.protocol import Event, State
from websockets.server import ServerProtocol

from croupier_protocol.messages.errors import CLOSE_MEANINGS, CloseCode
from croupier_server.gateway.addresses import Caller
from croupier_server.gateway.budget import BYTES_BURST, BYTES_RATE, FRAME_BYTES, Bucket

READ_BYTES: Final = 4096
"""Read from one connection before others have their turn. asyncio would read 256 KiB, and have all of it
answered at once: forty thousand pings."""

MOST_REQUEST: Final = 32 * 1024
"""Bytes of a request, and of what follows it until it has been answered; a browser's takes under 4 KiB."""

LINGER_S: Final = 1.0
"""How long a connection that is cut for flooding stays, unread, so that its peer can see the code."""

_KNOWN_CODES: Final = frozenset({*CloseCode, *FrameCloseCode})

_incoming: Final = memoryview(bytearray(READ_BYTES))
"""Where all connections' bytes arrive. They are taken out before anything else can run. A view, since asyncio
reads what TLS has behind the first record into a slice: of a bytearray that would be a copy."""


class Keeper(Interface):
    """Whoever has to know of all connections."""

    def arrived(self, connection: "Connection") -> None:
        """Somebody has connected, and not said anything yet."""

    def left(self, connection: "Connection") -> None:
        """The connection has ended."""


class Waterline(Interface):
    """Whoever has to know whether something waits for the peer: `clear` while nothing does and all is open.

    Without a `descriptor` that may be written to it is never clear.
    """

    clear: bool
    descriptor: int | None


class Connection(ServerConnection, asyncio.BufferedProtocol):
    """By the loop's time: anything came last at `heard_at`, pongs too; a ping went out at `pinged_at`.

    `admitted` is whether the connection counts as a websocket, of `caller` where that counts.
    """

    def __init__(self, protocol: ServerProtocol, server: Server, keeper: Keeper, **options: Any) -> None:
        # Without a limit, `pause_writing` comes as soon as anything waits.
        super().__init__(protocol, server, **{**options, "write_limit": 0})
        now = self.loop.time()
        self.heard_at = self.pinged_at = now
        self.caller: Caller | None = None
        self.cookie_token: str | None = None
        self.admitted = False
        self._keeper = keeper
        self._waterline: Waterline | None = None
        self._bytes = Bucket(BYTES_RATE, BYTES_BURST, now)
        self._asked = 0
        self._flooding = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.BaseProtocol`."""
        self._keeper.arrived(self)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.BaseProtocol`. When it returns, the descriptor may be another connection's."""
        super().connection_lost(exc)
        self._see()
        self._waterline = None
        self._keeper.left(self)

    def mark(self, waterline: Waterline) -> None:
        """From now on `waterline` is kept true."""
        self._waterline = waterline
        self._see()

    def pause_writing(self) -> None:
        """See `asyncio.BaseProtocol`: something waits for the peer."""
        super().pause_writing()
        self._see()

    def resume_writing(self) -> None:
        """See `asyncio.BaseProtocol`: nothing waits any more."""
        super().resume_writing()
        self._see()

    def send_data(self) -> None:
        """See the library: called after all that it says, goodbyes too."""
        super().send_data()
        self._see()

    def _see(self) -> None:
        waterline = self._waterline
        if waterline is not None:
            writable = waterline.descriptor is not None and not self.paused
            waterline.clear = writable and self.protocol.state is State.OPEN

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002  # the name is asyncio's
        """See `asyncio.BufferedProtocol`."""
        return _incoming

    def buffer_updated(self, nbytes: int) -> None:
        """See `asyncio.BufferedProtocol`."""
        if self._flooding:
            self.transport.pause_reading()  # what had been read before may have resumed it
            return
        self.heard_at = now = self.loop.time()
        connecting = self.protocol.state is State.CONNECTING
        if connecting:
            self._asked += nbytes
        if self._asked > MOST_REQUEST if connecting else not self._bytes.take(nbytes, now):
            self.cut_flood()
        else:
            self.data_received(bytes(_incoming[:nbytes]))

    def process_event(self, event: Event) -> None:
        """See the library: called for every frame, pings and the request too."""
        if isinstance(event, Request) or self._bytes.take(FRAME_BYTES, self.heard_at):
            super().process_event(event)
        elif not self._flooding:
            self.cut_flood()

    @property
    def ended_with(self) -> str:
        """Once it has ended, with which code: ours, else the peer's; `other` for one that peers make up."""
        protocol = self.protocol
        answered = protocol.close_rcvd_then_sent or protocol.close_sent is None
        closed = protocol.close_rcvd if answered else protocol.close_sent
        code = FrameCloseCode.ABNORMAL_CLOSURE if closed is None else closed.code
        return str(int(code)) if code in _KNOWN_CODES else "other"

    def cut_flood(self) -> None:
        """Reads no more, so that nothing of a flood is worked on, and ends the connection in a moment."""
        self._flooding = True
        if self.protocol.state is not State.OPEN:
            self.transport.abort()
            return
        self.protocol.send_close(CloseCode.FLOODING, CLOSE_MEANINGS[CloseCode.FLOODING])
        self.send_data()
        self.transport.pause_reading()
        self.loop.call_later(LINGER_S, self.transport.abort)
