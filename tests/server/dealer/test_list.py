"""The pit's list of tables: what is on it is dealt and shown, by servers that never heard of it too."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS, Commission
from croupier_server.store.errors import DamagedRecordError
from croupier_server.table.listing import ListingError, Origin, encode_listing, read_listing
from croupier_server.table.pace import SPEED, TURBO
from croupier_server.table.state import decode_state
from support.dealing import check_play, reach, rounds_more, until_round
from support.gateways import bare, gateway_on
from support.players import LIVELY
from support.playing import played
from support.records import TABLE_KEY, TABLES_KEY, everything
from support.stores import turbo

SECONDS = 2.0
"""Within which a dealer has to have noticed what is new on the list."""

OWN_RULES = replace(RULE_SETS["standard"], name="house", commission=Commission(Fraction(1, 25)))


def test_a_listing_reads_back_as_it_was_written():
    settings = replace(
        turbo("a"),
        rules=OWN_RULES,
        pace=SPEED,
        limits=Limits(main_most=2_000),
        early_close=False,
        auto_rebet=False,
    )
    listing = read_listing(encode_listing(settings, Origin.ADDED))
    assert listing.settings("a") == settings
    assert listing.origin is Origin.ADDED
    assert read_listing(encode_listing(settings)).origin is Origin.CONFIGURED


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: b"{",
        lambda text: b"\xff",
        lambda text: b"[" * 100_000,
        lambda text: text.replace(b'"decks":8', b'"decks":7'),
        lambda text: text.replace(b'"decks":8', b'"decks":0'),
        lambda text: text.replace(b'"betting_ms":120', b'"betting_ms":-1'),
    ],
)
def test_a_listing_that_is_not_what_it_says_is_refused(spoil):
    with pytest.raises(ListingError):
        read_listing(spoil(encode_listing(turbo("a"))))


async def test_a_table_put_on_the_list_is_dealt_and_shown_within_two_seconds(store, pit):
    """Also one whose rules no server here has configured."""
    async with played(store.url, turbo("standard")) as dealer, gateway_on(store.url) as gateway:
        await until_round(pit, 1)
        async with bare(gateway.url) as client:
            assert (await client.ask(type="watch", table="new"))["code"] == "unknown_table"
            await pit.tables.register({"new": encode_listing(replace(turbo("new"), rules=OWN_RULES))})
            await until_round(pit, 1, "new", seconds=SECONDS)
            lobby = await client.ask(type="lobby", follow=False)
            assert {row["table"]: row["rules"]["name"] for row in lobby["tables"]} == {
                "standard": "standard",
                "new": "house",
            }
            assert (await client.ask(type="watch", table="new"))["type"] == "watching"
            seqs = [(await client.until("betting", "card"))["seq"] for _ in range(5)]
            assert seqs == sorted(set(seqs))
        assert dealer.dealing == {"standard", "new"}


@pytest.mark.slow
async def test_limits_of_a_listed_table_change_with_the_next_round(store, pit):
    """A slip on the running round is judged by the limits that it opened under."""
    settings = replace(turbo("standard"), pace=LIVELY)
    async with played(store.url, settings):
        await until_round(pit, 1)
        await reach(lambda: _is_betting(pit))
        running = decode_state((await pit.tables.read("standard")).record.state)
        await pit.tables.register(
            {"standard": encode_listing(replace(settings, limits=Limits(main_most=700)))}
        )
        await reach(lambda: _is_round(pit, running.view.round + 2))
        after = decode_state((await pit.tables.read("standard")).record.state)
        assert (running.limits.main_most, after.limits.main_most) == (50_000, 700)


async def _is_betting(pit):
    return await pit.client.hget(TABLE_KEY, "phase") == b"betting"


async def _is_round(pit, number):
    return int(await pit.client.hget(TABLE_KEY, "round")) >= number


@pytest.mark.slow
async def test_a_changed_pace_comes_with_the_next_round(store, pit):
    async with played(store.url, turbo("standard")):
        await until_round(pit, 1)
        await pit.tables.register({"standard": encode_listing(replace(turbo("standard"), pace=LIVELY))})
        first = (await pit.tables.rounds("standard", None, 1))[0].round
        await rounds_more(pit, 3)
        times = [one.ended_at_ms for one in await pit.tables.rounds("standard", None, 2)]
        assert (await pit.tables.rounds("standard", None, 1))[0].round >= first + 3
        assert times[0] - times[1] >= LIVELY.betting_ms > 2 * TURBO.betting_ms


@pytest.mark.slow
async def test_a_list_deleted_by_hand_is_written_again_and_the_play_goes_on(store, pit):
    async with played(store.url, turbo("standard"), turbo("second")):
        await until_round(pit, 1)
        await until_round(pit, 1, "second")
        before = await pit.tables.registered()
        await pit.client.delete(TABLES_KEY)
        await reach(lambda: _is_listed(pit, before))
        await rounds_more(pit, 1)
    await check_play(pit)


async def _is_listed(pit, listings):
    return await pit.tables.registered() == listings


async def test_listing_the_same_again_writes_and_tells_nothing(pit):
    listing = {"standard": encode_listing(turbo("standard"))}
    assert await pit.tables.register(listing) == ["standard"]
    before = await everything(pit.client)
    assert await pit.tables.register(listing) == ["standard"]
    assert await everything(pit.client) == before


@pytest.mark.parametrize("missed", [False, True])
async def test_only_a_closed_table_that_was_missed_stays_off_the_list(pit, missed):
    await pit.client.hset(TABLE_KEY, "phase", "ended")
    listing = {"standard": encode_listing(turbo("standard")), "new": encode_listing(turbo("new"))}
    listed = await pit.tables.register(listing, missed=missed)
    assert listed == (["new"] if missed else ["standard", "new"])
    assert set(await pit.tables.registered()) == set(listed)


@pytest.mark.parametrize("key", [TABLES_KEY, "croupier:{main}:notes"])
async def test_a_list_that_is_none_is_left_alone(pit, key):
    await pit.client.set(key, "x")
    before = await everything(pit.client)
    with pytest.raises(DamagedRecordError):
        await pit.tables.register({"standard": encode_listing(turbo("standard"))})
    assert await everything(pit.client) == before
