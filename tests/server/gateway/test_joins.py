"""Many join at once: what it costs the store, how often the present is encoded, how soon all have it."""

import asyncio
import logging
import time
from contextlib import AsyncExitStack

import pytest

from croupier_protocol.messages.to_client import TableView
from croupier_server.gateway import encoded
from croupier_server.store.embedded import running_url
from support.gateways import bare, dealing, gateway_on
from support.joining import joining
from support.serving import serving, until
from support.silent import silent_watchers
from support.stores import open_pit

logger = logging.getLogger(__name__)


async def commands(client) -> int:
    """How many commands the store has carried out, this one aside."""
    return (await client.info("stats"))["total_commands_processed"]


async def test_a_hundred_who_join_cost_one_encoding_and_not_one_command_of_the_store(store, pit, monkeypatch):
    """H6: nobody deals meanwhile, so that the table stands still and its snapshot stays the same."""
    async with dealing(store.url) as dealer:
        await until(lambda: dealer.dealing)
    times_encoded = []
    payload = encoded.Encoded.payload

    def counted(self, codec):
        if isinstance(self.message, TableView) and codec not in self._payloads:
            times_encoded.append(codec.subprotocol)
        return payload(self, codec)

    monkeypatch.setattr(encoded.Encoded, "payload", counted)
    async with gateway_on(store.url) as running, AsyncExitStack() as stack:
        first = await stack.enter_async_context(bare(running.url))
        before = await commands(pit.client)
        began = time.monotonic()
        clients = [first]
        for _ in range(10):
            entering = [stack.enter_async_context(bare(running.url)) for _ in range(10)]
            clients += await asyncio.gather(*entering)
        for client in clients:
            await client.send(type="hello")
            await client.send(type="watch", table="standard")
        snapshots = [await client.until("snapshot") for client in clients]
        # The feed reads once a second, presence and notes come every few seconds; a join adds nothing.
        background = 10 + 5 * (time.monotonic() - began)
        assert await commands(pit.client) - before < background
        assert len({(one["epoch"], one["seq"]) for one in snapshots}) == 1
        assert times_encoded == ["croupier.v1.json"]


JOINERS = 10_000
AT_A_TIME = 500
NOISE_MS = 10.0
"""What a machine does by itself."""

TABLES = """
[[tables]]
name = "joined"

[[tables]]
name = "running"
pace = "turbo"
"""


@pytest.mark.long
async def test_ten_thousand_who_join_at_once_all_have_the_present_in_15_seconds(tmp_path):
    """No handshake fails, no command of the store is sent for it, and a running table goes on in time."""
    config = tmp_path / "croupier.toml"
    config.write_text(TABLES)
    async with serving(tmp_path / "data", "--config", str(config)) as server:
        port = server.port
        async with (
            open_pit(running_url(tmp_path / "data" / "store")) as pit,
            silent_watchers(port, 1, ["running"]) as [watcher],
        ):
            client = pit.client
            latencies: list[float] = []
            reading = asyncio.create_task(_latencies(watcher.messages(), latencies))
            quiet, quiet_commands = await _phase(client, latencies, asyncio.sleep(10))
            async with AsyncExitStack() as stack:
                entering = stack.enter_async_context(joining(port, JOINERS, "joined", AT_A_TIME))
                figures = asyncio.create_task(entering)
                during, joining_commands = await _phase(client, latencies, figures)
                logger.info(
                    "%s; push p99 %.1f ms before and %.1f ms meanwhile; %.1f and %.1f commands a second",
                    *(figures.result(), quiet, during, quiet_commands, joining_commands),
                )
                assert figures.result()["joined"] == JOINERS
                assert figures.result()["failed"] == []
                assert figures.result()["all_s"] < 15
                assert during < 2 * quiet + NOISE_MS
                assert joining_commands < 1.2 * quiet_commands + 10
            reading.cancel()


async def _latencies(messages, latencies: list[float]) -> None:
    async for message in messages:
        at_ms = getattr(message, "at_ms", None)
        if at_ms is not None:
            latencies.append(time.time() * 1000 - at_ms)


async def _phase(client, latencies: list[float], going_on) -> tuple[float, float]:
    """Push p99 in ms, and the store's commands a second, while something goes on."""
    latencies.clear()
    before, began = await commands(client), time.monotonic()
    await going_on
    each_s = (await commands(client) - before) / (time.monotonic() - began)
    taken = sorted(latencies)
    return taken[len(taken) * 99 // 100], each_s
