"""A feed on a store that holds damage: one table's is that table's alone, and the stream's is left behind."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from croupier_server.gateway.feed import Feed
from support.dealing import rounds_more, until_round
from support.gateways import dealing
from support.records import EVENTS_KEY
from support.serving import until
from support.stores import open_pit, turbo

pytestmark = pytest.mark.slow


class Deaf:
    """An audience that does not listen, to tables or to players."""

    def event(self, table, event):
        pass

    def snapshot(self, table, snapshot):
        pass

    def stalled(self, table, since_ms):
        pass

    def afterwards(self, table, call):
        call()

    def closed(self, table):
        pass

    def live(self, table):
        pass

    def cashed_out(self, table, player, wallet):
        pass

    def touched(self, table, player, rev):
        pass

    def told(self, table, player, code, reason):
        pass

    def settled(self, table, round_):
        pass

    def replaced(self, table, settled_round):
        pass


@asynccontextmanager
async def feed_on(url):
    """A running feed of the store at `url`."""
    async with open_pit(url) as pit:
        feed = Feed(pit.tables, pit.stream, Deaf(), Deaf())
        task = asyncio.create_task(feed.run())
        try:
            yield feed
        finally:
            running = not task.done()
            task.cancel()
            [outcome] = await asyncio.gather(task, return_exceptions=True)
            assert running, f"the feed ended by itself: {outcome!r}"


@pytest.mark.parametrize(
    ("field", "value"), [("state", b"\x81"), ("state", b"\xa1\xff"), ("seq", "x"), ("owner", b"\xff")]
)
async def test_a_table_with_a_damaged_record_is_left_out_and_the_others_go_on(
    store, pit, caplog, field, value
):
    async with dealing(store.url, [turbo("bad"), turbo("good")]):
        await until_round(pit, 1, "bad")
    # Somebody has the lease and does nothing with it: a dealer that took the table might mend it.
    await pit.client.hset(
        "croupier:{main}:t:bad", mapping={"lease_until_ms": 2**52, "owner": "x", field: value}
    )
    epoch = await pit.stream.epoch()
    async with dealing(store.url, [turbo("good")]), feed_on(store.url) as feed:
        await until(lambda: "good" in feed.tables)
        seq = feed.tables["good"].view.seq
        await until(lambda: feed.tables["good"].view.seq > seq + 20)
        assert set(feed.tables) == {"good"}
        assert "table bad cannot be shown" in caplog.text
        assert await pit.stream.epoch() == epoch


async def test_a_table_with_a_damaged_listing_stands_still_and_the_others_go_on(store, pit, caplog):
    async with dealing(store.url, [turbo("bad"), turbo("good")]), feed_on(store.url) as feed:
        await until_round(pit, 1, "bad")
        await pit.client.hset("croupier:{main}:tables", "bad", "{")
        await pit.stream.open(broken=await pit.stream.epoch())
        await until(lambda: "table bad cannot be shown" in caplog.text)
        await until(lambda: feed.tables["bad"].stalled_since_ms is not None)
        seq = feed.tables["good"].view.seq
        await until(lambda: feed.tables["good"].view.seq > seq + 20)


async def test_a_foreign_entry_in_the_stream_ends_the_epoch_once(store, pit):
    async with dealing(store.url), feed_on(store.url) as feed:
        await until(lambda: "standard" in feed.tables)
        old = await pit.stream.epoch()
        await pit.client.xadd(EVENTS_KEY, {"x": "y"})
        await until(lambda: feed.tables["standard"].view.epoch != old)
        new = await pit.stream.epoch()
        await rounds_more(pit, 3)
        assert await pit.stream.epoch() == new
        assert feed.tables["standard"].view.epoch == new


async def test_an_entry_that_holds_no_event_does_not_keep_a_feed_from_starting(store, pit):
    async with dealing(store.url):
        await until_round(pit, 1)
    seq = (await pit.tables.read("standard")).record.seq
    entry = {"t": "standard", "e": await pit.stream.epoch(), "s": seq, "m": b"\xc1"}
    await pit.client.xadd(EVENTS_KEY, entry)
    async with feed_on(store.url) as feed:
        await until(lambda: "standard" in feed.tables)
        assert feed.tables["standard"].view.seq == seq
