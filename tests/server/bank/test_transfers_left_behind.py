"""Transfers that who began them did not end: what the table's dealer, or the next action, makes of them."""

from croupier_protocol.messages.errors import ErrorCode
from croupier_server.bank.answers import Finished, Left, Refusal, Seated
from croupier_server.store.wallets import Verdict
from support.banking import (
    BANKROLLS,
    LIMITS,
    MOST,
    ROOMY,
    STANDARD,
    TRANSFERS,
    VEGAS,
    WALLET,
    a_bank,
    begin_buy_in,
    check_conservation,
    sit,
)
from support.records import everything


async def test_a_full_wallet_leaves_chips_on_their_way_until_it_has_room(pit):
    bank = a_bank(pit, MOST)
    await sit(bank, buy_in=10_000, limits=ROOMY)
    await bank.credit("ana", 5_000, "credit-1", "luck")
    assert await bank.leave(STANDARD, "ana", "leave-001") == Left(returned=10_000, wallet=None)
    assert await bank.finish(STANDARD, 0) == Finished(waiting=1)
    assert (await check_conservation(pit.client))["in_flight"] == 10_000
    await bank.debit("ana", 5_000, "debit-01", "bad luck")
    assert await bank.finish(STANDARD, 0) == Finished(ended=1)
    assert await bank.leave(STANDARD, "ana", "leave-001") == Left(returned=10_000, wallet=MOST)


async def test_finish_leaves_a_young_transfer_to_who_began_it(pit, bank):
    await begin_buy_in(bank)
    assert await bank.finish(STANDARD) == Finished()
    await age(pit, 2_000)
    assert await bank.finish(VEGAS) == Finished()
    assert await bank.finish(STANDARD) == Finished(ended=1)
    assert await sit(bank) == Seated(seat=1, bought=10_000, wallet=90_000)


async def test_finish_ends_a_transfer_begun_before_the_clock_went_back(pit, bank):
    await begin_buy_in(bank)
    await age(pit, -3_600_000)
    assert await bank.finish(STANDARD) == Finished(ended=1)


async def test_a_damaged_transfer_does_not_hold_up_the_others(pit, bank):
    await sit(bank, "bo", table=VEGAS)
    await begin_buy_in(bank, "ana")
    await begin_buy_in(bank, "bo")
    await pit.client.delete(WALLET)
    await pit.client.hset(TRANSFERS, "standard|cy", "x")
    finished = await bank.finish(STANDARD, 0)
    assert (finished.ended, sorted(finished.damaged)) == (1, ["ana", "cy"])
    assert await pit.client.hget(BANKROLLS, "bo") == b"10000"


async def age(pit, older_ms):
    """Makes Ana's transfer look as if it had been begun so much earlier."""
    text = await pit.client.hget(TRANSFERS, "standard|ana")
    *rest, at_ms = text.split(b"|")
    await pit.client.hset(TRANSFERS, "standard|ana", b"|".join([*rest, b"%d" % (int(at_ms) - older_ms)]))


async def test_a_late_end_of_a_transfer_does_not_end_the_next(pit, bank):
    await begin_buy_in(bank)
    first = await bank.transfers.find(STANDARD, "ana")
    await bank.finish(STANDARD, 0)
    seen = (await bank._open("ana", "top-up-1", "main|standard", new=False)).last_number
    assert seen == first.number
    await bank.transfers.top_up(STANDARD, "ana", "top-up-1", "top_up:standard:500", 500, seen, LIMITS)
    before = await everything(pit.client)
    for word in ("ok", "short"):
        assert await bank.transfers.end(first, Verdict(word, 0, 0)) == "gone"
    assert await everything(pit.client) == before
    assert await bank.finish(STANDARD, 0) == Finished(ended=1)
    assert await pit.client.hget(BANKROLLS, "ana") == b"10500"


async def test_another_action_first_carries_on_what_was_left_behind(pit, bank):
    await begin_buy_in(bank)
    assert await sit(bank, op="another-op") == Refusal(ErrorCode.ALREADY_SEATED)
    assert await pit.client.hget(BANKROLLS, "ana") == b"10000"


async def test_leaving_first_carries_on_a_buy_in_that_was_left_behind(pit, bank):
    await begin_buy_in(bank)
    assert await bank.leave(STANDARD, "ana", "leave-001") == Left(returned=10_000, wallet=100_000)


async def test_the_house_first_carries_on_what_was_left_behind(pit, bank):
    await begin_buy_in(bank)
    assert await bank.cash_out(STANDARD, "ana") == Left(returned=10_000, wallet=100_000)


async def test_a_seat_that_is_being_bought_is_held_and_not_shown(pit, bank):
    await begin_buy_in(bank)
    assert (await pit.seats.look(STANDARD, 7)).taken == ()
    assert (await sit(bank, "bo")).seat == 2
    assert await sit(bank, "cy", seat=1) == Refusal(ErrorCode.SEAT_TAKEN)
    assert await bank.sit(
        STANDARD, "dee", "sit-dee-1", 10_000, LIMITS, name="Ana", skeleton="ana"
    ) == Refusal(ErrorCode.NAME_TAKEN)
