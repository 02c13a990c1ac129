"""A settled round is kept with its player, also when two dealers empty the outbox at once."""

import asyncio

import pytest

from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.scripts import Store
from support.banking import STANDARD, a_bank, settle, sit, slip, window
from support.cutting import cut_at, cuts
from support.stores import open_pit


async def play(pit, round_):
    """Ana loses a round."""
    await window(pit, round_)
    await slip(pit, round_=round_, player=100)
    await settle(pit, lambda player, bets: {}, round_)


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_dealer_held_up_while_emptying_removes_nothing_that_the_next_put_in(
    pit, shared_store, number
):
    await sit(a_bank(pit))
    await play(pit, 7)
    async with open_pit(shared_store.url) as other:
        gate = asyncio.Event()
        with cuts(other.client, cut_at(number, gate)) as held:
            late = asyncio.create_task(other.settled.empty_outbox(STANDARD))
            while held.commands < number:
                await asyncio.sleep(0.001)
            await pit.settled.empty_outbox(STANDARD)
            await play(pit, 8)
            gate.set()
            await late
    await pit.settled.empty_outbox(STANDARD)
    kept = await pit.settled.own_rounds("ana", None, 10)
    assert [own_round.payout.round for _, own_round in kept] == [8, 7]
    assert await pit.client.llen("croupier:{main}:t:standard:outbox") == 0


async def test_rounds_whose_server_is_away_stay_and_hold_up_no_others(pit, monkeypatch):
    """As on a cluster, where wallets are on other nodes than the table."""
    bank = a_bank(pit)
    for player in ("ana", "bo"):
        await sit(bank, player)
    await window(pit, 7)
    for player in ("ana", "bo"):
        await slip(pit, player, round_=7, player=100)
    await settle(pit, lambda player, bets: {}, 7)
    away = Store(pit.client, "main")

    async def fail(*_):
        raise StoreUnavailableError("away")

    async def holding(key):
        return away if "{w:ana}" in key else pit.store

    monkeypatch.setattr(away, "call_each", fail)
    with monkeypatch.context() as while_away:
        while_away.setattr(pit.seats.store, "holding", holding)
        await pit.settled.empty_outbox(STANDARD)
    assert await pit.settled.own_rounds("ana", None, 10) == []
    assert len(await pit.settled.own_rounds("bo", None, 10)) == 1
    assert await pit.client.llen("croupier:{main}:t:standard:outbox") == 1
    await pit.settled.empty_outbox(STANDARD)
    assert len(await pit.settled.own_rounds("ana", None, 10)) == 1
    assert await pit.client.llen("croupier:{main}:t:standard:outbox") == 0
