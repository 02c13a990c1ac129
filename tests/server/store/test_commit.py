"""A dealer's step on a real store: written whole, or refused with nothing written."""

import msgspec
import pytest
from msgspec.structs import replace

from croupier_protocol.codec import MSGPACK
from croupier_protocol.messages.events import BettingClosed
from croupier_protocol.messages.values import Epoch, Phase, RoundRecord
from croupier_server.store.errors import (
    EpochChangedError,
    LeaseLostError,
    OutOfStepError,
    TooEarlyError,
    TooLateError,
)
from croupier_server.store.records import Lease, Sealed
from support.records import (
    EPOCH_KEY,
    EVENTS_KEY,
    LEASE_MS,
    NUMBERS,
    OTHER,
    OWNER,
    ROUNDS_KEY,
    SCHEMA,
    TABLE,
    TABLE_KEY,
    a_round,
    a_step,
    everything,
    store_ms,
)


@pytest.fixture
async def lease(pit):
    """The table's lease, with fence 2 and one step taken."""
    await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    lease, _ = await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    await commit(pit, lease, a_step(await pit.stream.epoch()))
    return lease


async def commit(pit, lease, step):
    await pit.tables.commit(lease, step, LEASE_MS, SCHEMA)


async def next_step(pit, **changes):
    return a_step(await pit.stream.epoch(), seq=1, **changes)


async def test_a_step_writes_state_and_event_together(pit, lease):
    before_ms = await store_ms(pit.client)
    step = await next_step(pit, sealed=Sealed(ciphertext=b"\x00sealed", key_id="ab12"))
    await commit(pit, lease, step)
    after_ms = await store_ms(pit.client)
    position = await pit.tables.read(TABLE)
    record = position.record
    assert (record.seq, record.state, record.owner, record.fence) == (2, b"state \x00\xff", OWNER, 2)
    assert record.sealed == Sealed(ciphertext=b"\x00sealed", key_id="ab12")
    assert before_ms + LEASE_MS <= record.lease_until_ms <= after_ms + LEASE_MS
    fields = await pit.client.hmget(TABLE_KEY, "schema", "phase", "round", "closes_at_ms")
    assert fields == [b"1", b"closed", b"7", b"1700000000000"]
    entry = (await pit.stream.recent(1))[0]
    assert (entry.id, entry.table, entry.seq) == (position.last_entry, "standard", 2)
    assert entry.epoch == position.epoch


async def test_the_stored_event_carries_the_stores_time_of_the_commit(pit, lease):
    before_ms = await store_ms(pit.client)
    await commit(pit, lease, await next_step(pit))
    after_ms = await store_ms(pit.client)
    entry = (await pit.stream.recent(1))[0]
    event = MSGPACK.decode_message(entry.message)
    assert event == BettingClosed(round=7, table=TABLE, epoch=entry.epoch, seq=2, due_ms=5, at_ms=event.at_ms)
    assert before_ms <= event.at_ms <= after_ms
    assert abs(event.at_ms - int(entry.id.split("-")[0])) <= 1


async def test_a_step_without_a_shoe_leaves_the_sealed_one_in_place(pit, lease):
    sealed = Sealed(ciphertext=b"sealed", key_id="ab12")
    await commit(pit, lease, await next_step(pit, sealed=sealed))
    await commit(pit, lease, a_step(await pit.stream.epoch(), seq=2))
    assert (await pit.tables.read(TABLE)).record.sealed == sealed


async def test_a_rounds_record_is_appended_once_under_its_number(pit, lease):
    step = await next_step(pit, record=a_round(7))
    await commit(pit, lease, step)
    with pytest.raises(OutOfStepError):
        await commit(pit, lease, step)
    [(entry_id, fields)] = await pit.client.xrange(ROUNDS_KEY)
    assert entry_id == b"7-1"
    assert msgspec.msgpack.decode(fields[b"r"], type=RoundRecord) == a_round(7)


@pytest.mark.parametrize("number", [6, 7])
async def test_rounds_that_count_from_one_again_begin_a_new_history(pit, lease, number):
    """J7, K3: somebody deleted the table's record and not its history; a step is still written whole."""
    await commit(pit, lease, await next_step(pit, record=a_round(7)))
    await pit.client.delete(TABLE_KEY)
    lease, _ = await pit.tables.acquire(TABLE, OWNER, LEASE_MS, SCHEMA)
    epoch = await pit.stream.epoch()
    await commit(pit, lease, a_step(epoch, round=number, record=a_round(number)))
    assert (await pit.tables.read(TABLE)).record.seq == 1
    assert [one.round for one in await pit.tables.rounds(TABLE, None, 10)] == [number]


