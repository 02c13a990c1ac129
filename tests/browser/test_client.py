"""The whole client of the browser table, in Node, against real gateways, dealers and stores."""

import asyncio
import json
import os
import signal
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier_protocol.game.rules import RULE_SETS, Series
from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.store.wallets import Wallets
from support.gateways import dealing, gateway_on
from support.players import LIVELY, dealt, standing
from support.playing import played
from support.relay import relay_to
from support.serving import serving, start_serving, until
from support.stores import turbo
from support.windows import PageError, pages

STANDARD = TableId("standard")

SEATED = "table.place.known && table.place.seat !== null"
OWN_ROUNDS = "client.myRounds().then(({ rounds }) => rounds"
QUIET = "table.canBet && !table.place.sending"


@pytest.fixture
async def windows():
    """A browser without pictures."""
    async with pages() as running:
        yield running


async def seated(windows, url, table="standard", *, name="Ana", storage=None, buy_in=10_000):
    """A window with a seat."""
    page = await windows.open(url, table, storage=storage)
    await page.until("table.view !== null && table.limits !== null")
    await page.run(f"table.sit({{ buyIn: {buy_in}, name: {json.dumps(name)} }})")
    await page.until(SEATED)
    return page


async def stored(pit, page, table=STANDARD):
    """What the store has of the seat of a window: its bets and its bankroll."""
    player = PlayerId(await page.run("client.player.id"))
    private = await pit.seats.private(table, player)
    return {"bets": dict(private.bets), "bankroll": private.bankroll}


async def shown(page):
    """What a window shows of its seat."""
    return await page.run("({ bets: table.place.accepted, bankroll: table.place.bankroll })")


async def same_view(old, fresh):
    """Both windows have the same view at the same event."""
    epoch, seq = await fresh.until("table.view !== null", run="[table.view.epoch, table.view.seq]")
    known = f"page.views.has({seq}) && JSON.parse(page.views.get({seq})).epoch === {json.dumps(epoch)}"
    theirs = await old.until(known, 30, run=f"page.views.get({seq})")
    mine = await fresh.run(f"page.views.get({seq})")
    assert json.loads(theirs) == json.loads(mine)


@pytest.mark.slow
async def test_a_page_that_is_cut_off_again_and_again_has_the_view_of_a_fresh_page(store, windows):
    """It is cut at moments of every phase, and led to another gateway each time."""
    settings = [replace(turbo("standard"), pace=LIVELY)]
    async with (
        dealing(store.url, settings),
        gateway_on(store.url) as one,
        gateway_on(store.url) as other,
        relay_to(one.port) as relay,
    ):
        page = await windows.open(f"{relay.url}/ws")
        for cut in range(6):
            await page.until(f"table.live && table.view.seq >= {cut * 7 + 4}")
            relay.target = (other if cut % 2 == 0 else one).port
            relay.cut()
            await page.until("!table.live")
        await page.until("table.live")
        fresh = await windows.open(one.url)
        await same_view(page, fresh)
        assert await page.run("page.news.length === new Set(page.news).size")


@asynccontextmanager
async def seat_with_stake(windows, store):
    """A table in an open window that nobody deals, and a window with 5.00 on Player there."""
    async with gateway_on(store.url) as gateway:
        page = await seated(windows, gateway.url, storage="ana")
        await page.run("table.add('player', 500)")
        await page.until("table.place.accepted.player === 500")
        yield gateway, page


async def test_reloading_twenty_times_leaves_one_stake(store, pit, windows):
    """M7."""
    async with standing(store.url, pit, "standard"), seat_with_stake(windows, store) as (_, page):
        for _ in range(20):
            await page.run("page.load()")
        await page.until(f"{SEATED} && {QUIET}")
        assert await shown(page) == {"bets": {"player": 500}, "bankroll": 9_500}
        assert await page.run("table.stacks") == {"player": [500]}
        assert await stored(pit, page) == await shown(page)


