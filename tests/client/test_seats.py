"""Seats against a server on a real socket that loses commands and answers on purpose."""

import asyncio

import pytest

from croupier_client.connection import connect
from croupier_client.errors import (
    BadCommandError,
    BettingClosedError,
    ClosedError,
    EndedError,
    NoAnswerError,
    RefusedError,
    SlipChangedError,
)
from croupier_client.timing import Timing
from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import Me, PaidOut
from croupier_protocol.messages.to_server import Deal, Hello, Leave, Sit, Slip, TopUp, Unwatch, Watch
from croupier_protocol.messages.values import Language, Payout, Phase, TableId
from legal_rounds import Dealer
from scripted_seats import RefusalError

PROMPT = Timing(uniform=lambda low, _high: low)

PLAYER_WINS = "Qd Kh 2s 9d Td"
"""The first card of the shoe, then a coup: Player has a natural 9, Banker 2."""

COMMANDS = {"sit": Sit, "top_up": TopUp, "slip": Slip, "deal": Deal, "leave": Leave}


@pytest.fixture
async def client(server):
    async with connect(server.url, timing=PROMPT, name="Ana") as connected:
        yield connected


@pytest.fixture
async def seat(client):
    return await client.sit("standard", buy_in=100_00)


def chair(server, table="standard"):
    return server.bank.chairs["p1", table]


async def read(payouts, count):
    async with asyncio.timeout(5):
        return [await anext(payouts) for _ in range(count)]


async def test_a_round_from_sitting_down_to_leaving(server):
    for codec in (MSGPACK, JSON):
        server.tables["standard"] = Dealer(cards=PLAYER_WINS)
        async with connect(server.url, codec=codec) as client:
            assert client.player is None
            seat = await client.sit("standard", buy_in=100_00, seat=7)
            assert client.player.name.startswith("Guest")
            assert (seat.number, seat.bankroll, seat.slip, seat.rev, seat.round) == (7, 100_00, {}, 0, 0)
            await server.open_window()
            assert await seat.window() == 1
            accepted = await seat.bet(player=5_00, tie=1_00)
            assert (accepted.bets, accepted.bankroll) == ({"player": 5_00, "tie": 1_00}, 94_00)
            assert (seat.slip, seat.bankroll, seat.rev, seat.round) == (accepted.bets, 94_00, 1, 1)
            await seat.deal()
            assert seat.me.ready
            await server.play_out()
            (payout,) = await read(seat.payouts(), 1)
            results = [(bet.bet, bet.result, bet.returned) for bet in payout.bets]
            assert results == [("player", "win", 10_00), ("tie", "lose", 0)]
            assert (payout.returned, payout.bankroll, seat.bankroll, seat.slip) == (10_00, 104_00, 104_00, {})
            await seat.leave()
            assert (seat.number, seat.me.wallet) == (None, 1_004_00)
            assert [each async for each in seat.payouts()] == []


async def test_a_slip_is_stated_whole_and_cleared(server, seat):
    await server.open_window()
    await seat.window()
    await seat.bet(player=5_00)
    await seat.bet(banker=3_00, tie=1_00)
    assert (seat.slip, seat.bankroll) == ({"banker": 3_00, "tie": 1_00}, 96_00)
    await seat.clear()
    assert (seat.slip, seat.bankroll, seat.rev) == ({}, 100_00, 3)


@pytest.mark.parametrize("fault", ["lose_commands", "lose_replies"])
@pytest.mark.parametrize("name", COMMANDS)
async def test_a_lost_operation_is_sent_again_under_its_name_and_done_once(server, client, name, fault):
    """A connection that breaks before a command is carried out, or after it and before the answer."""
    await server.open_window()
    getattr(server, fault).append(COMMANDS[name])
    seat = await client.sit("standard", buy_in=100_00)
    await seat.top_up(20_00)
    await seat.bet(player=5_00)
    await seat.deal()
    assert (seat.bankroll, seat.slip, seat.me.ready) == (115_00, {"player": 5_00}, True)
    await seat.clear()
    await seat.leave()
    assert server.bank.wallets == {"p1": 1_000_00}
    sent = server.commands(COMMANDS[name])
    assert len({each.op for each in sent}) == len(sent) - 1
    assert sent[0].op == sent[1].op
    assert set(server.bank.done.values()) == {1}
    assert server.handshakes == 2


async def test_an_operation_that_the_server_cannot_judge_now_is_sent_again_under_its_name(server, seat):
    server.errors[TopUp].extend([RefusalError(ErrorCode.UNAVAILABLE), RefusalError(ErrorCode.BUSY)])
    await seat.top_up(20_00)
    assert len(server.commands(TopUp)) == 3
    assert len({each.op for each in server.commands(TopUp)}) == 1
    assert seat.bankroll == 120_00


