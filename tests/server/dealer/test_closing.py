"""A table that an operator closes: at the end of the round, everybody cashed out, everyone told."""

import asyncio

import pytest
from msgspec.structs import replace

from croupier_client.connection import connect
from croupier_client.errors import RefusedError
from croupier_client.verifier.transcript import verify
from croupier_protocol.codec import JSON
from croupier_protocol.messages.events import (
    Resumed,
    RoundVoided,
    SeatChanged,
    ShoeCommitted,
    ShoeEnded,
    TableClosed,
)
from croupier_protocol.messages.values import Phase
from croupier_server.store.errors import LeaseLostError
from croupier_server.store.records import Closing, Lease
from croupier_server.table.listing import encode_listing
from croupier_server.table.orders import Wish
from croupier_server.table.state import decode_state
from support.dealing import check_play, dealt, reach, until_round
from support.gateways import gateway_on
from support.players import LIVELY, PATIENT
from support.playing import audited, played, seated
from support.records import OTHER, TABLE_KEY, TABLES_KEY, everything
from support.shoes import numbered
from support.stores import turbo

SETTINGS = replace(turbo("standard"), pace=LIVELY)
UNHURRIED = replace(SETTINGS, pace=replace(LIVELY, betting_ms=3_000))


async def order(pit, wish, reason="the end of the day"):
    assert await pit.orders.give("standard", "op-0001", wish, reason)
    async with asyncio.timeout(20):
        return await pit.orders.answer_to("op-0001")


async def is_listed(pit):
    return "standard" in await pit.tables.registered()


async def state_of(pit):
    return decode_state((await pit.tables.read("standard")).record.state)


@pytest.mark.slow
async def test_closing_waits_for_the_round_cashes_out_and_tells_everyone(store, pit):
    """Also a watcher by the client library, which ends with the table's last event."""
    async with (
        played(store.url, UNHURRIED, turbo("other")) as dealer,
        gateway_on(store.url) as gateway,
        connect(gateway.url) as client,
        seated(gateway.url, 3) as players,
    ):
        seen = []

        async def watch():
            seen.extend([message async for message in client.watch("standard")])

        watching = asyncio.create_task(watch())
        round_ = (await players[0].next_window())["round"]
        answer = await players[0].ask(
            type="slip",
            table="standard",
            round=round_,
            rev=players[0].me[1],
            op="slip-1234",
            bets={"tie": 100},
        )
        assert answer["type"] == "slip_accepted", answer
        assert await order(pit, Wish.CLOSE) == "done"
        async with asyncio.timeout(10):
            await watching
        assert isinstance(seen[-1], TableClosed)
        assert seen[-1].reason == "the end of the day"
        assert len([one for one in seen if isinstance(one, SeatChanged) and one.player is None]) == 3
        assert not any(isinstance(one, RoundVoided) for one in seen)
        assert round_ in players[0].payouts
        for player in players:
            await player.until(lambda player=player: player.me[0] is None)
        await reach(lambda: _is_dealt_by_nobody(dealer))
        assert not await is_listed(pit)
        assert [row.table for row in (await client.lobby()).tables] == ["other"]
        with pytest.raises(RefusedError, match="no such table"):
            async for _ in client.watch("standard"):
                pass
        assert (await players[1].ask(type="sit", table="standard", buy_in=5_000, op="sit-again"))[
            "code"
        ] == "unknown_table"
        await audited(pit)
    await check_play(pit)


async def _is_dealt_by_nobody(dealer):
    return "standard" not in dealer.dealing


@pytest.mark.slow
async def test_closing_now_voids_the_round_first(store, pit):
    async with played(store.url, replace(SETTINGS, pace=PATIENT)):
        await reach(lambda: _is(pit, Phase.BETTING))
        assert await order(pit, Wish.CLOSE_NOW) == "done"
    kinds = [type(event).__name__ for event in await dealt(pit)]
    assert kinds == [
        "ShoeCommitted",
        "ShoeOpened",
        "BettingOpened",
        "RoundVoided",
        "RoundSettled",
        "ShoeEnded",
        "TableClosed",
    ]


async def _is(pit, phase):
    return await pit.client.hget(TABLE_KEY, "phase") == phase.value.encode()


