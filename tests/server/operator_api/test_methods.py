"""Every method of the operator's API, called over a real admin port on a real store."""

import asyncio
import logging

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.events import RoundVoided
from croupier_server.operations import orders
from croupier_server.store.sign_ins import SignIns
from support.banking import HOUSE, WALLET, a_bank, sit
from support.dealing import reach
from support.players import PATIENT, events
from support.playing import played
from support.stores import turbo

ORDERS = "croupier:{main}:orders"

TABLE = replace(turbo("standard"), pace=PATIENT)
"""Its windows stay open for the length of a test, unless everybody is ready."""


async def listed(operator, table="standard"):
    _, answer = await operator.call("tables.list")
    return next((row for row in answer["tables"] if row["table"] == table), None)


async def in_play(operator, round_):
    """Returns when the window of a round is open."""

    async def is_open():
        row = await listed(operator)
        return row is not None and (row.get("phase"), row.get("round")) == ("betting", round_)

    await reach(is_open, 60)


async def voided(pit):
    return [event.round for event in await events(pit) if isinstance(event, RoundVoided)]


async def test_a_table_is_added_once_and_not_with_other_settings(operator, pit):
    fields = {"table": "late", "rules": "two-field", "pace": "turbo", "limits": {"main_most": 20_000}}
    added = {"table": "late", "order": "add", "answer": "done"}
    assert await operator.call("tables.add", **fields) == (200, added)
    assert await operator.call("tables.add", **fields) == (200, added)
    row = await listed(operator, "late")
    assert (row["pit"], row["rules"], row["problem"]) == ("main", "two-field", "never dealt so far")
    taken = {"code": "table_exists", "message": "there is a table late already, with other settings"}
    assert await operator.call("tables.add", table="late") == (409, taken)
    assert await operator.call("tables.add", **fields, pit="vip") == (409, taken)
    for field, value in (("rules", "nonsense"), ("pace", "slow"), ("limits", {"main_most": 0})):
        status, answer = await operator.call("tables.add", table="x", **{field: value})
        assert (status, answer["code"], answer["field"]) == (400, "invalid", field)
    assert await listed(operator, "x") is None


async def test_a_pit_that_is_not_there_is_made_when_it_is_asked_for_alone(operator, pit):
    added = {"table": "upstairs", "order": "add", "answer": "done"}
    new = {"table": "upstairs", "pit": "vip", "new_pit": True}
    assert await operator.call("tables.add", **new) == (200, added)
    assert await operator.call("tables.add", **new) == (200, added)
    assert (await listed(operator, "upstairs"))["pit"] == "vip"
    text = "there is no pit vpi, only main, vip; a new one has to be asked for as such"
    unknown = {"code": "unknown_pit", "message": text}
    assert await operator.call("tables.add", table="late", pit="vpi") == (404, unknown)
    assert await pit.stores.known_pits() == ["main", "vip"]
    assert await listed(operator, "late") is None
    assert (await operator.call("tables.add", table="late", pit="vip"))[0] == 200


@pytest.mark.slow
async def test_orders_are_carried_out_once_for_each_op(operator, pit, api_store):
    void = {"table": "standard", "op": "void-it-1", "reason": "misdeal"}
    done = {"table": "standard", "order": "void", "answer": "done"}
    async with played(api_store.url, TABLE):
        await in_play(operator, 1)
        answers = await asyncio.gather(*(operator.call("tables.void", **void) for _ in range(3)))
        assert answers == [(200, done)] * 3
        await in_play(operator, 2)
        assert await operator.call("tables.void", **void) == (200, done)
        status, answer = await operator.call("tables.void", **{**void, "reason": "another"})
        assert (status, answer["code"]) == (409, "operation_reused")
        status, answer = await operator.call("tables.close", **void)
        assert (status, answer["code"]) == (409, "operation_reused")
        assert await voided(pit) == [1]
        status, answer = await operator.call("tables.pause", table="standard", op="pause-it-1", now=True)
        assert (status, answer["order"]) == (200, "pause_now")
        assert (await listed(operator))["phase"] == "paused"
        status, answer = await operator.call("tables.pause", table="standard", op="pause-it-2")
        assert (status, answer["order"]) == (200, "pause")
        assert (await operator.call("tables.resume", table="standard", op="go-on-01"))[0] == 200
        await in_play(operator, 3)
        assert (await operator.call("tables.abandon", table="standard", op="shoe-away"))[0] == 200
        await in_play(operator, 4)
        assert await voided(pit) == [1, 2, 3]
        close = {"table": "standard", "op": "close-it-1", "now": True}
        closed = {"table": "standard", "order": "close_now", "answer": "done"}
        assert await operator.call("tables.close", **close) == (200, closed)
        assert await listed(operator) is None
        assert await operator.call("tables.close", **close) == (200, closed)
        status, answer = await operator.call("tables.close", table="standard", op="close-it-2")
        assert (status, answer) == (404, {"code": "unknown_table", "message": "there is no table standard"})
    assert await pit.client.hgetall(ORDERS) == {}


