"""Stores as a release has left them are continued by this one: same shoe, same cards, slips settled.

See `tests/images/generate.py`. The image was made with the tests' shoe key.
"""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.events import BettingOpened, CardDealt, RoundResult, RoundVoided, ShoeOpened
from croupier_server.table.state import STATE_SCHEMA, decode_state, encode_state
from support.dealing import dealer_on, dealt, reach, until_round
from support.images import load, save
from support.playing import audited, settlements
from support.stores import turbo

IMAGE = Path(__file__).parents[2] / "images" / "schema-2.json"

TABLES = ("betting", "dealing")


@pytest.fixture
async def left(pit):
    """The image in the test's own store: a server that was restored, and so another than it was made on."""
    image = json.loads(IMAGE.read_text(encoding="utf-8"))
    await pit.client.flushall()
    await load(pit.client, image)
    await pit.stream.open()
    return image


async def test_an_image_is_what_it_was_when_it_is_loaded(pit):
    image = json.loads(IMAGE.read_text(encoding="utf-8"))
    await pit.client.flushall()
    await load(pit.client, image)
    assert await save(pit.client) == image


@pytest.mark.slow
async def test_a_round_in_the_middle_of_its_cards_is_dealt_to_its_end_and_its_slips_are_settled(pit, left):
    before = [event for event in await dealt(pit, "dealing") if isinstance(event, CardDealt)]
    assert len(before) == 2
    async with dealer_on(pit, *map(turbo, TABLES)) as dealer:
        await until_round(pit, 2, "dealing")
        await dealer.release()
    events = await dealt(pit, "dealing")
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    shoes = [event for event in events if isinstance(event, ShoeOpened)]
    cards = [event for event in events if isinstance(event, CardDealt) and event.round == 1]
    assert len(shoes) == 1
    assert cards[:2] == before
    assert [card.card for card in cards] == ["Jd", "8s", "6c", "Jd"]
    paid = await settlements(pit, "dealing")
    # A natural eight beats six: 100.00 on Banker win 95.00, 7.00 on a natural as much, all others lose.
    assert sorted(both for (_, number), both in paid.items() if number == 1) == [
        (1_000, 1_400),
        (3_000, 0),
        (10_000, 19_500),
    ]
    assert next(one.outcome for one in events if isinstance(one, RoundResult)) == "banker"
    await audited(pit)


@pytest.mark.slow
async def test_a_window_that_nobody_has_dealt_for_long_is_void_and_its_slips_return(pit, left):
    """As a restored store's may be, however long ago it was left."""
    state = decode_state((await pit.tables.read("betting")).record.state)
    gone = replace(state, due_ms=state.due_ms - 3_600_000 - 700_000)
    gone = replace(gone, view=replace(gone.view, closes_at_ms=gone.due_ms))
    await pit.client.hset("croupier:{main}:t:betting", mapping={"state": encode_state(gone)})
    async with dealer_on(pit, *map(turbo, TABLES)) as dealer:
        await until_round(pit, 2, "betting")
        await dealer.release()
    events = await dealt(pit, "betting")
    first = [event for event in events if getattr(event, "round", 0) == 1]
    assert isinstance(first[0], BettingOpened)
    assert any(isinstance(event, RoundVoided) and event.reason == "abandoned" for event in first)
    paid = await settlements(pit, "betting")
    assert sorted(both for (_, number), both in paid.items() if number == 1) == [
        (1_000, 1_000),
        (3_000, 3_000),
        (10_000, 10_000),
    ]
    await audited(pit)


def test_a_state_of_a_schema_that_this_release_does_not_read_is_refused():
    assert STATE_SCHEMA == 2
    for schema in (0, 1, 3):
        with pytest.raises(ValueError, match=rf"schema {schema}; this release of Croupier reads \[2\]"):
            decode_state(b"", schema)


async def test_a_record_that_says_no_schema_is_not_dealt(pit, left, caplog):
    await pit.client.hdel("croupier:{main}:t:dealing", "schema")
    async with dealer_on(pit, *map(turbo, TABLES)) as dealer:
        await reach(lambda: _said(caplog, "table dealing cannot be dealt"))
        assert "dealing" not in dealer.dealing
    assert "schema 0" in caplog.text


async def _said(caplog, text):
    return text in caplog.text
