"""Which tables this worker deals: takes free leases, keeps its own, gives them back."""

import asyncio
import logging
import secrets
from collections.abc import Iterable
from typing import Final

from croupier_protocol.messages.values import Epoch, TableId
from croupier_server.dealer.runner import Runner
from croupier_server.dealer.sealing import ShoeKey, WrongKeyError
from croupier_server.store.errors import DamagedRecordError, StoreError, StoreUnavailableError
from croupier_server.store.pit import Pit
from croupier_server.store.scripts import ScriptsMissingError
from croupier_server.store.tables import LeaseSeen
from croupier_server.store.workers import WorkerEntry
from croupier_server.table.listing import encode_listing
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

BROKEN_S: Final = 5.0
"""How long a table that could not be dealt is left alone before the next attempt."""


class Dealer:
    """The dealing half of a worker. `owner` names this worker's life in the records of its tables."""

    def __init__(self, pit: Pit, settings: Iterable[TableSettings], key: ShoeKey) -> None:
        self.owner = secrets.token_hex(8)
        self._pit = pit
        self._settings = {one.table: one for one in settings}
        self._key = key
        self._runners: dict[TableId, Runner] = {}
        self._tasks: dict[TableId, asyncio.Task[None]] = {}
        self._seen: dict[TableId, tuple[LeaseSeen, float]] = {}
        self._broken: dict[TableId, float] = {}
        self._epoch: Epoch | None = None
        self._ticking = asyncio.Lock()
        self._stopping = False
        self._peers: list[WorkerEntry] = []

    def peers(self, live: list[WorkerEntry]) -> None:
        """Tells which workers live now, this one included; called about every second."""
        self._peers = live

    @property
    def dealing(self) -> frozenset[TableId]:
        """The tables that this worker deals now."""
        return frozenset(self._runners)

    async def run(self) -> None:
        """Deals until cancelled; a store that is away is waited for."""
        try:
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
                await asyncio.sleep(TICK_S)
        finally:
            tasks = list(self._tasks.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def hear_notes(self) -> None:
        """Passes the pit's notes on to the tables dealt here, until cancelled."""
        after: str | None = None
        while True:
            try:
                if after is None:
                    after = await self._pit.stream.last_note()
                    for runner in self._runners.values():
                        runner.hear("all")
                for note in await self._pit.stream.notes(after):
                    after = note.id
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

    async def _tick(self) -> None:
        if self._epoch is None:
            self._epoch = await self._pit.stream.open()
        runners = list(self._runners.values())
        for lost in await self._pit.tables.renew([runner.lease for runner in runners], self.owner, LEASE_MS):
            runner = self._runners.get(lost.table)
            if runner is not None:  # else it has found out by itself meanwhile
                runner.release()
        for runner in runners:
            runner.look_at_clock()
            runner.look_again()
        await self._look_after_money()
        for table in self._settings:
            if table not in self._tasks and not self._stopping:
                await self._take(table, self._epoch)

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
        steady = self._pit.tables.store.clock.steady()
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
            # Before the first step, so that no gateway meets an event of a table that is not listed.
            await self._pit.tables.register({table: encode_listing(self._settings[table])})
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
            self._broken[table] = self._pit.tables.store.clock.steady() + BROKEN_S
