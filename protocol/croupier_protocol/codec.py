"""Frames to messages and back, in both subprotocols, with their limits.

MessagePack travels in binary frames, JSON in text frames; the messages are the same. Decoding validates:
what comes out has the types that `croupier_protocol.messages` promises.
"""

from typing import Any, Final

import msgspec

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import TableEvent, UnknownEvent
from croupier_protocol.messages.to_client import ServerMessage
from croupier_protocol.messages.to_server import ClientMessage
from croupier_protocol.messages.values import MAX_MONEY, Epoch, TableId

MAX_CLIENT_FRAME: Final = 4096
"""Bytes in a frame from a client; the largest command needs under 500."""

MAX_SERVER_FRAME: Final = 4 * 1024 * 1024
"""Bytes in a frame from a server; a lobby of a thousand tables late in their shoes needs about half."""

AT_MS_BYTES: Final = 8
"""An encoded event ends with its `at_ms` as a big-endian unsigned integer of this many bytes."""

MAX_DETAIL: Final = 200
"""Characters of a refusal's detail: it may quote what the client sent."""

_AT_MS_TAIL: Final = b"\xa5at_ms\xcf"


class FrameError(ValueError):
    """A frame is no message: `code` says how, `detail` where."""

    def __init__(self, code: ErrorCode, detail: str) -> None:
        super().__init__(f"{code.value}: {detail}")
        self.code = code
        self.detail = detail


class UnknownMessage(msgspec.Struct, frozen=True):
    """A message of a newer server that is no event: an older client passes it over."""

    type: str


Incoming = ServerMessage | UnknownEvent | UnknownMessage


class Codec:
    """One subprotocol: how messages become frames. Stateless; share it freely."""

    def __init__(self, subprotocol: str, library: Any, *, text: bool) -> None:
        self.subprotocol = subprotocol
        self.text = text
        self._encoder = library.Encoder()
        self._commands = library.Decoder(ClientMessage)
        self._messages = library.Decoder(ServerMessage)
        self._anything = library.Decoder()

    def __repr__(self) -> str:
        return f"<Codec {self.subprotocol}>"

    def encode(self, message: ServerMessage | ClientMessage) -> bytes:
        """The payload of one frame."""
        payload: bytes = self._encoder.encode(message)
        return payload

    def decode_command(self, payload: str | bytes) -> ClientMessage:
        """A client's frame as a command.

        Raises:
            FrameError: for anything else: the wrong kind of frame, bytes that do not decode, a type or
                field that does not exist, a value out of bounds. Nothing else is ever raised.
        """
        if isinstance(payload, str) is not self.text:
            raise FrameError(ErrorCode.WRONG_FRAME, "text" if isinstance(payload, str) else "binary")
        if len(payload) > MAX_CLIENT_FRAME:
            raise FrameError(ErrorCode.MALFORMED, f"longer than {MAX_CLIENT_FRAME} bytes")
        try:
            command: ClientMessage = self._commands.decode(payload)
        except msgspec.ValidationError as error:
            detail = str(error)[:MAX_DETAIL]
            unknown = detail.startswith("Invalid value") and detail.endswith("`$.type`")
            raise FrameError(ErrorCode.UNKNOWN_TYPE if unknown else ErrorCode.INVALID, detail) from None
        except (msgspec.MsgspecError, ValueError, TypeError, OverflowError, RecursionError) as error:
            raise FrameError(ErrorCode.MALFORMED, type(error).__name__) from None
        return command

    def decode_message(self, payload: str | bytes) -> Incoming:
        """A server's frame as a message; unknown types are kept as such.

        Raises:
            FrameError: when the frame is no message at all.
        """
        try:
            message: ServerMessage = self._messages.decode(payload)
        except (msgspec.MsgspecError, ValueError, TypeError, OverflowError, RecursionError) as error:
            unknown = self._unknown(payload)
            if unknown is None:
                raise FrameError(ErrorCode.MALFORMED, str(error)) from error
            return unknown
        return message

    def _unknown(self, payload: str | bytes) -> UnknownEvent | UnknownMessage | None:
        try:
            match self._anything.decode(payload):
                case {"type": str(kind)} if kind in KNOWN_TYPES:
                    return None
                case {"type": str(kind), "table": str(table), "epoch": str(epoch), "seq": int(seq)}:
                    return UnknownEvent(type=kind, table=TableId(table), epoch=Epoch(epoch), seq=seq)
                case {"type": str(kind)}:
                    return UnknownMessage(type=kind)
        except (msgspec.MsgspecError, ValueError, TypeError, OverflowError, RecursionError):
            return None
        return None


KNOWN_TYPES: Final[frozenset[str]] = frozenset(
    str(struct.__struct_config__.tag) for struct in ServerMessage.__args__
)

MSGPACK: Final = Codec("croupier.v1.msgpack", msgspec.msgpack, text=False)
JSON: Final = Codec("croupier.v1.json", msgspec.json, text=True)

CODECS: Final[dict[str, Codec]] = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}
"""By subprotocol name; the first is the default."""

UNTIMED: Final = MAX_MONEY
"""The `at_ms` of an event that the store has not taken yet."""


def encode_untimed(event: TableEvent) -> bytes:
    """`event` in MessagePack without its last eight bytes, for the store to complete with `at_ms`.

    >>> import struct
    >>> from croupier_protocol.messages.events import BettingClosed
    >>> event = BettingClosed(7, table="t", epoch="e", seq=3, due_ms=5, at_ms=UNTIMED)
    >>> timed = encode_untimed(event) + struct.pack(">Q", 1_700_000_000_000)
    >>> MSGPACK.decode_message(timed).at_ms
    1700000000000
    """
    encoded = MSGPACK.encode(event)
    body = encoded[:-AT_MS_BYTES]
    if event.at_ms != UNTIMED or not body.endswith(_AT_MS_TAIL):
        raise ValueError("an event for the store ends with an `at_ms` of UNTIMED")
    return body
