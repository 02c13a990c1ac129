"""The cut of a shoe at a table that is really dealt: nobody's part is lost, whoever deals."""

import asyncio
import hashlib

import pytest
from msgspec.structs import replace

from croupier_client.verifier.transcript import verify
from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.messages.events import BettingOpened, CutListed, ShoeCommitted, ShoeEnded, ShoeOpened
from croupier_server.table.orders import Wish
from croupier_server.table.pace import Pace
from support.dealing import Way, check_play, dealer_hears, dealt, reach, rounds_more, until_round
from support.seating import seat
from support.shoes import numbered
from support.stores import turbo

PATIENT = Pace("patient", 20, 120, 10, 10, 20, cut_ms=600_000, reveal_ms=600_000)
"""A cut at this pace ends when everybody has sent theirs, and not before."""

CUT_KEY = "croupier:{main}:t:standard:cut"

BRIEF = replace(PATIENT, cut_ms=100, reveal_ms=100)
UNREVEALED = replace(PATIENT, reveal_ms=100)


def dealer_at(pit, pace, way=None):
    """A dealer of one table that hears of what players send."""
    return dealer_hears(pit, replace(turbo("standard"), pace=pace), way=way)


async def sits(pit, *players):
    for number, player in enumerate(players, 3):
        await seat(pit, "standard", player, number, 10_000)


async def sends(pit, player, value, *, shoe=1, shown=False):
    """Sends a part as soon as the cut takes it."""
    send = pit.cuts.send_value if shown else pit.cuts.send_hash

    async def taken():
        return (
            await send("standard", player, shoe, value if shown else hashlib.sha256(value).digest()) is None
        )

    await reach(taken, what=f"the part of {player}")


async def find(pit, kind, shoe=1):
    """The first event of a kind that tells of a shoe, once it is there."""

    async def found():
        told = [event for event in await dealt(pit) if isinstance(event, kind)]
        return next((event for event in told if event.shoe == shoe), None)

    return await reach(found, what=kind.__name__)


async def test_a_cut_goes_on_under_another_dealer(pit, other, quick):
    """The first dealer is gone after the hashes; the values reach the next."""
    await sits(pit, "ana", "ben")
    async with dealer_at(pit, PATIENT):
        await sends(pit, "ana", b"a" * 32)
        await sends(pit, "ben", b"b" * 32)
        await find(pit, CutListed)
    async with dealer_at(other, PATIENT) as second:
        for player, value in (("ana", b"a" * 32), ("ben", b"b" * 32)):
            await sends(pit, player, value, shown=True)
        await until_round(pit, 2)
        await second.release()
    opened = await find(pit, ShoeOpened)
    assert [(one.seat, one.player, one.value) for one in opened.contributions] == [
        (3, "ana", b"a" * 32),
        (4, "ben", b"b" * 32),
    ]
    events = await check_play(pit)
    assert len([event for event in events if isinstance(event, ShoeCommitted)]) == 1


async def test_a_hash_that_comes_while_the_list_is_made_is_in_the_list(pit):
    """Or its sender would have to think that it was left out."""

    class Meddling(Way):
        async def commit(self, lease, step, *arguments):
            if step.cut_rev == 1 and not self.lost:
                self.lost = 1
                assert await pit.cuts.send_hash("standard", "ben", 1, b"b" * 32) is None
            return await super().commit(lease, step, *arguments)

    await sits(pit, "ana", "ben")
    way = Meddling(pit.store)
    # Ben is not waited for: he was last seen long ago.
    await pit.client.hset("croupier:{main}:t:standard:present", "ben", 1)
    async with dealer_at(pit, PATIENT, way) as dealer:
        await sends(pit, "ana", b"a" * 32)
        listed = await find(pit, CutListed)
        await dealer.release()
    assert way.lost == 1
    assert [one.player for one in listed.contributions] == ["ana", "ben"]


async def test_seats_that_send_nothing_hold_a_cut_up_for_its_time_and_no_longer(pit):
    await sits(pit, "ana")
    async with dealer_at(pit, BRIEF) as dealer:
        await until_round(pit, 1)
        await dealer.release()
    committed, opened = [event for event in await dealt(pit) if isinstance(event, ShoeCommitted | ShoeOpened)]
    assert committed.cut_until_ms - committed.due_ms == 100
    assert opened.at_ms >= committed.cut_until_ms
    assert opened.contributions == ()


