"""Audits the money of a pit while it runs: exact, and without false alarms.

No moment exists at which everything could be read: wallets are in other slots of the store than seats. But
every move of chips in the pit is a posting of its ledger, and each record of the pit is read together with
the ledger's last position. So

- a seat, and the house, are compared with the ledger at the position at which they were read;
- a wallet is read between two readings of the pit's transfers. When neither these nor the ledger have changed
  for its player in between, the wallet and the second reading are of one moment; otherwise it is read again,
  and a player who never rests is told as not pinned;
- for the sum of all, what was read later is carried back to where the audit began, by the postings since.

It only reads, holds up the store for no longer than one table's seats take, and needs no script.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, Final

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.bank.checks import Chips, Side, TableCut, check_player, check_table
from croupier_server.bank.findings import AuditReport, Figures, Mismatch
from croupier_server.bank.postings import HOUSE, Timeline, moves, seat_account, wallet_account
from croupier_server.store import keys
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.ledger import Position
from croupier_server.store.scripts import Store, run
from croupier_server.store.transfers import NUMBER, Transfer, read_transfer
from croupier_server.store.wallets import OPEN

BATCH: Final = 100
"""Players, or accounts, that are read together."""

PAGE: Final = 1_000
"""Postings read at a time."""

ATTEMPTS: Final = 20
"""How often a player whose money moves is read again."""

PAUSE_S: Final = 0.02
"""Between two such readings."""


class Auditor:
    """One audit of one pit."""

    def __init__(self, store: Store, pit: PitId) -> None:
        self._client = store.client
        self._pit = pit
        self._timeline = Timeline(Position())
        self._start = Position()
        self._found: list[Mismatch] = []
        self._unpinned: list[str] = []
        self._players: dict[PlayerId, bytes | None] = {}
        self._accounts: set[str] = set()
        self._figures: defaultdict[str, int] = defaultdict(int)

    async def run(self) -> AuditReport:
        """Audits everything once.

        Raises:
            StoreUnavailableError: the store went away meanwhile.
        """
        async with self._section("the ledger"):
            await self._begin()
            await self._name_players()
            for table in await self._tables():
                async with self._section(f"table {table}"):
                    await self._check_table(table)
            async with self._section("the house"):
                await self._check_house()
            async with self._section("the wallets"):
                await self._check_players()
            await self._count_postings()
        figures = Figures(**self._figures)
        outside = figures.wallets + figures.in_flight - figures.issued + figures.retired
        inside = figures.bankrolls + figures.stakes + figures.house
        difference = None if self._unpinned else outside + inside + figures.moved
        if difference:
            self._found.append(Mismatch("all money", f"there are {difference} cents too many", difference))
        return AuditReport(figures, difference, tuple(self._found), tuple(self._unpinned))

    @contextlib.asynccontextmanager
    async def _section(self, where: str) -> AsyncIterator[None]:
        """A part of the audit; what keeps it from being done is a mismatch, and no sum is told then."""
        try:
            yield
        except DamagedRecordError as error:
            self._found.append(Mismatch(where, str(error)))
            self._unpinned.append(where)

    async def _begin(self) -> None:
        """Finds where the ledger stands now; all postings since its base are known after this."""
        position, base = await self._pinned(lambda pipe: pipe.hget(self._base_key, "upto"))
        upto = Position.read(base or b"0-0")
        self._start, self._timeline = position, Timeline(min(upto, position))
        await self._load(position)

    async def _name_players(self) -> None:
        """Whoever may have money or have had some: all who had when the audit began, and perhaps more."""
        async for player, state in self._scan(keys.players_key()):
            self._players[PlayerId(player)] = state
        async for name, _ in self._scan(self._base_key):
            self._accounts.add(name)
        transfers, _ = await self._transfers()
        for player in (
            *(name.partition(":")[2] for name in self._named("wallet:")),
            *(transfer.player for transfer in transfers.values()),
        ):
            if player not in self._players:
                player_id = PlayerId(player)
                self._players[player_id] = await run(self._client.hget(keys.players_key(), player))

    async def _scan(self, key: str) -> AsyncIterator[tuple[str, bytes]]:
        """Every field of a hash that is there all the while, a page at a time."""
        cursor = 0
        while True:
            cursor, page = await run(self._client.hscan(key, cursor, count=PAGE))
            for field, value in page.items():
                yield _text(field), value
            if not cursor:
                return

    async def _tables(self) -> list[TableId]:
        registered = await run(self._client.hkeys(keys.tables_key(self._pit)))
        transfers, _ = await self._transfers()
        names = {_text(table) for table in registered} | {one.table for one in transfers.values()}
        names |= {name.partition(":")[2].partition("|")[0] for name in self._named("seat:")}
        self._figures["tables"] = len(names)
        return sorted(map(TableId, names))

    async def _check_table(self, table: TableId) -> None:
        cut = await self._cut(table)
        chips, found = check_table(cut)
        self._found += found
        accounts = {seat_account(table, player): have for player, have in chips.items()}
        named = set(self._named(f"seat:{table}|")) | set(accounts)
        for account, posted in (await self._at(named, cut.position)).items():
            have = accounts.get(account, Chips())
            total = have.bankroll + have.stake
            if total != posted:
                player = account.partition("|")[2]
                text = f"the seat has {total} cents (bankroll and slip), and the ledger {posted}"
                self._found.append(Mismatch(f"table {table}, {player}", text, total - posted))
            self._figures["moved"] -= self._timeline.moved(account, self._start, cut.position)
        self._figures["bankrolls"] += sum(have.bankroll for have in chips.values())
        self._figures["stakes"] += sum(have.stake for have in chips.values())

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
        posted = (await self._at([HOUSE], position))[HOUSE]
        if house != posted:
            text = f"it has {house} cents, and the ledger {posted}"
            self._found.append(Mismatch("the house", text, house - posted))
        self._figures["house"] = house
        self._figures["moved"] -= self._timeline.moved(HOUSE, self._start, position)

    async def _check_players(self) -> None:
        self._figures["players"] = len(self._players)
        left = list(self._players)
        for attempt in range(ATTEMPTS):
            if attempt:
                await asyncio.sleep(PAUSE_S)
            moving = []
            for start in range(0, len(left), BATCH):
                moving += await self._check_batch(left[start : start + BATCH])
            left = moving
            if not left:
                return
        self._unpinned += [f"wallet of {player}: it moved at every reading" for player in left]

    async def _check_batch(self, players: Sequence[PlayerId]) -> list[PlayerId]:
        """Checks those of `players` whose money rests, and returns the others."""
        before, since = await self._transfers()
        pipe = self._client.pipeline(transaction=False)
        for player in players:
            pipe.hgetall(keys.wallet_key(player))
        wallets = await run(pipe.execute(raise_on_error=False))
        after, until = await self._transfers()
        await self._load(until)
        bought = await self._at([wallet_account(player) for player in players], until)
        moving = []
        for player, wallet in zip(players, wallets, strict=True):
            account = wallet_account(player)
            own = self._of(player, after)
            if self._of(player, before) != own or self._timeline.touched(account, since, until):
                moving.append(player)
                continue
            side = self._check_player(player, wallet, own, -bought[account])
            self._figures["wallets"] += side.balance
            self._figures["issued"] += side.issued
            self._figures["retired"] += side.retired
            self._figures["in_flight"] += side.in_flight
            self._figures["moved"] -= self._timeline.moved(account, self._start, until)
        return moving

    def _check_player(self, player: PlayerId, wallet: Any, own: Mapping[str, Transfer], bought: int) -> Side:
        state = self._players[player]
        if isinstance(wallet, Exception):
            self._found.append(Mismatch(f"wallet of {player}", str(wallet)))
            return Side()
        if not wallet:
            if state == OPEN or bought or own:
                self._found.append(Mismatch(f"wallet of {player}", "it has vanished"))
            return Side()
        if state is None:
            self._found.append(Mismatch(f"wallet of {player}", "the register of players does not know it"))
        side, found = check_player(player, wallet, own, bought)
        self._found += found
        return side

    async def _count_postings(self) -> None:
        def queue(pipe: Any) -> None:
            pipe.xlen(keys.ledger_key(self._pit))
            pipe.hmget(self._base_key, "upto", "postings", "trimmed")

        position, length, (upto, taken, trimmed) = await self._pinned(queue)
        since = Position.read(upto or b"0-0")
        await self._load(max(position, since))
        try:
            expected = int(taken or 0) - int(trimmed or 0) + self._timeline.count(since, position)
        except ValueError:
            raise DamagedRecordError(f"the base counts {taken!r} and {trimmed!r} postings") from None
        self._figures["postings"] = length
        if length != expected:
            text = f"it has {length} postings, and {expected} were made and not trimmed"
            self._found.append(Mismatch("the ledger", text))

    async def _pinned(self, queue: Any) -> list[Any]:
        """What the commands that `queue` puts in a pipeline answer, after the ledger's last position then."""
        pipe = self._client.pipeline(transaction=True)
        pipe.xrevrange(keys.ledger_key(self._pit), count=1)
        queue(pipe)
        newest, *rest = await run(pipe.execute())
        return [Position.read(newest[0][0]) if newest else Position(), *rest]

    async def _transfers(self) -> tuple[dict[str, Transfer], Position]:
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
                if mismatch not in self._found:
                    self._found.append(mismatch)
        return transfers

    async def _at(self, accounts: Iterable[str], position: Position) -> dict[str, int]:
        """What the ledger, base and postings, has on `accounts` at `position`."""
        found = {}
        names = list(accounts)
        for start in range(0, max(len(names), 1), BATCH):
            batch = names[start : start + BATCH]
            upto, *balances = await run(self._client.hmget(self._base_key, "upto", *batch))
            since = Position.read(upto or b"0-0")
            await self._load(max(position, since))
            for name, balance in zip(batch, balances, strict=True):
                try:
                    found[name] = int(balance or 0) + self._timeline.moved(name, since, position)
                except ValueError:
                    raise DamagedRecordError(f"the base has {balance!r} on {name}") from None
        return found

    async def _load(self, until: Position) -> None:
        """Reads the ledger up to `until`."""
        while self._timeline.end < until:
            page = await run(
                self._client.xrange(
                    keys.ledger_key(self._pit), f"({self._timeline.end}", str(until), count=PAGE
                )
            )
            for entry, fields in page:
                position = Position.read(entry)
                try:
                    self._timeline.append(position, moves(_texts(fields)))
                except DamagedRecordError as error:
                    self._timeline.append(position, {})
                    self._found.append(Mismatch(f"the ledger at {position}", str(error)))
            self._timeline.end = Position.read(page[-1][0]) if len(page) == PAGE else until

    def _named(self, prefix: str) -> Iterable[str]:
        """Every account that the ledger has or had under `prefix`."""
        return [name for name in self._accounts | self._timeline.accounts if name.startswith(prefix)]

    def _of(self, player: PlayerId, transfers: Mapping[str, Transfer]) -> dict[str, Transfer]:
        """A player's transfers, by what the wallet calls this pit's table."""
        return {f"{self._pit}|{one.table}": one for one in transfers.values() if one.player == player}

    @property
    def _base_key(self) -> str:
        return keys.ledger_base_key(self._pit)


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")


def _texts(stored: Mapping[bytes, bytes]) -> dict[str, str]:
    return {_text(field): _text(value) for field, value in stored.items()}
