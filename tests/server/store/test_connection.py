"""The connection to the store over a network that is slow, silent or loses replies, and what it refuses."""

import asyncio
import logging
import time

import pytest

from croupier_protocol.messages.values import TableId
from croupier_server.store import scripts
from croupier_server.store.connection import connect
from croupier_server.store.errors import StoreError, StoreUnavailableError, UnsuitableStoreError
from croupier_server.store.fitness import check_server
from croupier_server.store.scripts import run
from support.proxies import proxy_to
from support.records import LEASE_MS, OTHER, OWNER, SCHEMA, TABLE, a_step, everything
from support.stores import TestPit


@pytest.fixture
async def proxy(store):
    async with proxy_to(store.url) as opened:
        yield opened


@pytest.fixture
async def distant(proxy, pit):
    """The pit through the proxy, its scripts loaded."""
    opened = TestPit.at(proxy.url)
    yield opened
    await opened.close()


@pytest.mark.slow
async def test_a_cancelled_command_never_hands_its_reply_to_the_next_caller(proxy, pit, distant):
    """J1."""
    for number in range(100):
        await pit.client.set(f"seat:{number}", number)
    await run(distant.client.get("seat:0"))
    proxy.delay_s = 0.02
    wrong, cancelled = [], 0

    async def ask(number, patience_s):
        nonlocal cancelled
        try:
            async with asyncio.timeout(patience_s):
                found = await run(distant.client.get(f"seat:{number}"))
        except TimeoutError:
            cancelled += 1
        else:
            if found != str(number).encode():
                wrong.append((number, found))

    for storm in range(6):
        await asyncio.gather(*(ask(number, 0.005 + 0.001 * (number % 50)) for number in range(100)))
        await asyncio.gather(*(ask((number + storm) % 100, None) for number in range(100)))
    assert cancelled >= 150
    assert wrong == []


@pytest.mark.slow
async def test_a_cancelled_script_never_hands_its_reply_to_the_next_caller(proxy, pit, distant):
    """J1: a commit that its caller gave up, and a read right after it on the same pool."""
    lease, _ = await pit.tables.acquire(TABLE, OWNER, 60_000, SCHEMA)
    epoch = await pit.stream.epoch()
    proxy.delay_s = 0.01
    seq = 0
    for _ in range(20):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.005):
                await distant.tables.commit(lease, a_step(epoch, seq=seq), LEASE_MS, SCHEMA)
        position = await distant.tables.read(TABLE)
        assert position.record.owner == OWNER
        seq = position.record.seq


async def test_a_cancellation_that_comes_with_the_reply_is_not_lost():
    """J1: whoever stops a task must be able to rely on it; Python 3.11's `wait_for` loses it."""

    async def answers_when_cancelled():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return b"reply"

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.001):
            await run(answers_when_cancelled())


@pytest.mark.parametrize(
    ("idle_s", "within_s"),
    [pytest.param(2.6, 2.0, marks=pytest.mark.slow), pytest.param(60, 0.1, marks=pytest.mark.long)],
)
async def test_an_idle_stream_is_read_without_errors_and_wakes_at_once(pit, caplog, idle_s, within_s):
    """J3: idle for longer than the socket timeout, 2.5 s; long before the end of a wait it wakes."""
    lease, _ = await pit.tables.acquire(TABLE, OWNER, 60_000, SCHEMA)
    [mark] = await pit.stream.recent(1)
    started = time.monotonic()
    while time.monotonic() - started < idle_s:
        assert await pit.tail(mark.id) == []
    reading = asyncio.create_task(pit.tail(mark.id))
    await asyncio.sleep(0)
    await pit.tables.commit(lease, a_step(mark.epoch), 60_000, SCHEMA)
    committed = time.monotonic()
    assert [entry.seq for entry in await reading] == [1]
    assert time.monotonic() - committed < within_s
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_commands_beyond_the_pool_wait_and_none_is_refused(proxy, distant):
    """J4: 130 at once, on 32 connections that take 20 ms a command."""
    proxy.delay_s = 0.01
    positions = await asyncio.gather(*(distant.tables.read(TABLE) for _ in range(130)))
    assert len(positions) == 130
    assert proxy.connections <= 32


async def test_three_hundred_tables_take_a_step_at_once_and_none_is_refused(proxy, pit, distant):
    """J4: at the end of a window that all have in common."""
    names = [TableId(f"table-{number}") for number in range(300)]
    leases = [(await pit.tables.acquire(name, OWNER, 60_000, SCHEMA))[0] for name in names]
    epoch = await pit.stream.epoch()
    proxy.delay_s = 0.01
    await asyncio.gather(*(distant.tables.commit(lease, a_step(epoch), LEASE_MS, SCHEMA) for lease in leases))
    assert {(await pit.tables.read(name)).record.seq for name in names} == {1}
    assert proxy.connections <= 32


async def test_a_command_whose_reply_is_lost_is_not_sent_again(proxy, pit, distant):
    """K2: whether it ran, only the store can tell."""
    await run(distant.client.ping())
    proxy.lose_replies = True
    with pytest.raises(StoreUnavailableError):
        await run(distant.client.incr("count"))
    proxy.lose_replies = False
    assert await pit.client.get("count") == b"1"


async def test_a_command_that_is_lost_on_its_way_is_not_sent_again(proxy, pit, distant):
    await run(distant.client.ping())
    proxy.lose_commands = True
    with pytest.raises(StoreUnavailableError):
        await run(distant.client.incr("count"))
    proxy.lose_commands = False
    assert await pit.client.get("count") is None
    assert await run(distant.client.incr("count")) == 1


