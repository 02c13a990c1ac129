"""A dealer whose store restarts, loses keys, holds damaged records or changes its role under it."""

import os
import signal

import pytest

from croupier_protocol.messages.events import ShoeOpened
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.store.errors import DamagedRecordError, StoreUnavailableError
from support.dealing import check_play, dealer_on, dealt, reach, rounds_more, until_round
from support.records import EPOCH_KEY, EVENTS_KEY, TABLE_KEY, everything
from support.serving import until
from support.stores import KEY

pytestmark = pytest.mark.slow


async def test_a_restarted_store_is_dealt_on_in_a_new_epoch_with_the_same_shoe(store, pit):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 2)
        old = await pit.stream.epoch()
        os.kill(store.process_id, signal.SIGKILL)
        await store.wait()
        await store.start()
        await reach(lambda: _epoch_is_not(pit, old))
        await rounds_more(pit, 2)
        await dealer.release()
    events = await check_play(pit)
    assert len({event.epoch for event in events}) == 2
    assert len([event for event in events if isinstance(event, ShoeOpened)]) == 1


async def test_a_store_that_is_away_for_longer_than_a_lease_is_dealt_on(store, pit, quick):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 1)
        fence = (await pit.tables.read("standard")).record.fence
        os.kill(store.process_id, signal.SIGSTOP)
        lease_ran_out = pit.store.clock.now_ms() + 700
        await until(lambda: pit.store.clock.now_ms() > lease_ran_out)
        os.kill(store.process_id, signal.SIGCONT)
        await rounds_more(pit, 2)
        assert (await pit.tables.read("standard")).record.fence == fence
        await dealer.release()
    await check_play(pit)


@pytest.mark.parametrize("key", [EVENTS_KEY, EPOCH_KEY])
async def test_a_deleted_stream_or_epoch_is_dealt_on_in_a_new_epoch(pit, key):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 2)
        old = await pit.stream.epoch()
        last = (await dealt(pit))[-1]
        await pit.client.delete(key)
        await reach(lambda: _epoch_is_not(pit, old))
        await rounds_more(pit, 2)
        await dealer.release()
    events = await dealt(pit)
    assert [event.seq for event in events] == list(range(events[0].seq, events[-1].seq + 1))
    fresh = [event for event in events if event.epoch != old]
    assert fresh[0].seq > last.seq
    assert not any(isinstance(event, ShoeOpened) for event in fresh)


async def test_forgotten_scripts_are_loaded_again_in_the_same_epoch(pit):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 1)
        old = await pit.stream.epoch()
        await pit.client.script_flush()
        await rounds_more(pit, 2)
        assert await pit.stream.epoch() == old
        await dealer.release()
    await check_play(pit)


async def test_an_emptied_store_is_dealt_anew(pit, quick):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 2)
        await pit.client.flushall()
        await until_round(pit, 1)
        await dealer.release()
    await check_play(pit)


async def test_a_demoted_store_is_waited_for(pit, quick):
    """J5, J6: nothing is half written, and it goes on within seconds and without a restart."""
    for refuse, allow in (
        (("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE")),
        (("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory", "0")),
    ):
        async with dealer_on(pit, "standard") as dealer:
            await rounds_more(pit, 1)
            await pit.client.execute_command(*refuse)
            before = await everything(pit.client)
            with pytest.raises(StoreUnavailableError):
                await pit.tables.renew([dealer._runners["standard"].lease], dealer.owner, 600)
            assert await everything(pit.client) == before
            await pit.client.execute_command(*allow)
            await rounds_more(pit, 1, seconds=10)
            await dealer.release()
    await check_play(pit)


