"""What a spectator costs in memory: a worker's resident size with so many of them, less without.

    make bench

A real server with one worker; the spectators are bare sockets with the handshake of a browser, and read all
that comes. What the kernel holds for a socket is not counted.
"""

import asyncio
import os
import selectors
import socket
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.peers import frame
from croupier_client.load.files import raise_file_limit
from support.resident import resident_kb
from support.serving import serving

SPECTATORS = (1_000, 4_000)
WATCH = b'{"type":"watch","table":"standard"}'
QUIET_S = 10.0
"""Until everything that came with the connections is done."""

BROWSER = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nConnection: Upgrade\r\nPragma: no-cache\r\n"
    b"Cache-Control: no-cache\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like"
    b" Gecko) Chrome/142.0.0.0 Safari/537.36\r\nUpgrade: websocket\r\nOrigin: http://127.0.0.1:8000\r\n"
    b"Sec-WebSocket-Version: 13\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language:"
    b" en-GB,en;q=0.9,fr;q=0.8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions:"
    b" permessage-deflate; client_max_window_bits\r\nSec-WebSocket-Protocol: croupier.v1.json\r\n\r\n"
)


def watch_all(port: int, count: int) -> None:
    """The spectators: connects so many, says so, and reads until killed."""
    selector = selectors.DefaultSelector()
    for _ in range(count):
        peer = socket.create_connection(("127.0.0.1", port))
        peer.sendall(BROWSER)
        if b" 101 " not in peer.recv(4096):
            raise RuntimeError("no websocket")
        peer.sendall(frame(b'{"type":"hello"}', binary=False) + frame(WATCH, binary=False))
        peer.setblocking(False)
        selector.register(peer, selectors.EVENT_READ)
        read(selector, 0)
    sys.stdout.write("connected\n")
    sys.stdout.flush()
    while True:
        read(selector, None)


def read(selector: selectors.BaseSelector, timeout_s: float | None) -> None:
    """Reads what has come."""
    for key, _ in selector.select(timeout_s):
        if not key.fileobj.recv(65_536):
            raise RuntimeError("the server hung up")


async def measure(count: int, folder: Path) -> tuple[int, int]:
    """The worker's resident kilobytes without spectators and with them."""
    async with serving(folder / str(count)) as server:
        port = str(server.port)
        await asyncio.sleep(QUIET_S / 2)
        before = resident_kb(server.worker_id)
        peers = await asyncio.create_subprocess_exec(
            *(sys.executable, __file__, "peers", port, str(count)), stdout=asyncio.subprocess.PIPE
        )
        try:
            await peers.stdout.readline()
            await asyncio.sleep(QUIET_S)
            if peers.returncode is not None:
                raise RuntimeError("the spectators have ended")
            return before, resident_kb(server.worker_id)
        finally:
            peers.kill()
            await peers.wait()


def main() -> None:
    """Prints kilobytes for each spectator."""
    raise_file_limit()
    if sys.argv[1:2] == ["peers"]:
        watch_all(int(sys.argv[2]), int(sys.argv[3]))
        return
    print("| spectators | without, kB | with, kB | each, kB |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for count in SPECTATORS:
            before, after = asyncio.run(measure(count, Path(folder)))
            print(f"| {count} | {before} | {after} | {(after - before) / count:.1f} |")
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
