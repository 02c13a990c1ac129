"""Slips of a seat against a server that loses commands and answers on purpose."""

import asyncio

import pytest

from croupier_client.errors import (
    BettingClosedError,
    RefusedError,
    SlipChangedError,
)
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_server import Deal, Slip
from croupier_protocol.messages.values import Phase
from scripted_seats import RefusalError
from support.clients import chair


async def test_a_slip_is_stated_whole_and_cleared(server, seat):
    await server.open_window()
    await seat.window()
    await seat.bet(player=5_00)
    await seat.bet(banker=3_00, tie=1_00)
    assert (seat.slip, seat.bankroll) == ({"banker": 3_00, "tie": 1_00}, 96_00)
    await seat.clear()
    assert (seat.slip, seat.bankroll, seat.rev) == ({}, 100_00, 3)


async def test_f4_twenty_rapid_bets_are_one_in_flight_and_the_last_stands(server, until, seat):
    await server.open_window()
    await seat.window()
    server.held.add(Slip)
    bets = [asyncio.create_task(seat.bet(player=1_00))]
    await until(lambda: len(server.waiting) == 1)
    bets += [asyncio.create_task(seat.bet(player=number * 1_00)) for number in range(2, 21)]
    await asyncio.sleep(0.05)
    assert [each.bets for each in server.commands(Slip)] == [{"player": 1_00}]
    await server.release()
    answers = await asyncio.gather(*bets)
    assert [each.bets for each in server.commands(Slip)] == [{"player": 1_00}, {"player": 20_00}]
    assert [answer.bets["player"] for answer in answers] == [1_00] + [20_00] * 19
    assert (chair(server).slip, chair(server).bankroll) == ({"player": 20_00}, 80_00)


async def test_the_newest_wish_survives_a_lost_connection(server, seat):
    await server.open_window()
    await seat.window()
    server.lose_replies.append(Slip)
    first = asyncio.create_task(seat.bet(player=1_00))
    await asyncio.sleep(0)
    await asyncio.gather(first, seat.bet(tie=2_00), seat.bet(banker=3_00))
    assert [each.bets for each in server.commands(Slip)] == [{"player": 1_00}] * 2 + [{"banker": 3_00}]
    assert seat.slip == chair(server).slip == {"banker": 3_00}
    assert set(server.bank.done.values()) == {1}


async def test_cancelling_a_bet_takes_nothing_back(server, until, seat):
    await server.open_window()
    await seat.window()
    server.held.add(Slip)
    bet = asyncio.create_task(seat.bet(player=1_00))
    await until(lambda: len(server.waiting) == 1)
    bet.cancel()
    await server.release()
    await until(lambda: seat.slip == {"player": 1_00})


async def test_a_refusal_that_nobody_waits_for_is_nobodys(server, until, seat):
    await server.open_window()
    await seat.window()
    server.lose_commands.append(Slip)
    server.errors[Slip].append(RefusalError(ErrorCode.LIMIT))
    server.silent = True  # sent again too soon, the slip is not answered while somebody waits
    bet = asyncio.create_task(seat.bet(player=1_00))
    await until(lambda: server.commands(Slip))
    bet.cancel()
    server.silent = False
    await until(lambda: not server.errors[Slip])
    await seat.bet(player=2_00)
    assert seat.slip == {"player": 2_00}


async def test_slip_changed_adopts_the_truth_and_sends_the_wish_once_more(server, seat):
    await server.open_window()
    await seat.window()
    chair(server).slip, chair(server).rev, chair(server).bankroll = {"tie": 1_00}, 4, 99_00
    await seat.bet(player=5_00)
    assert [(each.rev, each.bets) for each in server.commands(Slip)] == [
        (0, {"player": 5_00}),
        (4, {"player": 5_00}),
    ]
    assert len({each.op for each in server.commands(Slip)}) == 2
    assert (seat.rev, seat.slip, seat.bankroll) == (5, {"player": 5_00}, 95_00)


async def test_slip_changed_to_what_was_wished_is_enough(server, seat):
    await server.open_window()
    await seat.window()
    chair(server).slip, chair(server).rev, chair(server).bankroll = {"player": 5_00}, 4, 95_00
    accepted = await seat.bet(player=5_00)
    assert (accepted.rev, accepted.bets, accepted.bankroll) == (4, {"player": 5_00}, 95_00)
    assert len(server.commands(Slip)) == 1