async def test_a_damaged_table_does_not_stop_the_others(pit, way, quick, caplog):
    """Each damage that a record may have, found when the table is taken."""
    damages = {
        "state-cut": ("state", b"\x81"),
        "state-no-text": ("state", b"\xa1\xff"),
        "state-nested": ("state", b"\x81\xa4view" + b"\x91" * 100_000),
        "state-empty": ("state", b"\xc0"),
        "seq": ("seq", 1),
        "seq-no-number": ("seq", "x"),
        "fence": ("fence", "-1"),
        "sealed-cut": ("sealed", b"x"),
        "sealed-gone": ("sealed", b""),
        "other-key": ("key_id", "00000000"),
        "key-no-text": ("key_id", b"\xff"),
        "schema": ("schema", 99),
    }
    async with dealer_on(pit, "good", *damages, way=way) as dealer:
        for table in damages:
            await until_round(pit, 1, table)
        await dealer.release()
    for table, (field, value) in damages.items():
        await pit.client.hset(f"croupier:{{main}}:t:{table}", field, value)
    await pit.client.delete("croupier:{main}:t:string")
    await pit.client.set("croupier:{main}:t:string", "x")
    commits = dict(way.commits)
    caplog.clear()
    async with dealer_on(pit, "string", *damages, "good", way=way) as dealer:
        await rounds_more(pit, 3, "good")
        assert dealer.dealing == {"good"}
        await dealer.release()
    assert "left to a newer release of Croupier: schema" in caplog.text
    for table in (*damages, "string"):
        assert f"table {table} cannot be dealt" in caplog.text or table == "schema"
        assert way.commits[table] == commits.get(table, 0)


async def test_a_table_sealed_with_another_key_is_left_to_who_has_it(pit, other, quick, caplog):
    async with dealer_on(pit, "standard") as first:
        await until_round(pit, 1)
        await first.release()
    before = (await pit.tables.read("standard")).record
    wrong = ShoeKey(bytes(32))
    async with dealer_on(other, "standard", "new", key=wrong) as second:
        await until_round(other, 2, "new")
        await second.release()
    after = (await pit.tables.read("standard")).record
    assert f"sealed with key {KEY.id}; the key given is {wrong.id}" in caplog.text
    assert (after.seq, after.state, after.sealed, after.owner) == (
        before.seq,
        before.state,
        before.sealed,
        "",
    )
    async with dealer_on(pit, "standard") as first:
        await rounds_more(pit, 1)
        await first.release()
    await check_play(pit)


@pytest.mark.parametrize("field", ["state", "seq"])
async def test_damage_under_a_running_dealer_stops_that_table_alone(pit, quick, caplog, field):
    async with dealer_on(pit, "standard", "good") as dealer:
        await until_round(pit, 1)
        await pit.client.hset(TABLE_KEY, mapping={field: "0", "owner": "nobody"})
        await until(lambda: "standard cannot be dealt" in caplog.text)
        await rounds_more(pit, 2, "good")
        assert dealer.dealing == {"good"}
        await dealer.release()


async def test_a_key_of_another_type_under_a_running_dealer_stops_that_table_alone(pit, quick, caplog):
    async with dealer_on(pit, "standard", "good") as dealer:
        await until_round(pit, 1)
        await pit.client.delete(TABLE_KEY)
        await pit.client.rpush(TABLE_KEY, "x")
        await until(lambda: "standard cannot be dealt" in caplog.text)
        await rounds_more(pit, 2, "good")
        assert await pit.client.lrange(TABLE_KEY, 0, -1) == [b"x"]
        await dealer.release()


async def test_a_seq_that_was_changed_by_hand_is_damage_and_not_read_for_ever(pit):
    """Otherwise the table would be read and refused again without a pause."""
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 1)
        runner = dealer._runners["standard"]
        await pit.client.hset(TABLE_KEY, "seq", 7)
        with pytest.raises(DamagedRecordError, match="table standard is at seq 7 with the state of"):
            await runner.run()


async def test_a_stream_of_another_type_is_waited_out(pit, quick, caplog):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 1)
        await pit.client.set(EVENTS_KEY, "x")
        await until(lambda: "is a string" in caplog.text)
        await pit.client.delete(EVENTS_KEY)
        await rounds_more(pit, 1)
        await dealer.release()


async def _epoch_is_not(pit, old):
    try:
        return await pit.stream.epoch() not in (None, old)
    except StoreUnavailableError:
        return False
