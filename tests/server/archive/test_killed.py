"""Archivers that are killed, at points that are drawn, while a real server deals and everybody bets.

`CROUPIER_KILLED_SEED` draws the same again, `CROUPIER_KILLED_S` says for how many seconds.
"""

import asyncio
import contextlib
import logging
import os
import random
import signal
import sys
from pathlib import Path

import pytest

from croupier_server.archive.check import check_archive
from croupier_server.bank.audit import Auditor
from croupier_server.store.embedded import running_url
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.ledger import Position
from croupier_server.store.stores import Stores
from support.archiving import drain, found, opened, positions
from support.banking import LEDGER, SLIPS
from support.playing import connected, sit_down
from support.serving import serving

logger = logging.getLogger(__name__)

TESTS = Path(__file__).parents[2]
SECONDS = float(os.environ.get("CROUPIER_KILLED_S", "90"))
PLAYERS = 6

CONFIG = """
[archive]
enabled = true

[[tables]]
name = "standard"
pace = "turbo"

[[tables]]
name = "vegas"
rules = "vegas"
pace = "turbo"
"""


async def bet(player):
    """Bets in every window until cancelled."""
    number = 0
    while True:
        window = await player.next_window(number)
        number = window["round"]
        bets = {"player": 500, "tie": 100} if number % 2 else {"banker": 700}
        await player.ask(
            type="slip",
            table="standard",
            round=number,
            rev=player.me[1],
            op=f"slip-{number:08}",
            bets=bets,
        )


async def killed_again_and_again(chance, place, until_time):
    """Runs archivers, each killed at some point; returns how many were, by point."""
    kills = dict.fromkeys(("change", "commit", "committed", "told", "any"), 0)
    loop = asyncio.get_running_loop()
    while loop.time() < until_time:
        what = chance.choice(list(kills))
        number = chance.randint(1, 30) if what == "change" else chance.randint(1, 8)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(TESTS / "support" / "archiver_process.py"), what, str(number), *place),
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(TESTS)},
        )
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), chance.uniform(0.5, 4.0))
        if process.returncode is None:
            process.kill()
            await process.wait()
        assert process.returncode == -signal.SIGKILL
        kills[what] += 1
    return kills


@pytest.mark.long
async def test_nothing_is_lost_or_doubled_by_archivers_killed_while_everybody_plays(tmp_path, to):
    seed = int(os.environ.get("CROUPIER_KILLED_SEED", random.SystemRandom().randrange(2**32)))
    logger.info("CROUPIER_KILLED_SEED=%d", seed)
    chance = random.Random(seed)
    config = tmp_path / "croupier.toml"
    config.write_text(CONFIG)
    async with serving(tmp_path / "data", "--config", str(config), "--workers", "2") as server:
        async with contextlib.AsyncExitStack() as stack:
            tasks = []
            for _ in range(PLAYERS):
                player = await stack.enter_async_context(connected(f"ws://127.0.0.1:{server.port}/ws"))
                await sit_down(player)
                tasks.append(asyncio.create_task(bet(player)))
            place = ("--data", str(tmp_path / "data"), "--to", to)
            end = asyncio.get_running_loop().time() + SECONDS
            kills = await killed_again_and_again(chance, place, end)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(one, asyncio.CancelledError) for one in ended), ended
        logger.info("killed: %s", kills)
        url = running_url(tmp_path / "data" / "store")
        stores = Stores(url, one_off=True)
        try:
            client = stores.pit(DEFAULT_PIT).client
            async with asyncio.timeout(60):
                while await client.hlen(SLIPS):
                    await asyncio.sleep(0.05)
            await drain(url, to)
            trimmed = Position.read(
                await client.hget("croupier:{main}:ledger_base", "trimmed_upto") or b"0-0"
            )
            there = [Position.read(entry) for entry, _ in await client.xrange(LEDGER)]
            archived = [Position(*one) for one in positions(to)]
            upto = archived[-1]
            assert trimmed == Position()  # fewer than are kept, so that all can be compared
            assert archived == [one for one in there if one <= upto]
            with opened(to) as archive:
                checked = await check_archive(stores, archive)
            assert checked.mismatches == ()
            figures = (await Auditor(stores, [DEFAULT_PIT]).run()).figures
        finally:
            await stores.close()
        [(staked, returned, slips)] = found(
            to,
            "SELECT CAST(SUM(staked) AS BIGINT), CAST(SUM(returned) AS BIGINT), COUNT(*) FROM slips",
        )
        [(rounds,)] = found(to, "SELECT COUNT(*) FROM rounds")
        logger.info(
            "%d entries, %d slips, %d rounds, house %d", len(archived), slips, rounds, staked - returned
        )
        assert slips > PLAYERS
        assert sum(kills.values()) > 10
        assert figures.house == staked - returned
        assert found(to, "SELECT reason FROM lives") == [("first",)]
