"""What `croupier tables list` says: who deals, who watches, what is overdue, which tables nobody deals."""

import asyncio

from msgspec.structs import replace

from croupier_server.store.workers import WorkerEntry, Workers
from croupier_server.table.listing import encode_listing
from croupier_server.table.state import decode_state, encode_state
from croupier_server.tables_list import as_lines, read_rows
from support.dealing import until_round
from support.players import PATIENT
from support.playing import played
from support.records import TABLE_KEY, store_ms
from support.stores import turbo


async def test_a_dealt_table_names_its_worker_and_counts_its_spectators(store, pit):
    async with played(store.url, turbo("standard")) as dealer:
        await until_round(pit, 1)
        workers = Workers(pit.store)
        await workers.beat(WorkerEntry(dealer.owner, "s", "alpha", 4711, 1, watchers={"standard": 3}))
        await workers.beat(WorkerEntry("b", "s", "beta", 4712, 1, watchers={"standard": 4, "other": 9}))
        [row] = await read_rows(pit.store, "main")
    assert (row.table, row.pit, row.rules, row.host, row.process) == (
        "standard",
        "main",
        "standard",
        "alpha",
        4711,
    )
    assert (row.owner, row.spectators, row.seats, row.ownerless_ms) == (dealer.owner, 7, 0, None)
    assert row.round >= 1


async def test_a_table_without_a_dealer_for_longer_than_a_lease_is_plain_to_see(store, pit):
    async with played(store.url, replace(turbo("standard"), pace=PATIENT)):
        async with asyncio.timeout(20):
            while await pit.client.hget(TABLE_KEY, "phase") != b"betting":
                await asyncio.sleep(0.01)
    [fresh] = await read_rows(pit.store, "main")
    assert (fresh.owner, fresh.ownerless_ms) == ("", None)
    now_ms = await store_ms(pit.client)
    state = decode_state((await pit.tables.read("standard")).record.state)
    late = encode_state(replace(state, due_ms=now_ms - 90_000))
    await pit.client.hset(TABLE_KEY, mapping={"lease_until_ms": now_ms - 61_000, "state": late})
    [row] = await read_rows(pit.store, "main")
    assert 61_000 <= row.ownerless_ms < 91_000
    assert 90_000 <= row.lag_ms < 120_000
    heading, line = as_lines([row])
    assert heading.split()[:4] == ["TABLE", "PIT", "RULES", "DEALER"]
    assert "NOBODY" in line
    assert "no dealer for 6" in line


async def test_tables_that_cannot_be_read_and_that_were_never_dealt_are_listed_too(pit):
    await pit.tables.register({"bad": b"{", "new": encode_listing(turbo("new"))})
    bad, new = await read_rows(pit.store, "main")
    assert (bad.table, bad.problem is None) == ("bad", False)
    assert (new.table, new.problem, new.ownerless_ms) == ("new", "never dealt so far", None)
    assert len(list(as_lines([bad, new]))) == 3
