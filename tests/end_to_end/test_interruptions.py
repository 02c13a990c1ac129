"""A player is cut off, leaves or comes back during a hand, or the server stops: the slip stands, once."""

import asyncio
import signal
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.values import TableId
from croupier_server.store.embedded import EmbeddedStore
from croupier_server.table.pace import Pace
from support.gateways import gateway_on
from support.playing import (
    all_settled,
    audited,
    connected,
    played,
    returned_by,
    seated,
    settlements,
)
from support.proxies import proxy_to
from support.serving import command, start_serving, until
from support.stores import open_pit, turbo

BUY_IN = 50_000
TABLE = TableId("standard")
CALM = Pace("calm", shuffling_ms=20, betting_ms=1_500, closing_ms=20, card_ms=60, result_ms=600)
COVERED = {"player": 1_000, "banker": 1_000}
"""Whatever the coup is, something comes back."""


@asynccontextmanager
async def a_bettor(store):
    """A player with `COVERED` on the round, the round, and the gateway's address."""
    async with (
        played(store.url, replace(turbo("standard"), pace=CALM, early_close=False)),
        gateway_on(store.url) as gateway,
        seated(gateway.url, 1, BUY_IN) as [player],
    ):
        round_ = (await player.next_window(player.window["round"]))["round"]
        await bet(player, round_, COVERED)
        yield player, round_, gateway.url


async def bet(player, round_, bets):
    """Places a slip on the revision that the socket knows."""
    slip = {"table": "standard", "round": round_, "rev": player.me[1], "op": f"bet-{round_:06}", "bets": bets}
    answer = await player.ask(type="slip", **slip)
    assert answer["type"] == "slip_accepted", answer


def cut(player) -> None:
    """Ends a socket without a goodbye."""
    player.client.connection.transport.abort()


async def credited_once(pit, player, round_, bets=COVERED):
    """Checks that the round was settled once, by its outcome, and returns the bankroll after it."""
    await all_settled(pit)
    [outcome] = [one.outcome for one in await pit.tables.rounds(TABLE, None, 100) if one.round == round_]
    returned = returned_by(bets, outcome)
    assert await settlements(pit) == {(player.id, round_): (sum(bets.values()), returned)}
    await pit.settled.empty_outbox(TABLE)
    [(_, own)] = await pit.settled.own_rounds(player.id, None, 10)
    assert (own.payout.round, own.payout.returned) == (round_, returned)
    bankroll = BUY_IN - sum(bets.values()) + returned
    assert (await pit.seats.private(TABLE, player.id)).bankroll == bankroll
    await audited(pit)
    return bankroll, returned


async def come_back(url, player, round_):
    """A new socket of the player, which knows of no payout of the round."""
    async with connected(url, player.resume) as again:
        await again.ask(type="watch", table="standard", paid_round=round_ - 1)
        await again.until(lambda: round_ in again.payouts)
        assert again.told_twice == []
        return again.me, again.payouts[round_]


@pytest.mark.slow
async def test_hanging_up_after_the_first_card_takes_nothing_back(store, pit):
    """F8, G1: given a slip, when its socket ends at the first card for good, then the result stands."""
    async with a_bettor(store) as (player, round_, _):
        await player.until(lambda: player.phase == "card")
        cut(player)
        await credited_once(pit, player, round_)


@pytest.mark.slow
@pytest.mark.parametrize("back", ["before it is settled", "after it is settled"])
async def test_who_was_cut_off_is_credited_once_and_told(store, pit, back):
    """G1, G2: given a slip, when its socket is cut, then who comes back is told of the payout."""
    async with a_bettor(store) as (player, round_, url):
        cut(player)
        if back == "after it is settled":
            await all_settled(pit)
        me, payout = await come_back(url, player, round_)
        bankroll, returned = await credited_once(pit, player, round_)
        assert (payout["returned"], payout["bankroll"]) == (returned, bankroll)
        assert me[0] == 1


@pytest.mark.slow
async def test_who_leaves_during_the_hand_takes_its_payout_along(store, pit):
    """G2, F6: given a slip, when its player leaves, then the round is settled and all of it is cashed out."""
    async with a_bettor(store) as (player, round_, _):
        left = await player.ask(type="leave", table="standard", op="leave-it-1")
        assert left["leaving"] is True
        await player.until(lambda: player.me[0] is None)
        [(staked, returned)] = (await settlements(pit)).values()
        assert staked == 2_000
        assert (await pit.bank.wallet(player.id)).wallet.balance == 100_000 - staked + returned
        assert round_ in player.payouts
        await audited(pit)


