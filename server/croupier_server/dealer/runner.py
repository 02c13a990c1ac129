"""Deals one table: asks the machine for the next step, commits it, waits for the one after.

What is in memory counts for nothing until the store has taken it. Whenever a commit fails in a way that
leaves its effect unknown, the runner throws its state away and reads the record again, exactly as a dealer
does that takes the table over.
"""

import asyncio
import contextlib
import logging
import secrets
from typing import Final

from msgspec.structs import replace

from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    CutListed,
    RoundSettled,
    RoundVoided,
    ShoeCommitted,
    ShoeOpened,
    TableEvent,
)
from croupier_protocol.messages.values import Epoch, Phase, PlayerId
from croupier_protocol.view import BETWEEN_ROUNDS
from croupier_server.dealer.beacon import BeaconDraw
from croupier_server.dealer.committing import commit_of
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.dealer.seatkeeping import SeatKeeper
from croupier_server.dealer.settling import keep_own_rounds, settle_round
from croupier_server.dealer.standing_orders import StandingOrders
from croupier_server.dealer.taking_up import take_up
from croupier_server.dealer.watching import PlayersWatch
from croupier_server.sight.logs import about
from croupier_server.sight.metrics import Metrics
from croupier_server.store.errors import (
    RETRY_S,
    CommitRefusedError,
    EpochChangedError,
    LeaseLostError,
    NotReadyError,
    StoreUnavailableError,
    TooEarlyError,
    TooLateError,
)
from croupier_server.store.pit import Pit
from croupier_server.store.records import Lease, Record, Sealed
from croupier_server.store.significant import Kind, Significant
from croupier_server.table.machine import Step, advance, wake_at
from croupier_server.table.round_steps import WINDOW_COMMIT_MS
from croupier_server.table.state import STATE_SCHEMA, Bets, Inputs, Order, TableSettings

logger = logging.getLogger(__name__)

CLOSING_S: Final = 0.25
"""Between two looks at a table that is to be closed: chips may still be on their way to or from a seat."""

LONGEST_LEAD_MS: Final = 3_200
"""A window that came to the store too late is sent for a later time, twice as far ahead with each refusal,
up to this: more than a command can take."""

AFTER_ROUND_S: Final = 0.2
"""What nobody waits for after a round begins this much later, or a tenth of the time for which the result is
shown: a gateway in the same process first tells everyone the result."""

EARLY_S: Final = 0.001
"""The estimate of the store's clock is good to about this; a step that came too early waits for it."""


