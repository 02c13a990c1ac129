"""The archiver: what comes into the archive, each entry once, whatever is cut short; and what it notices."""

import asyncio
import itertools

import pytest

from croupier_server.archive.check import check_archive
from croupier_server.archive.errors import OtherArchiveError, UnsuitableDatabaseError
from croupier_server.bank.audit import Auditor
from croupier_server.store import archiving
from croupier_server.store.archiving import LedgerReader
from support.archiving import Killed, archiver, drain, empty, found, in_ledger, opened, play, positions
from support.banking import BASE, LEDGER, MOST, ROOMY, STANDARD, a_bank, settle, sit, slip, window

ARCHIVE = "croupier:{main}:archive"


@pytest.fixture
def small_pages(monkeypatch):
    """So that a few rounds take several batches."""
    monkeypatch.setattr(archiving, "PAGE", 4)


async def check(pit, to):
    """Fails unless archive and store agree."""
    with opened(to) as archive:
        checked = await check_archive(pit.stores, archive)
    assert checked.mismatches == ()
    return checked


async def test_everything_that_was_posted_is_in_the_archive_once(pit, to):
    bank = a_bank(pit)
    await sit(bank)
    await play(pit, 7)
    await play(pit, 8, void=True)
    await bank.leave(STANDARD, "ana", "leave-001")
    assert [await drain(pit.url, to) for _ in range(2)] == [6, 0]
    assert found(
        to,
        "SELECT kind, table_id, player, round, staked, returned, amount FROM postings ORDER BY ms, sequence",
    ) == [
        ("buy_in", "standard", "ana", None, 0, 0, 10_000),
        ("settle", "standard", "ana", 7, 600, 1_000, 0),
        ("void", "standard", "ana", 8, 600, 600, 0),
        ("cash_out", "standard", "ana", None, 0, 0, 10_400),
    ]
    assert found(to, "SELECT round, staked, returned, bankroll, rules FROM slips ORDER BY round") == [
        (7, 600, 1_000, 10_400, "standard"),
        (8, 600, 600, 10_400, "standard"),
    ]
    assert found(to, "SELECT place, bet, stake, result, returned FROM bets ORDER BY ms, sequence, place") == [
        (0, "player", 500, "win", 1_000),
        (1, "tie", 100, "win", 0),
        (0, "player", 500, "win", 500),
        (1, "tie", 100, "win", 100),
    ]
    rounds = found(
        to, "SELECT table_id, round, outcome, player_cards, banker_cards, is_natural, ended_ms FROM rounds"
    )
    assert sorted(rounds) == [
        ("standard", 7, "player", "8s As", "2h 6d", 1, 1_700_000_000_007),
        ("standard", 8, "player", "8s As", "2h 6d", 1, 1_700_000_000_008),
    ]
    assert positions(to) == await in_ledger(pit)
    checked = await check(pit, to)
    assert (checked.accounts, checked.postings) == (2, 4)


async def test_the_largest_amounts_are_archived_to_the_cent(pit, to):
    for posting in (
        {"k": "buy_in", "n": 1, "a": MOST},
        {"k": "settle", "r": 7, "s": MOST, "w": 0, "h": MOST},
        {"k": "settle", "r": 8, "s": 0, "w": MOST, "h": -MOST},
        {"k": "settle", "r": 9, "s": 100_000_000_000_001, "w": 0, "h": 100_000_000_000_001},
    ):
        await pit.client.xadd(LEDGER, {"t": "standard", "p": "ana", **posting})
    await drain(pit.url, to)
    assert found(to, "SELECT staked, returned, amount FROM postings ORDER BY ms, sequence") == [
        (0, 0, 9_007_199_254_740_991),
        (9_007_199_254_740_991, 0, 0),
        (0, 9_007_199_254_740_991, 0),
        (100_000_000_000_001, 0, 0),
    ]


