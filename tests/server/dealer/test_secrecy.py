"""B6, L6: while a table runs, nobody who reads all of Redis learns a card before it is dealt."""

from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import CardDealt
from croupier_protocol.shoe.shoe import Shoe
from croupier_server.dealer.sealing import ShoeKey
from support.dealing import dealer_on, dealt, until_round
from support.records import TABLE_KEY
from support.stores import KEY, open_pit, running_store

SECRET = bytes(range(32))
RULES = RULE_SETS["standard"]


async def test_the_record_shows_a_shoe_only_sealed(pit):
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 2)  # the first one has been settled
        await dealer.release()
    fields = await pit.client.hgetall(TABLE_KEY)
    assert set(fields) == {
        b"owner",
        b"fence",
        b"lease_until_ms",
        b"schema",
        b"seq",
        b"phase",
        b"round",
        b"closes_at_ms",
        b"cut",
        b"state",
        b"sealed",
        b"key_id",
        b"rules",
        b"listing",
        b"settling_round",
        b"staked",
        b"returned",
        b"paid",
    }
    assert len(fields[b"sealed"]) == 60
    assert fields[b"key_id"].decode() == ShoeKey(SECRET).id


async def test_shoes_of_tables_and_starts_have_nothing_in_common(pit):
    """B5: the same moment, the same process, another table."""
    async with dealer_on(pit, "a", "b") as dealer:
        for table in ("a", "b"):
            await until_round(pit, 2, table)
        await dealer.release()
    seeds = []
    for table in ("a", "b"):
        record = (await pit.tables.read(table)).record
        seeds.append(KEY.open(record.sealed, table, 1))
    assert seeds[0] != seeds[1]
    assert len(set(seeds[0])) > 16
    first, second = [
        [event.card for event in await dealt(pit, table) if isinstance(event, CardDealt)][:8]
        for table in ("a", "b")
    ]
    assert first != second


async def test_two_starts_in_one_frozen_millisecond_have_unrelated_shoes(tmp_path, monkeypatch):
    """B5: two servers, each on a store of its own, for which no time passes."""
    for name, value in (("time", 1_700_000_000.0), ("time_ns", 1_700_000_000_000_000_000)):
        monkeypatch.setattr(f"time.{name}", lambda value=value: value)
    monkeypatch.setattr("os.getpid", lambda: 4321)
    seeds = []
    for number in range(2):
        async with running_store(tmp_path / str(number)) as store, open_pit(store.url) as pit:
            async with dealer_on(pit, "standard") as dealer:
                await until_round(pit, 1)
                await dealer.release()
            record = (await pit.tables.read("standard")).record
            seeds.append(KEY.open(record.sealed, "standard", 1))
    shoes = [Shoe.open(RULES, seed).order(1) for seed in seeds]
    same = sum(one == other for one, other in zip(*shoes, strict=True))
    assert seeds[0] != seeds[1]
    assert same < 40  # eight of 416 on average
