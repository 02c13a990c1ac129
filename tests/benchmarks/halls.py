"""Servers with many connections, which are told one event, or three that come together, in several ways.

A way tells so many events, and returns the seconds of processor time that the serving process took for
them, until long after the last one was written. The processes that serve are on one core, those that read on
another. All servers ask each connection for a sign of life every `KEEPALIVE_S`: that is part of what they
take at rest.
"""

import asyncio
import base64
import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace
from websockets.asyncio.connection import broadcast

from croupier_protocol.codec import JSON, MSGPACK, UNTIMED, Codec, encode_untimed
from croupier_protocol.messages.events import CardDealt
from croupier_protocol.messages.to_server import Watch
from croupier_protocol.messages.values import TableId
from croupier_server.gateway.encoded import Encoded
from croupier_server.store import keys
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.table.pace import Pace
from support.gateways import dealing, gateway_on
from support.stores import open_pit, running_store, turbo

KEEPALIVE_S = 20.0
"""Croupier's and the library's own, and what the servers in Node are set to."""

TABLE = TableId("standard")
ENDLESS = Pace("endless", 50, 3_600_000, 50, 50, 50)
CARD = CardDealt(
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


class Way(NamedTuple):
    """How events are told, and by which process; none if that does nothing at rest."""

    tell: Callable[[int], Awaitable[float]]
    process: int | None


ROOMS = Path(__file__).parent / "rooms"
"""What the servers in Node are made of."""

C_LOOP = """
#include <sys/socket.h>
int send_all(const int *descriptors, int count, const char *frame, int size) {
    int sent = 0;
    for (int index = 0; index < count; index++)
        sent += send(descriptors[index], frame, size, MSG_NOSIGNAL) == size;
    return sent;
}
"""


def pin(core: int, process: int = 0) -> None:
    """Keeps a process, or this one, on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process, {core % (os.cpu_count() or 1)})


def settling_s(count: int) -> float:
    """How long everything that so many have been told is on its way."""
    return 0.1 + count * 5e-5


def watchers(count: int, table: TableId, codec: Codec = MSGPACK, *, browser: bool = False) -> dict[str, Any]:
    """The plan of so many who watch a table, with a browser's handshake or a short one; see `peers.py`."""
    return {
        "paths": ["/ws"] * count,
        "says": list(codec.encode(Watch(table=table))),
        "binary": not codec.text,
        "first": True,
        "protocol": codec.subprotocol,
        "browser": browser,
    }


def browsers(count: int) -> dict[str, Any]:
    """The plan of so many browsers at the table `standard`."""
    return watchers(count, TableId("standard"), JSON, browser=True)


@asynccontextmanager
async def peers(port: int, plan: dict[str, Any], nice: int = 0) -> AsyncIterator[None]:
    """Connections to a server, as the plan says; see `peers.py`. `nice` takes from their priority."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(Path(__file__).parent / "peers.py"), str(port)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        pin(1, process.pid)
        os.setpriority(os.PRIO_PROCESS, process.pid, nice)
        process.stdin.write(json.dumps(plan).encode())
        process.stdin.write_eof()
        if await process.stdout.readline() != b"connected\n":
            raise RuntimeError("the peers could not connect")
        yield
        if process.returncode is not None:
            raise RuntimeError("a server has closed a connection, and its peers have gone with it")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def c_loop(folder: Path) -> Callable[[list[int], bytes], None] | None:
    """A loop of `send` in C, as a function of descriptors and frame; None without a compiler."""
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


@asynccontextmanager
async def gateway_ways(folder: Path, count: int) -> AsyncIterator[dict[str, Way]]:
    """A gateway of this process on a real store, and what else can be done with its connections.

    `croupier` is the full path: the event is written to the store's stream, as a commit does it, comes by
    the feed and goes out to every connection.
    """
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(running_store(folder / "store"))
        await stack.enter_async_context(dealing(store.url, [replace(turbo(TABLE), pace=ENDLESS)]))
        running = await stack.enter_async_context(gateway_on(store.url))
        pit = await stack.enter_async_context(open_pit(store.url))
        fanout, feed = running.gateway.fanout, running.gateway.feed
        await stack.enter_async_context(peers(running.port, watchers(count, TABLE)))
        connections = [outlet.connection for outlet in fanout.outlets]
        descriptors = [one.transport.get_extra_info("socket").fileno() for one in connections]
        send_all = c_loop(folder)

        async def croupier(events: int) -> float:
            view = feed.tables[TABLE].view
            last = view.seq + events
            pipe = pit.client.pipeline(transaction=True)  # as a commit, all its events at once
            for seq in range(view.seq + 1, last + 1):
                event = encode_untimed(replace(CARD, epoch=view.epoch, seq=seq, at_ms=UNTIMED))
                fields = {"t": TABLE, "e": view.epoch, "s": seq, "m": event + CARD.at_ms.to_bytes(8)}
                pipe.xadd(keys.events_key(DEFAULT_PIT), fields)
            began = time.process_time()
            await pipe.execute()
            await asyncio.sleep(settling_s(count))
            spent = time.process_time() - began
            if feed.tables[TABLE].view.seq != last:
                raise RuntimeError("the feed has not told every event")
            return spent

        async def library(events: int) -> float:
            began = time.process_time()
            for _ in range(events):
                broadcast(connections, MSGPACK.encode(CARD))
            await asyncio.sleep(settling_s(count))
            return time.process_time() - began

        async def in_c(events: int) -> float:
            frame = Encoded(CARD).frame(MSGPACK)
            began = time.process_time()
            for _ in range(events):
                send_all(descriptors, frame)
            spent = time.process_time() - began
            await asyncio.sleep(settling_s(count))
            return spent

        here = os.getpid()
        ways = {"Croupier, full path": Way(croupier, here), "websockets.broadcast": Way(library, here)}
        yield ways if send_all is None else {**ways, "send in C": Way(in_c, None)}


@asynccontextmanager
async def node_way(rooms: Path, kind: str, count: int) -> AsyncIterator[Way]:
    """A server in Node: `ws`, `socket.io` or `colyseus`."""
    words = JSON.encode(CARD).decode(), base64.b64encode(MSGPACK.encode(CARD)).decode()
    process = await asyncio.create_subprocess_exec(
        *("node", "server.mjs", kind, str(count), *words),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=count * 200,
        cwd=rooms,
    )
    try:
        pin(0, process.pid)
        plan = json.loads(await process.stdout.readline())

        async def send(events: int) -> float:
            process.stdin.write(f"{events}\n".encode())
            return int(await process.stdout.readline()) / 1e6

        async with peers(plan.pop("port"), plan):
            yield Way(send, process.pid)
    finally:
        process.kill()
        await process.wait()