async def test_a_player_who_does_not_reveal_is_named_and_the_shoe_is_dealt(pit):
    await sits(pit, "ana")
    async with dealer_at(pit, UNREVEALED) as dealer:
        await sends(pit, "ana", b"a" * 32)
        await until_round(pit, 1)
        await dealer.release()
    opened = await find(pit, ShoeOpened)
    [contribution] = opened.contributions
    assert (contribution.player, contribution.value) == ("ana", None)
    assert contribution.hash == hashlib.sha256(b"a" * 32).digest()
    await check_play(pit)


async def test_absent_seats_are_not_waited_for(pit):
    await seat(pit, "standard", "ana", 3, 10_000, present=False)
    async with dealer_at(pit, PATIENT) as dealer:
        await until_round(pit, 1)
        await dealer.release()
    assert not any(isinstance(event, ShoeEnded) for event in await dealt(pit))


async def a_value_cut_short(client):
    part = await client.hget(CUT_KEY, "ana")
    await client.hset(CUT_KEY, "ana", part[:-1])


async def a_number_that_is_none(client):
    await client.hset(CUT_KEY, "#", "many")


async def another_type(client):
    await client.delete(CUT_KEY)
    await client.rpush(CUT_KEY, "x")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "listed"),
    [(a_value_cut_short, True), (a_number_that_is_none, False), (another_type, False)],
)
async def test_a_cut_that_cannot_be_read_ends_its_shoe_in_public_and_the_table_goes_on(
    pit, damage, listed, caplog
):
    """And nobody's part is left out of a shoe in silence: the next one is cut anew."""
    await sits(pit, "ana", "ben")
    async with dealer_at(pit, PATIENT) as dealer:
        await sends(pit, "ana", b"a" * 32)
        if listed:
            await sends(pit, "ben", b"b" * 32)
            await find(pit, CutListed)
        await damage(pit.client)
        [runner] = dealer._runners.values()
        runner.hear("cut")
        await find(pit, ShoeCommitted, shoe=2)
        for player, value in (("ana", b"c" * 32), ("ben", b"d" * 32)):
            await sends(pit, player, value, shoe=2)
        for player, value in (("ana", b"c" * 32), ("ben", b"d" * 32)):
            await sends(pit, player, value, shoe=2, shown=True)
        await until_round(pit, 1)
        assert await pit.orders.give("standard", "op-0001", Wish.ABANDON, "enough")
        async with asyncio.timeout(20):
            assert await pit.orders.answer_to("op-0001") == "done"
        await dealer.release()
    assert "shoe 1 is abandoned" in caplog.text
    events = await dealt(pit)
    first = [event for event in events if getattr(event, "shoe", None) == 1]
    assert [type(event) for event in first] == [
        ShoeCommitted,
        *([CutListed] if listed else []),
        ShoeEnded,
    ]
    assert first[-1].reason == "the cut cannot be read"
    report = verify(numbered([JSON.encode(event).decode() for event in events]))
    assert report.failures == []
    assert report.passed["chain"] == report.passed["seed"] == 2
    [told] = [one for one in await pit.shoes.events("standard", 1) if b"shoe_end" in one]
    assert MSGPACK.decode_message(told) == first[-1]


async def test_what_a_shoe_dealt_is_kept_with_its_list_and_not_for_ever(pit, monkeypatch):
    monkeypatch.setattr("croupier_server.store.tables.SHOES_KEPT", 1)
    async with dealer_at(pit, BRIEF) as dealer:
        await until_round(pit, 1)
        for number in (1, 2, 3):
            op = f"end-of-shoe-{number}"
            await pit.orders.give("standard", op, Wish.ABANDON, "next")
            async with asyncio.timeout(20):
                assert await pit.orders.answer_to(op) == "done"
            await rounds_more(pit, 1)
        await dealer.release()
    told = [MSGPACK.decode_message(event) for event in await pit.shoes.events("standard", 3)]
    assert [type(event) for event in told[:3]] == [ShoeCommitted, ShoeOpened, BettingOpened]
    assert (type(told[-1]), told[-1].reason) == (ShoeEnded, "next")
    commitments = await pit.shoes.commitments("standard", 3)
    assert hashlib.sha256(commitments).digest() == told[1].digest
    assert len(await pit.shoes.commitments("standard", 4)) == 416 * 32
    for gone in (1, 2, 5):
        assert await pit.shoes.events("standard", gone) == []
        assert await pit.shoes.commitments("standard", gone) is None
