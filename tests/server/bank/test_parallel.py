"""F5 and the copies of an action that come late: many at once, and one held up while others go on."""

import asyncio
import collections
import random

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import TableId
from croupier_server.bank.answers import Leaving, Left, Refusal, Seated, ToppedUp
from croupier_server.bank.bank import Bank
from croupier_server.store.errors import StoreUnavailableError
from support.banking import (
    BANKROLLS,
    LIMITS,
    LISTING,
    STANDARD,
    TRANSFERS,
    a_bank,
    check_conservation,
    settle,
    sit,
    slip,
    window,
)
from support.cutting import cut_at, cuts
from support.stores import open_pit

FIVE = [TableId(f"table-{number}") for number in range(5)]


async def test_one_wallet_at_five_tables_at_once_buys_what_it_holds(pit):
    bank = a_bank(pit, 10_000)
    answers = await asyncio.gather(*(sit(bank, table=table) for table in FIVE))
    assert collections.Counter(type(answer) for answer in answers) == {Seated: 1, Refusal: 4}
    assert {answer.code for answer in answers if isinstance(answer, Refusal)} == {ErrorCode.WALLET_SHORT}
    assert await check_conservation(pit.client) == {
        "wallets": 0,
        "in_flight": 0,
        "bankrolls": 10_000,
        "stakes": 0,
        "house": 0,
        "issued": 10_000,
    }


async def test_fifty_connections_of_one_player_buy_one_seat_at_each_table(pit):
    bank = a_bank(pit, 25_000)
    answers = await asyncio.gather(
        *(sit(bank, table=table, op=f"sit-{number:05}") for table in FIVE for number in range(10))
    )
    seated = [answer for answer in answers if isinstance(answer, Seated)]
    assert len(seated) == 2
    found = await check_conservation(pit.client)
    assert (found["wallets"], found["bankrolls"], found["in_flight"]) == (5_000, 20_000, 0)


async def test_the_same_operation_on_fifty_connections_is_done_once(pit):
    bank = a_bank(pit)
    sat = await asyncio.gather(*(sit(bank) for _ in range(50)))
    assert set(sat) == {Seated(seat=1, bought=10_000, wallet=90_000)}
    topped_up = await asyncio.gather(
        *(bank.top_up(STANDARD, "ana", "top-up-1", 500, LIMITS) for _ in range(50))
    )
    assert set(topped_up) == {ToppedUp(bought=500, wallet=89_500)}
    left = await asyncio.gather(*(bank.leave(STANDARD, "ana", "leave-001") for _ in range(50)))
    assert set(left) == {Left(returned=10_500, wallet=100_000)}
    await check_conservation(pit.client)


async def test_fifty_players_at_once_have_fifty_seats(pit):
    bank = a_bank(pit)
    seated = await asyncio.gather(*(sit(bank, f"player-{number}") for number in range(50)))
    assert sorted(one.seat for one in seated) == list(range(1, 51))
    await check_conservation(pit.client)


async def test_fifty_slips_of_a_whole_bankroll_never_bet_more_than_it(pit):
    await sit(a_bank(pit))
    await window(pit)
    rev = (await pit.seats.private(STANDARD, "ana")).rev
    answers = await asyncio.gather(
        *(
            pit.seats.place(STANDARD, "ana", 7, rev, f"slip-{number:05}", LISTING, {"tie": 10_000})
            for number in range(50)
        )
    )
    assert sum(answer.accepted for answer in answers) == 1
    found = await check_conservation(pit.client)
    assert (found["bankrolls"], found["stakes"]) == (0, 10_000)


async def test_leaving_against_a_slip_never_takes_what_is_at_stake(pit):
    """F6: what is on the slip is not in the bankroll, so there is nothing to move away."""
    bank = a_bank(pit)
    await window(pit)
    for number in range(20):
        await sit(bank, op=f"sit-{number:06}")
        answers = await asyncio.gather(
            slip(pit, player=10_000), bank.leave(STANDARD, "ana", f"leave-{number:06}")
        )
        found = await check_conservation(pit.client)
        if answers[1] == Leaving():
            assert found["stakes"] == 10_000
            await settle(pit, lambda player, bets: bets, void=True)
            await bank.cash_out(STANDARD, "ana")
            await window(pit)
        assert (await check_conservation(pit.client))["wallets"] == 100_000


