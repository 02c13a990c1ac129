"""The other ends of a benchmark's connections: bare sockets that read all that comes.

    python peers.py PORT < PLAN

The plan is JSON: `paths`, one for each connection; `protocol`, the subprotocol or null; `browser`, whether
the handshake has all that a browser says; `says`, a short message as a list of bytes, which is `binary` or
not and is sent at once or, unless it comes `first`, when a first frame has come. When all have got a first
frame, "connected" is printed.

Pings are answered with pongs, as any client does, since a server ends those that leave them without an
answer. `asks` and `answer` are the same as messages, for a server that has its own.
"""

import json
import selectors
import socket
import sys
from typing import Any, Final

CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA
SHORT: Final = 125
"""The longest payload whose length is in the second byte of a frame; 126 there says that two bytes follow."""

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
)

BROWSER = (
    "Pragma: no-cache\r\nCache-Control: no-cache\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)"
    " AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\r\n"
    "Origin: http://127.0.0.1:{port}\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"
    "Accept-Language: en-GB,en;q=0.9,fr;q=0.8\r\n"
    "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
)
"""What else Chromium says in a handshake."""


def frame(payload: bytes, *, binary: bool) -> bytes:
    """A short frame as a client sends it, with a mask of zeros."""
    return bytes([0x82 if binary else 0x81, 0x80 | len(payload)]) + bytes(4) + payload


def connected(port: int, path: str, plan: dict[str, Any]) -> tuple[socket.socket, bytes]:
    """A connection that has said what it has to say, and what it has got by then: a first frame."""
    peer = socket.create_connection(("127.0.0.1", port))
    more = f"Sec-WebSocket-Protocol: {plan['protocol']}\r\n" if plan["protocol"] else ""
    more += BROWSER.format(port=port) if plan.get("browser") else ""
    says = frame(bytes(plan["says"]), binary=plan["binary"])
    peer.sendall(
        HANDSHAKE.format(path=path, port=port, more=more).encode() + (says if plan["first"] else b"")
    )
    got = b""
    while not (frames := got.partition(b"\r\n\r\n")[2]):
        part = peer.recv(4096)
        if not part:
            raise RuntimeError(f"no websocket: {got[:200]!r}")
        got += part
    if not got.startswith(b"HTTP/1.1 101 "):
        raise RuntimeError(f"no websocket: {got[:200]!r}")
    if not plan["first"]:
        peer.sendall(says)
    peer.setblocking(False)
    return peer, frames


def answers(frames: bytes, asks: bytes | None, answer: bytes) -> tuple[bytes, bytes]:
    """What is to be answered to the whole frames in `frames`, and what is left: the beginning of another one.

    >>> said, left = answers(bytes([0x82, 1, 65, 0x89, 1, 66, 0x82, 5]), None, b"")
    >>> said.hex(), left.hex()
    ('8a810000000042', '8205')
    """
    at, size, said = 0, len(frames), b""
    while size - at >= 4 or (size - at >= 2 and frames[at + 1] <= SHORT):
        begin, length = at + 2, frames[at + 1]
        if length > SHORT:
            begin, length = at + 4, int.from_bytes(frames[at + 2 : at + 4])
        if begin + length > size:
            break
        if frames[at] & 0xF == PING:
            payload = frames[begin : begin + length]
            said += bytes([0x80 | PONG, 0x80 | length]) + bytes(4) + payload
        elif asks is not None and frames[begin : begin + length] == asks:
            said += frame(answer, binary=False)
        elif frames[at] & 0xF == CLOSE:
            raise RuntimeError(f"a connection was closed: {frames[begin : begin + length]!r}")
        at = begin + length
    return said, frames[at:]


def main() -> None:
    """Connects them all, says so, and reads until killed."""
    plan = json.load(sys.stdin)
    asks, answer = plan.get("asks"), bytes(plan.get("answer", ()))
    asked = None if asks is None else bytes(asks)
    selector = selectors.DefaultSelector()
    left: dict[socket.socket, bytes] = {}
    for path in plan["paths"]:
        peer, frames = connected(int(sys.argv[1]), path, plan)
        left[peer] = frames
        selector.register(peer, selectors.EVENT_READ)
    sys.stdout.write("connected\n")
    sys.stdout.flush()
    while True:
        for key, _ in selector.select():
            peer = key.fileobj  # type: ignore[assignment]  # a socket
            got = peer.recv(65_536)
            if not got:
                raise RuntimeError("a connection was cut")
            said, left[peer] = answers(left[peer] + got, asked, answer)
            if said:
                peer.sendall(said)


if __name__ == "__main__":
    main()
