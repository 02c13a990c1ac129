"""A websocket as lean as a spectator needs it: thousands of them in one process of Python.

This one parses what a server sends (RFC 6455: unmasked frames without extensions) where the event loop hands
it over, and calls a function: no task waits for each message, the time of arrival is taken before anything
else, and reading can be stopped as a client that hangs stops it.
"""

import asyncio
import base64
import hashlib
import secrets
import socket
import ssl
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, cast
from urllib.parse import urlsplit

from msgspec import Struct

from croupier_client.address import Address
from croupier_client.errors import (
    CroupierError,
    EndedError,
    LinkLostError,
    RejectedError,
    UnreachableError,
    ViolationError,
    in_words,
)
from croupier_client.link import LAST_FINAL_CLOSE, TEMPORARY, retry_after_s
from croupier_protocol.codec import MAX_SERVER_FRAME, MSGPACK
from croupier_protocol.messages.errors import RECONNECT_BELOW

OPEN_S: Final = 30.0
"""How long a handshake may take: in a storm of joins long, and that is what is measured."""

READ_BYTES: Final = 64 * 1024
"""Read at once. asyncio's own way takes 256 KiB from the system and gives it back for every read."""

_incoming: Final = memoryview(bytearray(READ_BYTES))
"""Where all connections' bytes arrive. They are taken out before anything else can run. A view, since asyncio
reads what TLS has behind the first record into a slice: of a bytearray that would be a copy."""

LONGEST_ANSWER: Final = 16 * 1024
"""Bytes of an answer to the handshake."""

TURNED_AWAY: Final = frozenset({HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS})
"""The answers of a server that has its reasons to take nobody at the moment."""

_GUID: Final = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_PART, _BINARY, _CLOSE, _PING, _PONG = 0x0, 0x2, 0x8, 0x9, 0xA
_MASKED: Final = 0x80
_FINAL: Final = 0x80
_TWO_BYTES, _EIGHT_BYTES = 126, 127
_NORMAL, _NO_CODE = 1000, 1005


class TurnedAwayError(LinkLostError):
    """The server takes nobody at the moment."""


class Target(Struct, frozen=True):
    """Where all sockets of a process connect: found once, so that no join waits for a name server."""

    host: str
    address: str
    port: int
    path: str
    tls: ssl.SSLContext | None

    @classmethod
    async def find(cls, address: Address) -> "Target":
        """The first of the host's addresses that takes a connection.

        Raises:
            UnreachableError: none does.
        """
        parts = urlsplit(address.url)
        host = parts.hostname or ""
        tls = ssl.create_default_context() if parts.scheme == "wss" else None
        port = parts.port or (443 if tls else 80)
        reason: OSError | None = None
        try:
            loop = asyncio.get_running_loop()
            for *_, found in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                where = str(found[0])
                try:
                    _, writer = await asyncio.wait_for(asyncio.open_connection(where, port), OPEN_S)
                except OSError as error:
                    reason = error
                    continue
                writer.close()
                return cls(parts.netloc, where, port, parts.path, tls)
        except OSError as error:
            reason = error
        why = "its name has no address" if reason is None else in_words(reason)
        raise UnreachableError(f"no server at {address.url}: {why}") from reason

    @property
    def name(self) -> str:
        """The host as its certificate has it."""
        return urlsplit(f"//{self.host}").hostname or ""


class Heard(Struct):
    """What came last on any connection here, when that was one whole message: others get the same bytes."""

    data: bytes = b""
    payload: bytes = b""


_heard: Final = Heard()


