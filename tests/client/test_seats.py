"""Seats against a server on a real socket that loses commands and answers on purpose."""

import asyncio

import pytest

from croupier_client.connection import connect
from croupier_client.errors import (
    BadCommandError,
    NoAnswerError,
    RefusedError,
)
from croupier_client.timing import Timing
from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_server import Deal, Leave, Sit, Slip, TopUp, Unwatch, Watch
from legal_rounds import Dealer
from scripted_seats import RefusalError
from support.clients import PROMPT, read

PLAYER_WINS = "Qd Kh 2s 9d Td"
"""The first card of the shoe, then a coup: Player has a natural 9, Banker 2."""

COMMANDS = {"sit": Sit, "top_up": TopUp, "slip": Slip, "deal": Deal, "leave": Leave}


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
