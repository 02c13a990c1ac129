"""The writing side of one connection. No call waits: what the peer does not take yet is queued.

Frames for many are the same bytes for all of them (compression is off). Where nothing is queued they go
straight to the file descriptor, past the transport and the websocket library: that is most of what a table
with many spectators costs.
"""

import asyncio
import logging
import os
from collections.abc import Iterable
from typing import Final, NamedTuple

from websockets.frames import Frame, Opcode
from websockets.protocol import State

from croupier_protocol.codec import Codec
from croupier_protocol.messages.errors import CLOSE_MEANINGS, CloseCode
from croupier_protocol.messages.to_client import ServerMessage
from croupier_protocol.messages.values import Language
from croupier_server.gateway.connection import Connection
from croupier_server.gateway.encoded import Encoded

logger = logging.getLogger(__name__)

MOST_QUEUED: Final = 1024 * 1024
"""Bytes that may wait for a connection besides what the kernel holds; over it the reader is cut."""

_PING: Final = Frame(Opcode.PING, b"").serialize(mask=False)


class Outlet:
    """One connection, in its language. Order is that of the calls.

    One that is not `shown` is left out of the counts that people see. While it is `clear`, which its
    connection keeps true, nothing waits for the peer and frames may go to `descriptor` directly. What
    `write_all` needs is all here, for memory is what that loop waits for.
    """

    __slots__ = (
        "__weakref__",
        "clear",
        "codec",
        "connection",
        "descriptor",
        "language",
        "shown",
        "waiting_since",
        "written_at",
    )

    def __init__(self, connection: Connection, codec: Codec) -> None:
        self.connection = connection
        self.codec = codec
        self.language = Language.ENGLISH
        self.shown = True
        self.written_at = self.waiting_since = asyncio.get_running_loop().time()
        self.descriptor = _plain_descriptor(connection.transport)
        self.clear = False
        connection.mark(self)

    @property
    def queued(self) -> int:
        """Bytes that wait here for the peer to read."""
        return self.connection.transport.get_write_buffer_size()

    @property
    def behind(self) -> bool:
        """Whether more waits for the connection than may."""
        return self.queued > MOST_QUEUED

    def send(self, *messages: Encoded) -> None:
        """Writes a frame for each, all of them at once."""
        frames = b"".join(message.frame(self.codec) for message in messages)
        self.put(frames, asyncio.get_running_loop().time())

    def reply(self, message: ServerMessage) -> None:
        """Writes a message that is for this connection alone."""
        self.send(Encoded(message))

    def put(self, frames: bytes, now: float, bound: "Bound | None" = None) -> bool:
        """Writes whole frames, at the loop's time `now`.

        When the peer is behind by more than the bound, nothing is written, and the answer is false. To a
        connection that is closing nothing is written either.
        """
        queued = self.queued
        if queued == 0:
            self.waiting_since = now
        elif bound is not None and queued > bound.most and now - self.waiting_since > bound.seconds:
            return False
        self.written_at = now
        self._write(frames)
        return True

    def ping(self) -> None:
        """Asks the peer's library for a sign of life. A page does not see it: it stands for no heartbeat."""
        if not self.behind:
            self._write(_PING)

    def _write(self, frames: bytes) -> None:
        transport = self.connection.transport
        if not transport.is_closing() and self.connection.protocol.state is State.OPEN:
            self.hand(frames)

    def hand(self, frames: bytes) -> None:
        """Hands frames to the transport. If it fails, its own connection ends and nobody else's."""
        try:
            self.connection.transport.write(frames)
        except Exception:
            logger.exception("connection %s cannot be written to", self.connection.id)
            self.connection.transport.abort()


class Bound(NamedTuple):
    """A peer is behind when more than `most` bytes wait for it, and something has for `seconds`.

    A gateway that was held up itself has much to say at once, to peers that read well.
    """

    most: int
    seconds: float


def write_all(outlets: Iterable[Outlet], frames: bytes, now: float) -> list[Outlet]:
    """Writes whole frames straight to the sockets of many, at the loop's time `now`.

    Returns those to whom nothing was written: their sockets take nothing now, something waits for them
    already, or they are closing. `Outlet.put` is for these.
    """
    size, left, write_to = len(frames), [], os.write
    for outlet in outlets:
        if not outlet.clear:
            left.append(outlet)
            continue
        try:
            taken = write_to(outlet.descriptor, frames)  # type: ignore[arg-type]  # a clear one has its descriptor
        except OSError:
            left.append(outlet)
            continue
        outlet.written_at = now
        if taken != size:
            outlet.waiting_since = now
            outlet.hand(frames[taken:])
    return left


def _plain_descriptor(transport: asyncio.Transport) -> int | None:
    """The file descriptor that the transport writes to as it is; None where it encrypts or is another's."""
    if not isinstance(asyncio.get_running_loop(), asyncio.SelectorEventLoop):
        return None
    if transport.get_extra_info("sslcontext") is not None:
        return None
    sock = transport.get_extra_info("socket")
    return None if sock is None else int(sock.fileno())


def write(outlets: Iterable[Outlet], message: Encoded) -> None:
    """Writes one frame to several connections, encoded once per codec."""
    now = asyncio.get_running_loop().time()
    for outlet in outlets:
        outlet.put(message.frame(outlet.codec), now)


async def cut(outlet: Outlet, code: CloseCode) -> None:
    """Ends a connection with a documented code, whether or not it still reads."""
    await outlet.connection.close(code, CLOSE_MEANINGS[code])
