"""Tables shared out among several dealers that know of each other, and moved when one comes or goes."""

import asyncio
import math
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.values import Phase
from croupier_server.dealer.dealer import Dealer
from croupier_server.store.workers import WorkerEntry, Workers
from croupier_server.table.listing import encode_listing
from croupier_server.table.orders import Wish
from croupier_server.table.state import decode_state
from support.dealing import check_play, dealt, reach, rounds_more, until_round, way_to
from support.players import LIVELY
from support.serving import until
from support.stores import KEY, open_pit, turbo

pytestmark = pytest.mark.slow

TABLES = [f"t{number}" for number in range(6)]

LEASE_MS = 3_000
"""Tables of a worker that is drained go on before a lease could run out: they were given back."""


class Working:
    """A dealer with the tasks that a worker runs around it."""

    def __init__(self, pit, capacity=1):
        self.dealer = Dealer(pit, KEY)
        self.capacity = capacity
        self._workers = Workers(pit.store)
        self._tasks = []

    def start(self):
        running = (self._beat(), self.dealer.run(), self.dealer.hear_notes())
        self._tasks = [asyncio.create_task(one) for one in running]

    async def drain(self):
        await self.dealer.release()
        await self.die()

    async def die(self):
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _beat(self):
        while True:
            entry = WorkerEntry(self.dealer.owner, "s", "host", 1, self.capacity)
            self.dealer.peers(await self._workers.beat(entry))
            await asyncio.sleep(0.1)


@asynccontextmanager
async def working(url, *capacities):
    """Yields workers that run, and a function that makes another."""
    async with AsyncExitStack() as stack:
        workers = []

        async def another(capacity=1, way=None):
            pit = await stack.enter_async_context(open_pit(url))
            worker = Working(pit if way is None else way_to(pit, way(pit.store)), capacity)
            workers.append(worker)
            entry = WorkerEntry(worker.dealer.owner, "s", "host", 1, capacity)
            worker.dealer.peers(await Workers(pit.store).beat(entry))
            worker.start()
            return worker

        for capacity in capacities:
            await another(capacity)
        try:
            yield workers, another
        finally:
            for worker in workers:
                await worker.drain()


def counts(workers):
    return [len(worker.dealer.dealing) for worker in workers]


async def list_tables(pit):
    await pit.tables.register({name: encode_listing(replace(turbo(name), pace=LIVELY)) for name in TABLES})


async def latest(pit, since):
    """How late, at most, what was dealt after the stream entry `since` came, and at which table."""
    entries = [entry for entry in await pit.stream.recent(20_000) if entry.table and entry.id > since]
    events = [event for table in TABLES for event in await dealt(pit, table)]
    fresh = {(entry.table, entry.seq) for entry in entries}
    return max((one.at_ms - one.due_ms, one.table) for one in events if (one.table, one.seq) in fresh)


async def newest(pit):
    return (await pit.stream.recent(1))[0].id


async def test_tables_go_by_capacity_and_a_worker_without_any_takes_none(store, pit):
    await list_tables(pit)
    async with working(store.url, 1, 2, 0) as (workers, _):
        await until(lambda: counts(workers) == [2, 4, 0])
        await rounds_more(pit, 2, "t0")
        assert counts(workers) == [2, 4, 0]


async def test_a_worker_that_joins_gets_its_share_between_rounds(store, pit):
    released_in = []

    async with working(store.url, 1, 1) as (workers, another):
        for worker in workers:
            tables = worker.dealer._pit.tables

            async def release(lease, *, leaving=False, tables=tables, original=tables.release):
                record = (await tables.read(lease.table)).record
                released_in.append(decode_state(record.state).view.phase)
                return await original(lease, leaving=leaving)

            tables.release = release
        await list_tables(pit)
        await until(lambda: counts(workers) == [3, 3])
        released_in.clear()
        await until_round(pit, 1, "t0")
        third = await another()
        await until(lambda: counts(workers) == [2, 2, 2])
        moves = len(released_in)
        assert released_in == [Phase.RESULT] * moves
        await rounds_more(pit, 2, "t0")
        assert counts(workers) == [2, 2, 2]
        assert len(released_in) == moves >= 2
        assert third.dealer.dealing < set(TABLES)
    for name in TABLES:
        await check_play(pit, name)


