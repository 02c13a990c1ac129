"""What stays behind: of connections that come and go, and of a day of play."""

import asyncio
import logging
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from croupier_client.connection import connect
from croupier_protocol.messages.events import RoundSettled
from support.cycling import cycling
from support.gateways import dealing, gateway_on
from support.resident import resident_kb
from support.serving import serving, until

logger = logging.getLogger(__name__)

MOST_LEFT_KB = 6_000
"""What a worker's arenas may move by: less than a kilobyte of each of ten thousand connections."""

POOLED = 10
"""Connections to the store that a pool may have opened since, and keeps."""

MOST_GROWN_KB = 12_000
"""The same for a day of play, and for the store, which fills its bounded streams."""

ROUNDS_A_DAY = 3_456
"""At standard pace, of 25 seconds a round."""


@pytest.mark.parametrize(
    "count", [pytest.param(400, marks=pytest.mark.slow), pytest.param(10_000, marks=pytest.mark.long)]
)
async def test_connections_that_come_and_go_leave_nothing_behind(store, count):
    """Given descriptors, tasks and memory after a tenth as many, however each connection went."""
    async with dealing(store.url), gateway_on(store.url) as running:
        gateway = running.gateway
        assert await cycling(running.port, count // 10) == count // 10 * 4 // 5
        await until(lambda: not gateway.fanout.outlets, 60)
        tasks, open_before, kb_before = len(asyncio.all_tasks()), descriptors(), resident_kb()
        assert await cycling(running.port, count) == count * 4 // 5
        await until(lambda: not gateway.fanout.outlets, 60)
        await until(lambda: len(asyncio.all_tasks()) <= tasks, 60, f"{tasks} tasks as before")
        await until(lambda: descriptors() <= open_before + POOLED, 60, f"{open_before} descriptors as before")
        left_kb = resident_kb() - kb_before
        logger.info("%d tasks, %d descriptors, %d kB more after %d", tasks, descriptors(), left_kb, count)
        assert left_kb < MOST_LEFT_KB


def descriptors(process_id: int | str = "self") -> int:
    """How many descriptors a process has open."""
    return len(list(Path(f"/proc/{process_id}/fd").iterdir()))


@pytest.mark.long
async def test_a_day_of_rounds_leaves_the_server_as_it_was(tmp_path):
    """24 hours of a table at turbo pace: spectators who come and go, players, and one who watches it all."""
    async with serving(tmp_path / "data", "--pace", "turbo") as server, AsyncExitStack() as stack:
        worker = server.worker_id
        sizes: list[dict[str, int]] = []
        seats = []
        for _ in range(5):
            client = await stack.enter_async_context(connect(server.url))
            seats.append(await client.sit("standard", buy_in=200_00))
        playing = [asyncio.create_task(play(seat)) for seat in seats]
        async with connect(server.url) as client:
            settled = 0
            async for message in client.watch("standard"):
                if not isinstance(message, RoundSettled):
                    continue
                settled += 1
                if settled % (ROUNDS_A_DAY // 12) == 0:
                    await cycling(server.port, 100)
                    sizes.append(
                        {
                            "worker": resident_kb(worker),
                            "supervisor": resident_kb(server.process.pid),
                            "store": resident_kb(server.store_id),
                            "descriptors": descriptors(worker),
                        }
                    )
                    logger.info("%d rounds: %s", settled, sizes[-1])
                if settled == ROUNDS_A_DAY:
                    break
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        assert server.worker_id == worker
        third, last = sizes[3], sizes[-1]
        for process in ("worker", "supervisor", "store"):
            assert last[process] - third[process] < MOST_GROWN_KB, sizes
        assert last["descriptors"] <= third["descriptors"] + POOLED, sizes


async def play(seat) -> None:
    """Bets the least on every round, and buys more chips when they run out."""
    round_ = None
    while True:
        round_ = await seat.window(after=round_)
        if seat.bankroll < 100:
            await seat.top_up(20_00)
        await seat.bet(player=100)
