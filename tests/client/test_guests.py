"""Who a client is to the server: the guest's token, own rounds, and the end of it all."""

import asyncio

import pytest

from croupier_client.connection import connect
from croupier_client.errors import (
    ClosedError,
    EndedError,
    RefusedError,
)
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import Me
from croupier_protocol.messages.to_server import Hello, Slip
from croupier_protocol.messages.values import Language
from scripted_seats import RefusalError
from support.clients import PROMPT, read


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
