"""A new version for three servers on one store, behind HAProxy, with two thousand clients."""

import asyncio
import csv
import json
import logging
import signal
import sys
import urllib.request
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest

from croupier_client.connection import connect
from croupier_client.errors import BettingClosedError
from croupier_client.load.files import raise_file_limit
from croupier_client.notices import Reconnecting
from croupier_protocol.messages.events import BettingOpened, RoundVoided
from croupier_protocol.messages.to_client import TableView
from support.clusters import free_ports
from support.fronts import front, haproxy_before
from support.serving import serving, until

logger = logging.getLogger(__name__)

CLIENTS, WATCHING, PLAYERS, SERVERS = 2_000, 100, 3, 3
"""Those that watch are in this process, and the others in one of `croupier load`, which checks each of its
streams as well.
"""

NAMES = ("one", "2", "3")
"""The servers as HAProxy's configuration names them."""

ENVIRONMENT = {
    "CROUPIER_SHOE_KEY": "42" * 32,
    "CROUPIER_GATEWAY_TRUSTED_PROXIES": "127.0.0.1",
    "CROUPIER_GATEWAY_PER_ADDRESS": "10000",
    "CROUPIER_GUESTS_ENABLED": "true",
}
LOOK_S = 0.1
"""Between two looks at HAProxy's figures."""

MOST_A_SECOND = 500
"""Twice what a server ends in a second: machines have better and worse tenths of one."""

LOAD_S = 75
"""For how long the load test stays: longer than the rollout takes."""


class Proxy:
    """HAProxy's own figures, by its socket `stats`."""

    def __init__(self, stats: Path) -> None:
        self._stats = stats
        self.up: set[str] = set()
        self.open = self.most_in_a_second = 0

    async def ask(self, order: str) -> str:
        reader, writer = await asyncio.open_unix_connection(self._stats)
        writer.write(f"{order}\n".encode())
        answer = await reader.read()
        writer.close()
        return answer.decode()

    async def look(self) -> None:
        """Takes its figures again and again."""
        while True:
            rows = csv.DictReader((await self.ask("show stat")).removeprefix("# ").splitlines())
            named = {(row["pxname"], row["svname"]): row for row in rows}
            self.up = {
                server
                for (side, server), row in named.items()
                if side == "croupier" and server != "BACKEND" and row["status"] == "UP"
            }
            front = named["tables", "FRONTEND"]
            self.open, self.most_in_a_second = int(front["scur"]), int(front["conn_rate_max"])
            await asyncio.sleep(LOOK_S)