async def test_a_refused_step_writes_nothing(pit, lease):
    """Each refusal, in the order in which the script judges; every key stays as it was."""
    now_ms = await store_ms(pit.client)
    step = await next_step(pit, record=a_round(7), sealed=Sealed(ciphertext=b"sealed", key_id="ab12"))
    before = await everything(pit.client)
    refusals = [
        (LeaseLostError, Lease(TABLE, OTHER, 2), step),
        (LeaseLostError, Lease(TABLE, OWNER, 1), step),
        (LeaseLostError, Lease(TABLE, OWNER, 3), step),
        (LeaseLostError, Lease(TABLE, "", 2), step),
        (OutOfStepError, lease, replace(step, seq=0)),
        (OutOfStepError, lease, replace(step, seq=2)),
        (EpochChangedError, lease, replace(step, epoch=Epoch("another"))),
        (TooEarlyError, lease, replace(step, not_before_ms=now_ms + 60_000)),
        (TooLateError, lease, replace(step, not_after_ms=now_ms - 1)),
    ]
    for refusal, holder, refused in refusals:
        with pytest.raises(refusal):
            await commit(pit, holder, refused)
        assert await everything(pit.client) == before
    await commit(pit, lease, step)
    assert await everything(pit.client) != before


@pytest.mark.parametrize("key", [EVENTS_KEY, EPOCH_KEY])
async def test_a_step_after_the_stream_or_its_epoch_was_deleted_writes_nothing(pit, lease, key):
    step = await next_step(pit)
    await pit.client.delete(key)
    before = await everything(pit.client)
    with pytest.raises(EpochChangedError):
        await commit(pit, lease, step)
    assert await everything(pit.client) == before


async def test_a_step_after_the_record_was_deleted_writes_nothing(pit, lease):
    """K3."""
    step = await next_step(pit)
    await pit.client.delete(TABLE_KEY)
    before = await everything(pit.client)
    with pytest.raises(LeaseLostError):
        await commit(pit, lease, step)
    assert await everything(pit.client) == before


async def test_the_stores_clock_alone_says_when_a_step_may_come(pit, lease):
    """F1: the borders themselves are in time. The moment of the script lies between two readings."""
    for _ in range(200):
        before_ms = await store_ms(pit.client)
        step = a_step(
            await pit.stream.epoch(),
            seq=(await pit.tables.read(TABLE)).record.seq,
            not_before_ms=before_ms,
            not_after_ms=before_ms + 3_000,
        )
        await commit(pit, lease, step)
    with pytest.raises(TooEarlyError):
        await commit(pit, lease, replace(step, seq=step.seq + 1, not_before_ms=before_ms + 60_000))


@pytest.mark.parametrize("number", NUMBERS)
async def test_numbers_keep_every_digit(pit, number):
    await pit.client.hset(TABLE_KEY, mapping={"seq": number, "fence": number, "owner": OWNER})
    lease = Lease(TABLE, OWNER, number)
    step = a_step(
        await pit.stream.epoch(),
        seq=number,
        round=number,
        closes_at_ms=number,
        not_before_ms=0,
        record=a_round(number),
    )
    await commit(pit, lease, step)
    fields = await pit.client.hmget(TABLE_KEY, "seq", "round", "closes_at_ms", "fence")
    assert fields == [str(each).encode() for each in (number + 1, number, number, number)]
    [(entry_id, entry)] = await pit.client.xrevrange(EVENTS_KEY, count=1)
    assert entry[b"s"] == str(number + 1).encode()
    [(entry_id, _)] = await pit.client.xrange(ROUNDS_KEY)
    assert entry_id == f"{number}-1".encode()
    assert (await pit.tables.read(TABLE)).record.seq == number + 1


@pytest.mark.parametrize("number", NUMBERS)
async def test_a_step_is_judged_by_every_digit_of_its_times(pit, lease, number):
    step = await next_step(pit, not_before_ms=number)
    late = number > await store_ms(pit.client)
    if late:
        with pytest.raises(TooEarlyError):
            await commit(pit, lease, step)
        await commit(pit, lease, replace(step, not_before_ms=0, not_after_ms=number))
    else:
        with pytest.raises(TooLateError):
            await commit(pit, lease, replace(step, not_after_ms=number))
        await commit(pit, lease, step)


async def test_old_events_and_rounds_are_trimmed(pit, lease, monkeypatch):
    monkeypatch.setattr("croupier_server.store.tables.EVENTS_KEPT", 200)
    monkeypatch.setattr("croupier_server.store.tables.ROUNDS_KEPT", 100)
    epoch = await pit.stream.epoch()
    for seq in range(1, 1_000):
        await commit(pit, lease, a_step(epoch, seq=seq, round=seq, record=a_round(seq)))
    assert 200 <= await pit.client.xlen(EVENTS_KEY) <= 300
    assert 100 <= await pit.client.xlen(ROUNDS_KEY) <= 200
    assert (await pit.stream.recent(1))[0].seq == 1_000
    assert [one.round for one in await pit.tables.rounds(TABLE, None, 2)] == [999, 998]


async def test_the_phase_stands_in_the_record_for_other_scripts(pit, lease):
    await commit(pit, lease, await next_step(pit, phase=Phase.BETTING, closes_at_ms=1_700_000_015_000))
    assert await pit.client.hmget(TABLE_KEY, "phase", "closes_at_ms") == [b"betting", b"1700000015000"]
