"""How the cost of serving grows: from 100 to 20,000 spectators of one table, and from 1 to 300 tables.

    make bench

A real server with two workers, each time anew, at speed pace for spectators and at standard pace for tables.
Spectators are bare sockets in two processes that read all that comes. What is read is the processor time of
all of the server's processes over a stretch of play, and the workers' resident memory. The rows are also
drawn, into docs/growth.svg; on such a figure what is linear is a straight line.
"""

import asyncio
import os
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.growth_figure import Panel, figure
from benchmarks.halls import peers
from benchmarks.tables import processor_seconds, run
from croupier_client.load.files import raise_file_limit
from croupier_protocol.codec import MSGPACK
from croupier_protocol.messages.to_server import Watch
from croupier_server.store.embedded import running_url
from croupier_server.store.pit import Pit
from support.resident import resident_kb
from support.serving import Serving, serving

SPECTATORS = (100, 1_000, 5_000, 10_000, 20_000)
TABLES = (1, 30, 100, 300)
QUIET_S = 10.0
"""Until everything that came with the connections is done."""

PLAY_S = float(os.environ.get("CROUPIER_BENCH_SECONDS", "30"))
FIGURE = Path(__file__).parents[2] / "docs" / "growth.svg"


class Row(NamedTuple):
    """A stretch with so many spectators."""

    spectators: int
    cores: float
    events_a_second: float
    resident_mb: float

    @property
    def each_us(self) -> float:
        """Processor time for each event that reached a spectator."""
        return 1e6 * self.cores / (self.events_a_second * self.spectators)

    def line(self) -> str:
        return (
            f"| {self.spectators} | {self.cores:.2f} | {self.events_a_second:.1f} |"
            f" {self.each_us:.1f} | {self.resident_mb:.0f} |"
        )


async def watched(spectators: int, folder: Path) -> Row:
    """A server whose only table is watched by so many."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving(folder, "--pace", "speed", "--workers", "2"))
        port = server.port
        plan = {
            "paths": ["/ws"] * (spectators // 2),
            "says": list(MSGPACK.encode(Watch(table="standard"))),
            "binary": True,
            "first": True,
            "protocol": MSGPACK.subprotocol,
        }
        for _ in range(2):
            await stack.enter_async_context(peers(port, plan))
        pit = Pit.at(running_url(folder / "store"))
        stack.push_async_callback(pit.close)
        await asyncio.sleep(QUIET_S)
        return await measured(server, pit, spectators)


async def measured(server: Serving, pit: Pit, spectators: int, seconds: float = PLAY_S) -> Row:
    """What a stretch of play takes of a server's processes."""
    processes = [server.process.pid, server.store_id, *server.worker_ids]
    first = (await pit.stream.recent(1))[0].id
    begun, before = monotonic(), processor_seconds(processes)
    await asyncio.sleep(seconds)
    spent = monotonic() - begun
    cores = (processor_seconds(processes) - before) / spent
    events, _ = await pit.stream.tail_with_notes(first, "$")
    memory = sum(resident_kb(worker) for worker in server.worker_ids) / 1000
    return Row(spectators, cores, sum(entry.table is not None for entry in events) / spent, memory)


async def main() -> None:
    """Prints a row for each number, and draws them."""
    raise_file_limit()
    print("| spectators | cores | events a second | µs an event and spectator | workers, MB |")
    print("|---|---|---|---|---|")
    watching = []
    with tempfile.TemporaryDirectory() as folder:
        for spectators in SPECTATORS:
            watching.append(await watched(spectators, Path(folder) / str(spectators)))
            print(watching[-1].line(), flush=True)
    print("\n| tables | cores | ms of a core, a table and second |\n|---|---|---|")
    dealing = []
    for tables in TABLES:
        dealing.append(await run(tables))
        print(f"| {tables} | {dealing[-1].cores:.2f} | {1000 * dealing[-1].cores / tables:.2f} |", flush=True)
    panels = [
        Panel("spectators of one table", "cores", [(row.spectators, row.cores) for row in watching]),
        Panel("spectators of one table", "MB", [(row.spectators, row.resident_mb) for row in watching]),
        Panel("tables", "cores", [(one.tables, one.cores) for one in dealing]),
    ]
    FIGURE.write_text(figure(panels), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