class Socket(asyncio.BufferedProtocol):
    """One connection; `on_frame` is called with each binary frame's payload. Made by `Socket.open`."""

    def __init__(self, target: Target, on_frame: Callable[[bytes], None]) -> None:
        self.heard_s = time.monotonic()
        self._target = target
        self._on_frame = on_frame
        self._key = base64.b64encode(secrets.token_bytes(16)).decode()
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._parts: list[bytes] = []
        self._error: CroupierError | None = None
        loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[None] = loop.create_future()
        self._closed: asyncio.Future[None] = loop.create_future()

    @classmethod
    async def open(cls, target: Target, on_frame: Callable[[bytes], None], source: str | None) -> "Socket":
        """A connection whose handshake is done, from the address `source` of this machine.

        Raises:
            LinkLostError: trying again can help.
            RejectedError, ViolationError: it cannot.
        """
        loop = asyncio.get_running_loop()
        made = cls(target, on_frame)
        try:
            async with asyncio.timeout(OPEN_S):
                await loop.create_connection(
                    lambda: made,
                    target.address,
                    target.port,
                    ssl=target.tls,
                    server_hostname=target.name if target.tls else None,
                    local_addr=None if source is None else (source, 0),
                )
                await made._opened
        except TimeoutError:
            made.abort()
            raise LinkLostError("no answer to the handshake") from None
        except ssl.SSLCertVerificationError as error:
            raise ViolationError(f"the server has no valid certificate: {error.verify_message}") from error
        except OSError as error:
            raise LinkLostError(str(error) or type(error).__name__) from error
        except BaseException:
            made.abort()
            raise
        return made

    def send(self, *payloads: bytes) -> None:
        """Sends binary frames in one write; what is sent on a connection that is gone is lost."""
        self._write(b"".join(_framed(_BINARY, payload) for payload in payloads))

    async def closed(self) -> None:
        """Waits for the end of the connection.

        Raises:
            LinkLostError, EndedError, ViolationError: always one of them; it says why.
        """
        await asyncio.shield(self._closed)
        raise self._error or LinkLostError("the connection broke")

    def abort(self) -> None:
        """Ends the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def close(self) -> None:
        """Says goodbye and ends the connection."""
        self._write(_framed(_CLOSE, _NORMAL.to_bytes(2, "big")))
        if self._transport is not None:
            self._transport.close()

    def pause(self) -> None:
        """Stops reading, as a client that hangs does."""
        if self._transport is not None and self._transport.is_reading():
            self._transport.pause_reading()

    def go_on(self) -> None:
        """Reads again."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(
            f"GET {self._target.path} HTTP/1.1\r\nHost: {self._target.host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {self._key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {MSGPACK.subprotocol}\r\n\r\n".encode()
        )

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002  # the name is asyncio's
        return _incoming

    def buffer_updated(self, nbytes: int) -> None:
        self.heard_s = time.monotonic()
        data = bytes(_incoming[:nbytes])
        try:
            if data == _heard.data and not self._rest and self._opened.done():
                self._on_frame(_heard.payload)
                return
            if self._rest:
                data = self._rest + data
            if not self._opened.done():
                data = self._take_answer(data)
            self._rest = self._take_frames(data) if self._opened.done() else data
        except CroupierError as error:
            self._fail(error)

    def connection_lost(self, exc: Exception | None) -> None:
        lost = LinkLostError("the connection broke")
        lost.__cause__ = exc
        self._error = self._error or lost
        if not self._opened.done():
            self._opened.set_exception(self._error)
            self._opened.exception()  # it counts as seen: who opened it may have given up
        if not self._closed.done():
            self._closed.set_result(None)

    def _fail(self, error: CroupierError) -> None:
        self._error = self._error or error
        self.abort()

    def _take_answer(self, data: bytes) -> bytes:
        """Judges the answer to the handshake, once it is whole; returns what came after it."""
        head, found, rest = data.partition(b"\r\n\r\n")
        if not found:
            if len(data) > LONGEST_ANSWER:
                raise ViolationError("the server's answer to the handshake does not end")
            return data
        lines = head.decode("latin-1").split("\r\n")
        fields = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines[1:])
        }
        status = lines[0].split(" ")[1:2]
        if status != ["101"]:
            raise _refused(self._target, status, fields.get("retry-after"))
        proof = base64.b64encode(hashlib.sha1(f"{self._key}{_GUID}".encode()).digest())  # noqa: S324 - RFC 6455
        if fields.get("sec-websocket-accept") != proof.decode():
            raise ViolationError("the server's answer belongs to another handshake")
        if fields.get("sec-websocket-protocol") != MSGPACK.subprotocol:
            raise ViolationError(f"the server does not speak {MSGPACK.subprotocol}")
        if "sec-websocket-extensions" in fields:
            raise ViolationError("the server uses an extension that nobody asked for")
        self._opened.set_result(None)
        return rest

    def _take_frames(self, data: bytes) -> bytes:
        """Hands over every whole frame and returns the rest."""
        at, end = 0, len(data)
        while end - at >= 2:
            first, length = data[at], data[at + 1]
            body = at + 2
            if length >= _TWO_BYTES:
                width = 2 if length == _TWO_BYTES else 8
                if length > _EIGHT_BYTES:
                    raise ViolationError("the server sent a masked frame")
                if end < body + width:
                    break
                length = int.from_bytes(data[body : body + width], "big")
                body += width
                if length > MAX_SERVER_FRAME:
                    raise ViolationError(f"the server sent a frame of {length} bytes")
            if end < body + length:
                break
            payload = data[body : body + length]
            if first == _FINAL | _BINARY and at == 0 and body + length == end:
                _heard.data, _heard.payload = data, payload
            at = body + length
            self._take_frame(first, payload)
        return data[at:]

    def _take_frame(self, first: int, payload: bytes) -> None:
        if first == _FINAL | _BINARY:
            self._on_frame(payload)
            return
        kind, final = first & 0x0F, bool(first & _FINAL)
        if kind in {_PART, _BINARY}:  # a message in parts, which a proxy may make of one
            self._parts.append(payload)
            if final:
                whole, self._parts = b"".join(self._parts), []
                self._on_frame(whole)
        elif kind == _CLOSE:
            self._take_close(payload)
        elif kind == _PING:
            self._write(_framed(_PONG, payload))
        elif kind != _PONG:
            raise ViolationError("the server sent a text frame")

    def _take_close(self, payload: bytes) -> None:
        code = int.from_bytes(payload[:2], "big") if payload else _NO_CODE
        reason = payload[2:].decode(errors="replace")
        self._write(_framed(_CLOSE, payload[:2]))
        if RECONNECT_BELOW <= code <= LAST_FINAL_CLOSE:
            self._fail(EndedError(code, reason))
        else:
            self._fail(LinkLostError(f"the server closed: {code} {reason}".rstrip()))

    def _write(self, frames: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(frames)


def _framed(kind: int, payload: bytes) -> bytes:
    """One frame, masked with zeros: a mask protects proxies from what pages choose to send, not us."""
    length = len(payload)
    if length < _TWO_BYTES:
        head = bytes((_FINAL | kind, _MASKED | length))
    else:
        head = bytes((_FINAL | kind, _MASKED | _TWO_BYTES)) + length.to_bytes(2, "big")
    return head + bytes(4) + payload


def _refused(target: Target, status: list[str], after: str | None) -> CroupierError:
    """What another answer to a handshake than 101 means."""
    number = int(status[0]) if status and status[0].isdigit() else 0
    if number in TURNED_AWAY:
        text = f"the server answered with HTTP status {number}"
        return TurnedAwayError(text, retry_after_s(after, time.time()))
    if number >= HTTPStatus.INTERNAL_SERVER_ERROR or number in TEMPORARY:
        return LinkLostError(f"the server answered with HTTP status {number}")
    return RejectedError(f"{target.host}{target.path}", number)
