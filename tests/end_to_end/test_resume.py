"""A watcher that is cut off and resumes has seen what an uncut one has, to the last event."""

import asyncio
import os
import random
import signal

import pytest

from croupier_client.connection import connect
from croupier_client.timing import Timing
from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.messages.to_client import TableView
from croupier_server.store import keys
from croupier_server.store.keys import DEFAULT_PIT
from support.gateways import dealing, gateway_on
from support.relay import relay_to
from support.serving import until
from support.stores import open_pit

EAGER = Timing(base_s=0.005, cap_s=0.02)
SEED = 20_231


class Seen:
    """Everything one watcher got: its events by (epoch, seq), its snapshots, its view."""

    def __init__(self, watcher) -> None:
        self.watcher = watcher
        self.events = {}
        self.snapshots = []
        self.last = None
        self.grown = asyncio.Condition()
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.watcher:
            async with self.grown:
                if isinstance(message, TableView):
                    if self.last is not None and message.epoch == self.last.epoch:
                        assert message.seq > self.last.seq, "never an older view in the same epoch"
                    self.snapshots.append(message)
                else:
                    key = (message.epoch, message.seq)
                    assert key not in self.events, "never an event twice"
                    self.events[key] = message
                self.last = self.watcher.view
                self.grown.notify_all()

    async def reach(self, condition, seconds=30.0) -> None:
        """Waits until `condition()` holds after some message."""
        async with asyncio.timeout(seconds), self.grown:
            await self.grown.wait_for(lambda: self.task.done() or condition())
        if self.task.done():
            self.task.result()

    def views(self) -> dict:
        """The last view of each epoch by its key."""
        return {(self.last.epoch, self.last.seq): self.last}


async def compare(uncut: Seen, cut: Seen) -> None:
    """Both are the same from the last snapshot of either to a common last event."""
    epoch, target = uncut.last.epoch, uncut.last.seq + 12
    for seen in (uncut, cut):
        await seen.reach(lambda seen=seen: (seen.last.epoch, seen.last.seq) >= (epoch, target))
    first = max(uncut.snapshots[-1].seq, cut.snapshots[-1].seq)
    last = min(uncut.last.seq, cut.last.seq)
    for seq in range(first + 1, last + 1):
        assert cut.events[epoch, seq] == uncut.events[epoch, seq]