async def test_a_slip_that_is_overtaken_twice_is_given_up_and_the_truth_shown(server, until, seat):
    await server.open_window()
    await seat.window()
    here = chair(server)
    here.rev = 4
    server.held.add(Slip)
    bet = asyncio.create_task(seat.bet(player=5_00))
    await until(lambda: len(server.waiting) == 1)
    here.rev = 9
    here.slip, here.bankroll = {"tie": 1_00}, 99_00
    await server.release()
    with pytest.raises(SlipChangedError) as changed:
        await bet
    assert (changed.value.truth.rev, changed.value.truth.bets) == (9, {"tie": 1_00})
    assert (seat.rev, seat.slip, seat.bankroll) == (9, {"tie": 1_00}, 99_00)


async def test_slip_changed_gives_way_to_a_newer_wish(server, until, seat):
    await server.open_window()
    await seat.window()
    chair(server).rev = 4
    server.held.add(Slip)
    older = asyncio.create_task(seat.bet(player=5_00))
    await until(lambda: len(server.waiting) == 1)
    newer = asyncio.create_task(seat.bet(tie=1_00))
    await asyncio.sleep(0)
    await server.release()
    assert (await older).bets == (await newer).bets == {"tie": 1_00}
    assert [each.bets for each in server.commands(Slip)] == [{"player": 5_00}, {"tie": 1_00}]


async def test_f3_a_bet_outside_the_window_is_not_sent_and_names_phase_and_round(server, until, seat):
    await server.open_window()
    await server.play_out()
    await until(lambda: (seat.round, seat.view.phase) == (1, Phase.RESULT))
    with pytest.raises(BettingClosedError) as closed:
        await seat.bet(player=1_00)
    assert (closed.value.phase, closed.value.round, closed.value.server_ms) == (Phase.RESULT, 1, None)
    with pytest.raises(BettingClosedError):
        await seat.deal()
    assert server.commands(Slip) == server.commands(Deal) == []


@pytest.mark.parametrize("code", [ErrorCode.BETTING_CLOSED, ErrorCode.WRONG_ROUND])
async def test_f1_a_bet_that_comes_too_late_names_phase_round_and_the_servers_time(server, seat, code):
    await server.open_window()
    await seat.window()
    server.errors[Slip].append(RefusalError(code))
    server.errors[Deal].append(RefusalError(code))
    for operation in (seat.bet(player=1_00), seat.deal()):
        with pytest.raises(BettingClosedError) as closed:
            await operation
        assert (closed.value.code, closed.value.phase, closed.value.round) == (code, Phase.CLOSED, 1)
        assert closed.value.server_ms == 1_700_000_000_000


async def test_a_wish_is_never_carried_into_the_next_round(server, until, seat):
    await server.open_window()
    await seat.window()
    server.held.add(Slip)
    first = asyncio.create_task(seat.bet(player=1_00))
    await until(lambda: len(server.waiting) == 1)
    late = asyncio.create_task(seat.bet(player=2_00))
    await asyncio.sleep(0)
    await server.play_out()
    await server.open_window()
    await seat.window(after=1)
    next_round = asyncio.create_task(seat.bet(player=3_00))
    await asyncio.sleep(0)
    await server.release()
    assert (await first).round == 1
    with pytest.raises(BettingClosedError):
        await late
    assert (await next_round).round == 2
    assert [(each.round, each.bets["player"]) for each in server.commands(Slip)] == [(1, 1_00), (2, 3_00)]


async def test_a_refusal_carries_code_bet_limit_and_time(server, seat):
    await server.open_window()
    await seat.window()
    with pytest.raises(RefusedError) as refused:
        await seat.bet(player=5_00, tie=150_00)
    error = refused.value
    assert (error.code, error.bet, error.limit) == (ErrorCode.LIMIT, "tie", 100_00)
    assert (error.table, error.server_ms) == ("standard", 1_700_000_000_000)
    with pytest.raises(RefusedError) as short:
        await seat.bet(player=101_00)
    assert (short.value.code, short.value.limit) == (ErrorCode.BANKROLL_SHORT, 100_00)
    assert (seat.slip, seat.bankroll, seat.rev) == ({}, 100_00, 0)
