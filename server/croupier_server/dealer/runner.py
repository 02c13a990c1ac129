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

import msgspec
from msgspec.structs import replace

from croupier_protocol.codec import encode_untimed
from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    CutListed,
    RoundResult,
    RoundSettled,
    RoundVoided,
    ShoeCommitted,
    ShoeEnded,
    ShoeOpened,
    TableEvent,
)
from croupier_protocol.messages.values import Epoch, Phase, PlayerId, RulesRef
from croupier_server.dealer.beacon import BeaconDraw
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.dealer.seatkeeping import SeatKeeper
from croupier_server.dealer.settling import keep_own_rounds, settle_round
from croupier_server.dealer.watching import PlayersWatch
from croupier_server.sight.logs import about
from croupier_server.sight.metrics import Metrics
from croupier_server.store.errors import (
    CommitRefusedError,
    DamagedRecordError,
    EpochChangedError,
    LeaseLostError,
    NotReadyError,
    StoreUnavailableError,
    TooEarlyError,
    TooLateError,
)
from croupier_server.store.pit import Pit
from croupier_server.store.seats import BUYING
from croupier_server.store.significant import Kind, Significant
from croupier_server.store.tables import Closing, Commit, Lease, Record, Sealed
from croupier_server.table.held import Held
from croupier_server.table.listing import listing_digest
from croupier_server.table.machine import Step, advance, wake_at
from croupier_server.table.orders import Answer, Standing, Wish, meet
from croupier_server.table.round_steps import WINDOW_COMMIT_MS
from croupier_server.table.state import (
    STATE_SCHEMA,
    Bets,
    Inputs,
    Order,
    TableSettings,
    decode_state,
    encode_state,
    open_table,
)

logger = logging.getLogger(__name__)

RETRY_S: Final = 0.25
"""Between two attempts to reach a store that is away."""

LONGEST_LEAD_MS: Final = 3_200
"""A window that came to the store too late is sent for a later time, twice as far ahead with each refusal,
up to this: more than a command can take."""

TOLD_OF_SHOES: Final = (
    *(ShoeCommitted, CutListed, ShoeOpened, ShoeEnded),
    *(BettingOpened, CardDealt, RoundResult, RoundVoided),
)
"""The events that are kept with their shoe: all that is needed to check it."""

