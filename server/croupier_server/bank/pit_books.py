"""The books of one pit, as an audit reads them: each record together with the ledger's last position.

It only reads, holds up the store for no longer than one table's seats take, and needs no script.
"""

import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, Final

from redis.asyncio import Redis

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.bank.checks import Chips, TableCut, check_table
from croupier_server.bank.findings import Mismatch
from croupier_server.bank.postings import HOUSE, Timeline, moves, seat_account
from croupier_server.store import keys
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import DEFAULT_PIT, PitId
from croupier_server.store.ledger import Position
from croupier_server.store.scripts import Store, run
from croupier_server.store.transfers import NUMBER, Transfer, read_transfer

BATCH: Final = 100
"""Players, or accounts, that are read together."""

PAGE: Final = 1_000
"""Postings read at a time."""


class Findings:
    """What an audit has found so far, for all pits and wallets."""

    def __init__(self) -> None:
        self.mismatches: list[Mismatch] = []
        self.unpinned: list[str] = []
        self.figures: defaultdict[str, int] = defaultdict(int)

    @contextlib.asynccontextmanager
    async def section(self, where: str) -> AsyncIterator[None]:
        """A part of the audit; what keeps it from being done is a mismatch, and no sum is told then."""
        try:
            yield
        except DamagedRecordError as error:
            self.mismatches.append(Mismatch(where, str(error)))
            self.unpinned.append(where)