@pytest.mark.parametrize("amount", [1, 100_000_000_000_001, MOST])
async def test_a_settled_slip_is_archived_to_the_cent(pit, sqlite_to, amount):
    await sit(a_bank(pit, start=amount), buy_in=amount, limits=ROOMY)
    await window(pit)
    await slip(pit, player=amount)
    await settle(pit, lambda player, bets: bets)
    await drain(pit.url, sqlite_to)
    assert found(sqlite_to, "SELECT staked, returned, bankroll FROM slips") == [(amount, amount, amount)]
    assert found(sqlite_to, "SELECT stake, returned FROM bets") == [(amount, amount)]


async def test_totals_of_the_archive_are_those_of_the_audit(pit, to):
    bank = a_bank(pit)
    for player in ("ana", "bo"):
        await sit(bank, player)
    for round_ in range(1, 6):
        await window(pit, round_)
        await slip(pit, "ana", round_, player=700)
        await slip(pit, "bo", round_, banker=300)
        await settle(pit, lambda player, bets: {"player": 1_400} if player == "ana" else {}, round_)
    await drain(pit.url, to)
    figures = (await Auditor(pit.stores, ["main"]).run()).figures
    [(staked, returned)] = found(
        to, "SELECT CAST(SUM(staked) AS BIGINT), CAST(SUM(returned) AS BIGINT) FROM slips"
    )
    assert (staked, returned) == (5_000, 7_000)
    assert figures.house == staked - returned == -2_000
    [(bought,)] = found(to, "SELECT CAST(SUM(amount) AS BIGINT) FROM postings WHERE kind = 'buy_in'")
    assert figures.bankrolls + figures.stakes == bought - staked + returned == 22_000
    await check(pit, to)


async def test_an_archiver_that_is_cut_anywhere_neither_loses_nor_doubles(pit, to, small_pages):
    """Every statement and both sides of every commit, each in its turn the last that an archiver does.

    Of PostgreSQL every fourth; `test_killed.py` has the rest.
    """
    await sit(a_bank(pit))
    for round_ in (7, 8):
        await play(pit, round_)
    for at in itertools.count(1, 1 if to.startswith("sqlite") else 4):
        empty(to)
        try:
            with opened(to, at) as archive:
                async with archiver(pit.url, archive) as one:
                    await one.drain()
        except Killed:
            await drain(pit.url, to)
        else:
            break
        assert positions(to) == await in_ledger(pit)
        counted = found(to, *(f"SELECT COUNT(*) FROM {table}" for table in ("slips", "bets", "lives")))
        assert counted == [[(2,)], [(4,)], [(1,)]]
    assert at > 18
    assert (await pit.client.hget(ARCHIVE, "upto")).decode() == "{}-{}".format(*positions(to)[-1])
    await check(pit, to)


def test_an_archive_that_is_cut_while_it_is_made_is_made_by_the_next(to):
    for at in itertools.count(1):
        try:
            with opened(to, at):
                break
        except Killed:
            pass
    assert at > 10
    assert positions(to) == []


@pytest.mark.parametrize("when", ["before", "after"])
async def test_an_archiver_that_is_cut_beside_telling_the_store_neither_loses_nor_doubles(
    pit, sqlite_to, small_pages, when, monkeypatch
):
    url = pit.url
    archived = LedgerReader.archived
    at = tells = 0

    async def cut(*arguments, **options):
        nonlocal tells
        tells += 1
        if when == "before" and tells == at:
            raise Killed
        answer = await archived(*arguments, **options)
        if tells == at:
            raise Killed
        return answer

    monkeypatch.setattr(LedgerReader, "archived", cut)
    await sit(a_bank(pit))
    for at in range(1, 5):
        await play(pit, 6 + at)
        tells = 0
        with pytest.raises(Killed):
            while True:
                await drain(url, sqlite_to)
                await pit.client.xadd(LEDGER, {"t": "standard", "p": "bo", "k": "buy_in", "n": 1, "a": 0})
        upto = await pit.client.hget(ARCHIVE, "upto")
        if upto is not None:
            assert tuple(map(int, upto.split(b"-"))) <= (positions(sqlite_to) or [(0, 0)])[-1]
    at = 0
    await drain(url, sqlite_to)
    assert positions(sqlite_to) == await in_ledger(pit)


