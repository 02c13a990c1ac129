"""Significant events: each kind from where it happens, and what an operator sees of them."""

import asyncio
import json
import logging

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.errors import ErrorCode
from croupier_server.gateway.failed_logins import MOST_TOLD, FailedLogins
from croupier_server.operations import money, players
from croupier_server.operations.orders import order
from croupier_server.significant_command import significant
from croupier_server.store import keys
from croupier_server.store import significant as stored
from croupier_server.store.significant import Kind, Significant
from croupier_server.table.orders import Wish
from support.gateways import bare, gateway_on
from support.players import connected, dealt, sit, slip


@pytest.fixture
def events(pit):
    return pit.stores.significant


async def told(events, *kinds):
    """All that were noted, oldest first, without their times; only of these kinds, if any are named."""
    page = await events.last(1_000)
    found = [replace(event, at_ms=0) for event in reversed(page.events)]
    return [event for event in found if not kinds or event.kind in kinds]


async def test_they_are_kept_in_order_within_a_bound_and_paged(events, pit, monkeypatch):
    for number in range(5):
        await events.note(Significant(Kind.ORDERED, what=f"order {number}"))
    first = await events.last(2)
    second = await events.last(2, first.mark)
    assert [one.what for one in (*first.events, *second.events)] == [
        "order 4",
        "order 3",
        "order 2",
        "order 1",
    ]
    assert all(one.at_ms > 1_600_000_000_000 for one in first.events)
    later = await events.since(second.mark, 10)
    assert [one.what for one in later.events] == ["order 2", "order 3", "order 4"]
    monkeypatch.setattr(stored, "KEPT", 100)
    for _ in range(400):
        await events.note(Significant(Kind.REVOKED))
    assert await pit.client.xlen(keys.SIGNIFICANT_KEY) <= 200


async def test_a_store_that_does_not_take_one_hurts_nobody(events, pit, caplog):
    await pit.client.set(keys.SIGNIFICANT_KEY, "something else")
    with caplog.at_level(logging.INFO):
        await events.note(Significant(Kind.REVOKED, player="ana"))
    assert 'significant: {"kind":"revoked","player":"ana"}' in caplog.text
    assert "in the log alone" in caplog.text


async def test_what_an_operation_did_is_noted_once_however_often_it_is_sent(pit, events, caplog, monkeypatch):
    caplog.set_level(logging.INFO)
    gift = Significant(Kind.ADJUSTED, player="ana", amount=500, reason="a gift", op="an-op-0001")
    for _ in range(3):
        await events.note(gift)
        await events.note(replace(gift, reason="in other words"))
        await events.note(replace(gift, player="ben"))
        await events.note(Significant(Kind.REVOKED, player="ana"))
    revoked = Significant(Kind.REVOKED, player="ana")
    assert await told(events) == [gift, replace(gift, player="ben"), revoked, revoked, revoked]
    assert caplog.text.count("an-op-0001") == 2
    monkeypatch.setattr(stored, "OPS_KEPT", 2)
    for number in range(2, 5):
        await events.note(replace(gift, op=f"an-op-000{number}"))
    assert await pit.client.llen(keys.SIGNIFICANT_OPS_KEY) == 2
    assert len(await told(events, Kind.ADJUSTED)) == 5


async def test_an_event_whose_record_is_damaged_is_in_the_log_and_nothing_is_written(pit, events, caplog):
    await pit.client.set(keys.SIGNIFICANT_OPS_KEY, "something else")
    caplog.set_level(logging.INFO)
    await events.note(Significant(Kind.ORDERED, table="vegas", what="void", op="an-op-0001"))
    assert "in the log alone" in caplog.text
    assert caplog.text.count("an-op-0001") == 1
    assert await events.last(10) == stored.Page((), None)


