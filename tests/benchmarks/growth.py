"""How the cost of serving grows: from 100 to 20,000 spectators of one table, and from 1 to 300 tables.

    make bench

A real server with two workers, one for all numbers of spectators and one for all numbers of tables; each
number comes on top of the one before. At each there are several windows, in which the processor time of all
of the server's processes is read, and the workers' resident memory; the first number is none, what the server
takes at rest. A line fits what is above that, and says whether the growth is linear; see `growth_fit`. All
is also drawn, into docs/growth.svg.

Spectators are bare sockets that read all that comes. Their table has short rounds of its own, and a window
lasts for so many whole ones as fill `PLAY_S`: otherwise one window has more cards in it than the next. Tables
are at speed pace, at which a round takes 12 s, and are opened over as long a time: where there are many,
each window has some in every phase. Where there are few, a window is a round.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.growth_figure import Panel, figure
from benchmarks.growth_fit import Windows, costs, fit
from benchmarks.halls import peers, watchers
from benchmarks.tables import processor_seconds
from croupier_client.load.files import raise_file_limit
from croupier_protocol.codec import MSGPACK
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import BettingOpened
from croupier_protocol.messages.values import TableId
from croupier_server.store.embedded import running_url
from croupier_server.store.pit import Pit
from croupier_server.table.listing import encode_listing
from croupier_server.table.pace import SPEED, Pace
from croupier_server.table.state import TableSettings
from support.resident import resident_kb
from support.serving import Serving, serving

SPECTATORS = (100, 1_000, 5_000, 10_000, 20_000)
TABLES = (1, 30, 100, 300)
PLAY_S = float(os.environ.get("CROUPIER_BENCH_SECONDS", "5"))
"""The least length of a window. With this one all takes under eight minutes on two free cores."""

WINDOWS = 5
FEW_TABLES = 10
"""Up to so many, a window is a round of one of them."""

FEW_WINDOWS = 3
SPREAD_S = 12
"""Over so many seconds, one after another, tables are opened: a round, so that they are in all its phases."""

QUIET_S = 4.0
"""Until everything that came with connections or tables is done."""

SHARED_S = 20.0
"""Until tables are shared out evenly, at most: they move between rounds only."""

BRISK = Pace("brisk", 500, 700, 200, 200, 500)
"""A round in some 2.5 s: between three and four events a second, 70,000 a second to 20,000 spectators."""

GRAIN_MB = 2.0
"""Python takes memory from the system by the MiB (its arenas), in each of two workers."""

FIGURE = Path(__file__).parents[2] / "docs" / "growth.svg"


class Look(NamedTuple):
    """What one window saw of the server."""

    cores: float
    resident_mb: float
    events_a_second: float


class Row(NamedTuple):
    """All windows at one number."""

    many: int
    looks: Sequence[Look]

    @property
    def cores(self) -> Windows:
        return Windows(self.many, [look.cores for look in self.looks])

    @property
    def resident_mb(self) -> Windows:
        return Windows(self.many, [look.resident_mb for look in self.looks])

    @property
    def events_a_second(self) -> float:
        return Windows(self.many, [look.events_a_second for look in self.looks]).middle


class Hall(NamedTuple):
    """A server with two workers, and its store."""

    server: Serving
    pit: Pit

    async def open(self, tables: Sequence[str], pace: Pace) -> None:
        """Opens more tables, as `croupier tables add` does."""
        listings = {
            TableId(name): encode_listing(TableSettings(TableId(name), RULE_SETS["standard"], pace))
            for name in tables
        }
        await self.pit.tables.register(listings)

    async def shared(self, tables: int) -> None:
        """Waits until each worker deals half of so many tables, or has had the time for it."""
        until_s = monotonic() + SHARED_S
        while monotonic() < until_s:
            _, leases = await self.pit.tables.leases(list(await self.pit.tables.registered()))
            owners = [lease.owner for lease in leases.values()]
            shares = [owners.count(owner) for owner in set(owners)]
            if sum(shares) == tables and max(shares) - min(shares) <= 1 and len(shares) == min(2, tables):
                return
            await asyncio.sleep(0.5)  # it is another process that shares them out

    async def windows(self, many: int, number: int, table: TableId | None = None) -> Row:
        """So many windows, one after another; of whole rounds of `table`, if there is one."""
        after = (await self.pit.stream.recent(1))[0].id
        if table is not None:
            after, _ = await self._next_round(table, after)
        looks = []
        for _ in range(number):
            look, after = await self._window(table, after)
            looks.append(look)
        return Row(many, looks)

    async def _window(self, table: TableId | None, after: str) -> tuple[Look, str]:
        """One window from now on, where the stream is at `after`; and where that is at its end."""
        processes = [self.server.process.pid, self.server.store_id, *self.server.worker_ids]
        begun, before, events = monotonic(), processor_seconds(processes), 0
        if table is None:
            await asyncio.sleep(PLAY_S)
        else:
            while monotonic() < begun + PLAY_S:
                after, seen = await self._next_round(table, after)
                events += seen
        spent = monotonic() - begun
        cores = (processor_seconds(processes) - before) / spent
        memory = sum(resident_kb(worker) for worker in self.server.worker_ids) / 1000
        return Look(cores, memory, events / spent), after

    async def _next_round(self, table: TableId, after: str) -> tuple[str, int]:
        """Waits for the table's next window; where that is in the stream, and how many events were seen."""
        seen = 0
        while True:
            for entry in (await self.pit.stream.tail_with_notes(after, "$"))[0]:
                after = entry.id
                if entry.table == table:
                    seen += 1
                    if isinstance(MSGPACK.decode_message(entry.message), BettingOpened):
                        return after, seen


