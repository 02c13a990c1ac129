"""Watchers of tables: every event once and in order, over cuts, gaps, and readers that stop."""

import asyncio
import time

import pytest

from croupier_client.connection import connect
from croupier_client.errors import (
    RefusedError,
)
from croupier_client.timing import Timing
from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import UnknownEvent
from croupier_protocol.messages.to_client import Heartbeat, Live, Stalled, TableView
from croupier_protocol.messages.to_server import Since, Unwatch
from legal_rounds import Dealer
from scripted_server import NOW_MS
from support.clients import PROMPT, read


async def test_a_watcher_gets_a_snapshot_then_every_event_and_keeps_the_view(server):
    for codec in (MSGPACK, JSON):
        server.tables["standard"].deal(2)
        async with connect(server.url, codec=codec) as client, client.watch("standard") as watcher:
            present = server.tables["standard"].view
            assert await read(watcher, 1) == [present]
            assert watcher.view == present
            events = await server.deal(3)
            assert await read(watcher, len(events)) == events
            assert watcher.view == server.tables["standard"].view
            assert watcher.frame == (
                codec.encode(events[-1]).decode() if codec.text else codec.encode(events[-1])
            )
            assert len(server.watches()) == 1
        server.sessions.clear()


async def test_the_view_is_that_of_the_message_just_read_not_of_the_latest(server):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = await server.deal(2)
        (first,) = await read(watcher, 1)
        assert first == events[0]
        assert watcher.view is not None
        assert watcher.view.seq == first.seq


@pytest.mark.parametrize("cut_after", [0, 1, 4, 9])
async def test_a_cut_stream_resumes_without_gap_or_duplicate(server, until, cut_after):
    async with connect(server.url, timing=PROMPT) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        dealer = server.tables["standard"]
        dealer.deal(3)
        await server.push(*dealer.events[:cut_after])
        await until(lambda: watcher.view is not None and len(watcher._queue) == cut_after)
        server.cut()
        assert await read(watcher, len(dealer.events)) == dealer.events
        assert watcher.view == dealer.view
        assert server.watches()[1].since == Since(epoch="e1", seq=cut_after)


async def test_two_hundred_cuts_end_with_the_uncut_list(server):
    async with connect(server.url, timing=PROMPT) as client, client.watch("standard") as watcher:
        (first,) = await read(watcher, 1)
        dealer, got = server.tables["standard"], []
        for _ in range(40):
            events = dealer.deal(1)
            at = dealer.random.randrange(len(events))
            await server.push(*events[:at])
            got += await read(watcher, at) if dealer.random.random() < 0.5 else []
            server.cut()
        got += await read(watcher, len(dealer.events) - len(got))
    assert isinstance(first, TableView)
    assert got == dealer.events


async def test_h1_one_dropped_event_costs_one_resync(server):
    """H1: event k is lost on the way: the client ends as the server does, after one more `watch`."""
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        dealer = server.tables["standard"]
        events = dealer.deal(2)
        await server.push(*events[:3], *events[4:])
        assert await read(watcher, len(events)) == events
        assert watcher.view == dealer.view
        later = await server.deal(1)
        assert await read(watcher, len(later)) == later
        assert [watch.since for watch in server.watches()] == [None, Since(epoch="e1", seq=3)]
        assert server.handshakes == 1


async def test_a_duplicated_event_is_delivered_once(server):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = server.tables["standard"].deal(1)
        await server.push(*events[:3], events[2], *events[3:])
        assert await read(watcher, len(events)) == events
        assert len(server.watches()) == 2


async def test_a_new_epoch_gives_a_snapshot(server):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = await server.deal(1)
        await read(watcher, len(events))
        server.tables["standard"] = Dealer(epoch="e2", seed=1)
        await server.deal(1)
        (snapshot,) = await read(watcher, 1)
        assert snapshot == server.tables["standard"].view
        assert snapshot.epoch == "e2"
        assert server.watches()[1].since == Since(epoch="e1", seq=len(events))


async def test_a_server_that_never_joins_up_is_left_and_asked_for_a_snapshot(server, until):
    """A stream that stays broken costs a new connection each time, with backoff: never a storm of `watch`."""
    async with connect(server.url, timing=PROMPT) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = server.tables["standard"].deal(2)
        await server.push(events[1])
        assert await read(watcher, len(events)) == events
        server.muddle = True
        await server.push(events[0])
        await until(lambda: len(server.watches()) >= 5)
        server.muddle = False
        seqs = [watch.since and watch.since.seq for watch in server.watches()]
        assert seqs[:3] == [None, 0, len(events)]
        assert set(seqs[3:]) == {None}
        await until(lambda: len(server.watches("standard")) == server.handshakes + 2)
        (later,) = (await server.deal(1))[-1:]
        async with asyncio.timeout(5):
            async for message in watcher:
                if message.seq == later.seq:
                    break
        assert watcher.view == server.tables["standard"].view


