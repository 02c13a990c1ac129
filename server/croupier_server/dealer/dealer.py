"""Which tables this worker deals: takes free leases, keeps its own, gives them back."""

import asyncio
import contextlib
import logging
import secrets
from typing import Final

from croupier_protocol.messages.values import Epoch, TableId
from croupier_server.dealer.runner import Runner
from croupier_server.dealer.sealing import ShoeKey, WrongKeyError
from croupier_server.store.errors import DamagedRecordError, StoreError, StoreUnavailableError
from croupier_server.store.pit import Pit
from croupier_server.store.scripts import ScriptsMissingError
from croupier_server.store.tables import LISTED, LeaseSeen
from croupier_server.table.listing import ListingError, read_listing
from croupier_server.table.state import STATE_SCHEMA, TableSettings

logger = logging.getLogger(__name__)

LEASE_MS: Final = 3_000
"""How long a table stays with a dealer that has fallen silent."""

STILL_S: Final = LEASE_MS / 1000 + 1
"""A lease that has not moved for this long by our own steady clock is dead, whatever the store says."""

TICK_S: Final = LEASE_MS / 3000
"""Between two rounds of renewing and taking leases."""

ROLLS: Final = 20
"""Pieces of the ledger taken into its base in one round, at most: each blocks the store for a moment."""

LIST_S: Final = 5.0
"""Between two readings of the list of tables; a note tells of its changes, but notes can be lost."""

BROKEN_S: Final = 5.0
"""How long a table that could not be dealt is left alone before the next attempt."""


