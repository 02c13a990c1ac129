"""What a server does to its store before it deals, pit by pit."""

import pytest

from croupier_server.config import Config
from croupier_server.configuring.sections import StoreSection
from croupier_server.configuring.table_sections import TableSection
from croupier_server.errors import SetupError
from croupier_server.preparing import Preparing
from croupier_server.store.durability import Durability
from croupier_server.store.keys import PitId
from croupier_server.store.stores import Stores
from croupier_server.store.tables import Tables
from support.stores import KEY


@pytest.fixture
async def stores(store):
    opened = Stores(store.url)
    yield opened
    await opened.close()


def config(url, durability=Durability.USUAL, **pits) -> Config:
    """A configuration whose tables are in the pits that the keywords name."""
    tables = tuple(TableSection(name=name, pit=pit) for pit, names in pits.items() for name in names)
    return Config(store=StoreSection(redis=url, durability=durability), tables=tables)


async def prepare(stores, store, **pits):
    return await Preparing(stores, config(store.url, **pits), KEY).prepare()


async def test_each_table_is_listed_in_its_pit_and_the_pits_are_named(store, stores):
    prepared = await prepare(stores, store, main=["a", "b"], vip=["c"])
    assert (prepared.pits, prepared.late, prepared.confirmation) == (("main", "vip"), frozenset(), None)
    assert set(await Tables(stores.pit(PitId("main")), PitId("main")).registered()) == {"a", "b"}
    assert set(await Tables(stores.pit(PitId("vip")), PitId("vip")).registered()) == {"c"}
    assert await stores.known_pits() == ["main", "vip"]


async def test_a_server_deals_the_pits_of_others_too(store, stores):
    await prepare(stores, store, vip=["c"])
    assert (await prepare(stores, store, main=["a"])).pits == ("main", "vip")


async def test_a_table_does_not_change_its_pit(store, stores):
    """Its seats and chips would stay behind."""
    await prepare(stores, store, main=["a"])
    with pytest.raises(SetupError, match=r"table a is in pit main, .* puts it into pit vip"):
        await prepare(stores, store, vip=["a"])


async def test_strict_is_refused_where_the_store_is_not(store, stores):
    asked = config(store.url, Durability.STRICT, main=["a"])
    with pytest.raises(SetupError, match="durability strict needs appendonly yes and appendfsync always"):
        await Preparing(stores, asked, KEY).prepare()
    await stores.pit(PitId("main")).client.config_set("appendfsync", "always")
    assert (await Preparing(stores, asked, KEY).prepare()).confirmation is None
