"""The pit's stream on a real store: its epochs, its tail, and scripts that a server has forgotten."""

import asyncio

import pytest

from croupier_server.store.errors import EpochChangedError, StoreUnavailableError
from croupier_server.store.scripts import ScriptsMissingError
from croupier_server.store.stream import Entry
from support.records import (
    EPOCH_KEY,
    EVENTS_KEY,
    LEASE_MS,
    OWNER,
    SCHEMA,
    TABLE,
    a_round,
    a_step,
    everything,
)
from support.stores import open_pit, running_store, written


async def test_the_first_opening_begins_an_epoch_and_marks_it_in_the_stream(store):
    async with open_pit(store.url) as pit:
        epoch = await pit.stream.epoch()
        assert len(epoch) == 16
        [mark] = await pit.stream.recent(10)
        assert mark == Entry(id=mark.id, epoch=epoch, table=None, seq=0, message=b"")
        run_id = (await pit.client.info("server"))["run_id"]
        assert await pit.client.hget(EPOCH_KEY, "run_id") == run_id.encode()


async def test_opening_again_finds_the_same_epoch_and_writes_nothing(store, pit):
    epoch = await pit.stream.epoch()
    before = await everything(pit.client)
    assert await pit.stream.open() == epoch
    async with open_pit(store.url) as other:
        assert await other.stream.epoch() == epoch
    assert await everything(pit.client) == before


@pytest.mark.parametrize("key", [EVENTS_KEY, EPOCH_KEY])
async def test_a_deleted_stream_or_epoch_begins_a_new_epoch(pit, key):
    old = await pit.stream.epoch()
    await pit.client.delete(key)
    new = await pit.stream.open()
    assert new != old
    assert (await pit.stream.recent(1))[0].epoch == new


async def test_an_epoch_whose_name_is_damaged_begins_a_new_one(pit):
    for name in (b"", b"\xff\xfe", b"two words"):
        await pit.client.hset(EPOCH_KEY, "epoch", name)
        epoch = await pit.stream.open()
        assert await pit.client.hget(EPOCH_KEY, "epoch") == epoch.encode() != name


async def test_a_stream_emptied_by_trimming_is_the_same_life(pit):
    epoch = await pit.stream.epoch()
    await pit.client.xtrim(EVENTS_KEY, maxlen=0, approximate=False)
    assert await pit.stream.open() == epoch
    position = await pit.tables.read(TABLE)
    assert (position.epoch, position.last_entry) == (epoch, "0-0")


async def test_a_restarted_store_begins_a_new_epoch_and_keeps_the_record(tmp_path):
    async with running_store(tmp_path / "store") as embedded, open_pit(embedded.url) as pit:
        lease, _ = await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
        old = await pit.stream.epoch()
        await pit.tables.commit(lease, a_step(old), LEASE_MS, SCHEMA)
        await written(pit.client)
        embedded._process.kill()
        await embedded.wait()
        await embedded.start()
        new = await pit.stream.open()
        assert new != old
        position = await pit.tables.read(TABLE)
        assert (position.epoch, position.record.seq, position.record.state) == (new, 1, b"state \x00\xff")
        with pytest.raises(EpochChangedError):
            await pit.tables.commit(lease, a_step(old, seq=1), LEASE_MS, SCHEMA)
        await pit.tables.commit(lease, a_step(new, seq=1), LEASE_MS, SCHEMA)


async def test_two_who_find_the_same_epoch_broken_end_it_once(store, pit):
    old = await pit.stream.epoch()
    async with open_pit(store.url) as other:
        first, second = await asyncio.gather(pit.stream.open(broken=old), other.stream.open(broken=old))
    assert first == second != old
    assert [entry.epoch for entry in await pit.stream.recent(10)] == [old, first]


async def test_an_epoch_that_has_ended_cannot_be_found_broken_again(pit):
    old = await pit.stream.epoch()
    new = await pit.stream.open(broken=old)
    assert await pit.stream.open(broken=old) == new


