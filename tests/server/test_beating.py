"""What workers tell each other, and when one leaves the port to the others."""

import asyncio
import contextlib
import os
import socket
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from croupier_server.beating import Beating
from croupier_server.dealer.dealers import Dealers
from croupier_server.gateway.listener import Gateway
from croupier_server.gateway.share import takes_more
from croupier_server.ports import bind_port
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.workers import WorkerEntry, Workers
from croupier_server.tables_list import read_rows
from support.gateways import EVERYBODY, bare, dealing
from support.players import dealt
from support.serving import until
from support.stores import KEY, open_pit


@asynccontextmanager
async def worker_on(store, listening, supervisor="s"):
    """A gateway on a shared socket, and its beating, which beats when the test says so."""
    async with open_pit(store.url) as pit:
        gateway = Gateway([pit], arrivals=EVERYBODY)
        running = asyncio.create_task(gateway.run())
        async with asyncio.timeout(10):
            await gateway.feed.ready.wait()
        await gateway.open(socket.socket(fileno=os.dup(listening.fileno())))
        try:
            yield Beating(Workers(pit.store), supervisor, None, gateway), gateway
        finally:
            await gateway.close()
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running


@pytest.fixture
async def port():
    with await bind_port("127.0.0.1", 0) as listening:
        yield listening


@pytest.fixture
async def another_port():
    with await bind_port("127.0.0.1", 0) as listening:
        yield listening


@pytest.fixture
async def two(store, port):
    """Two workers on one port, each with its gateway."""
    async with worker_on(store, port) as one, worker_on(store, port) as other:
        yield one, other


def url_of(port) -> str:
    return f"ws://127.0.0.1:{port.getsockname()[1]}/ws"


async def connect(stack: AsyncExitStack, port, number: int) -> None:
    """So many more connections, wherever they land."""
    for _ in range(number):
        client = await stack.enter_async_context(bare(url_of(port)))
        await client.ask(type="ping")


async def register(pit) -> list[WorkerEntry]:
    """The entries of all workers, as a dealer without a port reads them."""
    reader = WorkerEntry(owner="reader", supervisor="elsewhere", host="h", process=1, capacity=0)
    return [one for one in await Workers(pit.store).beat(reader) if one != reader]


def counts(*gateways) -> list[int]:
    return [len(gateway.fanout.outlets) for gateway in gateways]


async def test_a_worker_far_above_its_share_pauses_and_takes_part_again_when_it_is_not(two, port):
    (ours, gateway), (theirs, other) = two
    async with AsyncExitStack() as stack:
        other.door.pause()  # by hand, so that all land on one
        async with AsyncExitStack() as leaving:
            await connect(leaving, port, 60)
            assert counts(gateway, other) == [60, 0]
            await other.door.open()
            await theirs.beat()
            await ours.beat()
            assert (gateway.door.state, other.door.state) == ("paused", "open")
            await connect(stack, port, 30)
            assert counts(gateway, other) == [60, 30]
            await theirs.beat()
            await ours.beat()
            assert gateway.door.state == "paused"
        await until(lambda: counts(gateway, other) == [0, 30])
        await ours.beat()
        assert gateway.door.state == "open"


async def test_of_two_workers_that_want_to_pause_at_once_one_goes_on(two, pit, monkeypatch):
    """Each has seen the other with few connections: neither knows yet what it has got meanwhile."""
    (ours, gateway), (theirs, other) = two
    await asyncio.gather(ours.beat(), theirs.beat())
    monkeypatch.setattr("croupier_server.beating.takes_more", lambda *_: False)
    await asyncio.gather(ours.beat(), theirs.beat())
    assert sorted([gateway.door.state, other.door.state]) == ["open", "paused"]
    doors = {ours.owner: gateway.door.state, theirs.owner: other.door.state}
    assert {one.owner: one.door for one in await register(pit)} == doors
    for _ in range(3):
        await asyncio.gather(ours.beat(), theirs.beat())
        assert "open" in {gateway.door.state, other.door.state}


async def test_a_paused_worker_takes_connections_when_the_last_open_one_stops(two, port):
    (ours, gateway), (theirs, _) = two
    await theirs.beat()
    gateway.door.pause()
    await ours.beat()
    await theirs.drain()
    await ours.beat()
    assert gateway.door.state == "open"