@pytest.mark.slow
async def test_a_credit_during_the_hand_changes_nothing_about_its_settlement(store, pit):
    """F7: given a slip, when one cent is credited during the hand, then it is settled as it fell."""
    async with a_bettor(store) as (player, round_, _):
        await player.until(lambda: player.phase == "card")
        await pit.bank.credit(player.id, 1, "credit-001", "a present")
        await credited_once(pit, player, round_)
        assert (await pit.bank.wallet(player.id)).wallet.balance == 100_000 - BUY_IN + 1


@pytest.mark.slow
async def test_a_delayed_slip_of_an_abandoned_socket_never_replaces_a_newer_one(store, pit):
    """F4: given a slip that is held up, when a newer one has been taken, then the late one is not."""
    async with (
        played(store.url, replace(turbo("standard"), pace=CALM, early_close=False)),
        proxy_to(store.url) as proxy,
        gateway_on(proxy.url) as slow,
        gateway_on(store.url) as gateway,
        seated(gateway.url, 1, BUY_IN) as [player],
        connected(slow.url, player.resume) as other,
    ):
        await other.ask(type="watch", table="standard")
        await other.until(lambda: other.me is not None)
        round_ = (await player.next_window(player.window["round"]))["round"]
        await slow.gateway._desk.at(TABLE).terms.of(TABLE)
        called, answers = asyncio.Event(), []
        desk = slow.gateway._desk.at(TABLE)
        place = desk.slips.place

        async def watched(*arguments):
            called.set()
            answers.append(await place(*arguments))
            return answers[-1]

        desk.slips.place = watched
        proxy.delay = lambda: 0.5
        stale = {"round": round_, "rev": player.me[1], "op": "the-old-wish", "bets": {"tie": 9_000}}
        await other.send(type="slip", table="standard", **stale)
        async with asyncio.timeout(10):
            await called.wait()
        cut(other)
        await bet(player, round_, COVERED)
        await credited_once(pit, player, round_)
        [late] = answers
        assert (late.accepted, late.rev, late.bets) == (False, player.me[1], COVERED)


@pytest.mark.long
async def test_a_server_restarted_in_any_phase_with_an_open_slip_settles_it_once(tmp_path):
    """G3: given a slip, when the server stops in any phase, then the next start settles it."""
    data, resume, placed = tmp_path / "data", None, {}
    for phase in ("betting", "closed", "card", "result"):
        server = await start_serving(data, "--pace", "turbo")
        url = server.url.replace("http", "ws") + "/ws"
        mine = [server.worker_id, server.store_id]
        async with connected(url, resume) as player:
            await player.ask(type="watch", table="standard")
            if resume is None:
                await player.ask(type="sit", table="standard", buy_in=BUY_IN, op="sit-down-1")
            await player.until(lambda player=player: player.me is not None and player.me[0] is not None)
            resume = player.resume
            round_, answer = 0, {}
            while answer.get("type") != "slip_accepted":
                round_ = (await player.next_window(round_))["round"]
                slip = {"round": round_, "rev": player.me[1], "op": f"bet-{round_:06}", "bets": COVERED}
                answer = await player.ask(type="slip", table="standard", **slip)
            placed[player.id, round_] = COVERED
            await player.until(lambda player=player, phase=phase: player.phase == phase)
            await server.stop(signal.SIGKILL if phase == "card" else signal.SIGTERM)
        await until(lambda mine=mine: not any(command(one) for one in mine))
    server = await start_serving(data, "--pace", "turbo")
    async with connected(server.url.replace("http", "ws") + "/ws", resume) as player:
        await player.ask(type="watch", table="standard", paid_round=0)
        await player.until(lambda: player.payouts.keys() >= {round_ for _, round_ in placed})
    assert await server.stop() == 0
    embedded = EmbeddedStore(data / "store")
    await embedded.start()
    try:
        async with open_pit(embedded.url) as pit:
            outcomes = {one.round: one.outcome for one in await pit.tables.rounds(TABLE, None, 1_000)}
            assert await settlements(pit) == {
                (who, round_): (2_000, returned_by(bets, outcomes[round_]))
                for (who, round_), bets in placed.items()
            }
            await audited(pit)
    finally:
        await embedded.stop()
