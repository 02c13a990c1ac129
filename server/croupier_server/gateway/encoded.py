"""A message for many: encoded and framed once per codec, however many connections it goes to."""

from websockets.frames import Frame, Opcode

from croupier_protocol.codec import MSGPACK, Codec
from croupier_protocol.messages.to_client import ServerMessage


class Encoded:
    """A message and its payloads: the dealer's own bytes for MessagePack, JSON when it is first wanted."""

    __slots__ = ("_frames", "_payloads", "message")

    def __init__(self, message: ServerMessage, msgpack: bytes | None = None) -> None:
        self.message = message
        self._payloads: dict[Codec, bytes] = {} if msgpack is None else {MSGPACK: msgpack}
        self._frames: dict[Codec, bytes] = {}

    def payload(self, codec: Codec) -> bytes:
        """The frame's payload in `codec`."""
        payload = self._payloads.get(codec)
        if payload is None:
            payload = self._payloads[codec] = codec.encode(self.message)
        return payload

    def frame(self, codec: Codec) -> bytes:
        """The whole websocket frame in `codec`, as a server sends it: not masked, not compressed."""
        frame = self._frames.get(codec)
        if frame is None:
            opcode = Opcode.TEXT if codec.text else Opcode.BINARY
            frame = self._frames[codec] = Frame(opcode, self.payload(codec)).serialize(mask=False)
        return frame