async def test_what_a_dealer_refuses_is_told_in_its_words_as_often_as_it_is_asked(operator, pit):
    await operator.call("tables.add", table="late")
    await pit.client.hset("croupier:{main}:t:late", "round", 7)
    void = {"table": "late", "op": "void-it-1"}
    asking = asyncio.create_task(operator.call("tables.void", **void))

    async def given():
        return await pit.client.hget(ORDERS, "void-it-1")

    stands = await reach(given, 60)
    await pit.client.hset(ORDERS, "void-it-1", stands.replace(b"||", b"|round 7 is over|"))
    refused = {"code": "refused", "message": "round 7 is over"}
    assert await asking == (409, refused)
    assert await operator.call("tables.void", **void) == (409, refused)


async def test_a_player_is_removed_once_and_its_chips_are_in_its_wallet(operator, pit, api_store):
    remove = {"table": "standard", "player": "ana", "op": "remove-ana", "reason": "closing time"}
    async with played(api_store.url, TABLE):
        await in_play(operator, 1)
        status, answer = await operator.call("tables.remove", **remove)
        assert (status, answer["code"]) == (409, "not_seated")
        await sit(a_bank(pit))
        for _ in range(2):
            status, answer = await operator.call("tables.remove", **remove)
            assert (status, answer["answer"]) == (200, "done")
        _, answer = await operator.call("wallet.show", player="ana")
        assert answer["wallet"]["balance"] == 100_000


async def test_an_order_right_after_its_table_was_added_waits_until_that_is_dealt(operator, pit, api_store):
    async with played(api_store.url, TABLE):
        await operator.call("tables.add", table="late", pace="turbo")
        order = {"table": "late", "order": "abandon", "answer": "done"}
        assert await operator.call("tables.abandon", table="late", op="abandon-late-1") == (200, order)


async def test_an_order_that_no_dealer_answers_is_taken_back(operator, pit, monkeypatch):
    monkeypatch.setattr(orders, "ANSWER_S", 0.05)
    monkeypatch.setattr(orders, "FIRST_DEAL_S", 0.0)
    await operator.call("tables.add", table="late")
    status, answer = await operator.call("tables.pause", table="late", op="pause-it-1")
    assert (status, answer["code"]) == (404, "unknown_table")  # nobody has dealt it so far
    await pit.client.hset("croupier:{main}:t:late", "round", 7)
    status, headers, answer = await operator.send(
        "/api/tables.pause", body=b'{"table": "late", "op": "pause-it-1"}'
    )
    assert (status, answer["code"], headers["Retry-After"]) == (503, "no_dealer", "5")
    assert await pit.client.hgetall(ORDERS) == {}


async def test_chips_are_issued_and_retired_once_for_each_op(operator, pit):
    await sit(a_bank(pit))
    credit = {"player": "ana", "amount": 25, "reason": "a kind word", "op": "credit-1"}
    credited = {"player": "ana", "op": "credit-1", "amount": 25, "balance": 90_025}
    assert await operator.call("wallet.credit", **credit) == (200, credited)
    debit = {"player": "ana", "amount": 5_000, "reason": "an unkind one", "op": "debit-01"}
    debited = {"player": "ana", "op": "debit-01", "amount": 5_000, "balance": 85_025}
    assert await operator.call("wallet.debit", **debit) == (200, debited)
    assert await operator.call("wallet.credit", **credit) == (200, credited)
    assert await operator.call("wallet.debit", **debit) == (200, debited)
    reused = {
        "code": "operation_reused",
        "message": "ana: the operation credit-1 was used for something else",
    }
    assert await operator.call("wallet.credit", **{**credit, "amount": 26}) == (409, reused)
    assert await operator.call("wallet.debit", **credit) == (409, reused)
    short = {"code": "wallet_short", "message": "ana: the wallet holds only 850.25", "limit": 85_025}
    much = {**debit, "amount": 85_026, "op": "debit-02"}
    assert await operator.call("wallet.debit", **much) == (409, short)
    _, answer = await operator.call("wallet.show", player="ana")
    assert (answer["wallet"]["balance"], answer["wallet"]["issued"], answer["wallet"]["retired"]) == (
        85_025,
        100_025,
        5_000,
    )
    assert [(one["op"], one["verdict"], one["reason"]) for one in answer["operations"]][:3] == [
        ("debit-02", "short", "an unkind one"),
        ("debit-01", "ok", "an unkind one"),
        ("credit-1", "ok", "a kind word"),
    ]
    for name in ("wallet.credit", "wallet.debit"):
        status, answer = await operator.call(name, **{**credit, "player": "nobody"})
        assert (status, answer["code"]) == (404, "unknown_player")
    assert (await operator.call("wallet.show", player="nobody"))[0] == 404
    assert await pit.client.hgetall("croupier:{w:nobody}") == {}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("amount", 0),
        ("amount", 2**53),
        ("amount", -1),
        ("amount", 0.5),
        ("amount", "5"),
        ("op", "short"),
        ("op", "with|bar-"),
        ("player", "a|b"),
        ("player", ""),
        ("reason", ""),
        ("reason", "  "),
        ("reason", "two\nlines"),
        ("reason", "x" * 201),
    ],
)
async def test_a_credit_with_a_bad_field_moves_nothing_and_names_it(operator, pit, field, value):
    await sit(a_bank(pit))
    before = await pit.client.hgetall(WALLET)
    credit = {"player": "ana", "amount": 25, "reason": "a kind word", "op": "credit-1", field: value}
    status, answer = await operator.call("wallet.credit", **credit)
    assert (status, answer["code"], answer["field"]) == (400, "invalid", field)
    assert await pit.client.hgetall(WALLET) == before


