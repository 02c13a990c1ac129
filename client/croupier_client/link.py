"""One websocket connection to one server, from handshake to loss. The client makes them one after another."""

import asyncio
import ssl
import time
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidProxy,
    InvalidStatus,
    InvalidURI,
)
from websockets.typing import Subprotocol

from croupier_client.address import Address
from croupier_client.errors import (
    AddressError,
    CroupierError,
    EndedError,
    LinkLostError,
    RejectedError,
    ViolationError,
    in_words,
)
from croupier_client.timing import Timing
from croupier_protocol.codec import MAX_SERVER_FRAME, Codec, FrameError, Incoming
from croupier_protocol.messages.errors import RECONNECT_BELOW
from croupier_protocol.messages.to_server import ClientMessage

Frame = str | bytes
"""The payload of one frame as it came."""

CLOSE_S: Final = 2.0
"""How long a closing handshake may take before the connection is simply dropped."""

NEXT_ADDRESS_S: Final = 0.25
"""A host with several addresses gets this long before the next one is tried beside it (RFC 8305)."""

LAST_FINAL_CLOSE: Final = 4999

TEMPORARY: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})
"""The 4xx answers to a handshake that can change by waiting; all 5xx can."""


class Link:
    """An open connection. Leaving it as a context closes it.

    `silence_s` is how long nothing may come before the link counts as lost: a dead network tells nobody.
    """

    def __init__(self, socket: ClientConnection, codec: Codec, timing: Timing) -> None:
        self._socket = socket
        self._codec = codec
        self.silence_s = timing.silence_s

    @classmethod
    async def open(cls, address: Address, codec: Codec, timing: Timing, source: str | None = None) -> "Link":
        """A connection to `address` that speaks `codec`, from the address `source` of this machine.

        Raises:
            LinkLostError: trying again later can help.
            AddressError, RejectedError, ViolationError: it cannot.
        """
        try:
            socket = await connect(
                address.url,
                subprotocols=[Subprotocol(codec.subprotocol)],
                compression=None,
                proxy=None if address.loopback else True,
                open_timeout=timing.open_s,
                close_timeout=CLOSE_S,
                ping_interval=None,
                max_size=MAX_SERVER_FRAME,
                **_how_to_reach(source),
            )
        except (OSError, EOFError, ImportError, InvalidHandshake, InvalidProxy, InvalidURI) as error:
            raise _judge(address, error) from error
        if socket.subprotocol != codec.subprotocol:
            await socket.close()
            raise ViolationError(f"{address.url} does not speak {codec.subprotocol}")
        return cls(socket, codec, timing)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._socket.close()

    async def send(self, command: ClientMessage) -> None:
        """Sends one command.

        Raises:
            LinkLostError: the connection is gone.
        """
        try:
            await self._socket.send(self._codec.encode(command), text=self._codec.text)
        except ConnectionClosed as error:
            raise LinkLostError(_closing(error)) from error

    async def receive(self) -> tuple[Incoming, Frame]:
        """The next message, with its frame. Cancelling loses none.

        Raises:
            LinkLostError: the connection is gone, or has been silent for too long.
            EndedError: the server ended it for good.
            ViolationError: the frame is no message.
        """
        frame = await self.receive_frame()
        try:
            return self._codec.decode_message(frame), frame
        except FrameError as error:
            raise ViolationError(f"the server sent a frame that does not decode: {error}") from error

    async def receive_frame(self) -> Frame:
        """The next frame, undecoded; raises as `receive` does."""
        try:
            async with asyncio.timeout(self.silence_s):
                return await self._socket.recv()
        except TimeoutError as error:
            self._socket.transport.abort()
            raise LinkLostError(f"nothing came for {self.silence_s:g} s") from error
        except ConnectionClosed as error:
            code = 0 if error.rcvd is None else error.rcvd.code
            if error.rcvd is not None and RECONNECT_BELOW <= code <= LAST_FINAL_CLOSE:
                raise EndedError(code, error.rcvd.reason) from error
            raise LinkLostError(_closing(error)) from error


def _how_to_reach(source: str | None) -> dict[str, Any]:
    """What makes the event loop try a host's addresses side by side, from `source` where that is given.

    uvloop has no argument for the first.
    """
    own: dict[str, Any] = {} if source is None else {"local_addr": (source, 0)}
    if isinstance(asyncio.get_running_loop(), asyncio.BaseEventLoop):
        own["happy_eyeballs_delay"] = NEXT_ADDRESS_S
    return own


def _closing(error: ConnectionClosed) -> str:
    if error.rcvd is None:
        return "the connection broke"
    return f"the server closed: {error.rcvd.code} {error.rcvd.reason}".rstrip()


def _judge(address: Address, error: Exception) -> CroupierError:
    """What a failed handshake means: another try, or the end."""
    if isinstance(error, InvalidStatus):
        status = error.response.status_code
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in TEMPORARY:
            after_s = retry_after_s(error.response.headers.get("Retry-After"), time.time())
            return LinkLostError(f"the server answered with HTTP status {status}", after_s)
        return RejectedError(address.url, status)
    if isinstance(
        error, (ImportError, InvalidProxy, InvalidURI)
    ):  # a proxy of the environment, or a redirect
        return AddressError(f"{address.url} cannot be reached: {error}")
    if isinstance(error, ssl.SSLCertVerificationError):
        return ViolationError(f"{address.url} has no valid certificate: {error.verify_message}")
    if isinstance(error, TimeoutError):
        return LinkLostError("no answer to the handshake")
    reason = in_words(error) if isinstance(error, OSError) else str(error)
    return LinkLostError(reason or type(error).__name__)


def retry_after_s(header: str | None, now_s: float) -> float:
    """The seconds that a Retry-After header asks for (RFC 9110, 10.2.3); 0 without one that makes sense.

    >>> retry_after_s("7", now_s=0.0), retry_after_s("soon", now_s=0.0)
    (7.0, 0.0)
    >>> retry_after_s("Thu, 01 Jan 1970 00:01:00 GMT", now_s=20.0)
    40.0
    """
    if header is None:
        return 0.0
    if header.strip().isascii() and header.strip().isdigit():
        return float(header)
    try:
        date = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    return max(0.0, date.replace(tzinfo=date.tzinfo or UTC).timestamp() - now_s)
