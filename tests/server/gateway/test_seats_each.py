"""At how many tables a player may have a seat."""

import pytest

from support.gateways import bare, gateway_on
from support.players import dealt
from support.tokens import of, reader_of_secret


@pytest.fixture
def tokens(tmp_path):
    """What reads tokens of the secret."""
    return reader_of_secret(tmp_path)


async def sit(client, table: str) -> dict:
    return await client.ask(type="sit", table=table, op=f"a-seat-at-{table}", buy_in=100_00)


async def test_a_player_has_seats_at_so_many_tables_at_all_servers_together(store, pit, tokens):
    limits = {"tokens": tokens, "tables_per_player": 1}
    async with (
        dealt(store.url, "standard", "vegas"),
        gateway_on(store.url, None, **limits) as one,
        gateway_on(store.url, None, **limits) as other,
        bare(one.url) as here,
        bare(other.url) as there,
        bare(other.url) as somebody_else,
    ):
        for client, player in ((here, "ana"), (there, "ana"), (somebody_else, "bo")):
            await client.ask(type="hello", token=of(player))
        assert (await sit(here, "standard"))["type"] == "me"
        refused = await sit(there, "vegas")
        assert (refused["type"], refused["code"], refused["limit"]) == ("error", "too_many_seats", 1)
        assert (await there.ask(type="wallet"))["balance"] == (await here.ask(type="wallet"))["balance"]
        assert (await sit(there, "standard"))["type"] == "me"  # the same once more
        assert (await sit(somebody_else, "vegas"))["type"] == "me"
        await here.ask(type="leave", table="standard", op="and-up-again")
        assert (await sit(there, "vegas"))["type"] == "me"


async def test_a_table_whose_seats_are_damaged_keeps_nobody_from_another(store, pit, tokens):
    async with (
        dealt(store.url, "standard", "vegas"),
        gateway_on(store.url, None, tokens=tokens, tables_per_player=1) as gateway,
        bare(gateway.url) as client,
    ):
        await client.ask(type="hello", token=of("ana"))
        await pit.client.set("croupier:{main}:t:vegas:seats", "no seats")
        assert (await sit(client, "standard"))["type"] == "me"


async def test_with_0_a_player_sits_wherever_it_likes(store, pit, tokens):
    tables = ("standard", "vegas")
    async with (
        dealt(store.url, *tables),
        gateway_on(store.url, None, tokens=tokens, tables_per_player=0) as gateway,
        bare(gateway.url) as client,
    ):
        await client.ask(type="hello", token=of("ana"))
        assert {(await sit(client, table))["type"] for table in tables} == {"me"}
