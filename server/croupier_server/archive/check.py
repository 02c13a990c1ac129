"""Whether an archive adds up, in itself and with the books that `croupier audit` keeps."""

import asyncio
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from croupier_server.archive.archive import Archive, cursor_in
from croupier_server.archive.balances import balances_at
from croupier_server.archive.errors import MovedOnError
from croupier_server.archive.following import Cursor
from croupier_server.archive.queries import balances
from croupier_server.bank.audit import Auditor
from croupier_server.bank.findings import Mismatch
from croupier_server.store.keys import PitId
from croupier_server.store.stores import Stores

ATTEMPTS: Final = 20
"""How often a pit is read again whose archive goes on meanwhile."""


class Checked(Struct, frozen=True):
    """What was checked and found. `accounts` are those compared between archive and store, in cents each."""

    accounts: int
    postings: int
    mismatches: tuple[Mismatch, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing contradicts anything."""
        return not self.mismatches


async def check_archive(stores: Stores, archive: Archive) -> Checked:
    """Compares the archive with the store, each account as of the last entry archived, and audits the store.

    Raises:
        StoreUnavailableError, DatabaseAwayError: one side is away.
        MovedOnError: a pit's archive went on at every reading.
    """
    pits = await stores.known_pits()
    postings, found = await asyncio.to_thread(_check_sums, archive)
    accounts = 0
    for pit in pits:
        compared, differing = await _check_pit(stores, archive, pit)
        accounts += compared
        found += differing
    found += (await Auditor(stores, pits).run()).mismatches
    return Checked(accounts, postings, tuple(found))


def _check_sums(archive: Archive) -> tuple[int, list[Mismatch]]:
    """Slips against their postings, bets against their slips; and how many postings there are."""
    with archive.database.reading() as transaction:
        [(postings,)] = transaction.rows("SELECT COUNT(*) FROM postings")
        slips = transaction.rows(
            "SELECT s.pit, s.life, s.ms, s.sequence FROM slips s LEFT JOIN postings p ON p.pit = s.pit"
            " AND p.life = s.life AND p.ms = s.ms AND p.sequence = s.sequence"
            " WHERE p.pit IS NULL OR p.staked <> s.staked OR p.returned <> s.returned LIMIT 100"
        )
        bets = transaction.rows(
            "SELECT s.pit, s.life, s.ms, s.sequence FROM slips s LEFT JOIN bets b ON b.pit = s.pit"
            " AND b.life = s.life AND b.ms = s.ms AND b.sequence = s.sequence"
            " GROUP BY s.pit, s.life, s.ms, s.sequence, s.staked, s.returned, s.commission"
            " HAVING COALESCE(SUM(b.stake), 0) <> s.staked OR COALESCE(SUM(b.returned), 0) <> s.returned"
            " OR COALESCE(SUM(b.commission), 0) <> s.commission LIMIT 100"
        )
    found = [Mismatch(_where(*row), "a slip and its posting differ") for row in slips]
    found += [Mismatch(_where(*row), "a slip and its bets differ") for row in bets]
    return postings, found


def _where(pit: str, life: int, ms: int, sequence: int) -> str:
    return f"archive of pit {pit}, life {life}, {ms}-{sequence}"


async def _check_pit(stores: Stores, archive: Archive, pit: PitId) -> tuple[int, list[Mismatch]]:
    """How many accounts were compared, and those that differ."""
    for _ in range(ATTEMPTS):
        cursor, archived = await asyncio.to_thread(_archived, archive, pit)
        if cursor is None:
            return 0, [Mismatch(f"archive of pit {pit}", "there is nothing of this pit in it")]
        try:
            stored = await balances_at(stores.pit(pit), pit, cursor.position)
        except MovedOnError:
            continue
        return len(archived.keys() | stored.keys()), list(_differing(pit, archived, stored))
    raise MovedOnError(f"the archive of pit {pit} went on at every reading: try again")


def _archived(archive: Archive, pit: PitId) -> tuple[Cursor | None, dict[str, int]]:
    """How far the archive has come, and what every account held there: one state of the database."""
    with archive.database.reading() as transaction:
        return cursor_in(transaction, pit), {one.account: one.cents for one in balances(transaction, pit)}


def _differing(pit: PitId, archived: dict[str, int], stored: dict[str, int]) -> Iterator[Mismatch]:
    for account in sorted(archived.keys() | stored.keys()):
        ours, theirs = archived.get(account, 0), stored.get(account, 0)
        if ours != theirs:
            text = f"the archive has {ours} cents, and the ledger {theirs}"
            yield Mismatch(f"archive of pit {pit}, {account}", text, ours - theirs)
