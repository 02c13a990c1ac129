"""Sitting down, topping up and leaving: what moves, what is refused, and with which words."""

import json

import pytest

from croupier_protocol.messages.errors import ErrorCode
from croupier_server.bank.answers import Leaving, Left, Refusal, Seated, ToppedUp
from croupier_server.store.seats import SlipState
from croupier_server.store.stream import Note
from support.banking import (
    AMOUNTS,
    BANKROLLS,
    BASE,
    LEDGER,
    LIMITS,
    LISTING,
    MOST,
    PLAYERS,
    ROOMY,
    SEATS,
    SLIPS,
    STANDARD,
    TRANSFERS,
    VEGAS,
    a_bank,
    check_conservation,
    money,
    settle,
    sit,
    slip,
    window,
)
from support.records import everything


async def test_a_seat_is_bought_from_the_wallet(pit, bank):
    assert await sit(bank) == Seated(seat=1, bought=10_000, wallet=90_000)
    place = await pit.seats.private(STANDARD, "ana")
    assert (place.seat.seat, place.seat.name, place.seat.state) == (1, "ANA", "taken")
    assert place.bankroll == 10_000
    assert await pit.client.hgetall(PLAYERS) == {b"ana": b"open"}
    assert await money(pit.client) == {
        "wallets": 90_000,
        "in_flight": 0,
        "bankrolls": 10_000,
        "stakes": 0,
        "house": 0,
        "issued": 100_000,
    }
    assert [note.kind for note in await pit.stream.notes("0-0")] == ["seat"]


@pytest.mark.parametrize("amount", AMOUNTS[1:])
async def test_every_cent_comes_to_the_table_and_back(pit, amount):
    bank = a_bank(pit, amount)
    assert await sit(bank, buy_in=amount, limits=ROOMY) == Seated(seat=1, bought=amount, wallet=0)
    assert await pit.client.hget(BANKROLLS, "ana") == str(amount).encode()
    assert await bank.leave(STANDARD, "ana", "leave-001") == Left(returned=amount, wallet=amount)
    assert await check_conservation(pit.client)
    postings = [fields for _, fields in await pit.client.xrange(LEDGER)]
    assert [(one[b"k"], one[b"a"]) for one in postings] == [
        (b"buy_in", str(amount).encode()),
        (b"cash_out", str(amount).encode()),
    ]
    await bank.ledger.roll()
    assert set(await pit.client.hgetall(BASE)) == {b"upto", b"postings"}


async def test_a_bankroll_of_nothing_is_cashed_out_too(pit, bank):
    await sit(bank)
    await window(pit)
    await slip(pit, player=10_000)
    await settle(pit, lambda player, bets: {})
    assert await bank.leave(STANDARD, "ana", "leave-001") == Left(returned=0, wallet=90_000)
    assert await bank.leave(STANDARD, "ana", "leave-001") == Left(returned=0, wallet=90_000)


@pytest.mark.parametrize("amount", AMOUNTS[1:3])
async def test_every_cent_of_a_top_up_arrives(pit, amount):
    bank = a_bank(pit, MOST)
    await sit(bank, buy_in=MOST - amount, limits=ROOMY)
    assert await bank.top_up(STANDARD, "ana", "top-up-1", amount, ROOMY) == ToppedUp(bought=amount, wallet=0)
    assert await pit.client.hget(BANKROLLS, "ana") == str(MOST).encode()
    assert await bank.top_up(STANDARD, "ana", "top-up-2", 1, ROOMY) == Refusal(ErrorCode.LIMIT, MOST)
    await check_conservation(pit.client)


@pytest.mark.parametrize(
    ("buy_in", "limit"),
    [(1_999, 2_000), (1_000_001, 1_000_000), (0, 2_000), (-5, 2_000), (MOST + 1, 1_000_000)],
)
async def test_a_buy_in_keeps_to_the_tables_limits(pit, bank, buy_in, limit):
    before = await everything(pit.client)
    assert await sit(bank, buy_in=buy_in) == Refusal(ErrorCode.LIMIT, limit)
    assert await everything(pit.client) == before


@pytest.mark.parametrize("seat", [0, -1, 501])
async def test_there_is_no_seat_beyond_the_last(bank, seat):
    assert await sit(bank, seat=seat) == Refusal(ErrorCode.INVALID, 500)


