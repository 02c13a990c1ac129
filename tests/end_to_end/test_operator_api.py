"""The operator's API of a running `croupier serve`: its keys, its store, its end."""

import asyncio
import os
import signal

import aiohttp
import pytest

from croupier_server.store.embedded import running_url
from croupier_server.store.stores import Stores
from support.operator_api import KEY, Caller
from support.serving import serving

pytestmark = pytest.mark.long

CONFIG = """
[api]
key_files = ["{keys}"]

[[tables]]
name = "quick"
pace = "turbo"

[[tables]]
name = "slow"
"""

NEW = """
[rules.house]
commission = { rate = 0.04 }
"""


async def dealt(operator):
    """Returns when both tables have begun."""
    async with asyncio.timeout(60):
        while True:
            _, answer = await operator.call("tables.list")
            quick, slow = answer["tables"]
            if quick.get("seq", 0) > 0 and slow.get("seq", 0) > 0:
                return
            await asyncio.sleep(0.05)


async def orders(data):
    """The names of the orders that stand, in the server's own store."""
    stores = Stores(running_url(data / "store"))
    try:
        found = await stores.pit("main").client.hkeys("croupier:{main}:orders")
        return [name.decode() for name in found]
    finally:
        await stores.close()


async def test_a_running_server_takes_orders_and_stops_while_one_waits(tmp_path):
    config, keys = tmp_path / "croupier.toml", tmp_path / "api.keys"
    keys.write_text(f"{KEY}\n")
    text = CONFIG.format(keys=keys)
    config.write_text(text)
    async with (
        serving(tmp_path / "data", "--config", str(config)) as server,
        aiohttp.ClientSession() as session,
    ):
        operator = Caller(session, server.admin, None)
        await dealt(operator)
        done = {"table": "quick", "order": "pause_now", "answer": "done"}
        assert await operator.call("tables.pause", table="quick", op="pause-it-1", now=True) == (200, done)

        config.write_text(NEW + text)
        server.process.send_signal(signal.SIGHUP)
        async with asyncio.timeout(60):
            while (await operator.call("tables.add", table="late", rules="house"))[0] != 200:
                await asyncio.sleep(0.05)

        assert (await operator.send("/api/audit", key="x" * 40))[0] == 401
        _, _, metrics = await operator.send("/metrics", method="GET", body=None)
        assert "croupier_api_wrong_keys_total 1.0" in metrics

        store = server.store_id
        os.kill(store, signal.SIGSTOP)
        try:
            status, answer = await operator.call("tables.list")
            assert (status, answer["code"]) == (503, "unavailable")
        finally:
            os.kill(store, signal.SIGCONT)

        credit = {"player": "nobody", "amount": 5, "reason": "x", "op": "credit-1"}
        async with asyncio.timeout(60):
            while (answer := (await operator.call("wallet.credit", **credit))[0]) == 503:
                await asyncio.sleep(0.05)
        assert answer == 404
        # Answered at the end of a round, which does not come: the server stops.
        waiting = asyncio.create_task(operator.call("tables.pause", table="slow", op="pause-it-2"))
        async with asyncio.timeout(60):
            while "pause-it-2" not in await orders(tmp_path / "data"):
                await asyncio.sleep(0.02)
        assert await server.stop() == 0
        await asyncio.gather(waiting, return_exceptions=True)