async def test_failed_logins_are_counted_by_address_and_told_within_a_bound(events):
    logins = FailedLogins(events)
    for _ in range(7):
        logins.refused(ErrorCode.BAD_TOKEN, "192.0.2.7")
    logins.refused(ErrorCode.BAD_RESUME, None)
    logins.refused(ErrorCode.BAD_NAME, "192.0.2.7")
    for number in range(MOST_TOLD + 30):
        logins.refused(ErrorCode.TOKEN_EXPIRED, f"192.0.2.{number + 100}")
    await logins.tell()
    found = await told(events)
    assert found[0] == Significant(Kind.LOGIN_FAILED, what="bad_token", address="192.0.2.7", times=7)
    assert len([one for one in found if one.address is not None]) == MOST_TOLD
    rest = {one.what: one.times for one in found if one.address is None}
    assert rest == {"bad_resume": 1, "token_expired": 31}
    await logins.tell()
    assert await told(events) == found


async def test_a_proof_that_does_not_count_is_noted_and_not_what_it_was(store, pit, events):
    async with gateway_on(store.url) as running, bare(running.url) as client:
        resume = "g4f1c0a9d3e2b5768.c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"
        answer = await client.ask(type="hello", resume=resume)
        assert answer["code"] == "bad_resume"
        await running.gateway._desk.failed_logins.tell()
    [event] = await told(events)
    assert (event.kind, event.what, event.times) == (Kind.LOGIN_FAILED, "bad_resume", 1)


async def test_a_large_win_a_void_round_and_orders_and_adjustments_are_noted(store, pit, events):
    """Given a table where whatever a player comes to is large."""
    async with gateway_on(store.url) as running, dealt(store.url, "standard") as dealer:
        dealer._pit.large_win = -10_000
        async with connected(running.url) as client:
            async with asyncio.timeout(30):
                while (await client.ask(type="watch", table="standard"))["type"] == "error":
                    await asyncio.sleep(0.02)  # it has not begun
            seated = await sit(client)
            player = seated["welcome"]["player"]["id"]
            accepted = False
            while not accepted:  # a window of 0.3 s may be over by the time that a slip comes
                window = await client.until("betting")
                answer = await slip(client, {"player": 500}, seated["rev"], window["round"])
                accepted = answer["type"] == "slip_accepted"
            payout = (await client.until("payout"))["payout"]
            window = await client.until("betting")
            await order(pit.stores, "standard", "an-op-0000", Wish.VOID, "a misdeal")
            await client.until("void")
        await order(pit.stores, "standard", "an-op-0000", Wish.VOID, "a misdeal")
        for _ in range(2):
            await money.adjust(pit.stores, player, 500, "an-op-0001", "a gift", credit=True)
        await money.adjust(pit.stores, player, 200, "an-op-0002", "a mistake", credit=False)
        await players.revoke(pit.stores, "ana")
    found = await told(events)
    won, voided = found[0], next(one for one in found if one.kind is Kind.ROUND_VOID)
    net = payout["returned"] - 500
    assert won == Significant(
        Kind.LARGE_WIN, table="standard", round=payout["round"], player=player, amount=net
    )
    assert (voided.table, voided.reason, voided.round >= window["round"]) == ("standard", "a misdeal", True)
    assert await told(events, Kind.ORDERED, Kind.ADJUSTED, Kind.REVOKED) == [
        Significant(Kind.ORDERED, table="standard", what="void", reason="a misdeal", op="an-op-0000"),
        Significant(Kind.ADJUSTED, player=player, amount=500, reason="a gift", op="an-op-0001"),
        Significant(Kind.ADJUSTED, player=player, amount=-200, reason="a mistake", op="an-op-0002"),
        Significant(Kind.REVOKED, player="ana"),
    ]


async def test_the_command_prints_the_last_ones_oldest_first(store, events, capsys):
    for number in range(3):
        await events.note(Significant(Kind.ORDERED, table="vegas", what=f"order {number}", reason="why"))
    asked = {"redis": store.url, "limit": 2}
    assert await asyncio.to_thread(significant, **asked, json=True) == 0
    printed = [json.loads(one) for one in capsys.readouterr().out.splitlines()]
    assert [one.pop("at_ms") > 0 for one in printed] == [True, True]
    common = {"kind": "ordered", "table": "vegas", "reason": "why"}
    assert printed == [{**common, "what": "order 1"}, {**common, "what": "order 2"}]
    assert await asyncio.to_thread(significant, **asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [one.split("  ")[1:] for one in lines] == [
        ["ordered", "table vegas", "order 1", "why"],
        ["ordered", "table vegas", "order 2", "why"],
    ]
