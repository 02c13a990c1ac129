"""The register of live workers on a real store."""

import pytest

from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.workers import LIVE_MS, WorkerEntry, Workers

ANA = WorkerEntry(owner="aa", supervisor="s1", host="one", process=11, capacity=1, tables=3, connections=70)
BO = WorkerEntry(owner="bb", supervisor="s2", host="two", process=22, capacity=0, watchers={"standard": 5})
KEY = "croupier:workers"


@pytest.fixture
def workers(pit):
    return Workers(pit.store)


async def test_each_beat_names_every_live_worker_with_its_newest_entry(workers):
    assert await workers.beat(ANA) == [ANA]
    assert sorted(await workers.beat(BO), key=lambda one: one.owner) == [ANA, BO]
    busier = WorkerEntry(**{name: getattr(ANA, name) for name in ANA.__struct_fields__} | {"tables": 9})
    assert sorted(await workers.beat(busier), key=lambda one: one.owner) == [busier, BO]


async def test_who_has_left_is_not_named(workers):
    await workers.beat(ANA)
    await workers.leave("aa")
    assert await workers.beat(BO) == [BO]


@pytest.mark.parametrize("off_ms", [-LIVE_MS - 100, LIVE_MS + 10_000])
async def test_who_fell_silent_or_is_left_behind_by_the_clock_is_removed(workers, pit, off_ms):
    await workers.beat(ANA)
    stored = (await pit.client.hget(KEY, "aa")).partition(b"|")
    await pit.client.hset(KEY, "aa", b"%d|" % (int(stored[0]) + off_ms) + stored[2])
    assert await workers.beat(BO) == [BO]
    assert await pit.client.hkeys(KEY) == [b"bb"]


async def test_a_register_of_another_kind_is_damage(workers, pit):
    await pit.client.set(KEY, "x")
    with pytest.raises(DamagedRecordError, match="croupier:workers is a string"):
        await workers.beat(ANA)


async def test_an_entry_of_another_kind_goes_when_its_time_is_up_and_one_that_is_no_worker_is_damage(
    workers, pit
):
    await pit.client.hset(KEY, "cc", "no time")
    assert await workers.beat(ANA) == [ANA]
    now = (await pit.client.hget(KEY, "aa")).partition(b"|")[0]
    await pit.client.hset(KEY, "cc", now + b"|[]")
    with pytest.raises(DamagedRecordError, match="croupier:workers"):
        await workers.beat(ANA)
