"""G2: however a player goes, and in whatever phase, its stake is played out and its chips stay its own."""

import asyncio
import socket
import struct
from contextlib import AsyncExitStack

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.values import TableId
from croupier_server.dealer import idleness
from croupier_server.gateway import private
from croupier_server.table.orders import Wish
from croupier_server.table.pace import Pace
from support.dealing import reach
from support.gateways import gateway_on
from support.player_process import BETS, player_process
from support.playing import (
    all_settled,
    audited,
    connected,
    played,
    returned_by,
    settlements,
    sit_down,
)
from support.stores import turbo

TABLE = TableId("standard")
BUY_IN = 50_000
START = 100_000
STAKED = 2_000
PACE = Pace("brisk", shuffling_ms=20, betting_ms=3_000, closing_ms=250, card_ms=150, result_ms=700)


async def bet(player, round_) -> None:
    """Places `BETS` on the revision that the player knows."""
    slip = {"round": round_, "rev": player.me[1], "op": f"bet-{round_:06}", "bets": BETS}
    answer = await player.ask(type="slip", table="standard", **slip)
    assert answer["type"] == "slip_accepted", answer


def reset(player) -> None:
    """Ends a connection by a TCP RST: no goodbye, and what was under way is thrown away."""
    transport = player.client.connection.transport
    linger = struct.pack("ii", 1, 0)
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    transport.abort()


async def removed(pit, player) -> str:
    """Orders the player's removal and returns the answer."""
    op = f"remove-{player.id}"
    assert await pit.orders.give(TABLE, op, Wish.REMOVE, "closing time", player.id)
    async with asyncio.timeout(20):
        return await pit.orders.answer_to(op)


async def wallet(pit, player) -> int:
    return (await pit.bank.wallet(player.id)).wallet.balance


@pytest.mark.parametrize(
    "phase",
    [
        *(pytest.param(phase, marks=pytest.mark.slow) for phase in ("betting", "card")),
        *(pytest.param(phase, marks=pytest.mark.long) for phase in ("closed", "result", "settled")),
    ],
)
async def test_who_goes_in_any_way_and_phase_keeps_stake_and_stack(store, pit, monkeypatch, phase):
    """G2: given slips on a round, when players leave, are reset, killed and removed, then nothing is lost."""
    monkeypatch.setattr(private, "PRESENT_S", 0.1)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(played(store.url, replace(turbo("standard"), pace=PACE)))
        url = (await stack.enter_async_context(gateway_on(store.url))).url
        leaver, lost, removed_one, stayer = [
            await stack.enter_async_context(connected(url, language=language))
            for language in ("en", "en", "fr", "en")
        ]
        for player in (leaver, lost, removed_one, stayer):
            await sit_down(player, BUY_IN)
        async with connected(url) as killed:
            await sit_down(killed, BUY_IN)
        process = await stack.enter_async_context(player_process(url, killed.resume))
        players = (leaver, lost, removed_one, stayer)

        round_ = 0
        while (
            not 0 < round_ == stayer.window["round"]
        ):  # one in which the process has bet and there is time for more
            round_ = int(await process.stdout.readline())
            await stayer.until(lambda seen=round_: stayer.window["round"] >= seen)
        await asyncio.gather(*(bet(player, round_) for player in players))
        await stayer.until(lambda: stayer.phase == phase)
        process.kill()
        reset(lost)
        removal = asyncio.create_task(removed(pit, removed_one))
        await leaver.ask(type="leave", table="standard", op="leave-it-1")
        assert await removal == "done"
        await leaver.until(lambda: leaver.me[0] is None)
        await all_settled(pit)

        [outcome] = [one.outcome for one in await pit.tables.rounds(TABLE, None, 100) if one.round == round_]
        returned = returned_by(BETS, outcome)
        settled = await settlements(pit)
        for player in (*players, killed):
            assert settled[player.id, round_] == (STAKED, returned)
        for player in (leaver, removed_one):
            assert await wallet(pit, player) == START - STAKED + returned
            await player.until(lambda told=player: told.wallet == START - STAKED + returned)
            assert (await pit.seats.private(TABLE, player.id)).seat is None
        for player in (lost, stayer):
            assert (await pit.seats.private(TABLE, player.id)).bankroll == BUY_IN - STAKED + returned
        await removed_one.until(lambda: removed_one.notices)
        assert removed_one.notices == [
            {
                "type": "notice",
                "table": "standard",
                "code": "removed",
                "message": "La maison a libéré votre place ; ses jetons sont dans votre portefeuille.",
                "reason": "closing time",
            }
        ]
        assert leaver.notices == stayer.notices == []

        monkeypatch.setattr(idleness, "PRESENT_MS", 1_000)
        monkeypatch.setattr(idleness, "ABSENT_MS", 1_100)
        monkeypatch.setattr(idleness, "ABSENT_ROUNDS", 1)

        async def gone():
            seats = (await pit.seats.look(TABLE, 0)).seats
            return seats.keys() == {stayer.id}

        await reach(gone, 20, "the cash-out of who is absent")
        assert await wallet(pit, lost) == START - STAKED + returned
        own = sum(
            back - staked for (who, _), (staked, back) in (await settlements(pit)).items() if who == killed.id
        )
        assert await wallet(pit, killed) == START + own
        await audited(pit)


