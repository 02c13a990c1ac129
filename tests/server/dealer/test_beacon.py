"""A public beacon in the order of a shoe, drawn by real dealers from a real server."""

import asyncio
import hashlib
import json
import socket

import pytest
from msgspec.structs import replace

from croupier_client.verifier.transcript import verify
from croupier_protocol.codec import JSON
from croupier_protocol.messages.events import BettingOpened, CutListed, ShoeCommitted, ShoeOpened
from croupier_protocol.messages.values import Beacon, Epoch
from croupier_protocol.view import fold
from croupier_server.dealer.beacon_source import BeaconError, fetch
from croupier_server.gateway.table_feed import TableFeed
from croupier_server.table.listing import encode_listing, read_listing
from croupier_server.table.orders import Wish
from legal_rounds import BEACON, Dealer
from support.beacons import VALUE, beacon_running
from support.dealing import check_play, dealer_hears, dealer_on, dealt, reach, until_round
from support.seating import seat
from support.shoes import numbered
from support.stores import turbo


@pytest.fixture
async def beacon():
    async with beacon_running() as running:
        yield running


@pytest.fixture
def impatient(monkeypatch):
    """A beacon that does not come is not waited for long."""
    monkeypatch.setattr("croupier_server.dealer.beacon.PATIENCE_MS", 2_000)
    monkeypatch.setattr("croupier_server.dealer.beacon.RETRY_S", 0.05)


def settings(beacon):
    return replace(turbo("standard"), beacon=beacon.source)


async def first(pit, kind):
    async def found():
        return next((event for event in await dealt(pit) if isinstance(event, kind)), None)

    return await reach(found, what=kind.__name__)


async def transcript(pit):
    return numbered([JSON.encode(event).decode() for event in await dealt(pit)])


@pytest.mark.slow
async def test_a_shoe_is_opened_with_the_value_of_the_round_that_was_named_before(pit, beacon):
    """Though its source has it a moment late."""
    drawn = beacon.answer
    beacon.answer = lambda round_: drawn(round_) if len(beacon.asked) > 2 else (425, "", {})
    async with dealer_hears(pit, settings(beacon)) as dealer:
        await until_round(pit, 1)
        assert await pit.orders.give("standard", "op-0001", Wish.ABANDON, "enough")
        async with asyncio.timeout(20):
            assert await pit.orders.answer_to("op-0001") == "done"
        await dealer.release()
    committed, opened = await first(pit, ShoeCommitted), await first(pit, ShoeOpened)
    named = committed.beacon
    assert (named.source, named.value) == (beacon.source.source, None)
    assert named.due_ms >= committed.at_ms
    assert opened.beacon == replace(named, value=VALUE)
    assert opened.at_ms >= named.due_ms
    assert beacon.asked[:3] == [named.round] * 3
    lines = await transcript(pit)
    report = verify(lines, beacons={named.round: VALUE})
    assert report.failures == []
    assert report.passed["order"] == 1
    [failure] = verify(lines, beacons={named.round: bytes(32)}).failures
    assert failure.check == "beacon"


@pytest.mark.slow
async def test_a_beacon_that_does_not_come_is_named_and_the_shoe_goes_on_without(pit, beacon, impatient):
    beacon.answer = lambda round_: (404, "not yet", {})
    async with dealer_on(pit, settings(beacon)) as dealer:
        await until_round(pit, 1)
        await dealer.release()
    opened = await first(pit, ShoeOpened)
    assert opened.beacon.value is None
    assert opened.beacon.round == (await first(pit, ShoeCommitted)).beacon.round
    assert len(beacon.asked) > 1
    assert set(beacon.asked) == {opened.beacon.round}
    await check_play(pit)


@pytest.mark.slow
async def test_a_dealer_that_takes_over_draws_the_round_that_the_first_one_named(pit, other, beacon, quick):
    """Two players cut; the first dealer is gone when all values are in, and before the beacon is drawn."""
    slow = replace(settings(beacon), beacon=replace(beacon.source, period=4))
    slow = replace(slow, pace=replace(slow.pace, cut_ms=200, reveal_ms=200))
    await seat(pit, "standard", "ana", 3, 10_000)
    async with dealer_hears(pit, slow):
        committed = await first(pit, ShoeCommitted)
        hash_ = hashlib.sha256(b"a" * 32).digest()
        assert await pit.cuts.send_hash("standard", "ana", 1, hash_) is None
        await first(pit, CutListed)
        assert await pit.cuts.send_value("standard", "ana", 1, b"a" * 32) is None
    assert not any(isinstance(event, ShoeOpened) for event in await dealt(pit))
    async with dealer_on(other, slow) as second:
        opened = await first(pit, ShoeOpened)
        await first(pit, BettingOpened)
        await second.release()
    assert opened.beacon == replace(committed.beacon, value=VALUE)
    assert [one.value for one in opened.contributions] == [b"a" * 32]


def a_round(source, round_=7):
    return Beacon(source=source, round=round_, due_ms=0)


async def test_a_value_is_read_from_the_member_that_the_source_names(beacon):
    beacon.answer = lambda round_: (200, json.dumps({"randomness": "zz", "pulse": "AB" * 64}), {})
    source = beacon.source.source.replace("randomness", "pulse")
    assert await fetch(a_round(source)) == b"\xab" * 64
    assert beacon.asked == [7]


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, ""),
        (200, "[]"),
        (200, '{"signature": "ab"}'),
        (200, '{"randomness": 5}'),
        (200, '{"randomness": "no digits"}'),
        (200, json.dumps({"randomness": "ab" * 15})),
        (200, json.dumps({"randomness": "ab" * 65})),
        (200, json.dumps({"randomness": "ab" * 32, "more": "x" * 70_000})),
        (200, "[" * 10_000),
        (404, json.dumps({"randomness": "ab" * 32})),
        (302, ""),
    ],
)
async def test_what_is_no_value_is_refused(beacon, status, body):
    beacon.answer = lambda round_: (status, body, {"Location": "/public/8"} if status == 302 else {})
    with pytest.raises(BeaconError):
        await fetch(a_round(beacon.source.source))
    assert beacon.asked == [7]


async def test_a_source_that_nobody_serves_is_no_value(beacon, unused_port):
    with pytest.raises(BeaconError, match="does not answer"):
        await fetch(a_round(f"http://127.0.0.1:{unused_port}/{{round}}#randomness"))


@pytest.fixture
def unused_port():
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


def test_a_table_that_waits_for_its_beacon_is_not_overdue():
    """Before the beacon is due, and for five seconds more, and two."""
    table = Dealer(seed=3)
    view = table.view
    committed = ShoeCommitted(
        shoe=1,
        rules=view.rules,
        rules_text="{}",
        commitment=bytes(32),
        previous=None,
        cut_until_ms=None,
        beacon=replace(BEACON, due_ms=1_000_000),
        table=view.table,
        epoch=Epoch("e1"),
        seq=1,
        due_ms=0,
        at_ms=0,
    )
    feed = TableFeed(read_listing(encode_listing(turbo("standard"))), fold(view, committed), "0-0", ())
    feed.plan(900_000)
    assert feed.overdue_at_ms == 1_007_000
    feed.plan(2_000_000)
    assert feed.overdue_at_ms == 2_003_000