async def test_a_paused_worker_takes_connections_while_nobody_knows_who_else_does(two, port, monkeypatch):
    """Nor does anybody know who watches elsewhere."""
    (ours, gateway), _ = two
    gateway.door.pause()
    gateway.fanout.elsewhere = {"standard": 3}

    async def away(*_):
        raise StoreUnavailableError("gone")

    monkeypatch.setattr(ours._workers, "beat", away)
    beating = asyncio.create_task(ours.run())
    await until(lambda: gateway.door.state == "open")
    assert gateway.fanout.shown("standard") == 0
    beating.cancel()


async def test_a_worker_of_another_server_does_not_count(store, port):
    async with (
        worker_on(store, port) as (ours, gateway),
        worker_on(store, port, "t") as (theirs, other),
        AsyncExitStack() as stack,
    ):
        other.door.pause()
        await connect(stack, port, 60)
        await other.door.open()
        await theirs.beat()
        await ours.beat()
        assert gateway.door.state == "open"


async def test_the_register_says_who_watches_what_where(store, pit, port):
    async with dealing(store.url), worker_on(store, port) as (beating, _), AsyncExitStack() as stack:
        client = await stack.enter_async_context(bare(url_of(port)))
        await client.ask(type="watch", table="standard")
        await beating.beat()
        [entry] = await register(pit)
        assert (entry.capacity, entry.connections, entry.watchers) == (0, 1, {"standard": 1})
        assert (entry.process, entry.supervisor, entry.door) == (os.getpid(), "s", "open")


async def test_a_dealer_hears_who_lives_and_counts_on_no_more_tables_when_it_drains(pit, monkeypatch):
    dealer = Dealers([pit], KEY)
    heard = []
    monkeypatch.setattr(dealer, "peers", heard.append)
    beating = Beating(Workers(pit.store), "s", dealer, None)
    await beating.beat()
    assert [(one.owner, one.capacity) for one in heard[-1]] == [(dealer.owner, 1)]
    await beating.drain()
    await beating.beat()
    assert [(one.owner, one.capacity) for one in heard[-1]] == [(dealer.owner, 0)]
    await beating.leave()
    assert await pit.client.hgetall("croupier:workers") == {}


@pytest.mark.parametrize(
    ("taking", "own", "others", "more"),
    [
        (True, 1_000_000, [], True),
        (True, 53, [0], True),
        (True, 54, [0], False),  # the mean is 27: a quarter and 20 more are 53.75
        (True, 386, [200], True),
        (True, 387, [200], False),
        (False, 266, [200], True),
        (False, 267, [200], False),  # the mean is 233.5: a tenth and 10 more are 266.85
        (False, 100, [100], True),
    ],
)
def test_what_is_far_above_a_share(taking, own, others, more):
    assert takes_more(taking, own, others) is more


async def test_the_lobby_counts_who_watches_at_any_gateway(store, pit, port, another_port):
    async with (
        dealt(store.url, "standard"),
        worker_on(store, port) as (ours, gateway),
        worker_on(store, another_port, supervisor="another") as (theirs, other),
        AsyncExitStack() as stack,
    ):
        for feed in (gateway.feed, other.feed):
            await until(lambda feed=feed: feed.tables)
        here = await stack.enter_async_context(bare(url_of(port)))
        await here.ask(type="watch", table="standard")
        async with AsyncExitStack() as leaving:
            for _ in range(2):
                there = await leaving.enter_async_context(bare(url_of(another_port)))
                await there.ask(type="watch", table="standard")
            await theirs.beat()
            await ours.beat()
            await theirs.beat()
            assert await watching(here) == await watching(there) == 3
        await until(lambda: counts(other) == [0])
        await theirs.beat()
        await ours.beat()
        assert await watching(here) == 1
        [row] = await read_rows(pit.store, pit.name)
        assert row.spectators == 1


async def watching(client) -> int:
    """What the lobby has as the only table's watchers."""
    [row] = (await client.ask(type="lobby"))["tables"]
    return row["spectators"]