def is_ready(admin: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{admin}/readyz", timeout=5) as answer:
        return answer.status == 200
    return False


class Stop:
    """A server that is told to stop; `was_ready` when it ended the first connection."""

    def __init__(self) -> None:
        self.admin: str | None = None
        self.was_ready: bool | None = None

    def of(self, server) -> None:
        self.admin, self.was_ready = server.admin, None

    def seen(self) -> None:
        """A client has lost its connection."""
        if self.admin is not None and self.was_ready is None:
            self.was_ready = is_ready(self.admin)


class Watching:
    """What one client has seen of the table, and when it lost its connection."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self.seqs: list[int] = []
        self.snapshots = 0
        self.rounds: list[int] = []
        self.voided = 0
        self.lost_at: list[float] = []

    def notice(self, notice) -> None:
        if isinstance(notice, Reconnecting):
            self.lost_at.append(asyncio.get_running_loop().time())
            self.stop.seen()

    async def watch(self, client) -> None:
        async for message in client.watch("standard"):
            self.seqs.append(message.seq)
            self.snapshots += isinstance(message, TableView)
            self.voided += isinstance(message, RoundVoided)
            if isinstance(message, BettingOpened):
                self.rounds.append(message.round)


@pytest.mark.long
async def test_a_rollout_loses_no_round_and_brings_everybody_back_a_few_at_a_time(
    store, tmp_path, monkeypatch
):
    """N2: readiness fails before the first socket ends, nobody sees a gap, and connects are bounded.

    The proxy sends nobody new to a server before that is told to stop, as a service of Kubernetes does.
    """
    raise_file_limit()
    clock, stop, ports = asyncio.get_running_loop().time, Stop(), free_ports(2 * SERVERS)
    places = list(zip(ports[:SERVERS], ports[SERVERS:], strict=True))
    async with AsyncExitStack() as stack:

        async def started(place: int, data: str):
            """One more server on the store, which is stopped at the end."""
            port, admin = places[place]
            ends = ("--port", str(port), "--admin-port", str(admin))
            options = (*ends, "--redis", store.url, "--pace", "speed")
            return await stack.enter_async_context(
                serving(tmp_path / data, *options, environment=ENVIRONMENT)
            )

        servers = [await started(place, f"old-{place}") for place in range(SERVERS)]
        running, certificate = await stack.enter_async_context(
            front("haproxy", *places[0], haproxy_before(places, 2 * CLIENTS))
        )
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.chain))
        proxy = Proxy(certificate.chain.parent / "stats")
        tasks = [asyncio.create_task(proxy.look())]
        stack.callback(lambda: [task.cancel() for task in tasks])
        await until(lambda: len(proxy.up) == SERVERS)
        url = running.origin.replace("https", "wss")
        watches = [Watching(stop) for _ in range(WATCHING)]
        clients = [await stack.enter_async_context(connect(url, on_notice=one.notice)) for one in watches]
        tasks += [
            asyncio.create_task(one.watch(client)) for one, client in zip(watches, clients, strict=True)
        ]
        seats = [await client.sit("standard", buy_in=500_00) for client in clients[:PLAYERS]]
        tasks += [asyncio.create_task(bet(seat)) for seat in seats]
        others = await stack.enter_async_context(load(url, CLIENTS - WATCHING))
        await until(lambda: proxy.open >= CLIENTS, 60, "everybody's connection")
        await proxy.ask("clear counters all")
        for place, old in enumerate(servers):
            await proxy.ask(f"set server croupier/{NAMES[place]} state drain")
            began = clock()
            stop.of(old)
            old.process.send_signal(signal.SIGTERM)
            assert await old.process.wait() == 0
            ended = [moment for one in watches for moment in one.lost_at if moment >= began]
            logger.info(
                "server %d: first socket ended after %.2f s, last after %.2f s",
                *(place, min(ended) - began, max(ended) - began),
            )
            assert stop.was_ready is False
            assert max(ended) - min(ended) > CLIENTS / SERVERS / MOST_A_SECOND
            await started(place, f"new-{place}")
            await proxy.ask(f"set server croupier/{NAMES[place]} state ready")
            await until(lambda: len(proxy.up) == SERVERS, 30, "the new server behind the proxy")
        mark = max(one.seqs[-1] for one in watches)
        await until(lambda: all(one.seqs[-1] > mark for one in watches), 60, "everybody's return")
        assert not any(task.done() for task in tasks)
        assert others.returncode is None
        logger.info("%d connections within a second at most", proxy.most_in_a_second)
        assert 0 < proxy.most_in_a_second <= MOST_A_SECOND
        for one in watches:
            assert one.seqs == list(range(one.seqs[0], one.seqs[0] + len(one.seqs)))
            assert (one.snapshots, one.voided) == (1, 0)
            assert one.rounds == list(range(one.rounds[0], one.rounds[0] + len(one.rounds)))
        assert sum(len(one.lost_at) > 0 for one in watches) > WATCHING / 2
        report = json.loads((await others.communicate())[0])
    assert report["reasons"] == []
    assert report["counts"]["joined"] == report["counts"]["snapshots"] == CLIENTS - WATCHING
    assert report["counts"]["resumed"] > (CLIENTS - WATCHING) / 2
    logger.info("the others: %s", report["counts"])


@asynccontextmanager
async def load(url: str, spectators: int):
    """Spectators in a process of their own; it writes its report to its output."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", "load", url, "--json=-"),
        *("--spectators", str(spectators), "--duration", str(LOAD_S), "--ramp-down", "1"),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


async def bet(seat) -> None:
    """Bets on every round that it meets."""
    round_ = None
    while True:
        round_ = await seat.window(after=round_)
        with suppress(BettingClosedError):
            await seat.bet(player=1_00)