async def test_seats_are_the_number_asked_for_or_the_lowest_free_one(bank):
    seats = [
        (await sit(bank, player, seat=wanted)).seat
        for player, wanted in [("a", None), ("b", 4), ("c", None), ("d", 3), ("e", None), ("f", 500)]
    ]
    assert seats == [1, 4, 2, 3, 5, 500]
    await bank.leave(STANDARD, "c", "leave-002")
    assert (await sit(bank, "g")).seat == 2
    assert await sit(bank, "h", seat=4) == Refusal(ErrorCode.SEAT_TAKEN)


async def test_a_full_table_takes_nobody(pit, bank):
    limits = type(LIMITS)(seats=2)
    await sit(bank, "a", limits=limits)
    await sit(bank, "b", limits=limits)
    assert await sit(bank, "c", limits=limits) == Refusal(ErrorCode.TABLE_FULL)
    await check_conservation(pit.client)


async def test_nobody_sits_twice_at_a_table(bank):
    await sit(bank)
    assert await sit(bank, op="another-op") == Refusal(ErrorCode.ALREADY_SEATED)
    assert isinstance(await sit(bank, table=VEGAS), Seated)


@pytest.mark.parametrize("skeleton", ["ana", 'a"na', "a\\na", "ána", "a%-na", '","skeleton":"x'])
async def test_names_that_look_alike_do_not_sit_at_one_table(bank, skeleton):
    async def as_name(player, table=STANDARD):
        op = f"sit-{player}-{table}"
        return await bank.sit(table, player, op, 10_000, LIMITS, name=skeleton, skeleton=skeleton)

    assert isinstance(await as_name("p1"), Seated)
    assert await as_name("p2") == Refusal(ErrorCode.NAME_TAKEN)
    assert isinstance(await as_name("p2", VEGAS), Seated)


async def test_a_name_cannot_pass_for_another_field_of_the_seat(bank):
    """The scripts look for fields in the seat's JSON, where quotes in a name are escaped."""
    name = '","state":"leaving","seat":9,"skeleton":"bo'
    await bank.sit(STANDARD, "ana", "sit-ana-1", 10_000, LIMITS, name=name, skeleton=name)
    assert await sit(bank, "bo") == Seated(seat=2, bought=10_000, wallet=90_000)
    assert isinstance(await bank.top_up(STANDARD, "ana", "top-up-1", 100, LIMITS), ToppedUp)
    assert isinstance(await bank.leave(STANDARD, "ana", "leave-001"), Left)


async def test_a_wallet_that_is_short_gives_the_seat_back(pit, bank):
    assert await sit(bank, buy_in=100_001) == Refusal(ErrorCode.WALLET_SHORT, 100_000)
    assert await pit.client.exists(SEATS, BANKROLLS, LEDGER) == 0
    assert set(await pit.client.hkeys(TRANSFERS)) == {b"number"}
    assert await sit(bank, "bo") == Seated(seat=1, bought=10_000, wallet=90_000)


async def test_an_operation_sent_again_gets_its_first_answer(pit, bank):
    seated = Seated(seat=1, bought=10_000, wallet=90_000)
    assert [await sit(bank) for _ in range(5)] == [seated] * 5
    topped_up = ToppedUp(bought=500, wallet=89_500)
    calls = [await bank.top_up(STANDARD, "ana", "top-up-1", 500, LIMITS) for _ in range(5)]
    assert calls == [topped_up] * 5
    left = Left(returned=10_500, wallet=100_000)
    assert [await bank.leave(STANDARD, "ana", "leave-001") for _ in range(5)] == [left] * 5
    assert await sit(bank) == Seated(seat=1, bought=10_000, wallet=100_000)
    assert await pit.client.exists(SEATS) == 0


async def test_a_refused_operation_stays_refused(pit, bank):
    assert await sit(bank, buy_in=100_001) == Refusal(ErrorCode.WALLET_SHORT, 100_000)
    await bank.credit("ana", 100_000, "credit-1", "luck")
    assert await sit(bank, buy_in=100_001) == Refusal(ErrorCode.WALLET_SHORT, 100_000)
    assert isinstance(await sit(bank, buy_in=100_001, op="another-op"), Seated)


async def test_an_operation_is_not_used_for_something_else(pit, bank):
    reused = Refusal(ErrorCode.OPERATION_REUSED)
    await sit(bank, op="the-op-01")
    before = await everything(pit.client)
    assert await sit(bank, op="the-op-01", buy_in=9_999) == reused
    assert await sit(bank, op="the-op-01", seat=1) == reused
    assert await sit(bank, op="the-op-01", table=VEGAS) == reused
    assert await bank.top_up(STANDARD, "ana", "the-op-01", 10_000, LIMITS) == reused
    assert await bank.leave(STANDARD, "ana", "the-op-01") == reused
    assert await bank.credit("ana", 10_000, "the-op-01", "no") == reused
    assert await everything(pit.client) == before


