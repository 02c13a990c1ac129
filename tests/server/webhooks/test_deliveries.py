"""Webhooks in the store: one server at a time, each event once, and what was lost is known."""

import pytest

from croupier_server.store.deliveries import Deliveries as At
from croupier_server.store.deliveries import Delivery, Held
from croupier_server.store.errors import DamagedRecordError, NotOursError
from support.records import EVENTS_KEY, NUMBERS, everything, is_refused_in_other_types

HASH = "croupier:{main}:webhooks"
STREAM = "croupier:{main}:deliveries"
BOTH = ["first", "second"]


def server(pit, owner="a"):
    return At(pit.store, pit.name, owner)


async def test_one_server_delivers_until_it_is_silent_for_a_lease(pit):
    a, b = server(pit, "a"), server(pit, "b")
    held = await a.hold(60_000, BOTH)
    assert (held.number, held.sent) == (0, {"first": 0, "second": 0})
    assert await b.hold(60_000, BOTH) is None
    assert await a.hold(60_000, BOTH) == held
    with pytest.raises(NotOursError):
        await b.add(held.cursor, "5-0", [b"x"])
    with pytest.raises(NotOursError):
        await b.sent("first", 1)
    await pit.client.hset(HASH, "lease_until_ms", 1)
    assert await b.hold(60_000, BOTH) == held
    with pytest.raises(NotOursError):
        await a.add(held.cursor, "5-0", [b"x"])
    assert await pit.client.exists(STREAM) == 0


async def test_a_lease_that_a_clock_set_back_has_made_longer_holds_nothing(pit):
    await server(pit, "a").hold(60_000, BOTH)
    await pit.client.hset(HASH, "lease_until_ms", 9_007_199_254_740_991)
    assert await server(pit, "b").hold(60_000, BOTH) is not None


async def test_deliveries_are_added_once_for_each_stretch_of_events(pit):
    a = server(pit)
    held = await a.hold(60_000, BOTH)
    assert await a.add(held.cursor, "5-0", [b"one", b"two"]) == 2
    assert await a.add(held.cursor, "5-0", [b"one", b"two"]) is None
    assert await a.add("5-0", "6-0", []) == 2
    assert await a.add("6-0", "7-0", [b"three"]) == 3
    assert await a.after(0) == [Delivery(1, b"one"), Delivery(2, b"two"), Delivery(3, b"three")]
    assert await a.after(2) == [Delivery(3, b"three")]
    assert await a.hold(60_000, BOTH) == Held("7-0", 3, {"first": 0, "second": 0})


async def test_what_all_receivers_have_taken_is_removed(pit):
    a = server(pit)
    held = await a.hold(60_000, BOTH)
    await a.add(held.cursor, "5-0", [b"one", b"two", b"three"])
    for _ in range(2):
        await a.sent("first", 2)
    await a.sent("first", 1)  # an earlier one that comes late
    assert len(await a.after(0)) == 3
    await a.sent("second", 1)
    assert [one.number for one in await a.after(0)] == [2, 3]
    assert (await a.hold(60_000, BOTH)).sent == {"first": 2, "second": 1}
    await a.sent("second", 3)
    await a.sent("first", 3)
    assert await a.after(0) == []
    assert await a.add("5-0", "6-0", [b"four"]) == 4


async def test_a_new_receiver_begins_with_the_present_and_one_that_is_gone_is_forgotten(pit):
    a = server(pit)
    held = await a.hold(60_000, ["first"])
    await a.add(held.cursor, "5-0", [b"one"])
    assert (await a.hold(60_000, BOTH)).sent == {"first": 0, "second": 1}
    assert (await a.hold(60_000, ["second"])).sent == {"second": 1}
    assert (await a.hold(60_000, BOTH)).sent == {"first": 1, "second": 1}


async def test_the_first_time_everything_begins_at_the_end_of_the_stream(pit):
    await pit.client.xadd(EVENTS_KEY, {"t": "standard"}, "9999999999999-7")
    assert (await server(pit).hold(60_000, BOTH)).cursor == "9999999999999-7"


async def test_numbers_go_on_where_the_record_was_lost_and_the_deliveries_were_not(pit):
    a = server(pit)
    held = await a.hold(60_000, BOTH)
    await a.add(held.cursor, "5-0", [b"one", b"two"])
    await pit.client.delete(HASH)
    held = await a.hold(60_000, BOTH)
    assert (held.number, held.sent) == (2, {"first": 2, "second": 2})
    assert await a.add(held.cursor, "6-0", [b"three"]) == 3


@pytest.mark.parametrize("number", NUMBERS[:3])
async def test_large_numbers_stay_whole(pit, number):
    a = server(pit)
    held = await a.hold(60_000, BOTH)
    await pit.client.hset(HASH, mapping={"number": number, "sent:first": number, "sent:second": number})
    assert await a.add(held.cursor, "5-0", [b"one"]) == number + 1
    assert await a.after(number) == [Delivery(number + 1, b"one")]
    await a.sent("first", number + 1)
    assert (await a.hold(60_000, BOTH)).sent == {"first": number + 1, "second": number}


async def test_events_that_were_trimmed_away_are_noticed(pit):
    a = server(pit)
    await pit.client.delete(EVENTS_KEY)
    for number in range(1, 5):
        await pit.client.xadd(EVENTS_KEY, {"n": str(number)}, f"{number}-0")
    found = await a.events_after("2-0")
    assert ([entry for entry, _ in found.entries], found.lost) == (["3-0", "4-0"], False)
    assert await a.events_after("4-0") == type(found)([], lost=False)
    await pit.client.xtrim(EVENTS_KEY, minid="3-0", approximate=False)
    found = await a.events_after("2-0")
    assert ([entry for entry, _ in found.entries], found.lost) == (["3-0", "4-0"], True)
    await pit.client.delete(EVENTS_KEY)
    assert await a.events_after("2-0") == type(found)([], lost=True)
    assert await a.events_after("0-0") == type(found)([], lost=False)


@pytest.mark.parametrize("key", [HASH, STREAM, EVENTS_KEY])
async def test_a_key_of_a_wrong_type_is_a_typed_error_and_nothing_is_written(pit, key):
    a = server(pit)
    held = await a.hold(60_000, BOTH)
    await a.add(held.cursor, "5-0", [b"one"])
    calls = {
        "hold": ({HASH, STREAM, EVENTS_KEY}, lambda: a.hold(60_000, BOTH)),
        "add": ({HASH, STREAM}, lambda: a.add("5-0", "6-0", [b"x"])),
        "sent": ({HASH, STREAM}, lambda: a.sent("first", 1)),
        "after": ({STREAM}, lambda: a.after(0)),
        "events": ({EVENTS_KEY}, lambda: a.events_after("5-0")),
    }
    right = "hash" if key == HASH else "stream"
    await is_refused_in_other_types(pit.client, key, right, calls)


@pytest.mark.parametrize("field", ["number", "sent:second"])
async def test_a_number_that_is_none_is_a_typed_error_and_nothing_is_written(pit, field):
    a = server(pit)
    held = await a.hold(60_000, BOTH)
    await a.add(held.cursor, "5-0", [b"one"])
    other = (lambda: a.add("5-0", "6-0", [b"x"])) if field == "number" else (lambda: a.sent("first", 1))
    for value in ("", "x", "-1", "1.5", "nan", "1e3", "0x10", "99999999999999999999"):
        await pit.client.hset(HASH, field, value)
        before = await everything(pit.client)
        for call in (lambda: a.hold(60_000, BOTH), other):
            with pytest.raises(DamagedRecordError, match="is no number"):
                await call()
            assert await everything(pit.client) == before
