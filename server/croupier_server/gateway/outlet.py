"""The writing side of one connection. No call waits: what the peer does not take yet is queued.

Frames for many are the same bytes for all of them (compression is off). Where nothing is queued they go
straight to the file descriptor, past the transport and the websocket library: that is most of what a table
with many spectators costs.
"""

import asyncio
import os
from collections.abc import Iterable
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from croupier_protocol.codec import Codec
from croupier_protocol.messages.errors import CLOSE_MEANINGS, CloseCode
from croupier_protocol.messages.to_client import ServerMessage
from croupier_protocol.messages.values import Language
from croupier_server.gateway.encoded import Encoded

MOST_QUEUED: Final = 1024 * 1024
"""Bytes that may wait for a connection besides what the kernel holds; over it the reader is cut."""


class Outlet:
    """One connection, in its language. Order is that of the calls."""

    def __init__(self, connection: ServerConnection, codec: Codec) -> None:
        self.connection = connection
        self.codec = codec
        self.language = Language.ENGLISH
        self.written_at = asyncio.get_running_loop().time()
        self._transport = connection.transport
        self._protocol = connection.protocol
        self._descriptor = _plain_descriptor(connection.transport)

    @property
    def queued(self) -> int:
        """Bytes that wait here for the peer to read."""
        return self._transport.get_write_buffer_size()

    @property
    def behind(self) -> bool:
        """Whether more waits for the connection than may."""
        return self.queued > MOST_QUEUED

    def send(self, message: Encoded) -> None:
        """Writes one frame."""
        self.put(message.frame(self.codec), asyncio.get_running_loop().time())

    def reply(self, message: ServerMessage) -> None:
        """Writes a message that is for this connection alone."""
        self.send(Encoded(message))

    def put(self, frames: bytes, now: float, most_queued: int | None = None) -> bool:
        """Writes whole frames, at the loop's time `now`.

        When more than `most_queued` bytes wait already, nothing is written, and the answer is false. To a
        connection that is closing nothing is written either.
        """
        transport = self._transport
        if transport.is_closing() or self._protocol.state is not State.OPEN:
            return True
        queued = transport.get_write_buffer_size()
        if most_queued is not None and queued > most_queued:
            return False
        self.written_at = now
        if queued == 0 and self._descriptor is not None:
            try:
                taken = os.write(self._descriptor, frames)
            except OSError:  # the kernel takes nothing, or the peer is gone: the transport knows what to do
                taken = 0
            if taken == len(frames):
                return True
            frames = frames[taken:]
        transport.write(frames)
        return True


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