async def test_two_players_may_name_their_operations_alike(bank):
    assert isinstance(await sit(bank, "ana", op="the-op-01"), Seated)
    assert isinstance(await sit(bank, "bo", op="the-op-01"), Seated)


async def test_leaving_with_a_slip_waits_for_the_end_of_the_round(pit, bank):
    await sit(bank)
    await window(pit)
    await slip(pit, player=500)
    assert await bank.leave(STANDARD, "ana", "leave-001") == Leaving()
    assert await bank.leave(STANDARD, "ana", "leave-001") == Leaving()
    assert await bank.leave(STANDARD, "ana", "leave-002") == Leaving()
    assert await sit(bank, op="another-op") == Refusal(ErrorCode.LEAVING)
    assert await bank.top_up(STANDARD, "ana", "top-up-1", 500, LIMITS) == Refusal(ErrorCode.LEAVING)
    assert await bank.cash_out(STANDARD, "ana") == Leaving()
    look = await pit.seats.look(STANDARD, 7)
    assert [seat.player.name for seat in look.taken] == ["ANA"]
    await settle(pit, lambda player, bets: {"player": 1_000})
    assert await bank.cash_out(STANDARD, "ana") == Left(returned=10_500, wallet=100_500)
    assert await bank.leave(STANDARD, "ana", "leave-001") == Left(returned=10_500, wallet=100_500)
    assert await bank.cash_out(STANDARD, "ana") is None
    await check_conservation(pit.client)


async def test_a_void_round_returns_the_stake_before_the_seat_is_cashed_out(pit, bank):
    await sit(bank)
    await window(pit)
    await slip(pit, player=500, tie=100)
    assert await bank.leave(STANDARD, "ana", "leave-001") == Leaving()
    await settle(pit, lambda player, bets: bets, void=True)
    assert await bank.cash_out(STANDARD, "ana") == Left(returned=10_000, wallet=100_000)
    assert (await check_conservation(pit.client))["house"] == 0


@pytest.mark.parametrize("phase", ["betting", "closed", "dealing", "settling", "result", "paused", "voiding"])
async def test_leaving_in_any_phase_loses_no_stake(pit, bank, phase):
    """G2: what is on the slip stays until the round is over, then all of it goes along."""
    await sit(bank)
    await window(pit)
    await slip(pit, player=500)
    await window(pit, phase=phase)
    assert await bank.leave(STANDARD, "ana", "leave-001") == Leaving()
    assert await bank.cash_out(STANDARD, "ana") == Leaving()
    assert (await check_conservation(pit.client))["stakes"] == 500
    await settle(pit, lambda player, bets: {"player": 1_000})
    assert await bank.cash_out(STANDARD, "ana") == Left(returned=10_500, wallet=100_500)


@pytest.mark.parametrize("phase", ["betting", "closed", "dealing", "settling", "result", "paused", "voiding"])
async def test_leaving_without_a_slip_is_at_once_in_any_phase(pit, bank, phase):
    await sit(bank)
    await window(pit, phase=phase)
    assert await bank.leave(STANDARD, "ana", "leave-001") == Left(returned=10_000, wallet=100_000)


async def test_money_that_comes_during_a_coup_does_not_save_a_lost_stake(pit, bank):
    """F7: the settlement compares with nothing that others may change meanwhile."""
    await sit(bank)
    await window(pit)
    await slip(pit, player=10_000)
    await window(pit, phase="dealing")
    await bank.credit("ana", 1, "credit-1", "luck")
    assert await bank.top_up(STANDARD, "ana", "top-up-1", 500, LIMITS) == ToppedUp(bought=500, wallet=89_501)
    await settle(pit, lambda player, bets: {})
    assert await check_conservation(pit.client) == {
        "wallets": 89_501,
        "in_flight": 0,
        "bankrolls": 500,
        "stakes": 0,
        "house": 10_000,
        "issued": 100_001,
    }


async def test_leaving_takes_everything_of_the_seat_along(pit, bank):
    await sit(bank)
    await window(pit)
    await pit.seats.present({STANDARD: ["ana"]})
    await slip(pit, player=500)
    await pit.seats.place(
        STANDARD, "ana", 7, (await pit.seats.private(STANDARD, "ana")).rev, "x", LISTING, {}
    )
    await pit.seats.ready(STANDARD, "ana", 7)
    await bank.leave(STANDARD, "ana", "leave-001")
    left = {key for key in await pit.client.keys("*t:standard:*") if not key.endswith(b":totals")}
    assert left == set()
    *_, seat, wallet = await pit.stream.notes("0-0")
    assert seat == Note(id=seat.id, table=STANDARD, kind="seat", player="ana")
    assert wallet == Note(id=wallet.id, table=STANDARD, kind="wallet", player="ana", wallet=100_000)