@pytest.mark.parametrize(
    ("end", "most_ms"), [(Working.drain, LEASE_MS), (Working.die, math.inf)], ids=["drained", "dead"]
)
async def test_the_tables_of_a_worker_that_is_gone_go_on_with_others(store, pit, end, most_ms):
    """Those of a drained one are there for the others before a lease runs out."""
    await list_tables(pit)
    async with working(store.url, 1, 1, 1) as (workers, _):
        await until(lambda: counts(workers) == [2, 2, 2])
        for name in TABLES:
            await until_round(pit, 1, name)
        since = await newest(pit)
        await end(workers[0])
        await until(lambda: counts(workers[1:]) == [3, 3])
        for name in TABLES:
            await rounds_more(pit, 1, name)
        late_ms, _ = await latest(pit, since)
        assert late_ms < most_ms
    for name in TABLES:
        await check_play(pit, name)


async def test_paused_tables_are_shared_with_a_worker_that_joins(store, pit):
    async with working(store.url, 1, 1) as (workers, another):
        await list_tables(pit)
        await until(lambda: counts(workers) == [3, 3])
        for name in TABLES:
            await until_round(pit, 1, name)  # before its first step there is nothing to give an order to
        for name in TABLES:
            assert await pit.orders.give(name, f"pause-{name}", Wish.PAUSE, "a break")
        async with asyncio.timeout(20):
            answers = [await pit.orders.answer_to(f"pause-{name}") for name in TABLES]
        assert answers == ["done"] * 6
        before = [(await pit.tables.read(name)).record.seq for name in TABLES]
        await another()
        await until(lambda: counts(workers) == [2, 2, 2])
        assert [(await pit.tables.read(name)).record.seq for name in TABLES] == before
        assert await pit.orders.give("t0", "resume-t0", Wish.RESUME, "a break")
        await rounds_more(pit, 1, "t0")


async def test_a_worker_that_knows_of_no_other_takes_everything(store, pit):
    await list_tables(pit)
    async with open_pit(store.url) as other:
        dealer = Dealer(other, KEY)
        task = asyncio.create_task(dealer.run())
        await until(lambda: dealer.dealing == set(TABLES))
        await dealer.release()
        task.cancel()


async def test_no_table_is_left_lying_when_a_live_worker_cannot_deal_it(store, pit):
    """The other one below its share is frozen, say: its tables are dealt, and not offered to it for ever."""
    await list_tables(pit)
    async with working(store.url, 1) as (workers, _):
        await until(lambda: counts(workers) == [6])
        ghost = WorkerEntry("ghost", "s", "host", 2, 1)
        taken = Workers(pit.store)

        async def haunt():
            while True:
                await taken.beat(ghost)
                await asyncio.sleep(0.1)

        haunting = asyncio.create_task(haunt())
        releases = []
        tables = workers[0].dealer._pit.tables
        original = tables.release

        async def release(lease, *, leaving=False):
            releases.append(lease.table)
            return await original(lease, leaving=leaving)

        tables.release = release
        await until(lambda: releases)
        await until(lambda: counts(workers) == [6])
        await rounds_more(pit, 3, "t0")
        assert len(releases) <= 6
        haunting.cancel()


async def test_a_table_of_a_newer_release_is_left_alone_quietly(store, pit, caplog):
    """It is dealt by workers of that release; this one deals the others, and says so once."""
    await list_tables(pit)
    await pit.client.hset("croupier:{main}:t:t3", mapping={"schema": 999, "owner": "", "seq": 7})
    before = await pit.client.hgetall("croupier:{main}:t:t3")
    async with working(store.url, 1) as (workers, _):
        await reach(lambda: _deals(workers, 5))
        await rounds_more(pit, 2, "t0")
        assert workers[0].dealer.dealing == set(TABLES) - {"t3"}
    assert await pit.client.hgetall("croupier:{main}:t:t3") == before
    assert caplog.text.count("t3") == 1
    assert "left to a newer release of Croupier: t3" in caplog.text


async def _deals(workers, number):
    return counts(workers) == [number]