async def test_without_an_answer_the_operation_can_be_asked_for_again_by_its_name(server):
    async with connect(server.url, timing=Timing(operation_s=0.1)) as client:
        seat = await client.sit("standard", buy_in=100_00)
        server.held.add(TopUp)
        with pytest.raises(NoAnswerError) as unknown:
            await seat.top_up(20_00)
        await server.release()
        await seat.top_up(20_00, op=unknown.value.op)
        assert server.bank.done[unknown.value.op] == 1
        assert seat.bankroll == 120_00


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
    bet = asyncio.create_task(seat.bet(player=1_00))
    await until(lambda: len(server.commands(Slip)) == 1)
    bet.cancel()
    await until(lambda: len(server.commands(Slip)) == 2)
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


@pytest.mark.parametrize("amount", [0, -1, -(2**63), 2**53, 2**64, 5.0, 0.5, True, "5", None, float("nan")])
async def test_c7_c8_c9_amounts_that_are_none_are_not_sent(server, client, seat, amount):
    await server.open_window()
    await seat.window()
    sent = len(server.sessions[0].commands)
    for operation in (
        lambda: seat.bet(player=amount),
        lambda: seat.top_up(amount),
        lambda: client.sit("standard", buy_in=amount),
    ):
        with pytest.raises(BadCommandError):
            await operation()
    assert len(server.sessions[0].commands) == sent
    await seat.bet(player=5_00)


async def test_names_that_are_none_are_not_sent(client, seat):
    with pytest.raises(BadCommandError):
        await client.sit("no table", buy_in=100_00)
    with pytest.raises(BadCommandError):
        await seat.top_up(1_00, op="short")


async def test_a_seat_that_is_refused_leaves_nothing_behind(server, until, client):
    with pytest.raises(RefusedError) as unknown:
        await client.sit("nowhere", buy_in=100_00)
    assert unknown.value.code is ErrorCode.UNKNOWN_TABLE
    with pytest.raises(RefusedError) as short:
        await client.sit("standard", buy_in=5_000_00)
    assert (short.value.code, short.value.limit) == (ErrorCode.WALLET_SHORT, 1_000_00)
    await until(lambda: isinstance(server.sessions[0].commands[-1], Unwatch))
    seat = await client.sit("standard", buy_in=100_00)
    with pytest.raises(ValueError, match="already"):
        await client.sit("standard", buy_in=100_00)
    assert seat.bankroll == 100_00


async def test_a_seat_that_is_given_up_before_its_answer_comes_through_leaves_nothing_behind(server, client):
    """Given a lost answer to `sit`, when the seat has been cashed out by the time it is asked for again."""
    operate, bank = server.bank.operate, server.bank

    def given_up_since(player, command, view):
        if command.op in bank.answers:
            bank._cash_out(player.id, bank.chair(player, command.table))
            bank.answers[command.op] = bank.me(player, command.table)
        return operate(player, command, view)

    bank.operate = given_up_since
    server.lose_replies.append(Sit)
    with pytest.raises(RefusedError) as refused:
        await client.sit("standard", buy_in=100_00)
    assert refused.value.code is ErrorCode.NOT_SEATED
    seat = await client.sit("standard", buy_in=50_00)
    assert (seat.number, seat.bankroll) == (1, 50_00)


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


async def test_me_replaces_everything_and_repeated_or_older_ones_nothing(server, until, seat):
    await server.open_window()
    await seat.window()
    player = server.sessions[0].player
    before = server.bank.me(player, "standard")
    await seat.bet(player=5_00)
    after = server.bank.me(player, "standard")
    await server.push(after, before, after, before)
    await seat.top_up(20_00)
    assert (seat.rev, seat.slip, seat.bankroll) == (1, {"player": 5_00}, 115_00)


async def test_what_another_connection_does_is_seen(server, until, client, seat):
    async with connect(server.url, timing=PROMPT, resume_token=client.resume_token) as other:
        with pytest.raises(RefusedError) as already:
            await other.sit("standard", buy_in=100_00)
        assert already.value.code is ErrorCode.ALREADY_SEATED
        mirror = await other.seat("standard")
        assert (mirror.number, mirror.bankroll) == (1, 100_00)
        await server.open_window()
        await mirror.window()
        await mirror.bet(tie=1_00)
        await server.tell_all()
        await until(lambda: seat.slip == {"tie": 1_00})
        await seat.window()
        await seat.bet(player=2_00)
        assert (seat.rev, seat.bankroll) == (2, 98_00)


async def test_a_seat_that_is_not_there_cannot_be_taken_up(server, client):
    token = server.bank.token(server.bank.guest("Ana"))
    async with connect(server.url, timing=PROMPT, resume_token=token) as somebody:
        for each in (client, somebody):
            with pytest.raises(RefusedError) as none:
                await each.seat("standard")
            assert none.value.code is ErrorCode.NOT_SEATED


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