async def test_archivers_beside_each_other_do_no_harm(pit, to, small_pages):
    url = pit.url
    await sit(a_bank(pit))
    for round_ in range(7, 17):
        await play(pit, round_)
    assert sum(await asyncio.gather(*(drain(url, to) for _ in range(3)))) == 21
    assert positions(to) == await in_ledger(pit)
    await check(pit, to)


async def test_a_store_that_lost_its_last_writes_is_noticed_and_what_it_lost_is_withdrawn(
    pit, to, small_pages
):
    url = pit.url
    bank = a_bank(pit)
    await sit(bank)
    for round_ in range(1, 4):
        await play(pit, round_)
    kept = {key: await pit.client.dump(key) for key in await pit.client.keys()}
    for round_ in range(4, 7):
        await play(pit, round_)
    assert await drain(url, to) == 13
    await pit.client.flushall()
    for key, value in kept.items():
        await pit.client.restore(key, 0, value)
    await pit.stream.open()
    await play(pit, 4, player=900)
    await drain(url, to)
    assert positions(to) == await in_ledger(pit)
    assert found(to, "SELECT life, reason, withdrawn FROM lives ORDER BY life") == [
        (1, "first", 0),
        (2, "lost_writes", 6),
    ]
    assert found(to, "SELECT staked FROM slips WHERE round = 4 AND withdrawn_by IS NULL") == [(900,)]
    assert found(to, "SELECT COUNT(*) FROM slips WHERE withdrawn_by = 2") == [(3,)]
    await check(pit, to)


async def test_a_store_that_was_begun_anew_begins_a_life_and_the_old_history_stays(pit, sqlite_to):
    url = pit.url
    await sit(a_bank(pit))
    await play(pit, 7)
    await drain(url, sqlite_to)
    await pit.client.flushall()
    await pit.stream.open()
    await sit(a_bank(pit), "bo")
    await drain(url, sqlite_to)
    assert found(sqlite_to, "SELECT reason FROM lives ORDER BY life") == [("first",), ("other_store",)]
    assert len(positions(sqlite_to)) == 4
    await check(pit, sqlite_to)


async def test_what_was_trimmed_before_an_archive_began_is_its_opening(pit, sqlite_to):
    bank = a_bank(pit)
    await sit(bank)
    for round_ in range(7, 12):
        await play(pit, round_)
    while (await bank.ledger.roll(kept=3)).more:  # by a server without an archive
        pass
    await play(pit, 12)
    await drain(pit.url, sqlite_to)
    assert len(positions(sqlite_to)) == 5
    assert found(
        sqlite_to, "SELECT account, cents FROM openings WHERE account <> 'wallet:ana' ORDER BY account"
    ) == [
        ("house", -1_600),
        ("seat:standard|ana", 11_600),
    ]
    await check(pit, sqlite_to)


async def test_an_archive_that_comes_too_late_has_a_gap_that_it_knows_of(pit, sqlite_to):
    bank = a_bank(pit)
    await sit(bank)
    await drain(pit.url, sqlite_to)
    for round_ in range(7, 12):
        await play(pit, round_)
    while (await bank.ledger.roll(kept=3)).more:  # by a server without an archive
        pass
    await drain(pit.url, sqlite_to)
    assert found(sqlite_to, "SELECT life, reason FROM lives ORDER BY life") == [(1, "first"), (2, "gap")]
    assert len(positions(sqlite_to)) == 4
    await check(pit, sqlite_to)


async def test_an_archive_that_was_restored_from_a_backup_catches_up(pit, tmp_path):
    path = tmp_path / "archive.db"
    await sit(a_bank(pit))
    await drain(pit.url, f"sqlite:{path}")
    backup = path.read_bytes()
    for round_ in (7, 8):
        await play(pit, round_)
    await drain(pit.url, f"sqlite:{path}")
    path.write_bytes(backup)
    assert await drain(pit.url, f"sqlite:{path}") == 4
    assert positions(f"sqlite:{path}") == await in_ledger(pit)
    assert found(f"sqlite:{path}", "SELECT reason FROM lives") == [("first",)]


