"""Guests and their tokens, on a real store."""

import asyncio

import pytest

from croupier_server.players import guests as guests_module
from croupier_server.players.guests import Guests
from support.records import everything, store_ms


@pytest.fixture
def guests(pit):
    return Guests(pit.store)


async def test_a_token_leads_to_its_guest_and_brings_the_next(guests):
    ana = await guests.open("Ana")
    again = await guests.resume(ana.resume)
    assert (again.player, again.name) == (ana.player, "Ana")
    assert again.resume != ana.resume
    assert (await guests.resume(again.resume)).player == ana.player


async def test_the_store_holds_no_secret(guests, pit):
    ana = await guests.open("Ana")
    secret = ana.resume.partition(".")[2].encode()
    assert len(secret) == 32
    assert all(secret not in value for value in (await everything(pit.client)).values())


@pytest.mark.parametrize(
    "change",
    [
        lambda player, secret: player,
        lambda player, secret: f"{player}.",
        lambda player, secret: f"{player}.{'A' * 32}",
        lambda player, secret: f"{player}.{secret}x",
        lambda player, secret: f"{player}.{secret}\n",
        lambda player, secret: f"{player.upper()}.{secret}",
        lambda player, secret: f"g{'0' * 16}.{secret}",
        lambda player, secret: "",
        lambda player, secret: "." * 200,
    ],
)
async def test_a_public_id_or_a_wrong_secret_is_nobodys_token(guests, pit, change):
    """An id that others see is no credential."""
    ana = await guests.open("Ana")
    before = await everything(pit.client)
    assert await guests.resume(change(*ana.resume.split("."))) is None
    assert await everything(pit.client) == before


async def test_a_token_of_one_guest_is_not_anothers(guests):
    ana, bea = await guests.open("Ana"), await guests.open("Bea")
    mixed = f"{ana.player}.{bea.resume.partition('.')[2]}"
    assert await guests.resume(mixed) is None


async def test_the_old_token_is_good_while_the_next_has_not_been_used(guests, monkeypatch):
    monkeypatch.setattr(guests_module, "GRACE_MS", 0)
    ana = await guests.open("Ana")
    for _ in range(20):
        assert (await guests.resume(ana.resume)).player == ana.player


async def test_the_old_token_is_good_for_a_minute_after_the_next_was_used(guests, pit):
    first = await guests.open("Ana")
    second = await guests.resume(first.resume)
    await guests.resume(second.resume)
    assert await guests.resume(first.resume) is not None
    fields = await pit.client.hgetall(f"croupier:{{w:{first.player}}}:guest")
    [ends] = [int(value.split(b"|")[2]) for value in fields.values() if value.startswith(b"|")]
    assert 55_000 < ends - await store_ms(pit.client) <= 60_000


async def test_after_that_the_old_token_is_nobodys(guests, monkeypatch):
    monkeypatch.setattr(guests_module, "GRACE_MS", 0)
    first = await guests.open("Ana")
    second = await guests.resume(first.resume)
    third = await guests.resume(second.resume)
    assert await guests.resume(first.resume) is None
    assert await guests.resume(third.resume) is not None
    assert await guests.resume(second.resume) is None


async def test_two_tabs_that_begin_from_one_token_both_go_on(guests):
    ana = await guests.open("Ana")
    tabs = [await guests.resume(ana.resume), await guests.resume(ana.resume)]
    for _ in range(3):
        tabs = [await guests.resume(tab.resume) for tab in tabs]
    assert all(tab.player == ana.player for tab in tabs)


async def test_a_guest_has_only_so_many_tokens(guests, pit):
    ana = await guests.open("Ana")
    made = [await guests.resume(ana.resume) for _ in range(20)]
    fields = await pit.client.hkeys(f"croupier:{{w:{ana.player}}}:guest")
    assert len([field for field in fields if field.startswith(b"t:")]) == 8
    assert await guests.resume(ana.resume) is not None
    assert await guests.resume(made[-1].resume) is not None
    assert await guests.resume(made[0].resume) is None


async def test_one_token_used_by_fifty_at_once_leads_them_all_to_one_guest(guests):
    ana = await guests.open("Ana")
    found = await asyncio.gather(*(guests.resume(ana.resume) for _ in range(50)))
    assert {one.player for one in found} == {ana.player}
    assert len({one.resume for one in found}) == 50


async def test_a_name_given_on_resuming_replaces_the_old_one(guests):
    ana = await guests.open("Ana")
    bea = await guests.resume(ana.resume, "Bea")
    assert bea.name == "Bea"
    assert (await guests.resume(bea.resume)).name == "Bea"


async def aged(pit, guest, by_ms):
    """Makes `guest` look unused for so much longer."""
    key = f"croupier:{{w:{guest.player}}}:guest"
    await pit.client.hincrby(key, "seen_ms", -by_ms)
    await pit.client.zincrby("croupier:guests", -by_ms, guest.player)


async def test_a_guest_unused_for_thirty_days_is_closed_and_its_chips_retired(guests, pit):
    old, recent = await guests.open("Old"), await guests.open("Recent")
    await aged(pit, old, 30 * 24 * 3_600_000 + 1_000)
    await aged(pit, recent, 30 * 24 * 3_600_000 - 60_000)
    retired = []

    async def retire(player):
        retired.append(player)

    assert await guests.close_unused(retire) == 1
    assert retired == [old.player]
    assert await guests.resume(old.resume) is None
    assert await guests.resume(recent.resume) is not None
    assert not await pit.client.exists(f"croupier:{{w:{old.player}}}:guest")
    assert await guests.close_unused(retire) == 0


async def test_a_guest_that_came_back_is_not_closed(guests, pit):
    ana = await guests.open("Ana")
    await aged(pit, ana, 31 * 24 * 3_600_000)
    await guests.resume(ana.resume)

    async def retire(player):
        raise AssertionError

    assert await guests.close_unused(retire) == 0
    assert await guests.close_unused(retire) == 0


async def test_a_closing_that_was_cut_short_is_finished_by_the_next(guests, pit):
    ana = await guests.open("Ana")
    await aged(pit, ana, 31 * 24 * 3_600_000)
    asked = []

    async def retire(player):
        asked.append(player)
        if len(asked) == 1:
            raise ConnectionError

    with pytest.raises(ConnectionError):
        await guests.close_unused(retire)
    assert await guests.resume(ana.resume) is None
    assert await guests.close_unused(retire) == 1
    assert asked == [ana.player, ana.player]
