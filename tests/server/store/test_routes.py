"""Which servers a URL leads to, and what a connection does when its server is not the one to ask any more."""

import pytest

from croupier_server.store.connection import Servers
from croupier_server.store.errors import StoreUnavailableError, UnsuitableStoreError
from croupier_server.store.keys import PitId
from croupier_server.store.pit import Pit
from croupier_server.store.scripts import ScriptsMissingError, run
from croupier_server.store.stores import Stores
from croupier_server.store.wallets import WalletTerms
from support.clusters import cluster_store
from support.records import LEASE_MS, OWNER, SCHEMA, TABLE, a_step
from support.stores import open_pit


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("redis+sentinel://:hunter2@localhost:26379", "it names the primary"),
        ("redis+sentinel://:hunter2@/main", "it names no host"),
        ("redis+sentinel://:hunter2@localhost:port/main", "store URL"),
        ("redis+cluster://:hunter2@localhost/3", "a cluster has no numbered databases"),
        ("redis+cluster://:hunter2@localhost?no_such_option=1", "no_such_option"),
        ("redis+magic://:hunter2@localhost", "begins with none of"),
    ],
)
def test_a_url_that_makes_no_sense_is_refused_without_repeating_its_password(url, reason):
    with pytest.raises(UnsuitableStoreError, match="store URL") as refusal:
        Servers(url)
    assert reason in str(refusal.value)
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("redis+sentinel://ana:hunter2@h1:1,h2/main/5", {"username": "ana", "password": "hunter2", "db": 5}),
        ("rediss+sentinel://h1/main?ssl_ca_certs=/ca.pem", {"ssl_ca_certs": "/ca.pem"}),
        ("redis+cluster://:hun%2Fter@[::1]:7000,h2", {"password": "hun/ter"}),
        ("rediss+cluster://h1:7000", {}),
    ],
)
def test_login_database_and_tls_reach_the_data_servers(url, options):
    pool = Servers(url).client("a key").connection_pool
    for name, value in options.items():
        assert pool.connection_kwargs[name] == value
    assert ("SSL" in pool.connection_class.__name__) is url.startswith("rediss")


async def test_sentinels_or_nodes_that_do_not_answer_make_the_store_unavailable():
    for url in ("redis+sentinel://127.0.0.1:1,127.0.0.1:2/main", "redis+cluster://127.0.0.1:1,127.0.0.1:2"):
        stores = Stores(url)
        with pytest.raises(StoreUnavailableError, match=r"none of 127\.0\.0\.1:\d, 127\.0\.0\.1:\d answers"):
            await run(stores.pit(PitId("main")).client.ping())
        with pytest.raises(StoreUnavailableError):
            await stores.known_pits()
        await stores.close()


async def test_a_pit_that_notices_a_restart_hides_it_from_no_other_pit_of_the_server(store):
    """Each has its own scripts: one that has not settled its epoch cannot take a step in the old one."""
    async with open_pit(store.url) as first, open_pit(store.url, PitId("vip")) as second:
        lease, _ = await second.tables.acquire(TABLE, OWNER, 60_000, SCHEMA)
        epoch = await second.stream.epoch()
        await first.client.script_flush()
        await first.stream.open()
        assert (await first.tables.read(TABLE)).record.seq == 0
        with pytest.raises(ScriptsMissingError):
            await second.tables.commit(lease, a_step(epoch), LEASE_MS, SCHEMA)
        await second.stream.open()
        await second.tables.commit(lease, a_step(epoch), LEASE_MS, SCHEMA)


async def test_pits_are_known_to_whoever_comes_later(store):
    stores, later = Stores(store.url), Stores(store.url, one_off=True)
    assert await later.known_pits() == ["main"]
    await stores.name_pits(["vip", "main"])
    await stores.name_pits(["slow"])
    assert await later.known_pits() == ["main", "slow", "vip"]
    await stores.close()
    await later.close()


@pytest.mark.slow
async def test_a_slot_that_moves_takes_its_pit_along(tmp_path):
    """The first command after the move is refused and has not run; the next finds the new node."""
    async with cluster_store(tmp_path) as cluster:
        stores = Stores(cluster.url)
        pit = Pit(stores, PitId(cluster.pit_on(0)))
        await pit.stream.open()
        lease, _ = await pit.tables.acquire(TABLE, OWNER, 60_000, SCHEMA)
        old, new = cluster.primaries[0], cluster.primaries[1]
        await cluster.move(f"{{{pit.name}}}", old, new)
        with pytest.raises(StoreUnavailableError, match="MovedError"):
            await pit.tables.renew([lease], OWNER, 60_000)
        with pytest.raises(ScriptsMissingError):
            await pit.tables.renew([lease], OWNER, 60_000)
        await pit.stream.open()
        assert await pit.tables.renew([lease], OWNER, 60_000) == []
        assert await new.client.exists(f"croupier:{{{pit.name}}}:t:{TABLE}") == 1
        await stores.close()


@pytest.mark.slow
async def test_each_pit_goes_by_the_clock_of_its_own_node(tmp_path):
    """What wallets on other nodes answer says nothing of a pit's time."""
    async with cluster_store(tmp_path) as cluster:
        stores = Stores(cluster.url)
        pits = [Pit(stores, PitId(cluster.pit_on(number))) for number in range(3)]
        for pit in pits:
            await pit.stream.open()
        assert len({id(pit.store.clock) for pit in pits}) == 3
        clock = pits[0].store.clock
        known = clock._bounds
        for number in range(20):
            await pits[0].bank.wallets.open(f"p{number}", WalletTerms(), made=False)
        assert clock._bounds == known
        wallets = [await server.client.keys("croupier:{w:*}") for server in cluster.primaries]
        assert all(wallets), "wallets on every node"
        await stores.close()
