"""A new version for three servers on one store, one after another, with five hundred clients."""

import asyncio
import itertools
import logging
import signal
import urllib.request
from contextlib import AsyncExitStack, suppress

import pytest

from croupier_client.connection import connect
from croupier_client.errors import BettingClosedError
from croupier_client.load.files import raise_file_limit
from croupier_client.notices import Reconnecting
from croupier_protocol.messages.events import BettingOpened, RoundVoided
from croupier_protocol.messages.to_client import TableView
from support.relay import Relay
from support.serving import start_serving, until

logger = logging.getLogger(__name__)

CLIENTS, PLAYERS, SERVERS = 500, 3, 3
"""All of them in this process, and every byte passes through it: with more it is itself what is late."""

ENTERING = 50
KEY = {"CROUPIER_SHOE_KEY": "42" * 32}
LOOK_S = 0.1
"""Between two looks at who is ready: a kubelet takes longer, which the wait before a stop makes up for."""

MOST_A_SECOND = 500
"""Twice what a server ends in a second: machines have better and worse tenths of one."""


class Balancer(Relay):
    """Leads each new connection to the next server that says that it is ready."""

    def __init__(self) -> None:
        super().__init__(0)
        self.ready: list[int] = []
        self.came: list[float] = []
        self._turns = itertools.count()

    async def accept(self, reader, writer) -> None:
        self.came.append(asyncio.get_running_loop().time())
        self.target = self.ready[next(self._turns) % len(self.ready)]
        await super().accept(reader, writer)

    async def look(self, servers) -> None:
        """Asks all servers again and again."""
        while True:
            answers = await asyncio.gather(*(asyncio.to_thread(is_ready, one.admin) for one in servers))
            self.ready = [
                one.port for one, ready in zip(servers, answers, strict=True) if ready
            ] or self.ready
            await asyncio.sleep(LOOK_S)

    def most_in_a_second(self, since: float) -> int:
        """The most connections that have come within a second."""
        came, first, most = [one for one in self.came if one >= since], 0, 0
        for index, moment in enumerate(came):
            while came[first] < moment - 1:
                first += 1
            most = max(most, index - first + 1)
        return most


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
async def test_a_rollout_loses_no_round_and_brings_everybody_back_a_few_at_a_time(store, tmp_path):
    """N2: readiness fails before the first socket ends, nobody sees a gap, and connects are bounded."""
    raise_file_limit()
    clock, balancer, watches = asyncio.get_running_loop().time, Balancer(), []
    stop = Stop()
    async with AsyncExitStack() as stack:
        servers = [await started(stack, tmp_path / str(number), store.url) for number in range(SERVERS)]
        listening = await asyncio.start_server(balancer.accept, "127.0.0.1", 0, backlog=1024)
        await stack.enter_async_context(listening)
        balancer.port = listening.sockets[0].getsockname()[1]
        looking = asyncio.create_task(balancer.look(servers))
        stack.callback(looking.cancel)
        await until(lambda: len(balancer.ready) == SERVERS)
        tasks = []
        for _ in range(CLIENTS // ENTERING):
            entering = [Watching(stop) for _ in range(ENTERING)]
            clients = await asyncio.gather(
                *(stack.enter_async_context(connect(balancer.url, on_notice=one.notice)) for one in entering)
            )
            tasks += [
                asyncio.create_task(one.watch(client)) for one, client in zip(entering, clients, strict=True)
            ]
            watches += entering
        seats = [await client.sit("standard", buy_in=500_00) for client in clients[:PLAYERS]]
        tasks += [asyncio.create_task(bet(seat)) for seat in seats]
        for task in tasks:
            stack.callback(task.cancel)
        await until(lambda: all(one.seqs for one in watches), 60, "the table at every client")
        rolled = clock()
        for index, old in enumerate(servers):
            began = clock()
            stop.of(old)
            old.process.send_signal(signal.SIGTERM)
            await until(lambda old=old: old.port not in balancer.ready, 5, "a server that is not ready")
            unready = clock()
            assert await old.process.wait() == 0
            ended = [moment for one in watches for moment in one.lost_at if moment >= began]
            logger.info(
                "server %d: not ready after %.2f s, first socket ended after %.2f s, last after %.2f s",
                *(index, unready - began, min(ended) - began, max(ended) - began),
            )
            assert stop.was_ready is False
            assert max(ended) - min(ended) > len(ended) / MOST_A_SECOND
            servers[index] = await started(stack, tmp_path / str(SERVERS + index), store.url)
            await until(lambda index=index: servers[index].port in balancer.ready, 30)
        mark = max(one.seqs[-1] for one in watches)
        await until(lambda: all(one.seqs[-1] > mark for one in watches), 60, "everybody's return")
        assert not any(task.done() for task in tasks)
        most = balancer.most_in_a_second(rolled)
        logger.info(
            "%d connections came anew, %d within a second at most", len(balancer.came) - CLIENTS, most
        )
        for one in watches:
            assert one.seqs == list(range(one.seqs[0], one.seqs[0] + len(one.seqs)))
            assert (one.snapshots, one.voided) == (1, 0)
            assert one.rounds == list(range(one.rounds[0], one.rounds[0] + len(one.rounds)))
        assert sum(len(one.lost_at) > 0 for one in watches) > CLIENTS / 2


async def started(stack, data, url):
    """One more server on the store, which is stopped at the end."""
    server = await start_serving(data, "--redis", url, "--pace", "speed", environment=KEY)

    async def stop() -> None:
        if server.process.returncode is None:
            await server.stop()

    stack.push_async_callback(stop)
    return server


async def bet(seat) -> None:
    """Bets on every round that it meets."""
    round_ = None
    while True:
        round_ = await seat.window(after=round_)
        with suppress(BettingClosedError):
            await seat.bet(player=1_00)