class PitBooks:
    """One pit's transfers, tables, house and ledger. `begin` comes first."""

    def __init__(self, store: Store, pit: PitId, findings: Findings) -> None:
        self.start = Position()
        self.timeline = Timeline(Position())
        self._client = store.client
        self._pit = pit
        self._found = findings
        self._accounts: set[str] = set()
        self._of_which = "" if pit == DEFAULT_PIT else f" of pit {pit}"

    async def begin(self) -> None:
        """Finds where the ledger stands now; all postings since its base are known after this."""
        position, base = await self._pinned(lambda pipe: pipe.hget(self._base_key, "upto"))
        upto = Position.read(base or b"0-0")
        self.start, self.timeline = position, Timeline(min(upto, position))
        await self.load(position)
        async for name, _ in scan(self._client, self._base_key):
            self._accounts.add(name)
        _, named = await self.transfers()
        await self.load(named)  # an account that has gone from the base by now has a posting since the start

    async def players(self) -> list[PlayerId]:
        """Who has or had to do with the pit's money."""
        transfers, _ = await self.transfers()
        posted = [name.partition(":")[2] for name in self._named("wallet:")]
        return [PlayerId(player) for player in (*posted, *(one.player for one in transfers.values()))]

    async def check_tables(self) -> None:
        """Every table's seats, each as it was at one posting."""
        for table in await self._tables():
            async with self._found.section(f"table {table}"):
                await self._check_table(table)
        async with self._found.section(f"the house{self._of_which}"):
            await self._check_house()

    async def _tables(self) -> list[TableId]:
        registered = await run(self._client.hkeys(keys.tables_key(self._pit)))
        transfers, _ = await self.transfers()
        names = {_text(table) for table in registered} | {one.table for one in transfers.values()}
        names |= {name.partition(":")[2].partition("|")[0] for name in self._named("seat:")}
        self._found.figures["tables"] += len(names)
        return sorted(map(TableId, names))

    async def _check_table(self, table: TableId) -> None:
        cut = await self._cut(table)
        chips, found = check_table(cut)
        self._found.mismatches += found
        accounts = {seat_account(table, player): have for player, have in chips.items()}
        named = set(self._named(f"seat:{table}|")) | set(accounts)
        for account, posted in (await self.at(named, cut.position)).items():
            have = accounts.get(account, Chips())
            total = have.bankroll + have.stake
            if total != posted:
                player = account.partition("|")[2]
                text = f"the seat has {total} cents (bankroll and slip), and the ledger {posted}"
                self._found.mismatches.append(Mismatch(f"table {table}, {player}", text, total - posted))
            self._found.figures["moved"] -= self.timeline.moved(account, self.start, cut.position)
        self._found.figures["bankrolls"] += sum(have.bankroll for have in chips.values())
        self._found.figures["stakes"] += sum(have.stake for have in chips.values())

    async def _cut(self, table: TableId) -> TableCut:
        def queue(pipe: Any) -> None:
            for key in (keys.seats_key, keys.bankrolls_key, keys.slips_key, keys.revisions_key):
                pipe.hgetall(key(self._pit, table))
            pipe.hgetall(keys.transfers_key(self._pit))

        position, seats, bankrolls, slips, revisions, transfers = await self._pinned(queue)
        return TableCut(
            table=table,
            position=position,
            seats=_texts(seats),
            bankrolls=_texts(bankrolls),
            slips=_texts(slips),
            revisions=_texts(revisions),
            transfers={
                one.player: one for one in self._read_transfers(transfers).values() if one.table == table
            },
        )

    async def _check_house(self) -> None:
        position, stored = await self._pinned(lambda pipe: pipe.get(keys.house_key(self._pit)))
        try:
            house = int(stored or b"0")
        except ValueError:
            raise DamagedRecordError(f"the house reads {stored!r}") from None
        posted = (await self.at([HOUSE], position))[HOUSE]
        if house != posted:
            text = f"it has {house} cents, and the ledger {posted}"
            self._found.mismatches.append(Mismatch(f"the house{self._of_which}", text, house - posted))
        self._found.figures["house"] += house
        self._found.figures["moved"] -= self.timeline.moved(HOUSE, self.start, position)

    async def count_postings(self) -> None:
        """Whether a posting is missing or too many."""

        def queue(pipe: Any) -> None:
            pipe.xlen(keys.ledger_key(self._pit))
            pipe.hmget(self._base_key, "upto", "postings", "trimmed")

        position, length, (upto, taken, trimmed) = await self._pinned(queue)
        since = Position.read(upto or b"0-0")
        await self.load(max(position, since))
        try:
            expected = int(taken or 0) - int(trimmed or 0) + self.timeline.count(since, position)
        except ValueError:
            raise DamagedRecordError(f"the base counts {taken!r} and {trimmed!r} postings") from None
        self._found.figures["postings"] += length
        if length != expected:
            text = f"it has {length} postings, and {expected} were made and not trimmed"
            self._found.mismatches.append(Mismatch(f"the ledger{self._of_which}", text))

    async def _pinned(self, queue: Any) -> list[Any]:
        """What the commands that `queue` puts in a pipeline answer, after the ledger's last position then."""
        pipe = self._client.pipeline(transaction=True)
        pipe.xrevrange(keys.ledger_key(self._pit), count=1)
        queue(pipe)
        newest, *rest = await run(pipe.execute())
        return [Position.read(newest[0][0]) if newest else Position(), *rest]

    async def transfers(self) -> tuple[dict[str, Transfer], Position]:
        """The transfers under way by `table|player`, and where the ledger stood then."""
        position, stored = await self._pinned(lambda pipe: pipe.hgetall(keys.transfers_key(self._pit)))
        return self._read_transfers(stored), position

    def _read_transfers(self, stored: Mapping[bytes, bytes]) -> dict[str, Transfer]:
        """Transfers by `table|player`; one that cannot be read is a mismatch, once."""
        transfers = {}
        for field, text in stored.items():
            if field == NUMBER:
                continue
            try:
                transfers[_text(field)] = read_transfer(field, text)
            except DamagedRecordError as error:
                mismatch = Mismatch("transfers", str(error))
                if mismatch not in self._found.mismatches:
                    self._found.mismatches.append(mismatch)
        return transfers

    async def at(self, accounts: Iterable[str], position: Position) -> dict[str, int]:
        """What the ledger, base and postings, has on `accounts` at `position`."""
        found = {}
        names = list(accounts)
        for start in range(0, max(len(names), 1), BATCH):
            batch = names[start : start + BATCH]
            upto, *balances = await run(self._client.hmget(self._base_key, "upto", *batch))
            since = Position.read(upto or b"0-0")
            await self.load(max(position, since))
            for name, balance in zip(batch, balances, strict=True):
                try:
                    found[name] = int(balance or 0) + self.timeline.moved(name, since, position)
                except ValueError:
                    raise DamagedRecordError(f"the base has {balance!r} on {name}") from None
        return found

    async def load(self, until: Position) -> None:
        """Reads the ledger up to `until`."""
        while self.timeline.end < until:
            page = await run(
                self._client.xrange(
                    keys.ledger_key(self._pit), f"({self.timeline.end}", str(until), count=PAGE
                )
            )
            for entry, fields in page:
                position = Position.read(entry)
                try:
                    self.timeline.append(position, moves(_texts(fields)))
                except DamagedRecordError as error:
                    self.timeline.append(position, {})
                    self._found.mismatches.append(
                        Mismatch(f"the ledger{self._of_which} at {position}", str(error))
                    )
            self.timeline.end = Position.read(page[-1][0]) if len(page) == PAGE else until

    def _named(self, prefix: str) -> Iterable[str]:
        """Every account that the ledger has or had under `prefix`."""
        return [name for name in self._accounts | self.timeline.accounts if name.startswith(prefix)]

    def of(self, player: PlayerId, transfers: Mapping[str, Transfer]) -> dict[str, Transfer]:
        """A player's transfers, by what the wallet calls this pit's table."""
        return {f"{self._pit}|{one.table}": one for one in transfers.values() if one.player == player}

    @property
    def _base_key(self) -> str:
        return keys.ledger_base_key(self._pit)


async def scan(client: Redis, key: str) -> AsyncIterator[tuple[str, bytes]]:
    """Every field of a hash that is there all the while, a page at a time."""
    cursor = 0
    while True:
        cursor, page = await run(client.hscan(key, cursor, count=PAGE))
        for field, value in page.items():
            yield _text(field), value
        if not cursor:
            return


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")


def _texts(stored: Mapping[bytes, bytes]) -> dict[str, str]:
    return {_text(field): _text(value) for field, value in stored.items()}
