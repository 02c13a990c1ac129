"""What waits for an archive that does not come: kept up to a bound and told, and beyond it lost and told."""

import asyncio
import contextlib
import os
import signal

import psycopg
import pytest

from croupier_server.archive import postgresql, running, sqlite
from croupier_server.archive.check import check_archive
from croupier_server.archive.errors import DatabaseAwayError, OtherArchiveError
from croupier_server.archive.opening import open_database
from croupier_server.dealer.dealer import Dealer
from croupier_server.errors import SetupError
from croupier_server.store.archiving import LedgerReader
from croupier_server.store.errors import StoreUnavailableError
from support.archiving import archived_pit, archiver, drain, found, in_ledger, opened, play, positions
from support.banking import BASE, LEDGER, a_bank, sit
from support.records import TYPES, everything, spoil
from support.serving import until
from support.stores import KEY

ARCHIVE = "croupier:{main}:archive"


async def post(pit, count):
    for _ in range(count):
        await pit.client.xadd(LEDGER, {"k": "buy_in", "t": "standard", "p": "ana", "n": 1, "a": 3})


async def roll(pit, **options):
    """Rolls the ledger until there is nothing more to do; returns what the last one came to."""
    while (rolled := await pit.bank.ledger.roll(**options)).more:
        pass
    return rolled


async def test_beyond_the_backlog_the_oldest_are_lost_to_the_archive_and_counted(pit, sqlite_to):
    await sit(a_bank(pit))
    await drain(pit.url, sqlite_to)
    async with archived_pit(pit.url, backlog=20) as served:
        await post(pit, 50)
        rolled = await roll(served, most=7, kept=0)
        assert len(await in_ledger(pit)) == 20
        assert rolled.lost == 30
        assert await pit.client.hget(ARCHIVE, "lost") == b"30"
        assert await pit.client.hget(BASE, "trimmed") == b"31"
        await drain(pit.url, sqlite_to)
        with opened(sqlite_to) as archive:
            mismatches = (await check_archive(pit.stores, archive)).mismatches
        assert [one for one in mismatches if one.where.startswith("archive")] == []
        assert found(sqlite_to, "SELECT reason FROM lives ORDER BY life") == [("first",), ("gap",)]
        assert len(positions(sqlite_to)) == 21
        assert (await roll(served, kept=0)).behind_ms == 0
        assert len(await in_ledger(pit)) == 1


async def test_a_dealer_tells_how_long_postings_wait_and_once_of_each_loss(pit, caplog):
    async with archived_pit(pit.url, backlog=1_000) as served:
        dealer = Dealer(served, KEY)
        await dealer._look_after_money()
        assert (dealer.archive_behind_s, dealer.lost_to_archive) == (0.0, 0)
        now_ms = int((await pit.client.time())[0]) * 1_000
        await pit.client.xadd(
            LEDGER, {"k": "buy_in", "t": "standard", "p": "ana", "n": 1, "a": 3}, id=f"{now_ms - 60_000}-0"
        )
        await dealer._look_after_money()
        assert 60.0 <= dealer.archive_behind_s < 120.0
    await post(pit, 5)
    async with archived_pit(pit.url, backlog=4) as served:
        dealer = Dealer(served, KEY)
        for _ in range(2):
            await dealer._look_after_money()
        assert dealer.lost_to_archive == 2
    assert caplog.text.count("2 postings of pit main have been trimmed before the archive had them") == 1


async def test_without_an_archive_the_ledger_is_kept_and_trimmed_as_ever(pit):
    await pit.client.hset(ARCHIVE, "upto", "0-0")
    await post(pit, 30)
    while (await a_bank(pit).ledger.roll(kept=8)).more:
        pass
    assert len(await in_ledger(pit)) == 8


@pytest.mark.parametrize(("field", "value"), [("upto", "x"), ("upto", ""), ("lost", "x")])
async def test_an_archives_hash_that_cannot_be_read_is_an_alarm_and_nothing_is_written(pit, field, value):
    await post(pit, 3)
    await pit.client.hset(ARCHIVE, field, value)
    before = await everything(pit.client)
    with pytest.raises(Exception, match="is no"):
        await pit.bank.ledger.roll(kept=0)
    assert await everything(pit.client) == before


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != "hash"])
async def test_an_archives_hash_of_a_wrong_type_is_an_alarm_for_the_ledger_and_for_the_archive(
    pit, kind, sqlite_to, caplog
):
    await post(pit, 3)
    await spoil(pit.client, ARCHIVE, kind)
    before = await everything(pit.client)
    with pytest.raises(Exception, match=r"archive is a|WRONGTYPE"):
        await pit.bank.ledger.roll(kept=0)
    assert await drain(pit.url, sqlite_to) == 0
    assert "is archived no further" in caplog.text
    assert await everything(pit.client) == before