class Dealer:
    """The dealing half of a worker, in one pit. `owner` names the worker's life in its tables' records."""

    def __init__(self, pit: Pit, key: ShoeKey, owner: str | None = None) -> None:
        self.owner = owner or secrets.token_hex(8)
        self._pit = pit
        self._clock = pit.store.clock
        self._key = key
        self._listings: dict[TableId, bytes] = {}
        self._settings: dict[TableId, TableSettings] = {}
        self._to_list = True
        self._listed_at = 0.0
        self._work = asyncio.Event()
        self._runners: dict[TableId, Runner] = {}
        self._tasks: dict[TableId, asyncio.Task[None]] = {}
        self._seen: dict[TableId, tuple[LeaseSeen, float]] = {}
        self._broken: dict[TableId, float] = {}
        self._epoch: Epoch | None = None
        self._ticking = asyncio.Lock()
        self._stopping = False

    @property
    def dealing(self) -> frozenset[TableId]:
        """The tables that this worker deals now."""
        return frozenset(self._runners)

    async def run(self) -> None:
        """Deals until cancelled; a store that is away is waited for."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._keep_money(), name="transfers and ledger")
                await self._keep_tables()
        finally:
            tasks = list(self._tasks.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_tables(self) -> None:
        while True:
            try:
                async with self._ticking:
                    await self._tick()
            except ScriptsMissingError:
                self._epoch = None
                continue
            except StoreUnavailableError as error:
                logger.warning("dealer: the store is away: %s", error)
            except StoreError as error:
                logger.error("dealer: %s", error)  # noqa: TRY400  # the reason is in the message
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK_S):
                    await self._work.wait()
            self._work.clear()

    async def _keep_money(self) -> None:
        """Looks after money apart from leases: wallets may be on servers that are away."""
        while True:
            await asyncio.sleep(TICK_S)
            if self._epoch is None:
                continue
            try:
                await self._look_after_money()
            except StoreError as error:
                logger.warning("dealer: transfers and ledger are looked after later: %s", error)

    async def hear_notes(self) -> None:
        """Passes the pit's notes on to the tables dealt here, until cancelled."""
        after: str | None = None
        while True:
            try:
                if after is None:
                    after = await self._pit.stream.last_note()
                    self._look_at_list()
                    for runner in self._runners.values():
                        runner.hear("all")
                for note in await self._pit.stream.notes(after):
                    after = note.id
                    if note.kind == LISTED:
                        self._look_at_list()
                    concerned = self._runners.get(note.table)
                    if concerned is not None:
                        concerned.hear(note.kind)
            except StoreError as error:
                logger.warning("dealer: no notes: %s", error)
                after = None
                await asyncio.sleep(TICK_S)

    async def release(self) -> None:
        """Gives every table back, each after the commit that is under way, and takes none any more."""
        self._stopping = True
        self._release_all()
        async with self._ticking:  # in which one more may have been taken
            self._release_all()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _release_all(self) -> None:
        for runner in self._runners.values():
            runner.release()

    def _look_at_list(self) -> None:
        """Reads the list of tables soon."""
        self._to_list = True
        self._work.set()

    async def _tick(self) -> None:
        if self._epoch is None:
            self._epoch = await self._pit.stream.open()
        if self._to_list or self._clock.steady() - self._listed_at >= LIST_S:
            await self._read_list()
        runners = list(self._runners.values())
        for lost in await self._pit.tables.renew([runner.lease for runner in runners], self.owner, LEASE_MS):
            runner = self._runners.get(lost.table)
            if runner is not None:  # else it has found out by itself meanwhile
                runner.release()
        for runner in runners:
            runner.look_at_clock()
            runner.look_again()
        for table in list(self._settings):
            if table not in self._tasks and not self._stopping:
                await self._take(table, self._epoch)

    async def _read_list(self) -> None:
        """Takes in which tables there are, and their settings."""
        self._to_list = False
        listings = await self._pit.tables.registered()
        # A table leaves the list when it is closed. One that is missing otherwise, the list was lost.
        missing = {table: encoded for table, encoded in self._listings.items() if table not in listings}
        for table in await self._pit.tables.register(missing, missed=True):
            listings[table] = missing[table]
        for table, encoded in listings.items():
            if self._listings.get(table) == encoded:
                continue
            try:
                settings = read_listing(encoded).settings(table)
            except ListingError as error:
                logger.error("table %s keeps the settings it has, if any: %s", table, error)  # noqa: TRY400  # the reason is in the message
                continue
            self._settings[table] = settings
            if table in self._runners:
                self._runners[table].change(settings)
        for table in self._settings.keys() - listings.keys():
            del self._settings[table]
        self._listings, self._listed_at = listings, self._clock.steady()

    async def _look_after_money(self) -> None:
        """Ends transfers that were left behind at the tables dealt here, and keeps the ledger's base near."""
        bank = self._pit.bank
        _, transfers = await bank.transfers.all()
        tables = {TableId(field.partition(b"|")[0].decode()) for field in transfers}
        for table in tables & self._runners.keys():
            await bank.finish(table)
        for _ in range(ROLLS):
            if not await bank.ledger.roll():
                break

    async def _take(self, table: TableId, epoch: Epoch) -> None:
        """Takes the table if nobody deals it."""
        steady = self._clock.steady()
        if self._broken.get(table, 0.0) > steady:
            return
        seen, since = self._seen.get(table, (None, steady))
        still = seen if seen is not None and steady - since > STILL_S else None
        try:
            answer = await self._pit.tables.acquire(table, self.owner, LEASE_MS, STATE_SCHEMA, still)
            if isinstance(answer, LeaseSeen):
                if answer != seen:
                    self._seen[table] = (answer, steady)
                return
            lease, record = answer
            self._seen.pop(table, None)
            try:
                runner = Runner(
                    self._settings[table],
                    self._pit,
                    self._key,
                    lease,
                    LEASE_MS,
                    record,
                    epoch,
                )
            except (WrongKeyError, DamagedRecordError):
                await self._pit.tables.release(lease)
                raise
        except StoreUnavailableError:
            raise
        except (StoreError, WrongKeyError) as error:
            logger.error("table %s cannot be dealt: %s", table, error)  # noqa: TRY400  # the reason is in the message
            self._broken[table] = steady + BROKEN_S
            return
        self._runners[table] = runner
        task = asyncio.create_task(runner.run(), name=f"table {table}")
        self._tasks[table] = task
        task.add_done_callback(lambda done: self._ended(table, done))

    def _ended(self, table: TableId, task: asyncio.Task[None]) -> None:
        del self._runners[table], self._tasks[table]
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("table %s stopped and is taken up again", table, exc_info=error)
            self._broken[table] = self._clock.steady() + BROKEN_S
