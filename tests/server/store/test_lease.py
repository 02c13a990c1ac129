"""Leases on a real store: who may take a table, keep it and give it back."""

import pytest

from croupier_server.store.errors import LeaseLostError, StoreError
from croupier_server.store.records import Lease, LeaseSeen
from support.records import (
    LEASE_MS,
    NUMBERS,
    OTHER,
    OWNER,
    SCHEMA,
    TABLE,
    TABLE_KEY,
    a_step,
    everything,
    store_ms,
)


async def take(pit, owner=OWNER, lease_ms=LEASE_MS, still=None):
    return await pit.tables.acquire(TABLE, owner, lease_ms, SCHEMA, still)


async def test_a_table_that_nobody_deals_is_taken_with_an_empty_record(pit):
    before_ms = await store_ms(pit.client)
    lease, record = await take(pit)
    after_ms = await store_ms(pit.client)
    assert lease == Lease(table=TABLE, owner=OWNER, fence=1)
    assert (record.seq, record.state, record.sealed, record.owner, record.fence) == (0, b"", None, OWNER, 1)
    until_ms = int(await pit.client.hget(TABLE_KEY, "lease_until_ms"))
    assert before_ms + 3_000 <= until_ms <= after_ms + 3_000


async def test_a_table_that_somebody_deals_is_not_taken(pit):
    await take(pit)
    before = await everything(pit.client)
    seen = await take(pit, OTHER)
    assert seen == LeaseSeen(owner=OWNER, until_ms=int(await pit.client.hget(TABLE_KEY, "lease_until_ms")))
    assert await everything(pit.client) == before


async def test_a_lease_that_has_run_out_is_taken_with_the_next_fence(pit):
    await take(pit, lease_ms=0)
    lease, record = await take(pit, OTHER)
    assert lease == Lease(table=TABLE, owner=OTHER, fence=2)
    assert record.owner == OTHER


async def test_ones_own_table_is_taken_again_with_the_next_fence(pit):
    """K2: the reply to the first take was lost."""
    await take(pit)
    lease, _ = await take(pit)
    assert lease == Lease(table=TABLE, owner=OWNER, fence=2)


async def test_a_lease_that_stands_still_is_taken_although_it_lies_ahead(pit):
    """F10: the store's clock went back by an hour, and the dead owner's lease with it lies an hour ahead."""
    await take(pit, lease_ms=3_600_000)
    seen = await take(pit, OTHER)
    lease, _ = await take(pit, OTHER, still=seen)
    assert lease == Lease(table=TABLE, owner=OTHER, fence=2)


async def test_a_lease_that_has_moved_is_not_taken_for_standing_still(pit):
    lease, _ = await take(pit, lease_ms=3_600_000)
    seen = await take(pit, OTHER)
    await pit.tables.renew([lease], OWNER, 3_700_000)
    assert isinstance(await take(pit, OTHER, still=seen), LeaseSeen)


async def test_the_record_of_a_newer_release_is_left_alone(pit):
    lease, _ = await take(pit)
    await pit.tables.commit(lease, a_step(await pit.stream.epoch()), LEASE_MS, SCHEMA + 1)
    before = await everything(pit.client)
    with pytest.raises(StoreError, match=r"standard was written by a newer release .*schema 2, ours 1"):
        await take(pit)
    assert await everything(pit.client) == before


async def test_a_taken_record_comes_whole(pit):
    lease, _ = await take(pit)
    await pit.tables.commit(lease, a_step(await pit.stream.epoch()), LEASE_MS, SCHEMA)
    _, record = await take(pit)
    assert (record.seq, record.state) == (1, b"state \x00\xff")


@pytest.mark.parametrize("number", NUMBERS)
async def test_a_fence_keeps_every_digit(pit, number):
    await pit.client.hset(TABLE_KEY, mapping={"fence": number, "seq": number})
    lease, record = await take(pit)
    assert lease.fence == number + 1
    assert record.seq == number
    assert await pit.client.hget(TABLE_KEY, "fence") == str(number + 1).encode()
    assert await pit.tables.renew([lease], OWNER, LEASE_MS) == []
    assert await pit.tables.release(lease)


async def test_renewing_moves_the_leases_that_are_still_ones_own_and_names_the_others(pit):
    mine = [(await pit.tables.acquire(name, OWNER, 0, SCHEMA))[0] for name in ("a", "b", "c", "d")]
    taken, _ = await pit.tables.acquire("b", OTHER, 60_000, SCHEMA)
    await pit.tables.acquire("c", OWNER, 60_000, SCHEMA)
    await pit.client.delete("croupier:{main}:t:d")
    before_ms = await store_ms(pit.client)
    lost = await pit.tables.renew(mine, OWNER, LEASE_MS)
    assert [lease.table for lease in lost] == ["b", "c", "d"]
    record = await pit.client.hgetall("croupier:{main}:t:a")
    assert before_ms + 3_000 <= int(record[b"lease_until_ms"])
    record = await pit.client.hgetall("croupier:{main}:t:b")
    assert (record[b"owner"], record[b"fence"]) == (taken.owner.encode(), b"2")
    assert int(record[b"lease_until_ms"]) >= before_ms + 50_000
    assert not await pit.client.exists("croupier:{main}:t:d")


async def test_renewing_nothing_asks_nothing(pit):
    await pit.client.script_flush()
    assert await pit.tables.renew([], OWNER, LEASE_MS) == []


async def test_a_released_table_is_free_at_once_and_keeps_its_record(pit):
    lease, _ = await take(pit)
    await pit.tables.commit(lease, a_step(await pit.stream.epoch()), LEASE_MS, SCHEMA)
    assert await pit.tables.release(lease)
    lease, record = await take(pit, OTHER)
    assert lease == Lease(table=TABLE, owner=OTHER, fence=2)
    assert record.state == b"state \x00\xff"


async def test_a_release_that_comes_after_a_takeover_leaves_the_new_lease_alone(pit):
    """K1."""
    old, _ = await take(pit, lease_ms=0)
    await take(pit, OTHER)
    before = await everything(pit.client)
    assert not await pit.tables.release(old)
    assert await everything(pit.client) == before


async def test_a_release_sent_twice_frees_only_once(pit):
    """K2: the reply to the first was lost, and meanwhile somebody else has taken the table."""
    lease, _ = await take(pit)
    assert await pit.tables.release(lease)
    assert not await pit.tables.release(lease)
    other, _ = await take(pit, OTHER)
    assert not await pit.tables.release(lease)
    assert await pit.tables.renew([other], OTHER, LEASE_MS) == []


async def test_a_released_lease_deals_nothing(pit):
    lease, _ = await take(pit)
    await pit.tables.release(lease)
    with pytest.raises(LeaseLostError):
        await pit.tables.commit(lease, a_step(await pit.stream.epoch()), LEASE_MS, SCHEMA)
    assert await pit.tables.renew([lease], OWNER, LEASE_MS) == [lease]