@pytest.mark.parametrize(
    "cuts", [pytest.param(30, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=["msgpack", "json"])
async def test_random_cuts_on_one_gateway_lose_and_repeat_nothing(store, codec, cuts):
    """H1, and the fold."""
    chance = random.Random(SEED)
    async with (
        dealing(store.url),
        gateway_on(store.url) as running,
        relay_to(running.port) as relay,
        connect(running.url, codec=codec) as steady,
        connect(relay.url, codec=codec, timing=EAGER) as shaken,
    ):
        uncut, cut = Seen(steady.watch("standard")), Seen(shaken.watch("standard"))
        await uncut.reach(lambda: uncut.last is not None)
        await cut.reach(lambda: cut.last is not None)
        for _ in range(cuts):
            mark = len(cut.events) + chance.randrange(1, 6)
            await cut.reach(lambda mark=mark: len(cut.events) >= mark)
            relay.cut()
        await compare(uncut, cut)
        assert len(cut.snapshots) == 1
        assert cut.last == uncut.last or abs(cut.last.seq - uncut.last.seq) < 50


@pytest.mark.parametrize(
    "visits", [pytest.param(8, marks=pytest.mark.slow), pytest.param(50, marks=pytest.mark.long)]
)
async def test_cuts_that_lead_to_a_freshly_started_gateway_lose_and_repeat_nothing(store, visits):
    chance = random.Random(SEED)
    async with (
        dealing(store.url),
        gateway_on(store.url) as first,
        relay_to(first.port) as relay,
        connect(first.url) as steady,
        connect(relay.url, timing=EAGER) as shaken,
    ):
        uncut, cut = Seen(steady.watch("standard")), Seen(shaken.watch("standard"))
        await uncut.reach(lambda: uncut.last is not None)
        await cut.reach(lambda: cut.last is not None)
        for _ in range(visits):
            mark = len(cut.events) + chance.randrange(1, 6)
            await cut.reach(lambda mark=mark: len(cut.events) >= mark)
            async with gateway_on(store.url) as fresh:
                relay.target = fresh.port
                relay.cut()
                mark = len(cut.events) + chance.randrange(1, 8)
                await cut.reach(lambda mark=mark: len(cut.events) >= mark)
                relay.target = first.port
                relay.cut()
        await compare(uncut, cut)
        assert len(cut.snapshots) == 1


async def new_epoch(seen: Seen, epoch: str) -> None:
    """The watcher gets a snapshot of another epoch, and events under it."""
    await seen.reach(lambda: seen.snapshots[-1].epoch != epoch)
    count = len(seen.events)
    await seen.reach(lambda: len(seen.events) > count + 10)
    assert seen.last.epoch != epoch


async def test_a_deleted_stream_is_a_new_epoch_and_never_silence(store):
    async with dealing(store.url), gateway_on(store.url) as running, connect(running.url) as client:
        seen = Seen(client.watch("standard"))
        await seen.reach(lambda: len(seen.events) > 20)
        before = seen.last
        async with open_pit(store.url) as pit:
            await pit.client.delete(keys.events_key(DEFAULT_PIT))
        await new_epoch(seen, before.epoch)
        assert seen.last.round >= before.round


async def test_a_gateway_that_fell_behind_what_the_stream_keeps_goes_on_and_ends_nobodys_epoch(store):
    """Given a gateway that has lost events to trimming, then only its watchers get a snapshot."""
    async with (
        dealing(store.url),
        gateway_on(store.url) as running,
        gateway_on(store.url) as other,
        connect(running.url) as client,
        connect(other.url) as unconcerned,
    ):
        seen, elsewhere = Seen(client.watch("standard")), Seen(unconcerned.watch("standard"))
        await seen.reach(lambda: len(seen.events) > 20)
        await elsewhere.reach(lambda: len(elsewhere.events) > 20)
        epoch = seen.last.epoch
        [feed] = running.gateway.floor.feeds
        async with open_pit(store.url) as pit:
            follow, feed._follow = feed._follow, _nothing
            position = feed.tables["standard"].view.seq
            while elsewhere.last.seq < position + 40:
                await asyncio.sleep(0)
            await pit.client.xtrim(keys.events_key(DEFAULT_PIT), maxlen=30, approximate=False)
            feed._follow = follow
        await seen.reach(lambda: len(seen.snapshots) == 2)
        count = len(seen.events)
        await seen.reach(lambda: len(seen.events) > count + 10)
        await compare(elsewhere, seen)
        assert (seen.last.epoch, len(elsewhere.snapshots)) == (epoch, 1)


async def _nothing() -> None:
    await asyncio.sleep(0)


async def test_a_restarted_store_is_a_new_epoch_with_the_same_shoe(store):
    async with dealing(store.url), gateway_on(store.url) as running, connect(running.url) as client:
        seen = Seen(client.watch("standard"))
        await seen.reach(lambda: len(seen.events) > 20)
        before = seen.last
        os.kill(store.process_id, signal.SIGKILL)
        await store.wait()
        # A stall is no message, so nothing would wake a reader of messages.
        await until(lambda: seen.watcher.stalled, what="the stall")
        await store.start()
        await new_epoch(seen, before.epoch)
        assert (seen.last.shoe.number, seen.last.shoe.burn) == (before.shoe.number, before.shoe.burn)
        assert seen.last.round >= before.round


async def test_a_store_that_lost_everything_is_told_and_dealt_on(store):
    """Never silence: the table stalls for who watches, and goes on as a new one under a new epoch."""
    async with dealing(store.url), gateway_on(store.url) as running, connect(running.url) as client:
        seen = Seen(client.watch("standard"))
        await seen.reach(lambda: len(seen.events) > 20)
        epoch = seen.last.epoch
        async with open_pit(store.url) as pit:
            await pit.client.flushall()
        await new_epoch(seen, epoch)
        assert seen.last.shoe.number == 1
        assert [row.table for row in (await client.lobby()).tables] == ["standard"]
