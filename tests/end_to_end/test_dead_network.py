"""A network that drops everything and tells nobody, between a player and a real gateway."""

import asyncio

import pytest
from msgspec.structs import replace

from croupier_client.connection import connect
from croupier_client.notices import Connected, Reconnecting
from croupier_server.dealer import idleness
from croupier_server.gateway import listener, liveness, private, replies
from support.dealing import reach
from support.gateways import gateway_on
from support.players import LIVELY
from support.playing import all_settled, audited, played
from support.relay import relay_to
from support.serving import until
from support.stores import turbo

SILENCE_S, PING_S = 2.0, 0.5
START, BUY_IN, STAKE = 1_000_00, 500_00, 5_00


@pytest.mark.slow
async def test_on_a_dead_network_both_ends_give_up_the_seat_is_freed_and_its_chips_are_kept(
    store, pit, monkeypatch
):
    """H8: given a slip, when nothing passes any more, then neither end waits for the other's goodbye."""
    monkeypatch.setattr(listener, "HOUSEKEEPING_S", 0.05)
    monkeypatch.setattr(listener, "CLOSE_S", 0.2)
    monkeypatch.setattr(liveness, "PING_S", PING_S)
    monkeypatch.setattr(liveness, "ANSWER_S", SILENCE_S - PING_S)
    monkeypatch.setattr(replies, "SILENCE_MS", int(SILENCE_S * 1000))
    monkeypatch.setattr(private, "PRESENT_S", 0.1)
    monkeypatch.setattr(idleness, "PRESENT_MS", 500)
    monkeypatch.setattr(idleness, "ABSENT_MS", 1_000)
    notices, clock = [], asyncio.get_running_loop().time
    async with (
        played(store.url, replace(turbo("standard"), pace=LIVELY)),
        gateway_on(store.url) as gateway,
        relay_to(gateway.port) as relay,
        connect(relay.url, on_notice=notices.append) as client,
    ):
        seat = await client.sit("standard", buy_in=BUY_IN)
        round_ = await seat.window()
        await seat.bet(player=STAKE)
        relay.passing.clear()
        died = clock()
        await until(lambda: not gateway.gateway.fanout.outlets, SILENCE_S + 5, "the gateway's giving up")
        await until(
            lambda: any(isinstance(one, Reconnecting) for one in notices), SILENCE_S + 5, "the client's"
        )
        assert clock() - died > SILENCE_S / 2

        async def freed():
            return (await pit.seats.private("standard", client.player.id)).seat is None

        await reach(freed, what="a free seat")
        await all_settled(pit)
        [own] = [own.payout for _, own in await pit.settled.own_rounds(client.player.id, None, 10)]
        assert own.round == round_
        wallet = (await pit.bank.wallet(client.player.id)).wallet.balance
        assert wallet == START - STAKE + own.returned
        relay.passing.set()
        await until(lambda: [type(one) for one in notices].count(Connected) == 2, 20, "the client's return")
        await audited(pit)
