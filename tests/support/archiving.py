"""A pit whose ledger goes to an archive, rounds for it, and archivers that are cut short."""

from contextlib import asynccontextmanager, contextmanager

from croupier_server.archive.archive import Archive
from croupier_server.archive.archiver import Archiver
from croupier_server.archive.opening import open_database
from croupier_server.store.ledger import Archiving
from croupier_server.store.stores import Stores
from support.banking import LEASE, LEDGER, settle, slip, window
from support.records import LEASE_MS, SCHEMA, a_round, a_step
from support.stores import TestPit

BACKLOG = 1_000


@asynccontextmanager
async def archived_pit(url, backlog=BACKLOG):
    """The main pit of the store at `url`, as servers with an archive work on it."""
    pit = TestPit(Stores(url), archiving=Archiving(backlog=backlog))
    try:
        pit.url = url
        await pit.stream.open()
        yield pit
    finally:
        await pit.close()


async def play(pit, round_, *, void=False, finished=True, **bets):
    """Ana bets in a round of `standard`: what is on Player comes back twice, the rest is lost."""
    await window(pit, round_)
    await slip(pit, round_=round_, **(bets or {"player": 500, "tie": 100}))
    back = (lambda _, placed: placed) if void else (lambda _, placed: {"player": 2 * placed.get("player", 0)})
    await settle(pit, back, round_, void=void)
    if finished:
        seq = int(await pit.client.hget("croupier:{main}:t:standard", "seq") or 0)
        step = a_step(await pit.stream.open(), seq=seq, round=round_, record=a_round(round_))
        await pit.tables.commit(LEASE, step, LEASE_MS, SCHEMA)


class Killed(BaseException):
    """The end of an archiver in the middle of something."""


class CutDatabase:
    """A database that ends whoever writes into it: at the statement or commit that is counted to `at`.

    A commit counts twice: before it, and when it is done. `counted` is how far it came.
    """

    def __init__(self, database, at=0):
        self.database = database
        self.name = database.name
        self.at = at
        self.counted = 0

    def count(self, _what):
        self.counted += 1
        if self.counted == self.at:
            raise Killed

    @contextmanager
    def writing(self):
        with self.database.writing() as transaction:
            yield CutTransaction(transaction, self.count)
            self.count("commit")
        self.count("committed")

    def reading(self):
        return self.database.reading()

    def close(self):
        self.database.close()


class CutTransaction:
    """A transaction that counts what it is asked to change."""

    def __init__(self, transaction, count):
        self.rows = transaction.rows
        self.tables = transaction.tables
        self._transaction = transaction
        self._count = count

    def run(self, statement, values=()):
        self._count("change")
        return self._transaction.run(statement, values)

    def run_each(self, statement, rows):
        self._count("change")
        self._transaction.run_each(statement, rows)


@contextmanager
def opened(to, at=0):
    """The archive at `to`, cut as `CutDatabase` says."""
    database = CutDatabase(open_database(to, make=True), at)
    try:
        archive = Archive(database)
        archive.open(make=True)
        yield archive
    finally:
        database.close()


@asynccontextmanager
async def archiver(url, archive, **options):
    """An archiver from the store at `url` into an archive."""
    stores = Stores(url, one_off=True)
    try:
        yield Archiver(stores, archive, **options)
    finally:
        await stores.close()


async def drain(url, to, **options):
    """Archives everything, as one process would; returns how many entries."""
    with opened(to) as archive:
        async with archiver(url, archive, **options) as one:
            return await one.drain()


def empty(to):
    """Takes everything out of the archive at `to`."""
    with opened(to) as archive, archive.database.writing() as transaction:
        for table in ("cursors", "lives", "openings", "postings", "slips", "bets", "rounds"):
            transaction.run(f"DELETE FROM {table}")


def found(to, *statements):
    """What a query finds in the archive at `to`; of several, a list."""
    database = open_database(to, make=False)
    try:
        with database.reading() as transaction:
            answers = [transaction.rows(statement) for statement in statements]
    finally:
        database.close()
    return answers[0] if len(answers) == 1 else answers


def positions(to):
    """The positions of all entries in the archive that were not withdrawn, each as often as it is there."""
    standing = "SELECT ms, sequence FROM {} WHERE withdrawn_by IS NULL"
    postings, rounds = found(to, *map(standing.format, ("postings", "rounds")))
    return sorted([*postings, *rounds])


async def in_ledger(pit):
    """The positions of all entries in the store's ledger."""
    return [tuple(map(int, entry.decode().split("-"))) for entry, _ in await pit.client.xrange(LEDGER)]
