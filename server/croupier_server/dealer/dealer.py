"""Which tables this worker deals: takes its share of free leases, keeps its own, gives them back."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Sequence
from typing import Final

from croupier_protocol.messages.values import Epoch, TableId
from croupier_server.dealer.others import LEASE_MS, Others
from croupier_server.dealer.runner import Runner
from croupier_server.dealer.sealing import ShoeKey, WrongKeyError
from croupier_server.dealer.share import plan, shares
from croupier_server.sight.logs import of
from croupier_server.sight.metrics import Metrics
from croupier_server.store.errors import (
    DamagedRecordError,
    NewerRecordError,
    StoreError,
    StoreUnavailableError,
)
from croupier_server.store.keys import PitId
from croupier_server.store.pit import Pit
from croupier_server.store.records import LeaseSeen
from croupier_server.store.scripts import ScriptsMissingError
from croupier_server.store.stream import Note
from croupier_server.store.tables import FREE, LEFT, LISTED
from croupier_server.store.workers import LIVE_MS, WorkerEntry
from croupier_server.table.listing import ListingError, read_listing
from croupier_server.table.state import STATE_SCHEMA, TableSettings

logger = logging.getLogger(__name__)

TICK_S: Final = LEASE_MS / 3000
"""Between two rounds of renewing and taking leases."""

LIST_S: Final = 5.0
"""Between two readings of the list of tables; a note tells of its changes, but notes can be lost."""

LOOK_S: Final = 0.05
"""Between two looks at who deals what, at least, while there is a table that nobody deals."""

HEAR_S: Final = 0.01
"""Between two readings of notes. Each slip leaves one; read one by one they cost as much as the slips."""

CALM_S: Final = 2.0
LONGEST_CALM_S: Final = 60.0
"""After a table that was given up came back, since nobody took it, none is given up for this long; each time
for twice as long, until one is taken."""

ROLLS: Final = 20
"""Pieces of the ledger taken into its base in one round, at most: each blocks the store for a moment."""

BROKEN_S: Final = 5.0
"""How long a table that could not be dealt is left alone before the next attempt."""


class Dealer:
    """The dealing half of a worker, in one pit. `owner` names the worker's life in its tables' records.

    `archive_behind_s` is how old the oldest posting is that the archive has not, and `lost_to_archive` how
    many it will never have.
    """

    def __init__(
        self, pit: Pit, key: ShoeKey, owner: str | None = None, metrics: Metrics | None = None
    ) -> None:
        self.owner = owner or secrets.token_hex(8)
        self._metrics = metrics or Metrics()
        self._pit = pit
        self._clock = pit.store.clock
        self.archive_behind_s, self.lost_to_archive = 0.0, 0
        self._key = key
        self._listings: dict[TableId, bytes] = {}
        self._settings: dict[TableId, TableSettings] = {}
        self._to_list = True
        self._listed_at = self._ticked_at = 0.0
        self._renewed_at = self._clock.steady()
        self._peers: dict[str, int] = {}
        self._peers_at = 0.0
        self._left: set[str] = set()
        self._others = Others()
        self._given_up: set[TableId] = set()
        self._calm_s, self._calm_until = CALM_S, 0.0
        self._runners: dict[TableId, Runner] = {}
        self._tasks: dict[TableId, asyncio.Task[None]] = {}
        self._broken: dict[TableId, float] = {}
        self._undealable: set[TableId] = set()
        self._newer: set[TableId] = set()
        self._epoch: Epoch | None = None
        self._work = asyncio.Event()
        self._ticking = asyncio.Lock()
        self._stopping = False

    @property
    def dealing(self) -> frozenset[TableId]:
        """The tables that this worker deals now."""
        return frozenset(self._runners)

    @property
    def pit(self) -> PitId:
        """The pit that it deals in."""
        return self._pit.name

    @property
    def unrenewed_s(self) -> float:
        """Seconds since the leases held here were renewed; 0 when there are none."""
        return self._clock.steady() - self._renewed_at if self._runners else 0.0

    @property
    def undealt(self) -> dict[TableId, float]:
        """The tables that nobody deals, with the seconds since this was seen."""
        return self._others.free(self._clock.steady())

    @property
    def neglected(self) -> dict[TableId, float]:
        """The same without those that this dealer has tried and cannot deal, or leaves to a newer release."""
        left_out = self._undealable | self._newer
        return {table: since for table, since in self.undealt.items() if table not in left_out}

    def peers(self, entries: Sequence[WorkerEntry]) -> None:
        """The live workers, this one among them; without them for a while, everything free is taken."""
        self._peers = {entry.owner: entry.capacity for entry in entries}
        self._peers_at = self._clock.steady()
        self._left &= self._peers.keys()

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
            pause_s = TICK_S
            try:
                async with self._ticking:
                    pause_s = await self._tick()
            except ScriptsMissingError:
                self._epoch = None
                continue
            except StoreUnavailableError as error:
                logger.warning("dealer: the store is away: %s", error)
            except StoreError as error:
                logger.error("dealer: %s", error)  # noqa: TRY400  # the reason is in the message
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
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
                    self._to_list = True
                    self._work.set()
                    for runner in self._runners.values():
                        runner.hear("all")
                notes = await self._pit.stream.notes(after)
                for note in notes:
                    after = note.id
                    self._hear(note)
                if notes:
                    await asyncio.sleep(HEAR_S)
            except StoreError as error:
                logger.warning("dealer: no notes: %s", error)
                after = None
                await asyncio.sleep(TICK_S)

    def _hear(self, note: Note) -> None:
        if note.kind == LISTED:
            self._to_list = True
            self._work.set()
        elif note.kind in {FREE, LEFT}:
            if note.kind == LEFT:
                self._left.add(note.player)
            self._work.set()
        elif (concerned := self._runners.get(note.table)) is not None:
            concerned.hear(note.kind)

    async def release(self) -> None:
        """Gives every table back, each after the commit that is under way, and takes none any more."""
        self._stopping = True
        self._release_all()
        async with self._ticking:  # in which one more may have been taken
            self._release_all()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _release_all(self) -> None:
        for runner in self._runners.values():
            runner.release(leaving=True)

    async def _tick(self) -> float:
        """Everything that is to be done now; returns in how many seconds there is more."""
        if self._epoch is None:
            self._epoch = await self._pit.stream.open()
        if self._clock.steady() - self._ticked_at >= TICK_S:
            await self._look_after_own()
            self._ticked_at = self._clock.steady()
        if self._to_list or self._clock.steady() - self._listed_at >= LIST_S:
            await self._read_list()
        if not self._stopping:
            await self._share_out(self._epoch)
        steady = self._clock.steady()
        pause_s = self._ticked_at + TICK_S - steady
        if self._others.free(steady).keys() - self._broken.keys() - self._newer:
            pause_s = min(pause_s, LOOK_S)
        end_ms = self._others.next_end_ms()
        if end_ms is not None:
            pause_s = min(pause_s, max(self._clock.seconds_until(end_ms), LOOK_S))
        return max(pause_s, 0.0)

    async def _look_after_own(self) -> None:
        """Keeps the leases held here, and looks after clock and players at these tables."""
        runners = list(self._runners.values())
        for lost in await self._pit.tables.renew([runner.lease for runner in runners], self.owner, LEASE_MS):
            runner = self._runners.get(lost.table)
            if runner is not None:  # else it has found out by itself meanwhile
                runner.release()
        self._renewed_at = self._clock.steady()
        for runner in runners:
            runner.look_at_clock()
            runner.look_again()

    async def _look_after_money(self) -> None:
        """Ends transfers that were left behind at the tables dealt here, and keeps the ledger's base near."""
        bank = self._pit.bank
        _, transfers = await bank.transfers.all()
        tables = {TableId(field.partition(b"|")[0].decode()) for field in transfers}
        for table in tables & self._runners.keys():
            await bank.finish(table)
        for _ in range(ROLLS):
            rolled = await bank.ledger.roll()
            if not rolled.more:
                break
        if rolled.lost > self.lost_to_archive:
            logger.error(
                "%d postings of pit %s have been trimmed before the archive had them: is `croupier archive`"
                " running?",
                rolled.lost,
                self._pit.name,
            )
        self.archive_behind_s, self.lost_to_archive = rolled.behind_ms / 1000, rolled.lost

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
                about = of(table)
                logger.error("table %s keeps the settings it has, if any: %s", table, error, extra=about)  # noqa: TRY400  # the reason is in the message
                continue
            self._settings[table] = settings
            if table in self._runners:
                self._runners[table].change(settings)
        for table in self._settings.keys() - listings.keys():
            del self._settings[table]
        self._listings, self._listed_at = listings, self._clock.steady()

    async def _share_out(self, epoch: Epoch) -> None:
        """Takes what is free and ours, and plans to give up what is others'."""
        now_ms, seen = await self._pit.tables.leases(
            [one for one in self._settings if one not in self._tasks]
        )
        steady = self._clock.steady()
        self._leave_newer({table for table, lease in seen.items() if lease.schema > STATE_SCHEMA})
        for table, lease in seen.items():
            if lease.owner == self.owner:  # the answer to our taking it was lost
                seen[table] = LeaseSeen(owner="", until_ms=0)
        self._others.see(seen, now_ms, steady)
        self._broken = {table: until for table, until in self._broken.items() if until > steady}
        free = self._others.free(steady)
        found = plan(
            self.owner,
            self._shares(steady),
            self._runners.keys(),
            self._others.held(),
            {one: since for one, since in free.items() if one not in self._broken and one not in self._newer},
        )
        for table in found.take:
            if self._stopping or self._peers.get(self.owner) == 0:
                break
            await self._take(table, epoch)
        if moved := self._given_up & (seen.keys() - free.keys()):
            self._given_up -= moved
            self._calm_s = CALM_S
        give_up = 0 if steady < self._calm_until else found.give_up
        for number, runner in enumerate(self._runners.values()):
            runner.give_up(soon=number < give_up)

    def _shares(self, steady: float) -> dict[str, int]:
        """How many tables each worker is to deal; nothing when nobody knows who lives."""
        if steady - self._peers_at > LIVE_MS / 1000:
            return {}
        gone = self._left | self._others.silent()
        able = {owner: capacity for owner, capacity in self._peers.items() if owner not in gone}
        return shares(self.pit, len(self._settings), able)

    def _leave_newer(self, newer: set[TableId]) -> None:
        """Tables that a newer release deals are left to it; the log says so once."""
        if fresh := newer - self._newer:
            logger.warning("left to a newer release of Croupier: %s", ", ".join(sorted(fresh)))
        self._newer = newer

    async def _take(self, table: TableId, epoch: Epoch) -> None:
        """Takes the table if nobody deals it."""
        steady = self._clock.steady()
        still = self._others.still(table, steady)
        try:
            answer = await self._pit.tables.acquire(table, self.owner, LEASE_MS, STATE_SCHEMA, still)
            if isinstance(answer, LeaseSeen):
                return
            lease, record = answer
            try:
                runner = Runner(
                    self._settings[table],
                    self._pit,
                    self._key,
                    lease,
                    LEASE_MS,
                    record,
                    epoch,
                    self._metrics,
                )
            except (WrongKeyError, DamagedRecordError):
                await self._pit.tables.release(lease)
                raise
        except StoreUnavailableError:
            raise
        except NewerRecordError:
            self._leave_newer(self._newer | {table})
            return
        except (StoreError, WrongKeyError) as error:
            logger.error("table %s cannot be dealt: %s", table, error, extra=of(table))  # noqa: TRY400  # the reason is in the message
            self._broken[table] = steady + BROKEN_S
            self._undealable.add(table)
            return
        self._undealable.discard(table)
        self._begin(table, runner, steady)

    def _begin(self, table: TableId, runner: Runner, steady: float) -> None:
        """Runs a table that was taken; what was given up and comes back is not given up again for a while."""
        if table in self._given_up:
            self._given_up.discard(table)
            self._calm_until = steady + self._calm_s
            self._calm_s = min(2 * self._calm_s, LONGEST_CALM_S)
        self._runners[table] = runner
        task = asyncio.create_task(runner.run(), name=f"table {table}")
        self._tasks[table] = task
        task.add_done_callback(lambda done: self._ended(table, done))

    def _ended(self, table: TableId, task: asyncio.Task[None]) -> None:
        runner = self._runners.pop(table)
        del self._tasks[table]
        if runner.giving_up:
            self._given_up.add(table)
        if not task.cancelled() and (error := task.exception()) is not None:
            about = of(table, runner.round)
            logger.error("table %s stopped and is taken up again", table, exc_info=error, extra=about)
            self._broken[table] = self._clock.steady() + BROKEN_S