async def test_seats_at_several_tables_are_kept_apart(server, client):
    server.tables["vegas"] = Dealer("vegas", seed=4)
    seats = [await client.sit(table, buy_in=50_00) for table in ("standard", "vegas")]
    for seat in seats:
        await server.open_window(seat.table)
        await seat.window()
        await seat.bet(player=2_00)
        await server.play_out(seat.table)
    server.cut()
    for seat in seats:
        (payout,) = await read(seat.payouts(), 1)
        assert (payout.table, payout.round) == (seat.table, 1)
        assert seat.bankroll == server.bank.chairs["p1", seat.table].bankroll


async def test_a_seat_and_a_watcher_share_a_table(server, until, client, seat):
    async with client.watch("standard") as watcher:
        assert await anext(watcher) == server.tables["standard"].view
        await server.open_window()
        await seat.window()
        assert watcher.frame == MSGPACK.encode(watcher.view)
        await seat.bet(player=1_00)
    await server.play_out()
    await read(seat.payouts(), 1)
    assert server.commands(Unwatch) == []
    assert len(server.commands(Watch)) == 1
    async with client.watch("standard") as watcher:
        await anext(watcher)
        await seat.leave()
        await server.deal(1)
        async with asyncio.timeout(5):
            while (await anext(watcher)) != server.tables["standard"].events[-1]:
                pass
        assert server.commands(Unwatch) == []
    await until(lambda: len(server.commands(Unwatch)) == 1)


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


async def test_the_resume_token_rotates_and_the_newest_is_used(server, until):
    notices = []
    async with connect(server.url, timing=PROMPT, name="Ana", on_notice=notices.append) as client:
        assert client.player is None
        await client.sit("standard", buy_in=100_00)
        tokens = [client.resume_token]
        for _ in range(3):
            server.cut()
            await until(lambda: client.resume_token != tokens[-1])
            tokens.append(client.resume_token)
        assert client.player.name == "Ana"
    assert len(set(tokens)) == 4
    assert [each.resume for each in server.commands(Hello)] == [None, *tokens[:3]]
    signed_in = [notice for notice in notices if type(notice).__name__ == "SignedIn"]
    assert [notice.resume_token for notice in signed_in] == tokens
    assert "secret" not in repr(signed_in)


async def test_a_guest_gets_a_token_with_the_first_seat(server):
    async with connect(server.url, timing=PROMPT) as client:
        await client.lobby()
        assert client.resume_token is None
        await client.sit("standard", buy_in=100_00)
        assert client.resume_token in server.bank.tokens


async def test_a_token_that_is_not_valid_ends_the_client_and_makes_no_new_guest(server):
    with pytest.raises(RefusedError) as refused:
        async with connect(server.url, resume_token="stolen"):
            pass
    assert refused.value.code is ErrorCode.BAD_RESUME
    assert (server.handshakes, server.bank.wallets) == (1, {})


async def test_a_server_that_cannot_look_a_player_up_is_tried_again(server):
    token = server.bank.token(server.bank.guest("Ana"))
    server.errors[Hello].append(RefusalError(ErrorCode.UNAVAILABLE))
    async with connect(server.url, timing=PROMPT, resume_token=token) as client:
        assert client.player.name == "Ana"
    assert server.handshakes == 2


async def test_own_rounds_are_asked_for(client):
    page = await client.my_rounds(before="17-0", limit=5)
    assert (page.rounds, page.next) == ((), "17-0")


async def test_the_end_of_the_client_reaches_everyone_who_waits(server, until):
    async with connect(server.url) as client:
        seat = await client.sit("standard", buy_in=100_00)
        await server.open_window()
        await seat.window()
        server.held.add(Slip)
        waiting = [
            asyncio.create_task(work)
            for work in (seat.bet(player=1_00), seat.window(after=1), read(seat.payouts(), 1))
        ]
        await until(lambda: len(server.waiting) == 1)
        await server.close(4500, "enough")
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {EndedError}


async def test_leaving_the_client_ends_bets_and_payouts(server, until):
    async with connect(server.url, language=Language.FRENCH) as client:
        seat = await client.sit("standard", buy_in=100_00)
        await server.open_window()
        await seat.window()
        server.held.add(Slip)
        bets = [asyncio.create_task(seat.bet(player=number)) for number in (1_00, 2_00)]
        await until(lambda: len(server.waiting) == 1)
        payouts = asyncio.create_task(read(seat.payouts(), 1))
        await asyncio.sleep(0)
    for bet in bets:
        with pytest.raises(ClosedError):
            await bet
    with pytest.raises(StopAsyncIteration):
        await payouts
    with pytest.raises(ClosedError):
        await seat.window(after=1)


async def test_a_me_for_nobody_here_is_passed_over(server, client):
    async with client.watch("standard") as watcher:
        await anext(watcher)
        await server.push(Me(table="standard", rev=3, seat=4, bankroll=5))
        await client.ping()