async def test_a_page_that_is_reloaded_with_a_slip_on_its_way_shows_what_became_of_it(store, pit, windows):
    async with standing(store.url, pit, "standard"), seat_with_stake(windows, store) as (_, page):
        for chip in range(10):
            await page.run("table.add('tie', 100)")
            await page.run("page.load()")
            await page.until(f"{SEATED} && {QUIET}")
            assert await shown(page) == await stored(pit, page), f"chip {chip}"


async def test_two_windows_of_one_player_agree(store, pit, windows):
    async with standing(store.url, pit, "standard"), seat_with_stake(windows, store) as (gateway, page):
        other = await windows.open(gateway.url, storage="ana")
        await other.until(f"{SEATED} && {QUIET}")
        assert await shown(other) == {"bets": {"player": 500}, "bankroll": 9_500}
        await asyncio.gather(
            *(page.run("table.add('tie', 100)") for _ in range(5)),
            *(other.run("table.add('banker', 100)") for _ in range(5)),
        )
        await page.until(QUIET)
        await other.until(QUIET)
        truth = await stored(pit, page)
        text = json.dumps(truth["bets"])
        agrees = f"Object.entries({text}).every(([bet, cents]) => table.place.accepted[bet] === cents)"
        await page.until(agrees)
        await other.until(agrees)
        assert await shown(page) == await shown(other) == truth
        assert truth["bankroll"] == 10_000 - sum(truth["bets"].values())


async def test_a_window_of_nobody_becomes_the_player_that_its_sibling_has_become(store, pit, windows):
    async with standing(store.url, pit, "standard"), gateway_on(store.url) as gateway:
        other = await windows.open(gateway.url, storage="ana")
        await other.until("table.view !== null")
        page = await seated(windows, gateway.url, storage="ana")
        await other.until(SEATED)
        assert await other.run("client.player.id") == await page.run("client.player.id")


async def test_a_name_with_markup_is_text(store, pit, windows):
    name = "<b>&amp;</b>"
    async with standing(store.url, pit, "standard"), gateway_on(store.url) as gateway:
        page = await seated(windows, gateway.url, name=name)
        assert await page.run("client.player.name") == name
        with pytest.raises(PageError, match="bad_name"):
            await page.run("client.setName('\\u202eanA')")


@pytest.mark.slow
async def test_two_players_are_told_what_the_store_has(store, pit, windows):
    """Every payout is told once, and the last bankroll is the store's."""
    async with dealt(store.url, "standard"), gateway_on(store.url) as gateway:
        ana = await seated(windows, gateway.url, name="Ana")
        bea = await seated(windows, gateway.url, name="Bea")
        for page, bet in ((ana, "player"), (bea, "tie")):
            await page.run("table.autoRebet = true")
            for _ in range(20):  # a window is short, and a busy machine may come too late for it
                await page.until("table.canBet", run=f"table.add({json.dumps(bet)}, 500)")
                await page.until("!table.place.sending")
                if await page.run(f"page.payouts.length > 0 || table.place.accepted.{bet} === 500"):
                    break
        for page in (ana, bea):
            await page.until("page.payouts.length >= 4", 30)
            await page.run("table.leave()")
            await page.until("table.place.seat === null", 30)
            told = await page.run("page.payouts.map(({ round, returned }) => [round, returned])")
            kept = await page.run(f"{OWN_ROUNDS}.map(({{ payout }}) => [payout.round, payout.returned]))")
            assert sorted(told) == sorted(kept)
            assert len({round_ for round_, _ in told}) == len(told)
            await page.until(f"client.wallet.balance === {await wallet_of(pit, page)}")


async def wallet_of(pit, page):
    wallet, _ = await Wallets(pit.store).read(PlayerId(await page.run("client.player.id")))
    return wallet.balance