async def test_a_pit_whose_server_is_away_does_not_keep_others_from_being_archived(
    pit, sqlite_to, monkeypatch
):
    """As on a cluster, where a node has some of the pits."""
    await sit(a_bank(pit))
    await pit.client.sadd("croupier:pits", "all", "main")
    page = LedgerReader.page

    async def away(reader, start):
        if reader.pit == "all":
            raise StoreUnavailableError("its node is down")
        return await page(reader, start)

    monkeypatch.setattr(LedgerReader, "page", away)
    with pytest.raises(StoreUnavailableError, match="its node is down"):
        await drain(pit.url, sqlite_to)
    assert positions(sqlite_to) == await in_ledger(pit)


async def test_a_full_disk_is_waited_for_and_nothing_is_lost(pit, sqlite_to):
    await sit(a_bank(pit))
    await play(pit, 7)
    await drain(pit.url, sqlite_to)
    for round_ in range(8, 40):
        await play(pit, round_, finished=False)
    with opened(sqlite_to) as archive:
        connection = archive.database.database._connected()
        [pages] = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        async with archiver(pit.url, archive) as one:
            with pytest.raises(DatabaseAwayError, match="full"):
                await one.drain()
            assert len(positions(sqlite_to)) == 3
            assert await one.drain() == 32
    assert positions(sqlite_to) == await in_ledger(pit)


async def test_a_locked_database_is_waited_for(pit, to, monkeypatch):
    monkeypatch.setattr(sqlite, "BUSY_S", 0.05)
    monkeypatch.setitem(postgresql.LIMITS_MS, "lock_timeout", 50)
    await sit(a_bank(pit))
    with opened(to):
        pass
    with opened(to) as holding, holding.database.writing():
        database = open_database(to, make=True)
        with (
            contextlib.closing(database),
            pytest.raises(DatabaseAwayError, match="lock"),
            database.writing(),
        ):
            pass
    assert await drain(pit.url, to) == 1


async def test_a_database_that_only_reads_for_now_is_waited_for(pit, postgresql_to):
    """As when its server was made a replica."""
    await sit(a_bank(pit))
    with opened(postgresql_to):
        pass
    with opened(f"{postgresql_to}&options=-c%20default_transaction_read_only%3Don") as archive:
        async with archiver(pit.url, archive) as one:
            with pytest.raises(DatabaseAwayError, match="read-only"):
                await one.drain()
    assert await drain(pit.url, postgresql_to) == 1


async def test_an_archiver_that_was_frozen_for_too_long_goes_on(pit, postgresql_to, monkeypatch):
    """Its server has ended the transaction meanwhile, so that others may write."""
    monkeypatch.setitem(postgresql.LIMITS_MS, "idle_in_transaction_session_timeout", 20)
    await sit(a_bank(pit))
    with opened(postgresql_to) as archive, psycopg.connect(postgresql_to, autocommit=True) as watching:
        with pytest.raises(DatabaseAwayError), archive.database.writing() as transaction:
            [(process,)] = transaction.rows("SELECT pg_backend_pid()")
            running = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"
            await until(lambda: watching.execute(running, (process,)).fetchone() == (0,))
            transaction.run("SELECT 1")
        assert await drain(pit.url, postgresql_to) == 1


async def test_a_file_that_is_taken_away_is_not_written_behind(pit, tmp_path):
    """The store would be told that what goes into it is archived."""
    path = tmp_path / "archive.db"
    await sit(a_bank(pit))
    with opened(f"sqlite:{path}") as archive:
        async with archiver(pit.url, archive) as one:
            await one.drain()
            await play(pit, 7)
            path.unlink()
            with pytest.raises(DatabaseAwayError, match="no such table"):
                await one.drain()
    with pytest.raises(OtherArchiveError):
        await drain(pit.url, f"sqlite:{path}")


async def test_a_database_server_that_goes_away_and_comes_back_loses_nothing(
    pit, postgresql_server, postgresql_to
):
    await sit(a_bank(pit))
    with opened(postgresql_to) as archive:
        async with archiver(pit.url, archive, instead=True) as one:
            await one.drain()
            await play(pit, 7)
            postgresql_server.stop()
            try:
                with pytest.raises(DatabaseAwayError):
                    await one.drain()
            finally:
                postgresql_server.start()
            assert await one.drain() == 2
    assert positions(postgresql_to) == await in_ledger(pit)


async def test_the_archive_goes_on_when_store_or_database_come_back_and_ends_on_sigterm(
    pit, sqlite_to, monkeypatch, caplog
):
    monkeypatch.setattr(running, "PAUSE_S", 0.01)
    await sit(a_bank(pit))
    answers = iter(["no server runs", "redis://127.0.0.1:1", pit.url])

    def find_store():
        answer = next(answers)
        if "://" not in answer:
            raise SetupError(answer)
        return answer

    database = open_database(sqlite_to, make=True)
    with contextlib.closing(database):
        running_on = asyncio.create_task(running.archive_on(find_store, database, instead=False))
        await until(lambda: running_on.done() or _has(sqlite_to, 1), 60)
        await play(pit, 7)
        await until(lambda: running_on.done() or _has(sqlite_to, 3), 60)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(running_on, 60)
    assert "no server runs; trying again" in caplog.text
    assert positions(sqlite_to) == await in_ledger(pit)


def _has(to, count):
    """Whether the archive has so many entries; not while it is being made."""
    with contextlib.suppress(Exception):
        return len(positions(to)) >= count
