"""Whom people see counted: everyone who watches or sits, but for load testers."""

import pytest

from support.gateways import bare, gateway_on
from support.players import connected, dealt, sit
from support.serving import until


@pytest.fixture
async def gateway(store):
    async with dealt(store.url, "standard"), gateway_on(store.url) as running:
        yield running


async def row(client) -> dict:
    [only] = (await client.ask(type="lobby"))["tables"]
    return only


async def test_a_load_testers_connections_watch_uncounted(gateway):
    fanout = gateway.gateway.fanout
    async with bare(gateway.url) as person, bare(gateway.url) as tester:
        for client in (person, tester):
            await client.ask(type="watch", table="standard")
        assert (await row(person))["spectators"] == 2
        await tester.ask(type="hello", test=True)
        assert (await row(person))["spectators"] == 1
        assert fanout.audience() == {"standard": 1}
        assert fanout.watchers("standard") == 2
        await tester.ask(type="hello")
        assert (await row(person))["spectators"] == 2
        await person.ask(type="unwatch", table="standard")
        assert (await row(person))["spectators"] == 1


async def test_a_load_testers_players_sit_uncounted_in_sight_of_all(gateway):
    async with (
        connected(gateway.url, name="Ana", watch=["standard"]) as person,
        connected(gateway.url, name="Bot", test=True, watch=["standard"]) as tester,
    ):
        marked = await sit(tester)
        assert marked["welcome"]["player"]["id"].startswith("t")
        assert (await sit(person))["welcome"]["player"]["id"].startswith("g")
        view = gateway.gateway.feed.tables["standard"]
        await until(lambda: len(view.view.seats) == 2)
        assert (await row(person))["seated"] == 1