@pytest.mark.slow
async def test_a_slip_in_the_last_moment_is_what_the_server_says_it_was(store, windows):
    """Each is sent about when its window ends; those shown as taken are those that were played."""
    async with dealt(store.url, "standard"), gateway_on(store.url) as gateway:
        page = await seated(windows, gateway.url)
        outcomes = {}
        for before_ms in (60, 30, 15, 8, 4, 2, 1, 0):
            await page.until("table.canBet && table.secondsLeft() > 0.15")
            moment = f"table.secondsLeft() * 1000 <= {before_ms + 5} && table.add('player', 100)"
            round_ = await page.run(
                f"new Promise((done) => {{ const {{ round }} = table.view; const look = () =>"
                f" ({moment}) || table.view.round !== round ? done(round) : setTimeout(look, 1); look(); }})"
            )
            outcomes[round_] = await page.until(
                f"!table.place.sending && (table.view.round > {round_} || table.view.phase === 'result')",
                run=f"page.payouts.some(({{ round }}) => round === {round_})",
            )
        await page.until(f"table.view.round > {max(outcomes) + 1}")
        told = set(await page.run("page.payouts.map(({ round }) => round)"))
        kept = await page.run(f"{OWN_ROUNDS}.map(({{ payout }}) => payout.round))")
        assert told == set(kept)
        assert await page.run("table.place.bankroll") == await page.run(
            "10000 + page.payouts.reduce((sum, { bets, returned }) =>"
            " sum + returned - bets.reduce((staked, { stake }) => staked + stake, 0), 0)"
        )


@pytest.mark.slow
async def test_cards_and_whole_shoes_are_checked_and_the_own_part_counts(store, windows):
    """A short series, dealt for real: its list, its end and its transcript come from the gateway."""
    rules = replace(RULE_SETS["single-deck"], shoe=Series(coups=2))
    pace = replace(LIVELY, cut_ms=5_000, reveal_ms=5_000)
    async with (
        played(store.url, replace(turbo("standard"), rules=rules, pace=pace)),
        gateway_on(store.url) as gateway,
    ):
        page = await seated(windows, gateway.url)
        await page.until("table.cut !== null && table.cut.part !== 'none'", 30)
        await page.until("table.cut === null && table.view.coup === 2 && table.view.outcome !== null", 30)
        shoe = await page.run("table.view.shoe")
        assert [one["value"] is not None for one in shoe["contributions"]] == [True]
        assert shoe["contributions"][0]["player"] == await page.run("client.player.id")
        assert await page.run("table.fairness.faults") == []
        cards = await page.run("table.fairness.cards")
        assert cards["checked"] >= 8
        assert cards["failed"] == cards["waiting"] == 0
        last = await page.until(f"table.fairness.last?.shoe === {shoe['number']}", run="table.fairness.last")
        assert last["faults"] == last["withheld"] == []
        report = await page.run(f"table.fairness.checkWhole({shoe['number']})")
        assert (report["faults"], report["rounds"], report["cards"]) == ([], 2, last["cards"]["checked"])


@pytest.mark.slow
async def test_a_server_that_is_killed_and_started_again_finds_its_page_again(tmp_path, windows):
    """The seat, its chips and the view are those of a fresh page, and no control lies meanwhile."""
    config = tmp_path / "croupier.toml"
    config.write_text("[[tables]]\nname = 'standard'\npace = 'turbo'\n")
    options = (tmp_path / "data", "--config", str(config))
    first = await start_serving(*options)
    port = first.port
    async with relay_to(port) as relay:
        page = await seated(windows, f"{relay.url}/ws", storage="ana")
        await page.until("table.view.phase === 'dealing'")
        worker = first.worker_id
        first.process.send_signal(signal.SIGKILL)
        await first.process.wait()
        await until(lambda: not alive(worker), what="the end of the worker")
        relay.cut()
        await page.until("!table.live")
        assert (await page.run("table.add('player', 100)"))["key"] == "offline"
        async with serving(*options) as second:
            relay.target = second.port
            await page.until(f"table.live && {SEATED} && table.stalledSinceMs === null", 40)
            fresh = await windows.open(f"{relay.url}/ws", storage="ana")
            await same_view(page, fresh)
            await fresh.until(SEATED)
            assert await shown(page) == await shown(fresh) == {"bets": {}, "bankroll": 10_000}


def alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return "State:\tZ" not in Path(f"/proc/{process_id}/status").read_text()