async def test_a_code_signs_its_player_in_once_and_is_told_to_no_log(operator, pit, caplog):
    caplog.set_level(logging.INFO)
    status, answer = await operator.call("players.code", player="ana", name=" Ana ")
    assert (status, answer["player"], set(answer)) == (200, "ana", {"player", "code", "expires_ms"})
    sign_ins = SignIns(pit.store)
    _, signed_in = await sign_ins.exchange(answer["code"])
    assert (signed_in.player, signed_in.name) == ("ana", "Ana")
    assert await sign_ins.exchange(answer["code"]) is None
    assert "players.code" in caplog.text
    assert answer["code"] not in caplog.text
    status, answer = await operator.call("players.code", player="g0123456789abcdef")
    assert (status, answer["field"]) == (400, "player")
    status, answer = await operator.call("players.code", player="ana", name="\u202e")
    assert (status, answer["field"]) == (400, "name")


async def test_tokens_of_a_player_are_revoked_and_a_guest_has_none(operator, pit):
    status, answer = await operator.call("players.revoke", player="ana")
    stored = await pit.client.hget("croupier:revoked", "ana")
    assert (status, answer) == (200, {"player": "ana", "until_ms": int(stored)})
    status, answer = await operator.call("players.revoke", player="g0123456789abcdef")
    assert (status, answer["field"]) == (400, "player")


async def test_rounds_of_a_table_and_of_a_player_come_in_pages(operator, pit, api_store):
    await sit(a_bank(pit))
    async with played(api_store.url, TABLE):
        for round_ in (1, 2, 3):
            await in_play(operator, round_)
            place = await pit.seats.private("standard", "ana")
            listing = (await pit.client.hget("croupier:{main}:t:standard", "listing")).decode()
            op = f"slip-000{round_}"
            state = await pit.seats.place("standard", "ana", round_, place.rev, op, listing, {"tie": 100})
            assert state.accepted
            await pit.seats.present({"standard": ["ana"]})
            assert await pit.seats.ready("standard", "ana", round_) is None
        await in_play(operator, 4)
    _, page = await operator.call("tables.rounds", table="standard", limit=2)
    assert [one["round"] for one in page["rounds"]] == [3, 2]
    assert page["more"] is True
    _, page = await operator.call("tables.rounds", table="standard", before=2)
    assert ([one["round"] for one in page["rounds"]], page["more"]) == ([1], False)
    assert {"player", "banker", "outcome"} <= set(page["rounds"][0])
    _, page = await operator.call("players.rounds", player="ana", limit=2)
    assert [one["payout"]["bets"][0]["stake"] for one in page["rounds"]] == [100, 100]
    _, rest = await operator.call("players.rounds", player="ana", before=page["next"])
    assert (len(rest["rounds"]), rest["next"]) == (1, None)
    assert (await operator.call("tables.rounds", table="nowhere"))[0] == 404


async def test_an_audit_tells_its_sums_and_what_contradicts_them(operator, pit):
    await sit(a_bank(pit))
    await pit.client.hset("croupier:{main}:tables", "standard", "{}")
    status, answer = await operator.call("audit")
    assert (status, answer["clean"], answer["difference"], answer["mismatches"]) == (200, True, 0, [])
    assert (answer["figures"]["wallets"], answer["figures"]["bankrolls"]) == (90_000, 10_000)
    await pit.client.incrby(HOUSE, 3)
    _, answer = await operator.call("audit")
    assert (answer["clean"], answer["difference"], answer["mismatch_count"]) == (False, 3, 2)
    assert answer["mismatches"][0] == {
        "where": "the house",
        "text": "it has 3 cents, and the ledger 0",
        "cents": 3,
    }


async def test_an_alarm_is_cleared_once_its_damage_is_mended(operator, pit):
    await operator.call("tables.add", table="standard")
    clear = {"table": "standard", "reason": "mended"}
    status, answer = await operator.call("tables.clear-alarm", **clear)
    assert (status, answer["code"]) == (409, "no_alarm")
    await sit(a_bank(pit))
    await pit.client.hset("croupier:{main}:t:standard", "alarm", "the bankroll of ana")
    await pit.client.hincrby("croupier:{main}:t:standard:bankrolls", "ana", 5)
    status, answer = await operator.call("tables.clear-alarm", **clear)
    assert (status, answer["code"]) == (409, "still_damaged")
    await pit.client.hincrby("croupier:{main}:t:standard:bankrolls", "ana", -5)
    status, answer = await operator.call("tables.clear-alarm", **clear)
    assert (status, answer) == (200, {"table": "standard", "cleared": "the bankroll of ana"})