async def sit_then_leave(bank):
    await sit(bank, op="the-op-01")
    await bank.leave(STANDARD, "ana", "leave-001")


async def leave_then_sit(bank):
    await bank.leave(STANDARD, "ana", "the-op-01")
    await sit(bank, op="another-op")


async def top_up_alone(bank):
    await bank.top_up(STANDARD, "ana", "the-op-01", 500, LIMITS)


async def top_up_then_leave_then_sit(bank):
    await bank.top_up(STANDARD, "ana", "the-op-01", 500, LIMITS)
    await bank.leave(STANDARD, "ana", "leave-001")
    await sit(bank, op="another-op")


LATE = {
    "sit": (
        False,
        lambda bank: sit(bank, op="the-op-01"),
        sit_then_leave,
        Seated(seat=1, bought=10_000, wallet=0),
        None,
    ),
    "leave": (
        True,
        lambda bank: bank.leave(STANDARD, "ana", "the-op-01"),
        leave_then_sit,
        Left(returned=10_000, wallet=0),
        b"10000",
    ),
    "top up": (
        True,
        lambda bank: bank.top_up(STANDARD, "ana", "the-op-01", 500, LIMITS),
        top_up_alone,
        ToppedUp(bought=500, wallet=0),
        b"10500",
    ),
    "top up, then another sitting": (
        True,
        lambda bank: bank.top_up(STANDARD, "ana", "the-op-01", 500, LIMITS),
        top_up_then_leave_then_sit,
        ToppedUp(bought=500, wallet=0),
        b"10000",
    ),
}


@pytest.mark.parametrize("name", LATE)
async def test_a_copy_held_up_at_any_command_does_nothing_twice(pit, shared_store, name):
    """One gateway is held up at any command while the action and others after it go through another."""
    seated, action, meanwhile, answer, bankroll = LATE[name]
    async with open_pit(shared_store.url) as other:
        for number in range(1, 30):
            await pit.client.flushall()
            await pit.stream.open()
            if seated:
                await sit(a_bank(pit))
            gate = asyncio.Event()
            with cuts(other.client, cut_at(number, gate)) as held:
                late = asyncio.create_task(action(a_bank(other)))
                while held.commands < number and not late.done():
                    await asyncio.sleep(0.001)
                await meanwhile(a_bank(pit))
                gate.set()
                told = await late
            await a_bank(pit).finish(STANDARD, 0)
            await check_conservation(pit.client)
            assert await pit.client.hget(BANKROLLS, "ana") == bankroll, number
            assert await pit.client.hlen(TRANSFERS) == 1
            if held.commands < number:
                return
            assert replace(told, wallet=0) == answer, number
    raise AssertionError("the action never ended")


async def test_a_storm_over_cut_connections_keeps_every_cent(pit, shared_store):
    chance = random.Random(5)
    async with open_pit(shared_store.url) as other:
        with cuts(other.client, lambda _: chance.choice(["before", "after", *[None] * 20])):
            banks = [a_bank(pit), a_bank(other)]
            await asyncio.gather(*(player_at_random(chance, banks, f"p{each}") for each in range(12)))
    for table in FIVE:
        assert (await a_bank(pit).finish(table, 0)).waiting == 0
    assert (await check_conservation(pit.client))["in_flight"] == 0


async def player_at_random(chance: random.Random, banks: list[Bank], player: str):
    """Sits, tops up and leaves in any order; what had no answer is often sent again by another way."""
    for number in range(30):
        table, op = chance.choice(FIVE), f"{player}-op-{number:04}"
        call = chance.choice(["sit", "leave", "top_up", "finish"])
        for _ in range(chance.randrange(1, 4)):
            bank = chance.choice(banks)
            try:
                match call:
                    case "sit":
                        await sit(bank, player, 20_000, table=table, op=op)
                    case "leave":
                        await bank.leave(table, player, op)
                    case "top_up":
                        await bank.top_up(table, player, op, 3_000, LIMITS)
                    case "finish":
                        await bank.finish(table, 0)
            except StoreUnavailableError:
                continue
            break
