"""The cut of a shoe in the store: what counts, what does not, and sending it twice."""

import hashlib

import pytest

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import Contribution
from croupier_server.store import keys
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import DEFAULT_PIT
from support.records import TABLE_KEY
from support.seating import seat

VALUE = b"v" * 32
HASH = hashlib.sha256(VALUE).digest()
FOR_EVER = 2**50
CUT_KEY = keys.cut_key(DEFAULT_PIT, "standard")


async def stage(pit, told):
    await pit.client.hset(TABLE_KEY, "cut", told)


@pytest.fixture
async def cuts(pit):
    """The cut of shoe 7 takes hashes; Ana is on seat 3."""
    await seat(pit, "standard", "ana", 3, 10_000)
    await stage(pit, f"7|hashes|{FOR_EVER}")
    return pit.cuts


async def test_a_hash_and_then_its_value_count_once_however_often_they_are_sent(pit, cuts):
    for _ in range(3):
        assert await cuts.send_hash("standard", "ana", 7, HASH) is None
    assert await cuts.look("standard") == (1, (Contribution(3, "ana", HASH, None),))
    await stage(pit, f"7|values|{FOR_EVER}")
    for _ in range(3):
        assert await cuts.send_value("standard", "ana", 7, VALUE) is None
        assert await cuts.send_hash("standard", "ana", 7, HASH) is None
    assert await cuts.look("standard") == (2, (Contribution(3, "ana", HASH, VALUE),))
    await stage(pit, "7|over|0")
    assert await cuts.send_value("standard", "ana", 7, VALUE) is None
    assert (await cuts.look("standard"))[0] == 2


async def test_what_does_not_count_changes_nothing(pit, cuts):
    other = b"o" * 32
    assert await cuts.send_hash("standard", "nobody", 7, HASH) is ErrorCode.NOT_SEATED
    assert await cuts.send_hash("standard", "ana", 6, HASH) is ErrorCode.CUT_CLOSED
    assert await cuts.send_hash("standard", "ana", 8, HASH) is ErrorCode.CUT_CLOSED
    assert await cuts.send_value("standard", "ana", 7, VALUE) is ErrorCode.CUT_CLOSED
    assert await cuts.send_hash("elsewhere", "ana", 7, HASH) is ErrorCode.CUT_CLOSED
    assert await cuts.look("standard") == (0, ())
    assert await cuts.send_hash("standard", "ana", 7, HASH) is None
    assert await cuts.send_hash("standard", "ana", 7, other) is ErrorCode.CUT_DIFFERS
    assert await cuts.send_value("standard", "ana", 7, VALUE) is ErrorCode.CUT_CLOSED
    await stage(pit, f"7|values|{FOR_EVER}")
    assert await cuts.send_value("standard", "ana", 7, other) is ErrorCode.CUT_DIFFERS
    await seat(pit, "standard", "ben", 4, 10_000)
    assert await cuts.send_hash("standard", "ben", 7, other) is ErrorCode.CUT_CLOSED
    assert await cuts.send_value("standard", "ben", 7, other) is ErrorCode.CUT_CLOSED
    assert (await cuts.look("standard"))[0] == 1


@pytest.mark.parametrize("kind", ["hashes", "values"])
async def test_the_stores_clock_judges_whether_it_is_in_time(pit, cuts, kind):
    assert await cuts.send_hash("standard", "ana", 7, HASH) is None
    await seat(pit, "standard", "ben", 4, 10_000)
    await stage(pit, f"7|{kind}|1")
    late = b"l" * 32
    assert await cuts.send_hash("standard", "ben", 7, late) is ErrorCode.CUT_CLOSED
    assert await cuts.send_value("standard", "ana", 7, VALUE) is ErrorCode.CUT_CLOSED


async def test_a_damaged_part_is_reported_and_left_as_it_is(pit, cuts):
    await pit.client.hset(CUT_KEY, "ana", "3|short")
    with pytest.raises(DamagedRecordError):
        await cuts.send_hash("standard", "ana", 7, HASH)
    with pytest.raises(DamagedRecordError):
        await cuts.look("standard")
    await pit.client.delete(CUT_KEY)
    await pit.client.set(CUT_KEY, "x")
    with pytest.raises(DamagedRecordError):
        await cuts.send_hash("standard", "ana", 7, HASH)
    assert await pit.client.get(CUT_KEY) == b"x"