async def test_a_store_that_falls_silent_is_given_up_in_bounded_time(proxy, pit, monkeypatch):
    monkeypatch.setattr("croupier_server.store.connection.SOCKET_TIMEOUT_S", 0.2)
    monkeypatch.setattr("croupier_server.store.connection.POOL_WAIT_S", 0.2)
    distant = TestPit.at(proxy.url)
    await run(distant.client.ping())
    proxy.silent = True
    started = time.monotonic()
    outcomes = await asyncio.gather(*(distant.tables.read(TABLE) for _ in range(100)), return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {StoreUnavailableError}
    assert time.monotonic() - started < 10  # one after the other they would take 20
    proxy.silent = False
    assert (await distant.tables.read(TABLE)).record.seq == 0
    await distant.close()


async def test_a_store_that_is_not_there_is_unavailable(tmp_path):
    for url in (f"unix://{tmp_path}/nothing.sock", "redis://127.0.0.1:1"):
        client = connect(url)
        with pytest.raises(StoreUnavailableError):
            await run(client.ping())
        with pytest.raises(StoreUnavailableError):
            await check_server(client)
        await client.aclose()


async def test_a_demoted_store_takes_no_step_and_goes_on_when_promoted_again(pit):
    """J5."""
    lease, _ = await pit.tables.acquire(TABLE, OWNER, 60_000, SCHEMA)
    epoch = await pit.stream.epoch()
    await pit.client.replicaof("127.0.0.1", "1")
    before = await everything(pit.client)
    with pytest.raises(StoreUnavailableError, match=r"(?i)read.?only"):
        await pit.tables.commit(lease, a_step(epoch), LEASE_MS, SCHEMA)
    with pytest.raises(StoreUnavailableError):
        await pit.tables.release(lease)
    assert (await pit.tables.read(TABLE)).record.owner == OWNER
    assert await everything(pit.client) == before
    await pit.client.replicaof("NO", "ONE")
    await pit.tables.commit(lease, a_step(epoch), LEASE_MS, SCHEMA)


async def test_a_store_without_memory_takes_no_step_and_no_half_of_one(pit):
    """J6."""
    lease, _ = await pit.tables.acquire(TABLE, OWNER, 60_000, SCHEMA)
    epoch = await pit.stream.epoch()
    await pit.client.config_set("maxmemory", "1")
    before = await everything(pit.client)
    for call in (
        lambda: pit.tables.acquire(TABLE, OTHER, LEASE_MS, SCHEMA),
        lambda: pit.tables.renew([lease], OWNER, LEASE_MS),
        lambda: pit.tables.commit(lease, a_step(epoch), LEASE_MS, SCHEMA),
        lambda: pit.stream.open(broken=epoch),
    ):
        with pytest.raises(StoreUnavailableError):
            await call()
    assert (await pit.tables.read(TABLE)).record.owner == OWNER
    assert await everything(pit.client) == before
    await pit.client.config_set("maxmemory", "0")
    await pit.tables.commit(lease, a_step(epoch), LEASE_MS, SCHEMA)


async def test_a_fit_store_is_taken_without_a_warning(pit):
    assert await check_server(pit.client) == []


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
async def test_a_store_that_may_evict_is_refused(pit, policy):
    await pit.client.config_set("maxmemory-policy", policy)
    with pytest.raises(UnsuitableStoreError, match=f"maxmemory-policy {policy}.*noeviction"):
        await check_server(pit.client)


async def test_a_store_without_persistence_is_warned_of(pit):
    """J9."""
    await pit.client.config_set("appendonly", "no")
    [warning] = await check_server(pit.client)
    assert "append-only file" in warning


@pytest.mark.parametrize(
    ("versions", "found"),
    [
        ({"redis_version": "6.2.14"}, "redis 6.2.14; Croupier needs 7.0"),
        ({"redis_version": "7.2.4", "valkey_version": "7.2.5"}, "valkey 7.2.5; Croupier needs 8.0"),
        ({"redis_version": "unknown"}, "redis unknown"),
    ],
)
async def test_a_store_that_is_too_old_is_refused(monkeypatch, versions, found):
    client = connect("redis://127.0.0.1:1")

    async def info():
        return {**versions, "maxmemory_policy": "noeviction", "aof_enabled": 1}

    monkeypatch.setattr(client, "info", info)
    with pytest.raises(UnsuitableStoreError, match=found):
        await check_server(client)
    await client.aclose()


@pytest.mark.parametrize(
    "url",
    [
        "",
        ":hunter2@localhost:6379",
        "http://:hunter2@localhost",
        "redis://:hunter2@localhost:port",
        "redis://:hunter2@localhost?socket_timeout=soon",
        "redis://:hunter2@localhost?no_such_option=1",
    ],
)
async def test_a_url_that_cannot_be_read_is_refused_at_once_without_repeating_its_password(url):
    with pytest.raises(UnsuitableStoreError, match="store URL") as refusal:
        connect(url)
    assert "hunter2" not in str(refusal.value)


async def test_a_refusal_that_nobody_foresaw_is_typed_too(pit):
    with pytest.raises(StoreError, match="unknown command"):
        await run(pit.client.execute_command("NONSENSE"))
    with pytest.raises(StoreError):
        await run(pit.client.execute_command("EVAL", "return redis.call('nonsense')", 0))
    broken = scripts.Script("read")
    broken.source = b"never loaded"
    with pytest.raises(StoreUnavailableError):
        await pit.store.call(broken, [], [])
