"""What tables cost: 10, 100 and 300 of them at standard pace on two workers, with nobody at them.

    make bench

A real server with an embedded store, each time anew. After the tables have been shared out, the processor
time of supervisor, workers and store is read over a stretch of play, and how late each event came: the
store's time of the commit less the time at which it was due. Windows and cards are what people notice.
"""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import clock_gettime, monotonic
from typing import NamedTuple

from croupier_protocol.codec import MSGPACK
from croupier_protocol.messages.events import BettingClosed, BettingOpened, CardDealt
from croupier_server.store.embedded import running_url
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.pit import Pit
from croupier_server.store.stream import Entry
from croupier_server.store.tables import Tables

TABLES = (10, 100, 300)
SETTLE_S = 45.0
"""Until all tables have been taken, shared out and are spread over their rounds."""

PLAY_S = float(os.environ.get("CROUPIER_BENCH_SECONDS", "60"))


class Figures(NamedTuple):
    """One run: processor seconds a second of each kind of process, and how late windows and cards were."""

    tables: int
    supervisor: float
    workers: float
    store: float
    shares: tuple[int, ...]
    late_ms: Sequence[int]
    load: float

    @property
    def cores(self) -> float:
        """All processes together."""
        return self.supervisor + self.workers + self.store

    def line(self) -> str:
        """The figures as a row of the table in docs/performance.md."""
        late = sorted(self.late_ms)
        p50, p99 = median(late), late[len(late) * 99 // 100]
        shares = "/".join(map(str, self.shares))
        return (
            f"| {self.tables} | {shares} | {self.workers:.2f} | {self.store:.2f} | {self.cores:.2f} |"
            f" {1000 * self.cores / self.tables:.2f} | {p50:.0f} | {p99} | {late[-1]} | {self.load:.1f} |"
        )


async def run(tables: int) -> Figures:
    """A server with so many tables."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "croupier.toml"
        config.write_text("".join(f'[[tables]]\nname = "t{number}"\n' for number in range(tables)))
        data = Path(folder) / "data"
        server = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier_client.cli", "serve", "--config", str(config)),
            *("--data", str(data), "--workers", "2", "--port", "0", "--admin-port", "0"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            if server.stdout is None or not json.loads(await server.stdout.readline())["ready"]:
                raise RuntimeError("the server did not start")
            pit = Pit.at(running_url(data / "store"))
            await asyncio.sleep(SETTLE_S)
            return await measure(pit, tables, server.pid)
        finally:
            server.terminate()
            await server.wait()


async def measure(pit: Pit, tables: int, supervisor: int, seconds: float = PLAY_S) -> Figures:
    """A stretch of play of a server that runs."""
    children = list(_children(supervisor))
    workers = [child for child in children if "croupier_server.worker" in _command(child)]
    store = [child for child in children if child not in workers]
    start, before = monotonic(), [processor_seconds(one) for one in ([supervisor], workers, store)]
    events: list[Entry] = []
    after = (await pit.stream.recent(1))[0].id
    while monotonic() - start < seconds:
        found, _ = await pit.stream.tail_with_notes(after, "$")
        events += found
        after = found[-1].id if found else after
        await asyncio.sleep(0.5)  # few and large reads: what is measured is the server
    spent = monotonic() - start
    used = [
        (processor_seconds(one) - then) / spent
        for one, then in zip(([supervisor], workers, store), before, strict=True)
    ]
    messages = [MSGPACK.decode_message(entry.message) for entry in events if entry.table is not None]
    late = [
        one.at_ms - one.due_ms
        for one in messages
        if isinstance(one, BettingOpened | BettingClosed | CardDealt)
    ]
    _, leases = await Tables(pit.store, DEFAULT_PIT).leases(list(await pit.tables.registered()))
    owners = [lease.owner for lease in leases.values()]
    shares = tuple(sorted(owners.count(owner) for owner in set(owners)))
    load = os.getloadavg()[0]
    await pit.close()
    return Figures(tables, *used, shares, late, load)


def _children(process: int) -> Iterator[int]:
    listing = Path(f"/proc/{process}/task/{process}/children").read_text()
    yield from map(int, listing.split())


def _command(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()


def processor_seconds(processes: Sequence[int]) -> float:
    """Processor time that the processes have used, finer than the hundredths of a second in `/proc`.

    The number of a process's clock is made as clock_getcpuclockid(3) makes it on Linux.
    """
    return sum(clock_gettime(~process << 3 | 2) for process in processes)


async def main() -> None:
    """Prints a row for each number of tables, under the headings of the documentation."""
    print(
        "| tables | shares | workers | store | cores | ms a table and second | p50 | p99 | latest ms | load |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for tables in map(int, sys.argv[1:] or TABLES):
        print((await run(tables)).line(), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