async def test_a_store_goes_to_one_archive_unless_another_takes_its_place(pit, tmp_path):
    url, one, other = (pit.url, f"sqlite:{tmp_path}/one.db", f"sqlite:{tmp_path}/other.db")
    await sit(a_bank(pit))
    await drain(url, one)
    with pytest.raises(OtherArchiveError, match="--instead"):
        await drain(url, other)
    assert positions(other) == []
    assert await drain(url, other, instead=True) == 1
    with pytest.raises(OtherArchiveError):
        await drain(url, one)


async def test_a_damaged_posting_stops_its_pit_and_nothing_after_it_is_skipped(pit, sqlite_to, caplog):
    await sit(a_bank(pit))
    bad = await pit.client.xadd(LEDGER, {"k": "settle", "t": "standard", "p": "ana", "s": "x"})
    await play(pit, 7)
    assert await drain(pit.url, sqlite_to) == 0
    assert "is archived no further" in caplog.text
    await pit.client.xdel(LEDGER, bad)
    assert await drain(pit.url, sqlite_to) == 3


async def test_a_slip_without_its_own_round_is_archived_with_its_sums_and_a_warning(pit, sqlite_to, caplog):
    await pit.client.xadd(
        LEDGER, {"k": "settle", "t": "standard", "p": "ana", "r": 7, "s": 500, "w": 0, "h": 500}
    )
    assert await drain(pit.url, sqlite_to) == 1
    assert found(sqlite_to, "SELECT staked FROM postings") == [(500,)]
    assert found(sqlite_to, "SELECT COUNT(*) FROM slips") == [(0,)]
    assert "set `enabled` under [archive]" in caplog.text


async def test_an_archive_of_a_newer_release_is_refused(to):
    with opened(to) as archive, archive.database.writing() as transaction:
        transaction.run("UPDATE croupier_archive SET value = '2' WHERE name = 'schema'")
    with pytest.raises(UnsuitableDatabaseError, match="newer release"), opened(to):
        pass


async def test_a_database_that_holds_something_else_is_refused_and_left_alone(to):
    with opened(to) as archive, archive.database.writing() as transaction:
        transaction.run("DROP TABLE croupier_archive")
    with pytest.raises(UnsuitableDatabaseError, match="other tables"), opened(to):
        pass


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "archive.db"
    path.write_bytes(b"something else, and quite long. " * 100)
    with pytest.raises(UnsuitableDatabaseError, match="no SQLite database"), opened(f"sqlite:{path}"):
        pass
    assert path.read_bytes() == b"something else, and quite long. " * 100


async def test_a_damaged_file_is_refused_with_what_to_do(pit, tmp_path):
    path = tmp_path / "archive.db"
    await sit(a_bank(pit))
    await drain(pit.url, f"sqlite:{path}")
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))
    with pytest.raises(UnsuitableDatabaseError, match="is damaged, so go on from a backup"):
        await drain(pit.url, f"sqlite:{path}")


def test_the_file_is_for_its_owner_alone(tmp_path):
    with opened(f"sqlite:{tmp_path}/archive.db"):
        pass
    assert (tmp_path / "archive.db").stat().st_mode & 0o777 == 0o600


async def test_trimming_stays_behind_the_archive(pit, sqlite_to, small_pages):
    ledger = pit.bank.ledger
    await sit(a_bank(pit))
    for round_ in range(7, 12):
        await play(pit, round_)
    while (await ledger.roll(most=3, kept=0)).more:
        pass
    assert len(await in_ledger(pit)) == 11
    await drain(pit.url, sqlite_to)
    await play(pit, 12)
    while (await ledger.roll(most=3, kept=0)).more:
        pass
    left = await in_ledger(pit)
    assert len(left) == 3
    assert left[0] == positions(sqlite_to)[-1]  # by which the archive knows the ledger again
    await drain(pit.url, sqlite_to)
    assert len(positions(sqlite_to)) == 13
    assert found(sqlite_to, "SELECT COUNT(*) FROM lives") == [(1,)]
    assert (await pit.client.hget(BASE, "trimmed")) == b"10"
    await check(pit, sqlite_to)
