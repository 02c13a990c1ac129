"""One event to many spectators: what it costs the gateway's way, the library's way, and in C.

    make bench

A server on one core holds so many websocket connections, whose peers are in a process on another core and
read all that comes. Single card events, and bursts of three, go out by turns in each way; the processor time
of the serving process is divided by the connections. The gateway's way is `Fanout.event`, from the message as
the dealer wrote it to the last socket. The bound is a loop of `send` in C over the same descriptors, where
there is a compiler.
"""

import asyncio
import ctypes
import os
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from websockets.asyncio.connection import broadcast
from websockets.asyncio.server import ServerConnection, serve

from croupier_client.load.files import raise_file_limit
from croupier_protocol.codec import MSGPACK
from croupier_protocol.messages.events import CardDealt
from croupier_protocol.messages.values import TableId
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.fanout import Fanout
from croupier_server.gateway.listener import SEND_BUFFER
from croupier_server.gateway.outlet import Outlet

SPECTATORS = (2_000, 8_000)
ROUNDS = 15
TABLE = TableId("standard")
EVENT = CardDealt(
    round=71,
    table=TABLE,
    epoch="afc26aee454a1650",
    seq=40_321,
    due_ms=1_700_000_000_000,
    at_ms=1_700_000_000_001,
    hand="player",
    card="9d",
    index=4,
    total=9,
    proof=bytes(range(18)),
)

REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

C_LOOP = """
#include <sys/socket.h>
int send_all(const int *descriptors, int count, const char *frame, int size) {
    int sent = 0;
    for (int index = 0; index < count; index++)
        sent += send(descriptors[index], frame, size, MSG_NOSIGNAL) == size;
    return sent;
}
"""


def read_all(port: int, count: int) -> None:
    """The peers: connects so many times, says so, and reads until told to stop."""
    selector = selectors.DefaultSelector()
    for _ in range(count):
        peer = socket.create_connection(("127.0.0.1", port))
        peer.sendall(REQUEST)
        if b" 101 " not in peer.recv(4096):
            raise RuntimeError("no websocket")
        peer.setblocking(False)
        selector.register(peer, selectors.EVENT_READ)
    sys.stdout.write("connected\n")
    sys.stdout.flush()
    while True:
        for key, _ in selector.select():
            if not key.fileobj.recv(65_536):
                return


def c_loop(folder: Path) -> Callable[[list[int], bytes], None] | None:
    """The loop in C, as a function of descriptors and frame; None without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    (folder / "loop.c").write_text(C_LOOP)
    subprocess.run(
        [compiler, "-O2", "-shared", "-fPIC", "-o", folder / "loop.so", folder / "loop.c"], check=True
    )
    library = ctypes.CDLL(str(folder / "loop.so"))

    def send_all(descriptors: list[int], frame: bytes) -> None:
        array = (ctypes.c_int * len(descriptors))(*descriptors)
        if library.send_all(array, len(descriptors), frame, len(frame)) != len(descriptors):
            raise RuntimeError("a peer does not read")

    return send_all


class Hall:
    """The connections, and the ways of writing to all of them."""

    def __init__(self, folder: Path) -> None:
        self.connections: list[ServerConnection] = []
        self.fanout = Fanout()
        self._send_all = c_loop(folder)

    async def admit(self, connection: ServerConnection) -> None:
        self.connections.append(connection)
        self.fanout.watch(TABLE, Outlet(connection, MSGPACK))
        await connection.wait_closed()

    def ways(self) -> dict[str, Callable[[int], Awaitable[None]]]:
        """Each takes how many events come together."""
        ways = {"croupier": self._croupier, "websockets.broadcast": self._broadcast}
        return ways if self._send_all is None else {**ways, "send in C": self._c}

    async def _croupier(self, events: int) -> None:
        for _ in range(events):
            self.fanout.event(TABLE, Encoded(EVENT, MSGPACK.encode(EVENT)))
        room = self.fanout._rooms[TABLE]
        while room._speaking is not None:
            await asyncio.sleep(0)

    async def _broadcast(self, events: int) -> None:
        for _ in range(events):
            broadcast(self.connections, MSGPACK.encode(EVENT))

    async def _c(self, events: int) -> None:
        frame = Encoded(EVENT).frame(MSGPACK)
        descriptors = [one.transport.get_extra_info("socket").fileno() for one in self.connections]
        began = time.process_time()
        for _ in range(events):
            self._send_all(descriptors, frame)
        self.c_s = time.process_time() - began


async def measure(count: int, folder: Path) -> dict[tuple[str, int], float]:
    """Microseconds of processor time for each connection, by way and by how many events come together."""
    hall = Hall(folder)
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    port = listening.getsockname()[1]
    async with serve(hall.admit, sock=listening, compression=None, ping_interval=None):
        peers = await asyncio.create_subprocess_exec(
            *(sys.executable, __file__, "peers", str(port), str(count)), stdout=asyncio.subprocess.PIPE
        )
        try:
            await peers.stdout.readline()
            taken: dict[tuple[str, int], list[float]] = {}
            for round_ in range(ROUNDS):
                for events in (1, 3):
                    for name, way in in_turn(hall.ways(), round_):
                        began = time.process_time()
                        await way(events)
                        spent = hall.c_s if name == "send in C" else time.process_time() - began
                        taken.setdefault((name, events), []).append(spent / count * 1e6)
                        await asyncio.sleep(0.02 + count * 1e-5)
                        while any(one.transport.get_write_buffer_size() for one in hall.connections):
                            await asyncio.sleep(0.02)
        finally:
            peers.kill()
            await peers.wait()
    return {key: median(values) for key, values in taken.items()}


def in_turn(ways: dict[str, Callable[[int], Awaitable[None]]], round_: int):
    """The ways, each time beginning with another one: who comes first finds nothing in the caches."""
    both = list(ways.items())
    begin = round_ % len(both)
    return both[begin:] + both[:begin]


def main() -> None:
    """Prints microseconds and ratios."""
    if sys.argv[1:2] == ["peers"]:
        pin(1)
        raise_file_limit()
        read_all(int(sys.argv[2]), int(sys.argv[3]))
        return
    pin(0)
    raise_file_limit()
    print("| spectators | events together | way | µs a spectator | in Croupier's time |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for count in SPECTATORS:
            figures = asyncio.run(measure(count, Path(folder)))
            for (name, events), spent in figures.items():
                ratio = spent / figures["croupier", events]
                print(f"| {count} | {events} | {name} | {spent:.2f} | {ratio:.2f} |")
    print(f"load {os.getloadavg()[0]:.1f}")


def pin(core: int) -> None:
    """Keeps this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[core % len(cores)]})


if __name__ == "__main__":
    main()
