"""Websockets by hand whose peer reads only when it is told to: nothing reads for them meanwhile."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

from croupier_protocol.codec import JSON
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.view import fold

REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: tables\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: croupier.v1.json\r\n\r\n"
)

TEXT, PING = 0x81, 0x89
PONG = b"\x8a\x80" + bytes(4)


def client_frame(text: str) -> bytes:
    """A short text frame as a client sends it, with a mask of zeros."""
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text.encode()


def watch(table: str) -> bytes:
    """The frame that asks for a table."""
    return client_frame(json.dumps({"type": "watch", "table": table}))


class Silent:
    """One such connection, in JSON."""

    def __init__(self, sock: socket.socket, left: bytes) -> None:
        self._sock = sock
        self._left = bytearray(left)

    @classmethod
    async def open(cls, port: int, receive_buffer: int | None = None) -> "Silent":
        """Connects; the kernel's buffer is the usual one unless named."""
        loop, sock = asyncio.get_running_loop(), socket.socket()
        sock.setblocking(False)
        if receive_buffer is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        await loop.sock_connect(sock, ("127.0.0.1", port))
        await loop.sock_sendall(sock, REQUEST)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += await loop.sock_recv(sock, 4096)
        head, _, left = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 "), head
        return cls(sock, left)

    async def send(self, frame: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self._sock, frame)

    async def messages(self) -> AsyncIterator:
        """Reads, and answers pings, from now on: every message that has come and comes."""
        while True:
            for kind, payload in frames(self._left):
                if kind == TEXT:
                    yield JSON.decode_message(payload.decode())
                elif kind == PING:
                    await self.send(PONG)
            more = await asyncio.get_running_loop().sock_recv(self._sock, 65_536)
            if not more:
                return
            self._left += more

    def close(self) -> None:
        self._sock.close()


def frames(buffer: bytearray) -> Iterator[tuple[int, bytes]]:
    """Takes the whole frames that `buffer` begins with: kind and payload of each."""
    while len(buffer) >= 2:
        size, begin = buffer[1], 2
        if size == 126:
            size, begin = int.from_bytes(buffer[2:4], "big"), 4
        elif size == 127:
            size, begin = int.from_bytes(buffer[2:10], "big"), 10
        if len(buffer) < begin + size or len(buffer) < begin:
            return
        kind, payload = buffer[0], bytes(buffer[begin : begin + size])
        del buffer[: begin + size]
        yield kind, payload


@asynccontextmanager
async def silent_watchers(port: int, count: int, tables, receive_buffer: int | None = None):
    """So many connections that watch the tables and read nothing more than their handshakes."""
    readers: list[Silent] = []
    try:
        for _ in range(count):
            readers.append(await Silent.open(port, receive_buffer))
            await readers[-1].send(b"".join(watch(table) for table in tables))
        yield readers
    finally:
        for reader in readers:
            reader.close()


class Story:
    """What one connection was told of one table: the view after each message, by its `seq`."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.views: dict[int, TableView] = {}
        self.snapshots: list[int] = []
        self.view: TableView | None = None

    def tell(self, message) -> None:
        """Takes a message in, if it is of this table; an event that does not follow raises `GapError`."""
        if getattr(message, "table", None) != self.table:
            return
        if isinstance(message, TableView):
            self.snapshots.append(message.seq)
            self.view = message
        elif (
            getattr(message, "seq", None) is not None and self.view is not None and hasattr(message, "at_ms")
        ):
            self.view = fold(self.view, message)
        else:
            return
        self.views[self.view.seq] = self.view