BETWEEN_ROUNDS: Final = frozenset({Phase.RESULT, Phase.SHUFFLING, Phase.PAUSED})
"""Phases in which new settings are taken over."""

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
        self._over = False
        self._releasing = self._leaving = self.giving_up = False
        self._watch = PlayersWatch(pit, settings.table)
        self._to_order = True
        self._standing: list[Standing] = []
        self._seats = SeatKeeper(pit, lease, lease_ms)
        self._bettors: frozenset[PlayerId] = frozenset()
        self._settling_since: float | None = None
        self._lead_ms = 0
        self._beacons = BeaconDraw(self._clock, self._wake)
        self._take_in(record, epoch, self._clock.stepped_ms)

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
            self._to_order = True
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
            while not self._releasing and not self._over:
                await self._step()
        except LeaseLostError:
            logger.warning("table %s: another dealer has the lease", self.settings.table)
            return
        finally:
            self._beacons.close()
        if self._over:
            logger.info("table %s: closed", self.settings.table)
            return
        with contextlib.suppress(StoreUnavailableError):
            await self._pit.tables.release(self.lease, leaving=self._leaving)

    def _take_in(self, record: Record, epoch: Epoch, stepped_ms: int) -> None:
        """Makes `record` the state to go on from; its times account for clock steps of `stepped_ms`."""
        if record.state:
            try:
                state = decode_state(record.state, record.schema)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                raise DamagedRecordError(f"the state of table {self.settings.table}: {error}") from error
            self._state = replace(state, view=replace(state.view, epoch=epoch))
        else:
            self._state = open_table(self.settings, epoch, self._clock.now_ms())
        view = self._state.view
        if view.seq != record.seq:
            raise DamagedRecordError(
                f"table {view.table} is at seq {record.seq} with the state of {view.seq}"
            )
        self._held: Held | None = None
        self._rules = self.settings.rules
        self._watch.begin_again()
        if view.cut is not None:
            self._held = self._open(record, view.cut.shoe, view.cut.rules)
        if view.shoe is not None and view.shoe.end is None:
            held = self._open(record, view.shoe.number, view.rules)
            self._held = Held(held.rules, held.seed, held.cut(view.shoe.contributions, view.shoe.beacon))
            self._rules = held.rules
        self._stepped_ms = stepped_ms

    def _open(self, record: Record, shoe: int, rules: RulesRef) -> Held:
        """What the record holds of a shoe, unsealed."""
        if record.sealed is None:
            raise DamagedRecordError(f"table {self.settings.table} is in shoe {shoe} without its seed")
        seed = self._key.open(record.sealed, self.settings.table, shoe)
        return Held(record.sealed.rule_set(rules), seed)

    async def _step(self) -> None:
        """One step if one is due, else a wait for the next."""
        about(table=self.settings.table, round=self._state.view.round)
        stepped_ms = self._stepped_ms
        seed = secrets.token_bytes(32)
        if self._state.view.phase in BETWEEN_ROUNDS:
            self.settings = self._wanted
        try:
            inputs = await self._inputs()
            # From here to the commit nothing waits: no step of the clock can come between these two.
            stepped_ms = self._clock.stepped_ms
            inputs = replace(inputs, stepped_ms=stepped_ms - self._stepped_ms)
            now_ms = self._clock.now_ms() + self._lead_ms
            step = advance(self.settings, self._state, self._held, now_ms, seed, inputs)
            if step.event is not None:
                await self._commit(step, seed)
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
            if step.event is None and not self._over:
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
        order = await self._order()
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
            order=None if order is None else order[0],
            reason="" if order is None else order[1],
        )

    async def _after_round(self) -> None:
        """Keeps players' own rounds, and ends the seats that are to be ended now that nothing is at stake."""
        await self._sleep(min(AFTER_ROUND_S, self.settings.pace.result_ms / 10_000))
        await keep_own_rounds(self._pit.settled, self.settings.table)
        bettors, self._bettors = self._bettors, frozenset()
        try:
            await self._remove_players()
        except StoreUnavailableError as error:
            logger.warning("table %s: an order is carried out later: %s", self.settings.table, error)
            self._to_order = True
        await self._seats.after_round(self._state.view.round, bettors)

    async def _remove_players(self) -> None:
        """Carries out the orders to remove players, as far as nothing is at stake."""
        for standing in [one for one in self._standing if one.wish is Wish.REMOVE]:
            answer = await self._seats.remove(standing)
            if answer is not None:
                await self._pit.orders.answer(self.lease, standing, answer)
                self._standing.remove(standing)

    async def _order(self) -> tuple[Order, str] | None:
        """What an operator's order asks of the table now, with its reason; answers those that are done."""
        if self._to_order:
            self._to_order = False
            try:
                self._standing = await self._pit.orders.standing(self.settings.table)
                await self._remove_players()
            except StoreUnavailableError:
                self._to_order = True
                raise
        asked = None
        for standing in list(self._standing):
            met = meet(self._state.view, standing)
            if isinstance(met, Answer):
                await self._pit.orders.answer(self.lease, standing, met.text)
                self._standing.remove(standing)
            elif met is not None and asked is None:
                asked = met, standing.reason
                if met is Order.CLOSE:
                    await self._make_way(standing.op)
        if asked is None and self._state.view.phase is Phase.ENDED:
            return Order.REOPEN, ""  # it is on the list again
        return asked

    async def _make_way(self, op: str) -> None:
        """Cashes everybody out of a table that is to be closed; one that has ended is taken off the list."""
        table = self.settings.table
        look = await self._watch.look(self._state.view.round)
        await self._pit.bank.finish(table, older_than_ms=0)
        for player, seat in look.seats.items():
            if seat.state != BUYING:
                await self._seats.cash_out(player)
        if look.seats:
            look = await self._watch.look(self._state.view.round)
        self._to_order = True  # it may be taken back
        if self._state.view.phase is Phase.ENDED and not look.seats:
            self._over = await self._pit.tables.close(self.lease, op) is Closing.DONE

    async def _commit(self, step: Step, seed: bytes) -> None:
        event, view = step.event, step.state.view
        if event is None:
            raise ValueError("nothing to commit")
        sealed: Sealed | None = None
        if isinstance(event, ShoeCommitted):
            rules = event.rules_text.encode()
            sealed = replace(self._key.seal(seed, view.table, event.shoe), rules=rules)
        commit = Commit(
            seq=event.seq - 1,
            epoch=event.epoch,
            phase=view.phase,
            round=view.round,
            closes_at_ms=view.closes_at_ms or 0,
            state=encode_state(step.state),
            event=encode_untimed(event),
            sealed=sealed,
            record=step.record,
            not_before_ms=step.not_before_ms,
            not_after_ms=step.not_after_ms,
            early=step.early,
            listing=listing_digest(self._rules.digest, step.state.limits),
            cut=_cut_stage(event),
            cut_rev=None if step.cut is None else step.cut.rev,
            shoe=_shoe_told(step) if isinstance(event, TOLD_OF_SHOES) else 0,
            commitments=step.commitments,
        )
        at_ms = await self._pit.tables.commit(self.lease, commit, self._lease_ms, STATE_SCHEMA)
        self._measure(event, at_ms)
        if isinstance(event, RoundVoided):
            await self._pit.significant.note(
                Significant(Kind.ROUND_VOID, table=view.table, round=view.round, reason=event.reason)
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
            seconds = RETRY_S
        await self._sleep(seconds)

    async def _sleep(self, seconds: float | None) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        if not self._releasing:
            self._wake.clear()


def _cut_stage(event: TableEvent) -> str | None:
    """What the record says of the cut after `event`: which shoe, what is taken, and until when."""
    match event:
        case ShoeCommitted(cut_until_ms=None):
            return f"{event.shoe}|"
        case ShoeCommitted():
            return f"{event.shoe}|hashes|{event.cut_until_ms}"
        case CutListed():
            return f"{event.shoe}|values|{event.reveal_until_ms}"
        case ShoeOpened():
            return f"{event.shoe}|over|0"
    return None


def _shoe_told(step: Step) -> int:
    """The shoe that the step's event belongs to."""
    view = step.state.view
    if view.cut is not None:
        return view.cut.shoe
    return 0 if view.shoe is None else view.shoe.number
