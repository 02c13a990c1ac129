"""A run of the load tester: spectators over all tables, for a while."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from croupier_client.address import parse_address
from croupier_client.connection import Client, connect
from croupier_client.errors import CroupierError, ViolationError
from croupier_client.load.spectator import Spectator
from croupier_client.load.tally import Tally
from croupier_client.timing import Timing

SPARE_FILES: Final = 64
"""File descriptors that Python itself and the run need beside the spectators' sockets."""

PINGS: Final = 16
"""Questions for the server's time before the start: enough to meet a short round trip."""

PING_EVERY_S: Final = 1.0
LAG_EVERY_S: Final = 0.05
"""How often this process checks whether it is late itself."""


async def run(
    url: str, *, spectators: int, duration_s: float, ramp_s: float, progress: Callable[[Tally], None]
) -> tuple[Tally, float]:
    """Lets so many spectators in over `ramp_s`, and goes on for `duration_s` after that.

    Returns what they saw, and by how many milliseconds the server's clock may be misjudged.
    `progress` is called every second.

    Raises:
        CroupierError: the server cannot be reached, or has no tables.
    """
    tally = Tally()
    async with connect(url) as client:
        tables = [info.table for info in (await client.lobby()).tables]
        if not tables:
            raise ViolationError("there are no tables to watch")
        for _ in range(PINGS):
            await client.ping()

        def server_ms() -> float:
            offset = client.offset
            return 0.0 if offset is None else offset.server_ms(timing.monotonic())

        timing = Timing()
        address = parse_address(url)
        async with asyncio.TaskGroup() as group:
            helpers = [
                group.create_task(_keep_time(client)),
                group.create_task(_watch_lag(tally, timing)),
                group.create_task(_tell(progress, tally)),
            ]
            crowd = []
            for number in range(spectators):
                table = tables[number % len(tables)]
                spectator = Spectator(address, table, tally, timing, server_ms)
                crowd.append(group.create_task(spectator.run()))
                await asyncio.sleep(ramp_s / spectators)
            await asyncio.sleep(duration_s)
            seen_cuts, watching = tally.cuts, tally.watching
            for task in (*helpers, *crowd):
                task.cancel()
        tally.cuts, tally.watching = seen_cuts, watching  # the end of the run is no cut
        offset = client.offset
        return tally, 0.0 if offset is None else offset.error_ms


async def _keep_time(client: Client) -> None:
    """Follows the server's clock. When the server goes away the spectators tell, so this does not."""
    while True:
        await asyncio.sleep(PING_EVERY_S)
        with suppress(CroupierError):
            await client.ping()


async def _watch_lag(tally: Tally, timing: Timing) -> None:
    """Measures how late this process runs what is due: latency below that cannot be told."""
    while True:
        due_s = timing.monotonic() + LAG_EVERY_S
        await asyncio.sleep(LAG_EVERY_S)
        tally.lag.add((timing.monotonic() - due_s) * 1000)


async def _tell(progress: Callable[[Tally], None], tally: Tally) -> None:
    while True:
        await asyncio.sleep(1.0)
        progress(tally)
