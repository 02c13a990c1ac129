"""Guests that nobody has been for long, and their chips."""

from croupier_protocol.game.limits import Limits
from croupier_server.players.closing import close_unused_guests
from croupier_server.players.guests import Guests
from support.banking import money

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
    assert await close_unused_guests(guests, pit.bank) == 0
    assert await money(pit.client) == before
    await aged(pit, ana)
    assert await close_unused_guests(guests, pit.bank) == 1
    statement = await pit.bank.wallet(ana.player)
    assert (statement.wallet.balance, statement.wallet.retired) == (0, 100_000)
    assert await guests.resume(ana.resume) is None
    assert await close_unused_guests(guests, pit.bank) == 0


async def test_a_guest_that_never_sat_is_closed_too(pit):
    guests = Guests(pit.store)
    await aged(pit, await guests.open(""))
    assert await close_unused_guests(guests, pit.bank) == 1
    assert await pit.client.keys("croupier:{w:*") == []