async def test_an_unknown_event_counts_and_an_unknown_message_is_passed_over(server):
    async with connect(server.url, codec=JSON) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        await server.push(
            '{"type":"weather","mood":"fine"}',
            '{"type":"fan","table":"standard","epoch":"e1","seq":1,"totals":{"tie":5},"at_ms":7}',
            Heartbeat(server_ms=NOW_MS),
        )
        (event,) = await read(watcher, 1)
        assert event == UnknownEvent(type="fan", table="standard", epoch="e1", seq=1)
        assert watcher.view is not None
        assert watcher.view.seq == 1
        assert '"totals":{"tie":5}' in str(watcher.frame)


async def test_since_ahead_reconnects_twice_and_is_then_believed(server):
    async with connect(server.url, timing=PROMPT) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        events = await server.deal(1)
        await read(watcher, len(events))
        server.watch_errors.extend([ErrorCode.SINCE_AHEAD] * 3)
        server.cut()
        (snapshot,) = await read(watcher, 1)
        assert snapshot == server.tables["standard"].view
        seq = len(events)
        assert [watch.since and watch.since.seq for watch in server.watches()] == [None, seq, seq, seq, None]
        assert server.handshakes == 4


async def test_a_watch_without_an_answer_is_not_waited_for_in_vain(server, until):
    passed = [0.0]
    timing = Timing(uniform=lambda low, _high: low, monotonic=lambda: time.monotonic() + passed[0])
    async with connect(server.url, timing=timing) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        server.silent = True
        other = asyncio.create_task(read(client.watch("other"), 1))
        server.tables["other"] = Dealer("other")
        await until(lambda: len(server.watches("other")) == 1)
        server.silent = False
        passed[0] += timing.answer_s + 1
        await server.push(Heartbeat(server_ms=NOW_MS))
        assert await other == [server.tables["other"].view]
        assert server.handshakes == 2


async def test_an_unknown_table_ends_its_watcher_only(server):
    async with connect(server.url) as client, client.watch("standard") as watcher:
        with pytest.raises(RefusedError, match="nowhere") as refused:
            await read(client.watch("nowhere"), 1)
        assert refused.value.code is ErrorCode.UNKNOWN_TABLE
        assert await read(watcher, 1) == [server.tables["standard"].view]


async def test_several_tables_share_a_connection_and_resume_together(server):
    names = [f"t{number}" for number in range(8)]
    server.tables.update((name, Dealer(name, seed=number)) for number, name in enumerate(names))
    async with connect(server.url, timing=PROMPT) as client:
        watchers = [client.watch(name) for name in names]
        for watcher in watchers:
            await read(watcher, 1)
        for name in names:
            server.tables[name].deal(1)
        server.cut()
        for name, watcher in zip(names, watchers, strict=True):
            dealer = server.tables[name]
            assert await read(watcher, len(dealer.events)) == dealer.events
        assert server.handshakes == 2


async def test_a_table_has_one_watcher_at_a_time(server, until):
    async with connect(server.url) as client:
        async with client.watch("standard") as watcher:
            await read(watcher, 1)
            with pytest.raises(ValueError, match="already"):
                await read(client.watch("standard"), 1)
        await until(lambda: isinstance(server.sessions[0].commands[-1], Unwatch))
        async with client.watch("standard") as watcher:
            await read(watcher, 1)


async def test_a_consumer_that_does_not_read_gets_the_present(server, until, caplog):
    """A bounded queue: what was not read in time is dropped for one snapshot, and counted."""
    async with connect(server.url) as client:
        watcher = client.watch("standard")
        watcher._limit = 50
        await read(watcher, 1)
        events = await server.deal(10)
        await until(lambda: watcher.skipped > 0)
        caplog.clear()
        more = await server.deal(10)
        dealer = server.tables["standard"]
        total = len(events) + len(more)
        await until(lambda: watcher._queue[-1].view.seq == total)
        assert len(watcher._queue) <= 50
        (snapshot,) = await read(watcher, 1)
        assert isinstance(snapshot, TableView)
        assert MSGPACK.decode_message(watcher.frame) == snapshot
        rest = await read(watcher, total - snapshot.seq)
        assert rest == dealer.events[snapshot.seq :]
        assert watcher.view == dealer.view


async def test_stalled_and_live_are_told(server, until):
    notices = []
    async with connect(server.url, on_notice=notices.append) as client, client.watch("standard") as watcher:
        await read(watcher, 1)
        await server.push(Stalled(table="standard", since_ms=5))
        await until(lambda: watcher.stalled)
        assert watcher.stalled_since_ms == 5
        await server.push(Live(table="standard"))
        await until(lambda: not watcher.stalled)
    assert notices[1:] == [Stalled(table="standard", since_ms=5), Live(table="standard")]