@asynccontextmanager
async def hall(folder: Path):
    """A server that deals nothing: the table that it must have is closed."""
    async with serving(folder, "--workers", "2") as server:
        command = [sys.executable, "-m", "croupier_client.cli", "tables", "close", "standard", "--now"]
        await asyncio.to_thread(
            subprocess.run, [*command, "--data", str(folder)], check=True, stdout=subprocess.DEVNULL
        )
        pit = Pit.at(running_url(folder / "store"))
        try:
            yield Hall(server, pit)
        finally:
            await pit.close()


async def watched(folder: Path) -> list[Row]:
    """One table that is watched by nobody, and then by more and more."""
    table = TableId("brisk")
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(hall(folder))
        await here.open([table], BRISK)
        rows: list[Row] = []
        for spectators in (0, *SPECTATORS):
            more = spectators - (rows[-1].many if rows else 0)
            if more:
                await stack.enter_async_context(peers(here.server.port, watchers(more, table)))
            await asyncio.sleep(QUIET_S)
            rows.append(await here.windows(spectators, WINDOWS, table))
            print(f"| {spectators} | {_cells(rows)} | {rows[-1].events_a_second:.1f} |", flush=True)
        return rows


async def dealt(folder: Path) -> list[Row]:
    """No table, and then more and more, with nobody at them."""
    async with hall(folder) as here:
        rows: list[Row] = []
        for tables in (0, *TABLES):
            names = [f"t{number}" for number in range(rows[-1].many if rows else 0, tables)]
            for second in range(SPREAD_S if len(names) > 1 else 1):
                await here.open(names[second::SPREAD_S], SPEED)
                await asyncio.sleep(1.0)  # that far their rounds are to be apart
            if tables:
                await here.shared(tables)
            await asyncio.sleep(QUIET_S)
            few = 0 < tables <= FEW_TABLES
            found = await here.windows(
                tables, FEW_WINDOWS if few else WINDOWS, TableId(names[0]) if few else None
            )
            rows.append(found)
            print(f"| {tables} | {_cells(rows)} |", flush=True)
        return rows


def _cells(rows: Sequence[Row]) -> str:
    """The newest row's cores and memory, and each one's share of cores beside that of the first ones."""
    last, rest = rows[-1], rows[0]
    text = f"{last.cores.middle:.3f} | {last.cores.spread} | {last.resident_mb.middle:.0f} | "
    if not last.many:
        return f"{text} | | "
    first, now = costs(rest.cores, [rows[1].cores, last.cores])
    each = f"{1e6 * now.each:.1f} ± {1e6 * now.error / now.many:.1f}"
    return f"{text}{now.much:.3f} | {each} | {now.each / first.each:.2f}"


def _panel(across: str, up: str, values: Sequence[Windows], grain: float = 0.0) -> Panel:
    points = costs(values[0], values[1:], grain)
    found = fit(points)
    left_out = [f"{point.many:,}" for point in points if not point.told]
    said = "too few points to judge" if found is None else f"{found.told}: {found.verdict}"
    print(f"{up} over {across}: {said}")
    if left_out:
        print(f"  without {', '.join(left_out)}: too little above rest to be told")
    return Panel(across, up, points, found)


async def main() -> None:
    """Prints a row for each number and what fits them, and draws them."""
    raise_file_limit()
    begun = monotonic()
    columns = "cores | lowest to highest | workers, MB | cores less rest | µs each, a second | of the first's"
    with tempfile.TemporaryDirectory() as folder:
        print(f"| spectators | {columns} | events a second |\n|{'---|' * 8}")
        watching = await watched(Path(folder) / "watched")
        print(f"\n| tables | {columns} |\n|{'---|' * 7}")
        dealing = await dealt(Path(folder) / "dealt")
    print()
    panels = [
        _panel("spectators of one table", "cores less rest", [row.cores for row in watching]),
        _panel("spectators of one table", "MB less rest", [row.resident_mb for row in watching], GRAIN_MB),
        _panel("tables at speed pace", "cores less rest", [row.cores for row in dealing]),
    ]
    FIGURE.write_text(figure(panels), encoding="utf-8")
    print(f"{monotonic() - begun:.0f} s, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    asyncio.run(main())
