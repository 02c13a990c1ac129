"""Guests that nobody has been for long, and their chips."""

from croupier_protocol.game.limits import Limits
from croupier_server.players.closing import close_test_players, close_unused_guests
from croupier_server.players.guests import Guests
from support.banking import money, settle, slip, window
from support.playing import audited

MONTH_MS = 30 * 24 * 3_600_000


async def aged(pit, guest):
    """Makes `guest` look unused for a month and a second."""
    await pit.client.hincrby(f"croupier:{{w:{guest.player}}}:guest", "seen_ms", -MONTH_MS - 1_000)
    await pit.client.zincrby("croupier:guests", -MONTH_MS - 1_000, guest.player)


async def test_an_unused_guests_chips_are_retired_once(pit):
    guests = Guests(pit.store)
    ana = await guests.open("Ana")
    await pit.bank.sit("standard", ana.player, "sit-op-01", 10_000, Limits(), name="Ana", skeleton="ana")
    await pit.bank.leave("standard", ana.player, "leave-op-1")
    before = await money(pit.client)
    assert await close_unused_guests(guests, pit.bank, pit.stores) == 0
    assert await money(pit.client) == before
    await aged(pit, ana)
    assert await close_unused_guests(guests, pit.bank, pit.stores) == 1
    assert await guests.resume(ana.resume) is None
    assert await pit.client.keys("croupier:{w:*") == []
    assert await pit.client.hlen("croupier:players") == 0
    after = await money(pit.client)
    assert (after["issued"], after["wallets"], after["house"]) == (0, 0, 0)
    await audited(pit)
    assert await close_unused_guests(guests, pit.bank, pit.stores) == 0


async def test_of_a_guest_that_lost_at_the_tables_the_counters_stay(pit):
    guests = Guests(pit.store)
    ana = await guests.open("Ana")
    await pit.bank.sit("standard", ana.player, "sit-op-01", 10_000, Limits(), name="Ana", skeleton="ana")
    await window(pit)
    await slip(pit, ana.player, player=500)
    await settle(pit, lambda *_: {})
    await pit.bank.leave("standard", ana.player, "leave-op-1")
    await pit.settled.empty_outbox("standard")
    await aged(pit, ana)
    assert await close_unused_guests(guests, pit.bank, pit.stores) == 1
    assert await pit.client.keys("croupier:{w:*") == [f"croupier:{{w:{ana.player}}}".encode()]
    statement = await pit.bank.wallet(ana.player)
    assert (statement.wallet.balance, statement.wallet.retired, statement.operations) == (0, 99_500, ())
    assert (await money(pit.client))["house"] == 500
    await audited(pit)


async def test_a_guest_that_still_has_a_seat_keeps_its_wallet_for_the_cash_out(pit):
    guests = Guests(pit.store)
    ana = await guests.open("Ana")
    await pit.bank.sit("standard", ana.player, "sit-op-01", 10_000, Limits(), name="Ana", skeleton="ana")
    await aged(pit, ana)
    assert await close_unused_guests(guests, pit.bank, pit.stores) == 1
    await audited(pit)
    assert (await pit.bank.cash_out("standard", ana.player)).wallet == 10_000
    await audited(pit)


async def test_what_a_closed_guest_has_limited_is_forgotten_in_all_pits(pit):
    guests = Guests(pit.store)
    ana = await guests.open("Ana")
    await pit.stores.name_pits({"main", "vip"})
    await pit.stores.pit("vip").load_scripts()
    record = await pit.own_limits.set(ana.player, "limit-0001", {"round_stake": 100}, reality_minutes=60)
    for name in ("main", "vip"):
        await pit.own_limits.bring(name, pit.stores.pit(name), ana.player, record)
    assert len(await pit.client.keys("croupier:*:limits")) == 3
    await aged(pit, ana)
    assert await close_unused_guests(guests, pit.bank, pit.stores) == 1
    assert await pit.client.keys("croupier:*:limits") == []


async def test_a_guest_that_never_sat_is_closed_too(pit):
    guests = Guests(pit.store)
    await aged(pit, await guests.open(""))
    assert await close_unused_guests(guests, pit.bank, pit.stores) == 1
    assert await pit.client.keys("croupier:{w:*") == []


async def test_test_players_are_purged_and_nobody_else(pit):
    guests = Guests(pit.store)
    ana = await guests.open("Ana")
    away, seated = await guests.open("Bot 1", test=True), await guests.open("Bot 2", test=True)
    for number, guest in enumerate((ana, away, seated)):
        name = f"player {number}"
        await pit.bank.sit("standard", guest.player, "sit-op-01", 10_000, Limits(), name=name, skeleton=name)
    await window(pit)
    await slip(pit, away.player, player=500)
    await settle(pit, lambda *_: {})
    for guest in (ana, away):
        await pit.bank.leave("standard", guest.player, "leave-op-1")
    await pit.settled.empty_outbox("standard")
    still_there = await pit.seats.seated("standard")
    assert still_there == {seated.player}
    assert await close_test_players(guests, pit.bank, pit.stores, still_there) == (1, 1)
    assert await guests.resume(away.resume) is None
    assert (await pit.bank.wallet(away.player)).wallet.balance == 0
    assert (await pit.bank.wallet(ana.player)).wallet.balance == 100_000
    await audited(pit)
    assert (await pit.bank.cash_out("standard", seated.player)).wallet == 100_000
    assert await close_test_players(guests, pit.bank, pit.stores, set()) == (1, 0)
    assert await close_test_players(guests, pit.bank, pit.stores, set()) == (0, 0)
    assert await guests.resume(ana.resume) is not None
    assert (await money(pit.client))["house"] == 500
    await audited(pit)