@pytest.mark.slow
async def test_a_table_opened_again_goes_on_with_its_events_and_rounds_and_a_shoe_of_the_same_chain(
    store, pit
):
    """The shoe that ran when it was closed has been ended in public: verify accounts for every round."""
    async with played(store.url, SETTINGS):
        await until_round(pit, 1)
        assert await order(pit, Wish.CLOSE) == "done"
        ended = await state_of(pit)
        assert ended.view.phase is Phase.ENDED
        await pit.tables.register({"standard": encode_listing(SETTINGS)})
        await until_round(pit, ended.view.round + 1)
    events = await check_play(pit)
    assert [type(event) for event in events[ended.view.seq - 2 : ended.view.seq + 2]] == [
        ShoeEnded,
        TableClosed,
        Resumed,
        ShoeCommitted,
    ]
    over, _, _, following = events[ended.view.seq - 2 : ended.view.seq + 2]
    assert (over.shoe, over.reason, following.shoe) == (1, "the end of the day", 2)
    assert following.previous == over.chain
    report = verify(numbered([JSON.encode(event).decode() for event in events]))
    assert report.failures == []
    assert (report.passed["chain"], report.passed["previous"]) == (1, 1)


@pytest.mark.slow
async def test_a_closing_that_was_interrupted_is_finished_by_the_next_dealer(store, pit):
    """The first one died after it had told of the end, before the table was off the list."""
    async with played(store.url, SETTINGS):
        await until_round(pit, 1)
        await pit.client.rename(TABLES_KEY, "kept")  # nothing can be taken off a list that is none
        await pit.client.set(TABLES_KEY, "x")
        assert await pit.orders.give("standard", "op-0001", Wish.CLOSE, "r")
        await reach(lambda: _is(pit, Phase.ENDED))
    await pit.client.rename("kept", TABLES_KEY)
    async with played(store.url, SETTINGS):
        async with asyncio.timeout(10):
            assert await pit.orders.answer_to("op-0001") == "done"
    assert not await is_listed(pit)
    assert [type(event) for event in await dealt(pit)].count(TableClosed) == 1


@pytest.mark.slow
async def test_an_order_to_close_that_was_taken_back_lets_the_table_go_on(store, pit):
    async with played(store.url, SETTINGS):
        await until_round(pit, 1)
        await pit.client.rename(TABLES_KEY, "kept")
        await pit.client.set(TABLES_KEY, "x")
        assert await pit.orders.give("standard", "op-0001", Wish.CLOSE, "r")
        await reach(lambda: _is(pit, Phase.ENDED))
        await pit.orders.withdraw("op-0001")
        await pit.client.rename("kept", TABLES_KEY)
        await until_round(pit, (await state_of(pit)).view.round + 1)
        assert await is_listed(pit)


async def ended(pit):
    """A table that has ended and is OWNER's, with an order to close it."""
    lease, _ = await pit.tables.acquire("standard", "owner", 60_000, 1)
    await pit.client.hset(TABLE_KEY, mapping={"phase": "ended", "round": 7})
    await pit.tables.register({"standard": b"{}"})
    assert await pit.orders.give("standard", "op-0001", Wish.CLOSE, "r")
    return lease


async def test_a_table_is_taken_off_the_list_once_and_free(pit):
    lease = await ended(pit)
    assert await pit.tables.close(lease, "op-0001") is Closing.DONE
    assert await pit.tables.registered() == {}
    assert await pit.orders.answer_to("op-0001") == "done"
    with pytest.raises(LeaseLostError):
        await pit.tables.close(lease, "op-0001")
    other, _ = await pit.tables.acquire("standard", OTHER, 1_000, 1)
    assert other.fence == 2


@pytest.mark.parametrize(("key", "field"), [("t:standard:seats", "ana"), ("transfers", "standard|ana")])
async def test_a_table_is_not_taken_off_while_somebody_has_something_there(pit, key, field):
    lease = await ended(pit)
    await pit.client.hset(f"croupier:{{main}}:{key}", field, "x")
    before = await everything(pit.client)
    assert await pit.tables.close(lease, "op-0001") is Closing.TAKEN
    assert await everything(pit.client) == before


async def test_chips_on_their_way_to_another_table_are_no_obstacle(pit):
    lease = await ended(pit)
    await pit.client.hset("croupier:{main}:transfers", mapping={"standard-2|ana": "x", "number": 4})
    assert await pit.tables.close(lease, "op-0001") is Closing.DONE


@pytest.mark.parametrize("change", [{"owner": OTHER}, {"fence": 2}])
async def test_only_its_dealer_takes_a_table_off_the_list(pit, change):
    lease = await ended(pit)
    old = Lease("standard", change.get("owner", lease.owner), lease.fence - ("fence" in change))
    before = await everything(pit.client)
    with pytest.raises(LeaseLostError):
        await pit.tables.close(old, "op-0001")
    assert await everything(pit.client) == before
