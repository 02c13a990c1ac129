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
from croupier_protocol.game.canonical import rules_from_canonical
from croupier_protocol.game.rules import RulesError, RuleSet
from croupier_protocol.messages.events import ShoeOpened
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import Epoch, Phase
from croupier_protocol.shoe.shoe import Shoe
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.store.errors import (
    DamagedRecordError,
    EpochChangedError,
    LeaseLostError,
    OutOfStepError,
    StoreUnavailableError,
    TooEarlyError,
    TooLateError,
)
from croupier_server.store.stream import Stream
from croupier_server.store.tables import Commit, Lease, Record, Sealed, Tables
from croupier_server.table.machine import advance
from croupier_server.table.state import (
    STATE_SCHEMA,
    Inputs,
    Settlement,
    TableSettings,
    decode_state,
    encode_state,
    open_table,
    wake_at,
)
from croupier_server.table.steps import WINDOW_COMMIT_MS, Step

logger = logging.getLogger(__name__)

RETRY_S: Final = 0.25
"""Between two attempts to reach a store that is away."""

LONGEST_LEAD_MS: Final = 3_200
"""A window that came to the store too late is sent for a later time, twice as far ahead with each refusal,
up to this: more than a command can take."""

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
        tables: Tables,
        stream: Stream,
        key: ShoeKey,
        lease: Lease,
        lease_ms: int,
        record: Record,
        epoch: Epoch,
    ) -> None:
        self.settings = settings
        self.lease = lease
        self._tables = tables
        self._stream = stream
        self._clock = tables.store.clock
        self._key = key
        self._lease_ms = lease_ms
        self._wake = asyncio.Event()
        self._releasing = False
        self._lead_ms = 0
        self._take_in(record, epoch, self._clock.stepped_ms)

    def release(self) -> None:
        """Asks the runner to give the table back at once, in whatever phase."""
        self._releasing = True
        self._wake.set()

    def look_at_clock(self) -> None:
        """Wakes the runner if the store's clock has stepped since its last step."""
        if self._clock.stepped_ms != self._stepped_ms:
            self._wake.set()

    async def run(self) -> None:
        """Deals until `release` is called or the lease is lost."""
        try:
            while not self._releasing:
                await self._step()
        except LeaseLostError:
            logger.warning("table %s: another dealer has the lease", self.settings.table)
            return
        with contextlib.suppress(StoreUnavailableError):
            await self._tables.release(self.lease)

    def _take_in(self, record: Record, epoch: Epoch, stepped_ms: int) -> None:
        """Makes `record` the state to go on from; its times account for clock steps of `stepped_ms`."""
        if record.state:
            try:
                state = decode_state(record.state)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                raise DamagedRecordError(f"the state of table {self.settings.table}: {error}") from error
            self._state = replace(state, view=replace(state.view, epoch=epoch))
        else:
            self._state = open_table(self.settings, epoch)
        view = self._state.view
        if view.seq != record.seq:
            raise DamagedRecordError(
                f"table {view.table} is at seq {record.seq} with the state of {view.seq}"
            )
        self._shoe: Shoe | None = None
        if view.shoe is not None:
            if record.sealed is None:
                raise DamagedRecordError(f"table {view.table} is in shoe {view.shoe.number} without its seed")
            seed = self._key.open(record.sealed, view.table, view.shoe.number)
            self._shoe = Shoe.open(_rules_of(record.sealed, view), seed)
        self._stepped_ms = stepped_ms

    async def _step(self) -> None:
        """One step if one is due, else a wait for the next."""
        settling = self._state.view.phase in {Phase.SETTLING, Phase.VOIDING}
        stepped_ms = self._clock.stepped_ms
        inputs = Inputs(
            stepped_ms=stepped_ms - self._stepped_ms,
            settled=Settlement() if settling else None,
        )
        seed = secrets.token_bytes(32)
        now_ms = self._clock.now_ms() + self._lead_ms
        step = advance(self.settings, self._state, self._shoe, now_ms, seed, inputs)
        try:
            if step.event is not None:
                await self._commit(step, seed)
        except TooEarlyError:
            await asyncio.sleep(EARLY_S)
        except TooLateError:
            self._lead_ms = min(max(2 * self._lead_ms, WINDOW_COMMIT_MS), LONGEST_LEAD_MS)
            logger.info("table %s: a window came late to the store and moves", self.settings.table)
        except EpochChangedError:
            await self._recover(stepped_ms)
        except (OutOfStepError, StoreUnavailableError) as error:
            logger.warning("table %s: %s; reading the record again", self.settings.table, error)
            await self._recover(stepped_ms)
        else:
            self._state, self._shoe, self._stepped_ms = step.state, step.shoe, stepped_ms
            self._lead_ms = 0
            if step.event is None:
                await self._wait()

    async def _commit(self, step: Step, seed: bytes) -> None:
        event, view = step.event, step.state.view
        if event is None:
            raise ValueError("nothing to commit")
        sealed: Sealed | None = None
        if isinstance(event, ShoeOpened):
            rules = msgspec.json.encode(self.settings.rules.canonical)
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
        )
        await self._tables.commit(self.lease, commit, self._lease_ms, STATE_SCHEMA)

    async def _recover(self, stepped_ms: int) -> None:
        """Reads the record again, however long the store is away.

        `stepped_ms` are the clock steps that the step under way accounted for; if it was not taken, the
        record's times still account for those before it.

        Raises:
            LeaseLostError: the record has another owner by now.
        """
        while not self._releasing:
            try:
                await self._stream.open()
                position = await self._tables.read(self.settings.table)
            except StoreUnavailableError:
                await self._sleep(RETRY_S)
                continue
            record = position.record
            if (record.owner, record.fence) != (self.lease.owner, self.lease.fence):
                raise LeaseLostError(self.settings.table)
            taken = record.seq != self._state.view.seq
            self._take_in(record, position.epoch, stepped_ms if taken else self._stepped_ms)
            return

    async def _wait(self) -> None:
        """Sleeps until the next step is due or something wakes the runner."""
        due_ms = wake_at(self._state)
        await self._sleep(None if due_ms is None else self._clock.seconds_until(due_ms))

    async def _sleep(self, seconds: float | None) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        if not self._releasing:
            self._wake.clear()


def _rules_of(sealed: Sealed, view: TableView) -> RuleSet:
    """The rules that a running shoe was opened under; they may differ from what the next one will play."""
    try:
        rules = rules_from_canonical(view.rules.name, msgspec.json.decode(sealed.rules))
    except (msgspec.MsgspecError, RulesError) as error:
        raise DamagedRecordError(f"the rules of the shoe at table {view.table}: {error}") from error
    if rules.digest != view.rules.digest:
        raise DamagedRecordError(f"the shoe at table {view.table} was opened under other rules than it says")
    return rules