class Runner:
    """One leased table, from the record it was taken over with until `release` or the loss of its lease.

    Raises, when made:
        WrongKeyError: the record's shoe is sealed with another key.
        DamagedRecordError: the record cannot be continued.
    """

    def __init__(
        self,
        settings: TableSettings,
        pit: Pit,
        key: ShoeKey,
        lease: Lease,
        lease_ms: int,
        record: Record,
        epoch: Epoch,
        metrics: Metrics,
    ) -> None:
        self.settings = self._wanted = settings
        self.lease = lease
        self._pit = pit
        self._clock = pit.store.clock
        self._key = key
        self._metrics = metrics
        self._lease_ms = lease_ms
        self._wake = asyncio.Event()
        self._releasing = self._leaving = self.giving_up = False
        self._watch = PlayersWatch(pit, settings.table)
        self._seats = SeatKeeper(pit, lease, lease_ms)
        self._orders = StandingOrders(pit, lease, self._watch, self._seats)
        self._bettors: frozenset[PlayerId] = frozenset()
        self._settling_since: float | None = None
        self._lead_ms = 0
        self._beacons = BeaconDraw(self._clock, self._wake)
        self._take_in(record, epoch, self._clock.stepped_ms)

    @property
    def round(self) -> int:
        """The table's round."""
        return self._state.view.round

    def release(self, *, leaving: bool = False) -> None:
        """Asks the runner to give the table back at once, in whatever phase.

        `leaving` says that this worker takes no more tables.
        """
        self._releasing = True
        self._leaving = leaving
        self._wake.set()

    def give_up(self, *, soon: bool) -> None:
        """Asks the runner to give the table to another worker after the round, or not to any more.

        A table that is paused has no round under way, and perhaps none for days: it is given back at once.
        """
        self.giving_up = soon
        if soon and self._state.view.phase is Phase.PAUSED:
            self._releasing = True
            self._wake.set()

    def change(self, settings: TableSettings) -> None:
        """New settings: rules begin with the next shoe, the rest with the next round."""
        self._wanted = settings

    def look_at_clock(self) -> None:
        """Wakes the runner if the store's clock has stepped since its last step."""
        if self._clock.stepped_ms != self._stepped_ms:
            self._wake.set()

    def hear(self, kind: str) -> None:
        """A note about this table has come: somebody sat, bet or got ready."""
        if kind == "order":
            self._orders.look_again()
        elif not self._watch.hear(kind):
            return
        self._wake.set()

    def look_again(self) -> None:
        """Looks at the players once more when some are ready: those who are not may have gone.

        And at a cut that waits for its beacon: a note of what was sent may have been lost.
        """
        if self._watch.somebody_ready:
            self.hear("presence")
        if self._state.view.cut is not None and self._state.view.cut.beacon is not None:
            self.hear("cut")

    async def run(self) -> None:
        """Deals until `release` is called or the lease is lost."""
        try:
            await keep_own_rounds(self._pit.settled, self.settings.table)  # a dealer may have died before
            while not self._releasing and not self._orders.over:
                await self._step()
        except LeaseLostError:
            logger.warning("table %s: another dealer has the lease", self.settings.table)
            return
        finally:
            self._beacons.close()
        if self._orders.over:
            logger.info("table %s: closed", self.settings.table)
            return
        with contextlib.suppress(StoreUnavailableError):
            await self._pit.tables.release(self.lease, leaving=self._leaving)

    def _take_in(self, record: Record, epoch: Epoch, stepped_ms: int) -> None:
        """Makes `record` the state to go on from; its times account for clock steps of `stepped_ms`."""
        found = take_up(record, epoch, self.settings, self._key, self._clock.now_ms())
        self._state, self._held, self._rules = found.state, found.held, found.rules
        self._watch.begin_again()
        self._stepped_ms = stepped_ms

    async def _step(self) -> None:
        """One step if one is due, else a wait for the next."""
        about(table=self.settings.table, round=self._state.view.round)
        stepped_ms = self._stepped_ms
        seed = secrets.token_bytes(32)
        if self._state.view.phase in BETWEEN_ROUNDS:  # no round is to change its settings
            self.settings = self._wanted
        try:
            inputs = await self._inputs()
            # From here to the commit nothing waits: no step of the clock can come between these two.
            stepped_ms = self._clock.stepped_ms
            inputs = replace(inputs, stepped_ms=stepped_ms - self._stepped_ms)
            now_ms = self._clock.now_ms() + self._lead_ms
            step = advance(self.settings, self._state, self._held, now_ms, seed, inputs)
            if step.event is not None:
                await self._commit(step, step.event, seed)
        except (CommitRefusedError, StoreUnavailableError) as error:
            await self._refused(error, stepped_ms)
        else:
            self._state, self._held, self._stepped_ms = step.state, step.held, stepped_ms
            self._lead_ms = 0
            if isinstance(step.event, ShoeOpened) and step.held is not None:
                self._rules = step.held.rules
            if isinstance(step.event, ShoeCommitted | CutListed):
                self._watch.next_of_cut()
            if isinstance(step.event, BettingOpened | BettingClosed):
                self._watch.look_at_counts()
            if isinstance(step.event, RoundSettled):
                await self._after_round()
                self._releasing |= self.giving_up
            if step.event is None and not self._orders.over:
                await self._wait(inputs)

    async def _refused(self, error: CommitRefusedError | StoreUnavailableError, stepped_ms: int) -> None:
        """Nothing was taken, or nobody knows: what now.

        Raises:
            LeaseLostError: the table is somebody else's.
        """
        match error:
            case LeaseLostError():
                raise error
            case TooEarlyError():
                await asyncio.sleep(EARLY_S)
            case TooLateError():
                self._lead_ms = min(max(2 * self._lead_ms, WINDOW_COMMIT_MS), LONGEST_LEAD_MS)
                logger.info("table %s: a window came late to the store and moves", self.settings.table)
            case NotReadyError():
                self._watch.look_at_everything()
            case EpochChangedError():
                await self._recover(stepped_ms)
            case _:
                logger.warning("table %s: %s; reading the record again", self.settings.table, error)
                await self._recover(stepped_ms)

    async def _inputs(self) -> Inputs:
        """What has come from outside: players' doings, the bank's report."""
        view = self._state.view
        settled = None
        if view.phase in {Phase.SETTLING, Phase.VOIDING}:
            if self._settling_since is None:
                self._settling_since = self._clock.steady()
            now_ms = self._clock.now_ms()
            settled, bettors = await settle_round(self._pit, self.lease, self._rules, view, now_ms)
            self._bettors |= bettors
            await self._pit.confirming.confirm(self.lease, self._lease_ms)
        else:
            self._settling_since = None
        seen = await self._watch.see(view, self._state.bets_at_ms)
        asked = await self._orders.asked(view)
        look = self._watch.last or seen  # who was cashed out for an order is not there any more
        return Inputs(
            settled=settled,
            seats=look.taken,
            bets=Bets(totals=look.totals, bettors=look.bettors, ready=look.ready),
            cut=self._watch.cut,
            cut_damaged=self._watch.cut_damaged,
            beacon=None if view.cut is None else self._beacons.drawn(view.cut.beacon),
            present=look.present,
            all_ready=look.all_ready,
            order=None if asked is None else asked.order,
            reason="" if asked is None else asked.reason,
        )

    async def _after_round(self) -> None:
        """Keeps players' own rounds, and ends the seats that are to be ended now that nothing is at stake."""
        await self._sleep(min(AFTER_ROUND_S, self.settings.pace.result_ms / 10_000))
        await keep_own_rounds(self._pit.settled, self.settings.table)
        bettors, self._bettors = self._bettors, frozenset()
        try:
            await self._orders.remove_players()
        except StoreUnavailableError as error:
            logger.warning("table %s: an order is carried out later: %s", self.settings.table, error)
            self._orders.look_again()
        await self._seats.after_round(self._state.view.round, bettors)

    async def _commit(self, step: Step, event: TableEvent, seed: bytes) -> None:
        """Writes `step` with its event; `seed` is that of the shoe, where the step commits to one."""
        sealed: Sealed | None = None
        if isinstance(event, ShoeCommitted):
            rules = event.rules_text.encode()
            sealed = replace(self._key.seal(seed, event.table, event.shoe), rules=rules)
        commit = commit_of(step, event, sealed, self._rules.digest)
        at_ms = await self._pit.tables.commit(self.lease, commit, self._lease_ms, STATE_SCHEMA)
        self._measure(event, at_ms)
        if isinstance(event, RoundVoided):
            await self._pit.significant.note(
                Significant(Kind.ROUND_VOID, table=event.table, round=event.round, reason=event.reason)
            )

    def _measure(self, event: TableEvent, at_ms: int) -> None:
        """Takes an event into the metrics that has been committed at `at_ms`."""
        self._metrics.event_lateness.observe((at_ms - event.due_ms) / 1000)
        if isinstance(event, RoundVoided):
            self._metrics.rounds_voided.inc()
        elif isinstance(event, RoundSettled):
            self._metrics.rounds_settled.inc()
            if self._settling_since is not None:
                self._metrics.settlement.observe(self._clock.steady() - self._settling_since)

    async def _recover(self, stepped_ms: int) -> None:
        """Reads the record again, however long the store is away.

        `stepped_ms` are the clock steps that the step under way accounted for; if it was not taken, the
        record's times still account for those before it.

        Raises:
            LeaseLostError: the record has another owner by now.
        """
        while not self._releasing:
            try:
                await self._pit.stream.open()
                position = await self._pit.tables.read(self.settings.table)
            except StoreUnavailableError:
                await self._sleep(RETRY_S)
                continue
            record = position.record
            if (record.owner, record.fence) != (self.lease.owner, self.lease.fence):
                raise LeaseLostError(self.settings.table)
            taken = record.seq != self._state.view.seq
            self._take_in(record, position.epoch, stepped_ms if taken else self._stepped_ms)
            return

    async def _wait(self, inputs: Inputs) -> None:
        """Sleeps until the next step is due or something wakes the runner."""
        due_ms = wake_at(self.settings, self._state, inputs)
        seconds = None if due_ms is None else self._clock.seconds_until(due_ms)
        until_look = self._watch.seconds_until_look(self._state.view, self._state.bets_at_ms)
        if until_look is not None:
            seconds = until_look if seconds is None else min(seconds, until_look)
        if inputs.order is Order.CLOSE:
            seconds = CLOSING_S
        await self._sleep(seconds)

    async def _sleep(self, seconds: float | None) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        if not self._releasing:
            self._wake.clear()