@pytest.mark.slow
async def test_who_does_not_bet_is_warned_and_cashed_out_and_told_both(store, pit, monkeypatch):
    """G2: given a player that never bets, when enough rounds have passed, then it has its chips back."""
    monkeypatch.setattr(idleness, "UNBET_WARNED", 1)
    monkeypatch.setattr(idleness, "UNBET_ROUNDS", 2)
    monkeypatch.setattr(idleness, "UNBET_WARNED_MS", 0)
    monkeypatch.setattr(idleness, "UNBET_MS", 0)
    pace = Pace("brisk", shuffling_ms=20, betting_ms=300, closing_ms=20, card_ms=10, result_ms=50)
    async with (
        played(store.url, replace(turbo("standard"), pace=pace)),
        gateway_on(store.url) as gateway,
        connected(gateway.url) as player,
    ):
        await sit_down(player, BUY_IN)
        await player.until(lambda: player.me[0] is None)
        await player.until(lambda: len(player.notices) == 2)
        assert [(one["code"], one["message"], one.get("reason")) for one in player.notices] == [
            (
                "idle",
                "You have not bet for several rounds; your seat is given up if that goes on.",
                None,
            ),
            (
                "cashed_out",
                "Your seat was given up because you did not play; its chips are in your wallet.",
                None,
            ),
        ]
        await player.until(lambda: player.wallet == START)
        assert await wallet(pit, player) == START
        await audited(pit)


@pytest.mark.slow
async def test_a_removal_is_carried_on_by_the_next_dealer(store, pit):
    """G2, G3: given an order to remove and a slip, when the dealer ends, then the next one carries it out."""
    settings = replace(turbo("standard"), pace=PACE, early_close=False)
    async with (
        played(store.url, settings),
        gateway_on(store.url) as gateway,
        connected(gateway.url) as player,
    ):
        await sit_down(player, BUY_IN)
        await bet(player, (await player.next_window(player.window["round"]))["round"])
        assert await pit.orders.give(TABLE, "remove-001", Wish.REMOVE, "closing time", player.id)

        async def marked():
            return (await pit.seats.private(TABLE, player.id)).seat.state == "leaving"

        await reach(marked)
    async with played(store.url, settings), asyncio.timeout(20):
        assert await pit.orders.answer_to("remove-001") == "done"
    [(staked, returned)] = (await settlements(pit)).values()
    assert await wallet(pit, player) == START - staked + returned
    await audited(pit)
