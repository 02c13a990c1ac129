"""Payouts of a seat: each is told once and in order, whatever happens to connection, seat and table."""

import asyncio

import pytest

from croupier_client.connection import connect
from croupier_client.errors import (
    RefusedError,
)
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import PaidOut
from croupier_protocol.messages.to_server import Watch
from croupier_protocol.messages.values import Payout, Phase, TableId
from legal_rounds import Dealer
from support.clients import PROMPT, chair, read


async def test_g1_payouts_missed_during_a_cut_are_told_once_and_in_order(server, until, seat):
    payouts = seat.payouts()
    for number in range(1, 9):
        await server.open_window()
        await seat.window(after=number - 1)
        await seat.bet(player=1_00)
        server.silent = number in {3, 6, 8}
        await server.play_out(tell=number in {1, 4, 7})
        server.silent = False
        if number in {3, 6, 8}:
            server.cut()
    assert [payout.round for payout in await read(payouts, 8)] == list(range(1, 9))
    assert seat.bankroll == chair(server).bankroll
    server.cut()
    await server.open_window()
    await seat.window(after=8)
    await seat.bet(player=1_00)
    await server.play_out()
    assert [payout.round for payout in await read(payouts, 1)] == [9]
    asked = [each.paid_round for each in server.commands(Watch)]
    assert asked[0] is None
    assert asked[1:] == sorted(asked[1:])


async def test_a_seat_given_up_during_a_cut_is_known_with_its_last_payout(server, until, seat):
    await server.open_window()
    await seat.window()
    await seat.bet(player=1_00)
    await seat.leave()
    assert seat.me.leaving
    server.silent = True
    await server.play_out(tell=False)
    server.silent = False
    server.cut()
    async with asyncio.timeout(5):
        payouts = [payout async for payout in seat.payouts()]
    assert [payout.round for payout in payouts] == [1]
    assert (seat.number, seat.bankroll) == (None, 0)
    with pytest.raises(RefusedError) as gone:
        await seat.window(after=1)
    assert gone.value.code is ErrorCode.NOT_SEATED


async def test_g6_a_later_client_goes_on_with_seat_and_payouts(server):
    async with connect(server.url, timing=PROMPT) as client:
        seat = await client.sit("standard", buy_in=100_00)
        for number in (1, 2):
            await server.open_window()
            await seat.window(after=number - 1)
            await seat.bet(player=1_00)
            if number == 1:
                await server.play_out()
                await read(seat.payouts(), 1)
        token, paid_round = client.resume_token, seat.paid_round
    await server.play_out()
    async with connect(server.url, timing=PROMPT, resume_token=token) as client:
        seat = await client.seat("standard", paid_round=paid_round)
        assert client.player.id == "p1"
        assert [payout.round for payout in await read(seat.payouts(), 1)] == [2]
        assert (seat.number, seat.bankroll) == (1, chair(server).bankroll)


async def test_a_new_life_of_the_table_pays_rounds_that_were_played_before(server, seat):
    """The store lost the end of its file: rounds are numbered and dealt again from there."""
    payouts = seat.payouts()
    for number in (1, 2, 3):
        await server.open_window()
        await seat.window(after=number - 1)
        await seat.bet(player=1_00)
        await server.play_out()
    assert [payout.round for payout in await read(payouts, 3)] == [1, 2, 3]
    server.tables["standard"] = Dealer(epoch="e2", seed=9)
    server.tables["standard"].deal(1)
    here = chair(server)
    here.payouts, here.rev = here.payouts[:1], 1
    server.cut()
    await server.open_window()
    assert await seat.window(after=3) == 2
    await seat.bet(player=1_00)
    await server.play_out()
    assert [payout.round for payout in await read(payouts, 1)] == [2]
    assert seat.rev == 2


async def test_a_new_seat_at_a_view_that_is_behind_is_not_told_the_payouts_of_the_one_before(
    server, client, seat
):
    """Events stood still while payouts went on: the view still shows a round that is paid."""
    await server.open_window()
    await seat.window()
    await seat.bet(player=1_00)
    paid = Payout(table=TableId("standard"), round=1, bets=(), returned=0, bankroll=99_00)
    chair(server).payouts.append(paid)
    chair(server).slip = {}
    await server.push(PaidOut(paid))
    assert [payout.round for payout in await read(seat.payouts(), 1)] == [1]
    await seat.leave()
    again = await client.sit("standard", buy_in=50_00)
    assert (again.view.round, again.view.phase) == (1, Phase.BETTING)
    server.cut()
    await server.play_out()
    await server.open_window()
    assert await again.window(after=1) == 2
    await again.bet(player=1_00)
    await server.play_out()
    assert [payout.round for payout in await read(again.payouts(), 1)] == [2]


async def test_payouts_that_nobody_reads_are_bounded_and_counted(server, until, caplog, seat):
    seat._seating._limit = 3
    for number in range(1, 6):
        await server.open_window()
        await seat.window(after=number - 1)
        await seat.bet(player=1_00)
        await server.play_out()
    await until(lambda: seat.paid_round == 5)
    assert seat.missed_payouts == 2
    assert [payout.round for payout in await read(seat.payouts(), 3)] == [3, 4, 5]
