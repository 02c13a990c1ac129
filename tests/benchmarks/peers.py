"""The other ends of a benchmark's connections: bare sockets that read all that comes.

    python peers.py PORT < PLAN

The plan is JSON: `paths`, one for each connection; `protocol`, the subprotocol or null; `says`, a short
message as a list of bytes, which is `binary` or not and is sent at once or, unless it comes `first`, when
a first frame has come. When all have got a first frame, "connected" is printed.
"""

import json
import selectors
import socket
import sys
import time
from typing import Any, Final

ALIVE_S: Final = 10.0
"""Between two signs of life: a server ends those that leave its pings without an answer."""

PONG: Final = bytes([0x8A, 0x80]) + bytes(4)

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{protocol}\r\n"
)


def frame(payload: bytes, *, binary: bool) -> bytes:
    """A short frame as a client sends it, with a mask of zeros."""
    return bytes([0x82 if binary else 0x81, 0x80 | len(payload)]) + bytes(4) + payload


def connected(port: int, path: str, plan: dict[str, Any]) -> socket.socket:
    """A connection that has said what it has to say and got a first frame."""
    peer = socket.create_connection(("127.0.0.1", port))
    protocol = f"Sec-WebSocket-Protocol: {plan['protocol']}\r\n" if plan["protocol"] else ""
    says = frame(bytes(plan["says"]), binary=plan["binary"])
    peer.sendall(HANDSHAKE.format(path=path, protocol=protocol).encode() + (says if plan["first"] else b""))
    got = b""
    while not got.partition(b"\r\n\r\n")[2]:
        part = peer.recv(4096)
        if not part:
            raise RuntimeError(f"no websocket: {got[:200]!r}")
        got += part
    if not plan["first"]:
        peer.sendall(says)
    peer.setblocking(False)
    return peer


def main() -> None:
    """Connects them all, says so, and reads until killed."""
    plan = json.load(sys.stdin)
    selector = selectors.DefaultSelector()
    alive = [connected(int(sys.argv[1]), path, plan) for path in plan["paths"]]
    for peer in alive:
        selector.register(peer, selectors.EVENT_READ)
    sys.stdout.write("connected\n")
    sys.stdout.flush()
    began, told = time.monotonic(), 0
    while True:
        # All of them in turn, as clients that came one after another do, and not at once.
        owed = int(len(alive) * (time.monotonic() - began) / ALIVE_S) - told
        for turn in range(told, told + owed):
            alive[turn % len(alive)].sendall(PONG)
        told += owed
        for key, _ in selector.select(timeout=0.1):
            if not key.fileobj.recv(65_536):  # type: ignore[union-attr]  # a socket
                raise RuntimeError("a connection was closed")


if __name__ == "__main__":
    main()
