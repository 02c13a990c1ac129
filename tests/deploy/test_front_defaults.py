"""nginx with its own timeouts, a minute each, in front of a table at which nothing happens."""

import asyncio
import logging
import sys
from itertools import pairwise

import pytest
from websockets.asyncio.client import connect as websocket

from croupier_client.connection import connect
from support.fronts import front, nginx_by_default
from support.relay import Relay
from support.serving import serving, until

logger = logging.getLogger(__name__)

IDLE_S = 600.0
SILENT_S = 30.0
"""The longest that nothing may pass in a direction."""


class Listening(Relay):
    """A relay that keeps when something passed, for each direction of each connection."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.directions: list[list[float]] = []
        self.ended = 0

    async def _pass_on(self, reader, writer) -> None:
        clock, passed = asyncio.get_running_loop().time, []
        self.directions.append(passed)
        while data := await reader.read(65_536):
            passed.append(clock())
            writer.write(data)
        self.ended += 1
        writer.close()


@pytest.mark.long
async def test_an_idle_spectator_stays_behind_nginx_for_ten_minutes(tmp_path, monkeypatch):
    """H7: nothing is said but signs of life, each way at least every 30 s, and nobody is cut."""
    async with serving(tmp_path / "data") as server:
        await paused(tmp_path / "data")
        relay = Listening(server.port)
        listening = await asyncio.start_server(relay.accept, "127.0.0.1", 0)
        port, admin = listening.sockets[0].getsockname()[1], int(server.admin.rpartition(":")[2])
        async with listening, front("nginx", port, admin, nginx_by_default) as (proxy, certificate):
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate.chain))
            url = proxy.origin.replace("https", "wss") + "/ws"
            notices, seen = [], []
            async with (
                connect(url, on_notice=notices.append) as ours,
                websocket(
                    url,
                    subprotocols=["croupier.v1.json"],
                    ssl=certificate.trusted(),
                    proxy=None,
                    ping_interval=None,
                ) as other,
            ):
                await other.send('{"type":"watch","id":1,"table":"standard"}')
                reading = [asyncio.create_task(read(other, seen)), asyncio.create_task(watch(ours))]
                await until(lambda: len(seen) >= 2, what="a snapshot")
                began, before = asyncio.get_running_loop().time(), list(notices)
                done, _ = await asyncio.wait(reading, timeout=IDLE_S, return_when=asyncio.FIRST_COMPLETED)
                ends = asyncio.get_running_loop().time()
                assert not done, (done, notices)
                assert (notices, relay.ended, len(relay.directions)) == (before, 0, 4)
                await ours.ping()
                for task in reading:
                    task.cancel()
        longest = [
            max(b - a for a, b in pairwise([began, *times(one, began, ends), ends]))
            for one in relay.directions
        ]
        logger.info("silent for at most %s s", ", ".join(f"{one:.1f}" for one in longest))
        assert max(longest) < SILENT_S
        assert {message.split('"')[3] for message in seen[2:]} == {"heartbeat"}


def times(passed: list[float], began: float, ends: float) -> list[float]:
    return [one for one in passed if began < one < ends]


async def paused(data) -> None:
    """Pauses the table, at once."""
    command = (sys.executable, "-m", "croupier_client.cli", "tables", "pause", "standard", "--now")
    pausing = await asyncio.create_subprocess_exec(*command, "--data", str(data))
    assert await pausing.wait() == 0


async def read(connection, seen: list[str]) -> None:
    while True:
        seen.append(await connection.recv())


async def watch(client) -> None:
    async for _ in client.watch("standard"):
        pass
