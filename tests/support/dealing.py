"""Dealers for tests: on an unreliable or frozen way to the store, and what they have dealt, checked."""

import asyncio
import copy
from collections import Counter
from contextlib import asynccontextmanager

from croupier_protocol.codec import MSGPACK
from croupier_protocol.fairness.seeds import order_seed
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import (
    BettingOpened,
    CardDealt,
    RoundResult,
    RoundVoided,
    ShoeOpened,
)
from croupier_protocol.shoe.shoe import Shoe
from croupier_server.dealer.dealer import Dealer
from croupier_server.store.errors import CommitRefusedError, StoreUnavailableError
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.tables import Tables
from croupier_server.table.listing import encode_listing
from croupier_server.table.state import decode_state
from support.stores import KEY, turbo
from support.tasks import beside


class Way(Tables):
    """The way to a pit's records, where a test loses, holds up and watches what passes.

    `fate(table, number)` says of each commit whether it is lost "before" it runs or "after"; while `gate` is
    closed nothing passes; `taken(table, step)` is called right after a commit that was taken.
    """

    def __init__(self, store):
        super().__init__(store, DEFAULT_PIT)
        self.commits = Counter()
        self.gate = asyncio.Event()
        self.gate.set()
        self.fate = lambda table, number: None
        self.taken = lambda table, step: None
        self.lost = 0

    async def commit(self, lease, step, lease_ms, schema):
        self.commits[lease.table] += 1
        fate = self.fate(lease.table, self.commits[lease.table])
        await self.gate.wait()
        if fate == "before":
            self.lost += 1
            raise StoreUnavailableError("the commit was lost on its way")
        try:
            at_ms = await super().commit(lease, step, lease_ms, schema)
        except CommitRefusedError:
            self.commits[lease.table] -= 1  # a busy machine's window came late, and comes again
            raise
        self.taken(lease.table, step)
        if fate == "after":
            self.lost += 1
            raise StoreUnavailableError("the commit's reply was lost")
        return at_ms

    async def acquire(self, *arguments):
        await self.gate.wait()
        return await super().acquire(*arguments)

    async def renew(self, *arguments):
        await self.gate.wait()
        return await super().renew(*arguments)

    async def release(self, *arguments, **named):
        await self.gate.wait()
        return await super().release(*arguments, **named)


def way_to(pit, way):
    """The same pit with `way` in place of its records."""
    other = copy.copy(pit)
    other.tables = way
    return other


@asynccontextmanager
async def dealer_on(pit, *tables, key=KEY, way=None):
    """A running dealer of `tables`, turbo ones by name; at the end it is cancelled and releases nothing."""
    settings = [turbo(table) if isinstance(table, str) else table for table in tables]
    await pit.tables.register({one.table: encode_listing(one) for one in settings})
    dealer = Dealer(pit if way is None else way_to(pit, way), key)
    dealer.task = asyncio.create_task(dealer.run())
    try:
        yield dealer
    finally:
        running = not dealer.task.done()
        dealer.task.cancel()
        [outcome] = await asyncio.gather(dealer.task, return_exceptions=True)
        assert running, f"the dealer ended by itself: {outcome!r}"


@asynccontextmanager
async def dealer_hears(pit, *tables, way=None):
    """The same with a dealer that hears of what players and operators send."""
    async with dealer_on(pit, *tables, way=way) as dealer, beside(dealer.hear_notes()):
        yield dealer


async def dealt(pit, table="standard"):
    """Every event of `table` that the stream still holds."""
    return [
        MSGPACK.decode_message(entry.message)
        for entry in await pit.stream.recent(20_000)
        if entry.table == table
    ]


async def last_round(pit, table="standard"):
    """The number of the newest finished round, 0 before the first."""
    newest = await pit.tables.rounds(table, None, 1)
    return newest[0].round if newest else 0


async def until_round(pit, number, table="standard", seconds=20.0):
    """Waits until round `number` has been finished."""

    async def reached():
        return await last_round(pit, table) >= number

    await reach(reached, seconds, f"round {number} at {table}")


async def rounds_more(pit, number, table="standard", seconds=20.0):
    """Waits until `number` more rounds have been finished."""
    await until_round(pit, await last_round(pit, table) + number, table, seconds)


async def reach(condition, seconds=20.0, what="the condition"):
    """As `until`, for a condition that asks the store."""
    try:
        async with asyncio.timeout(seconds):
            while not (found := await condition()):
                await asyncio.sleep(0.01)
            return found
    except TimeoutError:
        raise AssertionError(f"{what} did not come within {seconds} s") from None


def order_seed_of(record, key=KEY):
    """The seed of the order of the shoe that a record is in."""
    view = decode_state(record.state).view
    seed = key.open(record.sealed, view.table, view.shoe.number)
    beacon = view.shoe.beacon
    drawn = None if beacon is None else beacon.counts_as
    return order_seed(seed, [one.counts_as for one in view.shoe.contributions], drawn)


async def check_play(pit, table="standard", rules="standard"):
    """Checks all that was dealt at a table that rests and whose stream is whole, and returns its events.

    `seq` and rounds have no holes; the cards are the shoe's, in its order: none twice, none skipped; the
    record is where the events are; history has each round once.
    """
    events = await dealt(pit, table)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    record = (await pit.tables.read(table)).record
    state = decode_state(record.state)
    shoes = [event for event in events if isinstance(event, ShoeOpened)]
    assert [event.shoe for event in shoes] == list(range(1, len(shoes) + 1))
    shoe = Shoe.open(RULE_SETS[rules], order_seed_of(record))
    opened = max(index for index, event in enumerate(events) if isinstance(event, ShoeOpened))
    cards = tuple(event.card for event in events[opened:] if isinstance(event, CardDealt))
    expected = shoe.order(1)[shoe.start : shoe.start + len(cards)]
    assert cards == expected
    assert state.position == shoe.start + len(cards)
    windows = [event.round for event in events if isinstance(event, BettingOpened)]
    assert sorted(set(windows)) == list(range(1, max(windows, default=0) + 1))
    assert windows == sorted(windows)
    ended = [event.round for event in events if isinstance(event, RoundResult | RoundVoided)]
    assert ended == list(range(1, len(ended) + 1))
    history = [one.round for one in await pit.tables.rounds(table, None, 2_000)]
    assert history[-len(ended) :] == ended[::-1]
    return events
