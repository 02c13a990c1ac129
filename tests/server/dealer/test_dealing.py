"""A dealer on a real store: what it deals, and what becomes of lost commands and lost replies."""

from types import SimpleNamespace

import pytest

from croupier_protocol.game.coup import Side
from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    RoundResult,
    RoundSettled,
    ShoeCommitted,
    ShoeOpened,
)
from croupier_protocol.view import fold, opening_view
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.table.state import decode_state, rules_ref
from support.dealing import Way, check_play, dealer_on, dealt, until_round
from support.proxies import proxy_to
from support.serving import until
from support.stores import open_pit, turbo

pytestmark = pytest.mark.slow


async def test_a_table_is_dealt_round_after_round_without_holes(pit):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 6)
        await dealer.release()
    events = await check_play(pit)
    assert [type(event) for event in events[:2]] == [ShoeCommitted, ShoeOpened]
    assert all(event.at_ms >= event.due_ms for event in events)
    results = [event for event in events if isinstance(event, RoundResult)]
    for result in results:
        cards = [event for event in events if isinstance(event, CardDealt) and event.round == result.round]
        assert [(card.hand, card.index) for card in cards[:4]] == [
            (Side.PLAYER, 0),
            (Side.BANKER, 0),
            (Side.PLAYER, 1),
            (Side.BANKER, 1),
        ]
        assert result.player.cards == tuple(card.card for card in cards if card.hand is Side.PLAYER)
        assert result.banker.cards == tuple(card.card for card in cards if card.hand is Side.BANKER)


async def test_the_record_is_the_fold_of_the_events(pit):
    """Invariant 7."""
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 3)
        await dealer.release()
    settings = turbo("standard")
    record = (await pit.tables.read("standard")).record
    view = opening_view("standard", await pit.stream.epoch(), rules_ref(settings.rules))
    for event in await dealt(pit):
        view = fold(view, event)
    assert decode_state(record.state).view == view


async def test_tables_of_every_rule_set_are_dealt_by_one_dealer(pit):
    names = ("standard", "single-deck", "eight-deck", "two-field", "vegas")
    async with dealer_on(pit, *(turbo(name, name) for name in names)) as dealer:
        await until(lambda: dealer.dealing == set(names))
        for name in names:
            await until_round(pit, 2, name)
        await dealer.release()
    for name in names:
        if name != "single-deck":
            await check_play(pit, name, name)


@pytest.mark.parametrize("lost", ["before", "after"])
async def test_a_commit_lost_at_any_step_of_two_rounds_changes_nothing_that_is_dealt(
    pit, way, lost, monkeypatch
):
    """K2, G3: of 24 tables with the same shoe the n-th loses its n-th commit, or the reply to it."""
    same_shoe = SimpleNamespace(token_bytes=lambda length: b"\7" * length)
    monkeypatch.setattr("croupier_server.dealer.runner.secrets", same_shoe)
    tables = [f"t{number}" for number in range(1, 25)]
    way.fate = lambda table, number: lost if f"t{number}" == table else None
    async with dealer_on(pit, *tables, way=way) as dealer:
        for table in tables:
            await until_round(pit, 3, table)
        await dealer.release()
    assert way.lost == 24
    games = [await check_play(pit, table) for table in tables]
    assert {type(game[number]) for number, game in enumerate(games)} == {
        ShoeCommitted,
        ShoeOpened,
        BettingOpened,
        BettingClosed,
        CardDealt,
        RoundResult,
        RoundSettled,
    }
    dealt_first = {tuple(event.card for event in game if isinstance(event, CardDealt))[:12] for game in games}
    assert len(dealt_first) == 1


async def test_a_dealer_that_never_hears_a_reply_deals_the_same_game(pit, way):
    way.fate = lambda table, number: "after"
    async with dealer_on(pit, "standard", way=way) as dealer:
        await until_round(pit, 3)
        await dealer.release()
    await check_play(pit)


async def test_a_dealer_whose_commands_and_replies_are_lost_in_turn_deals_the_same_game(pit, way):
    way.fate = lambda table, number: ["before", "before", "after", None][number % 4]
    async with dealer_on(pit, "standard", way=way) as dealer:
        await until_round(pit, 3)
        await dealer.release()
    await check_play(pit)


async def test_a_renewal_whose_reply_is_lost_leaves_the_table_with_its_dealer(pit, quick):
    """K2."""

    class Deaf(Way):
        async def renew(self, leases, *arguments):
            lost = await super().renew(leases, *arguments)
            if leases:
                raise StoreUnavailableError("the renewal's reply was lost")
            return lost

    async with dealer_on(pit, "standard", way=Deaf(pit.store)) as dealer:
        await until_round(pit, 4)
        await dealer.release()
    events = await check_play(pit)
    assert len([event for event in events if isinstance(event, ShoeOpened)]) == 1
    assert (await pit.tables.read("standard")).record.fence == 1


async def test_a_store_that_is_far_away_is_dealt_on_all_the_same(store, pit):
    """Every window reaches it later than a window may, if it is not sent for a later time."""
    async with proxy_to(store.url) as proxy, open_pit(proxy.url) as distant:
        proxy.delay_s = 0.06
        async with dealer_on(distant, "standard") as dealer:
            await until_round(pit, 1)
            await dealer.release()
    windows = [event for event in await check_play(pit) if isinstance(event, BettingOpened)]
    for window in windows:
        assert window.closes_at_ms - window.at_ms == pytest.approx(120, abs=60)


async def test_settlement_without_a_bank_is_empty(pit):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 1)
        await dealer.release()
    settled = [event for event in await dealt(pit) if isinstance(event, RoundSettled)]
    assert all((event.staked, event.returned, event.paid) == (0, 0, 0) for event in settled)