async def test_a_slip_of_an_earlier_sitting_does_not_reach_the_next(pit, bank):
    await sit(bank)
    await window(pit)
    rev = (await pit.seats.private(STANDARD, "ana")).rev
    await bank.leave(STANDARD, "ana", "leave-001")
    await sit(bank, op="another-op")
    late = await pit.seats.place(STANDARD, "ana", 7, rev, "slip-001", LISTING, {"tie": 100})
    assert isinstance(late, SlipState)
    assert not late.accepted
    assert await pit.client.exists(SLIPS) == 0


async def test_without_a_seat_there_is_nothing_to_top_up_or_leave(pit, bank):
    before = await everything(pit.client)
    refused = Refusal(ErrorCode.NOT_SEATED)
    assert await bank.top_up(STANDARD, "ana", "top-up-1", 500, LIMITS) == refused
    assert await bank.leave(STANDARD, "ana", "leave-001") == refused
    assert await everything(pit.client) == before
    await sit(bank, table=VEGAS)
    assert await bank.leave(STANDARD, "ana", "leave-001") == refused


@pytest.mark.parametrize("amount", [0, -1, MOST + 1])
async def test_amounts_that_are_none_are_refused(pit, bank, amount):
    await sit(bank)
    before = await everything(pit.client)
    refused = Refusal(ErrorCode.INVALID)
    assert await bank.top_up(STANDARD, "ana", "top-up-1", amount, LIMITS) == refused
    assert await bank.credit("ana", amount, "credit-1", "x") == refused
    assert await bank.debit("ana", amount, "debit-01", "x") == refused
    assert await everything(pit.client) == before


async def test_a_top_up_counts_what_is_on_the_slip(pit, bank):
    limits = type(LIMITS)(buy_in_most=12_000)
    await sit(bank, limits=limits)
    await window(pit)
    await slip(pit, player=10_000)
    refused = Refusal(ErrorCode.LIMIT, 12_000)
    assert await bank.top_up(STANDARD, "ana", "top-up-1", 2_001, limits) == refused
    assert isinstance(await bank.top_up(STANDARD, "ana", "top-up-2", 2_000, limits), ToppedUp)
    await settle(pit, lambda player, bets: {})
    await slip_all(pit)
    assert await bank.top_up(STANDARD, "ana", "top-up-3", 1_999, limits) == Refusal(ErrorCode.LIMIT, 2_000)


async def slip_all(pit):
    """Ana stakes all she has left, and loses it."""
    await window(pit, 8)
    await slip(pit, round_=8, tie=2_000)
    await settle(pit, lambda player, bets: {}, 8)


async def test_a_refused_top_up_leaves_the_seat_able_to_top_up_and_leave(pit, bank):
    await sit(bank)
    short = Refusal(ErrorCode.WALLET_SHORT, 90_000)
    assert await bank.top_up(STANDARD, "ana", "top-up-1", 90_001, LIMITS) == short
    assert isinstance(await bank.top_up(STANDARD, "ana", "top-up-2", 90_000, LIMITS), ToppedUp)
    assert await bank.leave(STANDARD, "ana", "leave-001") == Left(returned=100_000, wallet=100_000)


async def test_transfers_are_numbered_beyond_any_before(pit, bank):
    await sit(bank)
    first = int(await pit.client.hget(TRANSFERS, "number"))
    await pit.client.hset(TRANSFERS, "number", MOST - 1)
    await bank.leave(STANDARD, "ana", "leave-001")
    assert int(await pit.client.hget(TRANSFERS, "number")) == MOST
    assert first > 1_700_000_000_000


async def test_the_seats_record_is_still_json_after_every_change(pit, bank):
    await sit(bank)
    await bank.top_up(STANDARD, "ana", "top-up-1", 500, LIMITS)
    await window(pit)
    await slip(pit, player=500)
    await bank.leave(STANDARD, "ana", "leave-001")
    record = json.loads(await pit.client.hget(SEATS, "ana"))
    assert record["state"] == "leaving"
    assert record["op"] == "leave-001"
    assert record["number"] == int(await pit.client.hget(TRANSFERS, "number"))
    assert (await pit.seats.private(STANDARD, "ana")).seat.op == "leave-001"
