"""J7: keys of a wrong type or content. A script is not rolled back, so it must judge before it writes."""

import pytest

from croupier_protocol.messages.values import TableId
from croupier_server.store.errors import DamagedRecordError
from support.records import (
    EPOCH_KEY,
    EVENTS_KEY,
    LEASE_MS,
    OWNER,
    ROUNDS_KEY,
    SCHEMA,
    TABLE,
    TABLE_KEY,
    TYPES,
    a_round,
    a_step,
    everything,
    is_refused_in_other_types,
    spoil,
)

ALL_KEYS = (TABLE_KEY, EVENTS_KEY, EPOCH_KEY, ROUNDS_KEY)


async def calls(pit):
    """One call of every script that works on the table or its stream: name, keys it uses, call."""
    lease, _ = await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    step = a_step(await pit.stream.epoch(), record=a_round(7))
    tables = pit.tables
    return {
        "acquire": ({TABLE_KEY}, lambda: tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)),
        "release": ({TABLE_KEY}, lambda: tables.release(lease)),
        "commit": (set(ALL_KEYS), lambda: tables.commit(lease, step, LEASE_MS, SCHEMA)),
        "read": ({TABLE_KEY, EVENTS_KEY, EPOCH_KEY}, lambda: tables.read(TABLE)),
        "rounds": ({ROUNDS_KEY}, lambda: tables.rounds(TABLE, None, 10)),
        "open": ({EVENTS_KEY, EPOCH_KEY}, pit.stream.open),
        "epoch": ({EPOCH_KEY}, pit.stream.epoch),
        "recent": ({EVENTS_KEY}, lambda: pit.stream.recent(10)),
        "tail": ({EVENTS_KEY}, lambda: pit.tail("0-0")),
    }


@pytest.mark.parametrize("key", ALL_KEYS)
async def test_a_key_of_a_wrong_type_is_a_typed_error_and_nothing_is_written(pit, key):
    right = "hash" if key in {TABLE_KEY, EPOCH_KEY} else "stream"
    scripts = await calls(pit)
    await is_refused_in_other_types(pit.client, key, right, scripts)


@pytest.mark.parametrize("field", ["seq", "fence", "lease_until_ms"])
async def test_a_number_that_is_none_is_a_typed_error_and_nothing_is_written(pit, field):
    scripts = await calls(pit)
    judging = ["acquire", "commit", "read"] if field == "seq" else ["acquire", "read"]
    for value in ("", "x", "-1", "1.5", "nan", "1e3", "0x10", "99999999999999999999"):
        await pit.client.hset(TABLE_KEY, field, value)
        before = await everything(pit.client)
        for name in judging:
            with pytest.raises(DamagedRecordError, match=f"{field} is no number"):
                await scripts[name][1]()
            assert await everything(pit.client) == before, (name, value)


async def test_a_schema_that_is_no_number_is_a_typed_error(pit):
    await pit.client.hset(TABLE_KEY, "schema", "one")
    before = await everything(pit.client)
    with pytest.raises(DamagedRecordError, match="schema is no number"):
        await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    assert await everything(pit.client) == before


@pytest.mark.parametrize("field", ["owner", "key_id"])
async def test_a_name_that_is_no_text_is_a_typed_error(pit, field):
    await pit.client.hset(TABLE_KEY, mapping={"sealed": "x", "lease_until_ms": 2**52, field: b"\xff"})
    with pytest.raises(DamagedRecordError):
        await pit.tables.read(TABLE)
    await pit.client.hset(TABLE_KEY, mapping={"lease_until_ms": 2**52 if field == "owner" else 0})
    with pytest.raises(DamagedRecordError):
        await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)


async def test_one_damaged_record_does_not_keep_other_leases_from_being_renewed(pit):
    leases = [(await pit.tables.acquire(TableId(name), OWNER, 0, SCHEMA))[0] for name in ("a", "b", "c")]
    for kind in TYPES:
        await spoil(pit.client, "croupier:{main}:t:b", kind)
        before = await everything(pit.client)
        lost = await pit.tables.renew(leases, OWNER, 60_000)
        assert [lease.table for lease in lost] == ["b"]
        after = await everything(pit.client)
        changed = {key for key in after if after[key] != before[key]}
        assert changed == {b"croupier:{main}:t:a", b"croupier:{main}:t:c"}


async def test_a_foreign_stream_entry_is_a_typed_error(pit):
    for fields in (
        {"e": "epoch", "t": "standard", "s": "x", "m": "m"},
        {"e": "epoch", "t": "standard", "m": "m"},
        {"e": "epoch", "t": "standard", "s": "1"},
        {"t": "standard", "s": "1", "m": "m"},
        {"e": b"\xff"},
        {"x": "y"},
    ):
        await pit.client.xadd(EVENTS_KEY, fields)
        with pytest.raises(DamagedRecordError, match="stream entry"):
            await pit.tail("0-0")
        assert await pit.stream.recent(10) == []


async def test_a_foreign_round_is_a_typed_error(pit):
    for fields in ({"r": b"\xc1"}, {"r": b"\x80"}, {"r": b"\xa1\xff"}, {"x": "y"}):
        await pit.client.delete(ROUNDS_KEY)
        await pit.client.xadd(ROUNDS_KEY, fields, id="1-1")
        with pytest.raises(DamagedRecordError, match="round 1"):
            await pit.tables.rounds(TABLE, None, 10)