async def test_marks_of_epochs_do_not_fill_the_store(pit, monkeypatch):
    monkeypatch.setattr("croupier_server.store.stream.EVENTS_KEPT", 100)
    epoch = await pit.stream.epoch()
    for _ in range(300):
        epoch = await pit.stream.open(broken=epoch)
    assert await pit.client.xlen(EVENTS_KEY) <= 200


async def test_a_server_that_has_forgotten_the_scripts_says_so_and_opening_mends_it(pit):
    lease, _ = await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    epoch = await pit.stream.epoch()
    await pit.client.script_flush()
    before = await everything(pit.client)
    calls = [
        lambda: pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA),
        lambda: pit.tables.renew([lease], OWNER, LEASE_MS),
        lambda: pit.tables.release(lease),
        lambda: pit.tables.commit(lease, a_step(epoch), LEASE_MS, SCHEMA),
        lambda: pit.tables.read(TABLE),
    ]
    for call in calls:
        with pytest.raises(ScriptsMissingError):
            await call()
    assert await everything(pit.client) == before
    assert await pit.stream.open() == epoch
    for call in calls[1:2] + calls[3:]:
        await call()
    assert issubclass(ScriptsMissingError, StoreUnavailableError)


async def test_the_tail_hands_out_every_entry_once_in_order(pit):
    lease, _ = await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    epoch = await pit.stream.epoch()
    for seq in range(1_200):
        await pit.tables.commit(lease, a_step(epoch, seq=seq), LEASE_MS, SCHEMA)
    position, read = "0-0", []
    while len(read) < 1_201:
        entries = await pit.tail(position)
        assert 0 < len(entries) <= 500
        read += entries
        position = entries[-1].id
    assert [entry.seq for entry in read] == list(range(1_201))
    assert [entry.seq for entry in await pit.stream.recent(3)] == [1_198, 1_199, 1_200]


async def test_the_record_is_read_with_its_place_in_the_stream(pit):
    before = await pit.tables.read(TABLE)
    [mark] = await pit.stream.recent(1)
    assert (before.epoch, before.last_entry) == (mark.epoch, mark.id)
    assert (before.record.seq, before.record.state, before.record.sealed) == (0, b"", None)
    lease, _ = await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    await pit.tables.commit(lease, a_step(before.epoch), LEASE_MS, SCHEMA)
    after = await pit.tables.read(TABLE)
    assert after.record.seq == 1
    assert [entry.id for entry in await pit.tail(before.last_entry)] == [after.last_entry]


async def test_history_is_paged_newest_first(pit):
    lease, _ = await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    epoch = await pit.stream.epoch()
    for seq in range(12):
        step = a_step(epoch, seq=seq, round=seq + 1, record=a_round(seq + 1))
        await pit.tables.commit(lease, step, LEASE_MS, SCHEMA)

    async def page(before, limit):
        return [one.round for one in await pit.tables.rounds(TABLE, before, limit)]

    assert await pit.tables.rounds(TABLE, None, 1) == [a_round(12)]
    assert await page(None, 5) == [12, 11, 10, 9, 8]
    assert await page(8, 5) == [7, 6, 5, 4, 3]
    assert await page(3, 5) == [2, 1]
    assert await page(1, 5) == []
    assert await page(0, 5) == []
    assert await page(-1, 5) == []
    assert await page(9_007_199_254_740_991, 1) == [12]
    assert await pit.tables.rounds("another", None, 5) == []


async def test_tables_are_listed_with_their_settings(pit):
    assert await pit.tables.registered() == {}
    await pit.tables.register({})
    await pit.tables.register({"a": b'{"x":1}', "b": b"{}"})
    await pit.tables.register({"a": b'{"x":2}'})
    assert await pit.tables.registered() == {"a": b'{"x":2}', "b": b"{}"}
