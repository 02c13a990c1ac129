"""One player on many sockets at once: one seat, one slip, one bankroll, and one wallet."""

import asyncio
import contextlib
import time
from collections import Counter

import pytest
from msgspec.structs import replace

from croupier_client.connection import connect
from croupier_client.errors import BettingClosedError
from croupier_client.notices import Reconnecting
from croupier_protocol.messages.values import TableId
from croupier_server.table.pace import Pace
from support.gateways import gateway_on
from support.players import LIVELY
from support.playing import all_settled, audited, connected, played, seated, settlements
from support.relay import relay_to
from support.stores import turbo

LONG = Pace("long", shuffling_ms=20, betting_ms=4_000, closing_ms=10, card_ms=5, result_ms=2_000)
BUY_IN = 50_000
TABLES = [f"table-{number}" for number in range(5)]


@contextlib.asynccontextmanager
async def more_sockets(url, player, number):
    """So many more sockets of a player, each watching the table."""
    async with contextlib.AsyncExitStack() as stack:
        sockets, resume = [player], player.resume
        for _ in range(number):
            socket = await stack.enter_async_context(connected(url, resume))
            resume = socket.resume
            sockets.append(socket)
            await socket.ask(type="watch", table="standard")
            await socket.until(lambda socket=socket: socket.me is not None)
        yield sockets


@pytest.mark.slow
async def test_fifty_sockets_with_different_slips_end_with_one_view(store, pit):
    """F5: given 50 sockets at one seat, when each sends slips of its own, then all see the same."""
    settings = replace(turbo("standard"), pace=LONG)
    async with (
        played(store.url, settings),
        gateway_on(store.url) as gateway,
        seated(gateway.url, 1, BUY_IN) as [first],
        more_sockets(gateway.url, first, 49) as sockets,
    ):
        round_ = (await first.next_window(first.window["round"]))["round"]
        await asyncio.gather(*(socket.next_window(round_ - 1) for socket in sockets))

        async def state(socket, index):
            bets = {"player": 100 * (index + 1)} if index % 2 else {"tie": 10_000, "banker": 40_000}
            answers = Counter()
            for turn in range(4):
                slip = {"round": round_, "rev": socket.me[1], "op": f"socket-{index:03}-{turn}", "bets": bets}
                answer = await socket.ask(type="slip", table="standard", **slip)
                answers[answer["type"] if "code" not in answer else answer["code"]] += 1
            return answers

        answers = sum(
            await asyncio.gather(*(state(socket, index) for index, socket in enumerate(sockets))), Counter()
        )
        place = await pit.seats.private(TableId("standard"), first.id)
        assert place.round == round_
        assert place.bankroll + sum(place.bets.values()) == BUY_IN
        true = (1, place.rev, place.bankroll, place.bets)
        await asyncio.gather(*(socket.until(lambda socket=socket: socket.me == true) for socket in sockets))
        assert set(answers) <= {"slip_accepted", "slip_changed", "limit"}, answers
        assert answers["slip_accepted"] >= 1
        await all_settled(pit)
        [(staked, returned)] = (await settlements(pit)).values()
        bankroll = BUY_IN - staked + returned
        for socket in sockets:
            await socket.until(lambda socket=socket: round_ in socket.payouts)
            assert (socket.payouts[round_]["returned"], socket.payouts[round_]["bankroll"]) == (
                returned,
                bankroll,
            )
            assert socket.told_twice == []
        await audited(pit)


@pytest.mark.slow
async def test_one_wallet_at_five_tables_at_once_buys_what_it_holds(store, pit):
    """F5: given a wallet of 1,000.00, when five tables are asked for 500.00 each, then two sell."""
    settings = [replace(turbo(table), pace=LONG) for table in ("standard", *TABLES)]
    async with (
        played(store.url, *settings),
        gateway_on(store.url) as gateway,
        seated(gateway.url, 1, 2_000) as [first],
        more_sockets(gateway.url, first, 4) as sockets,
    ):
        left = await first.ask(type="leave", table="standard", op="leave-it-1")
        assert left["wallet"] == 100_000
        answers = await asyncio.gather(
            *(
                socket.ask(type="sit", table=table, buy_in=50_000, op=f"sit-{table}")
                for socket, table in zip(sockets, TABLES, strict=True)
            )
        )
        assert Counter(answer.get("code", answer["type"]) for answer in answers) == {
            "me": 2,
            "wallet_short": 3,
        }
        assert (await pit.bank.wallet(first.id)).wallet.balance == 0
        places = [await pit.seats.private(TableId(table), first.id) for table in TABLES]
        assert sorted(place.bankroll for place in places) == [0, 0, 0, 50_000, 50_000]
        await audited(pit)


@pytest.mark.parametrize(
    "seconds", [pytest.param(3, marks=pytest.mark.slow), pytest.param(60, marks=pytest.mark.long)]
)
async def test_two_clients_of_one_player_play_side_by_side_and_neither_pushes_the_other_out(store, seconds):
    """L12: the two connections that there were at first are all there ever are."""
    notices = []
    async with (
        played(store.url, replace(turbo("standard"), pace=LIVELY)),
        gateway_on(store.url) as gateway,
        relay_to(gateway.port) as relay,
        connect(relay.url, on_notice=notices.append) as one,
    ):
        seat = await one.sit("standard", buy_in=BUY_IN)
        async with connect(relay.url, resume_token=one.resume_token, on_notice=notices.append) as other:
            assert other.player == one.player
            same = await other.seat("standard")
            round_, taken, ends = None, Counter(), time.monotonic() + seconds
            while time.monotonic() < ends:
                for name, each in (("one", seat), ("other", same)):
                    round_ = await each.window(after=round_)
                    with contextlib.suppress(BettingClosedError):  # the machine was too slow for this window
                        await each.bet(player=1_00)
                        taken[name] += 1
            assert min(taken["one"], taken["other"]) > seconds / 4
    assert relay.connections == 2
    assert not any(isinstance(notice, Reconnecting) for notice in notices)
