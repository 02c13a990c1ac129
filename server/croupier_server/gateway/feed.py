"""A gateway's live copy of a pit: it tails the pit's stream and keeps what joins and resumes need.

Nothing a client asks of a table costs the store anything: views, backlogs and encoded snapshots are here.
The copy is trusted only as long as the stream is one life and every table's `seq` goes up by one. Otherwise
it is thrown away and made again, and everybody who watches gets a snapshot.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

from croupier_protocol.codec import FrameError
from croupier_protocol.game.rules import RuleSet
from croupier_protocol.messages.events import RoundSettled
from croupier_protocol.messages.notices import NoticeCode
from croupier_protocol.messages.to_server import Since
from croupier_protocol.messages.values import Epoch, Phase, PlayerId, RoundRecord, RulesRef, TableId
from croupier_protocol.view import GapError, settled_round
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.table_feed import TableFeed, ended_feed, entry_order, opened_feed
from croupier_server.sight.logs import of
from croupier_server.store.errors import RETRY_S, DamagedRecordError, StoreUnavailableError
from croupier_server.store.keys import PitId
from croupier_server.store.records import Position
from croupier_server.store.stream import Entry, Note, Stream
from croupier_server.store.tables import LISTED, Tables
from croupier_server.table.listing import ListingError, read_listing

logger = logging.getLogger(__name__)

RECENT: Final = 5_000
"""Stream entries read at start to fill the backlogs."""

QUIET_S: Final = 0.9
"""After this long without an event the epoch is looked at: the stream may be gone, and notes go on."""

AHEAD_S: Final = 1.0
"""How long a resume from an event that this feed has not seen yet waits for it."""

_NOTICES: Final = frozenset(code.value for code in NoticeCode)
"""Kinds of notes that tell players what no key says."""


class Audience(Protocol):
    """Who is told what happens to the feed."""

    def event(self, table: TableId, event: Encoded) -> None:
        """The next event of a table."""

    def snapshot(self, table: TableId, snapshot: Encoded) -> None:
        """The table's view was replaced: events are missing between what was sent before and this."""

    def stalled(self, table: TableId, since_ms: int) -> None:
        """The table stands still."""

    def live(self, table: TableId) -> None:
        """It goes on."""

    def afterwards(self, table: TableId, call: Callable[[], None]) -> None:
        """Calls `call` when everyone at the table has been told all that was passed on so far."""

    def closed(self, table: TableId) -> None:
        """The table is no more: the last that was told of it is its end."""


class Notices(Protocol):
    """Who is told what concerns single players: nothing of it may wait."""

    def touched(self, table: TableId, player: PlayerId, rev: int) -> None:
        """Something of the player's own at the table has changed: a slip, to revision `rev`, or else 0."""

    def told(self, table: TableId, player: PlayerId, code: NoticeCode, reason: str) -> None:
        """The player is to be told what has come over its seat; `reason` is an operator's, or empty."""

    def cashed_out(self, table: TableId, player: PlayerId, wallet: int) -> None:
        """The chips of the player's seat have come to its wallet, which holds `wallet` cents."""

    def settled(self, table: TableId, round_: int) -> None:
        """A round has been settled, and everyone has been told."""

    def replaced(self, table: TableId, settled_round: int | None) -> None:
        """The table was read anew: notes and settlements may have passed unseen.

        In a new life of the stream `settled_round` is the last round that is settled in it: later ones, and
        slips, may be gone, and are told again when they are played again. None in the same life.
        """


class _NewLifeError(Exception):
    """The stream does not go on where this copy ends: it is another one, or has been trimmed past it."""


class Feed:
    """The live copy of one pit."""

    def __init__(self, tables: Tables, stream: Stream, audience: Audience, notices: Notices) -> None:
        self.tables: dict[TableId, TableFeed] = {}
        self.ready = asyncio.Event()
        self._records = tables
        self._stream = stream
        self._audience = audience
        self._notices = notices
        self._clock = tables.store.clock
        self._epoch: Epoch | None = None
        self._position = "0-0"
        self._note_position = "0-0"
        self._heard = 0.0
        self._answered_at = self._clock.steady()
        self._unlisted: set[TableId] = set()
        self._rules: dict[RulesRef, RuleSet] = {}
        self._delisted: set[TableId] = set()

    @property
    def pit(self) -> PitId:
        """The pit that this is a copy of."""
        return self._stream.pit

    @property
    def silent_s(self) -> float:
        """Seconds since the pit's stream answered, with events or without."""
        return self._clock.steady() - self._answered_at

    @property
    def stalled(self) -> int:
        """How many tables stand still, as those who watch are told."""
        return sum(feed.stalled_since_ms is not None for feed in self.tables.values())

    async def run(self) -> None:
        """Follows the pit until cancelled, whatever happens to the store."""
        broken: Epoch | None = None
        while True:
            try:
                await self._load(broken)
                broken = None
                while True:
                    await self._follow()
            except _NewLifeError as error:
                logger.info("feed: %s; loading every table again", error)
            except (GapError, FrameError, DamagedRecordError) as error:
                logger.warning("feed: the stream is damaged, ending its epoch: %s", error)
                broken = self._epoch
                await asyncio.sleep(RETRY_S)
            except StoreUnavailableError as error:
                logger.warning("feed: the store is away: %s", error)
                self._stall_all()
                await asyncio.sleep(RETRY_S)

    async def _load(self, broken: Epoch | None) -> None:
        """Makes the copy from the records, and tells the audience what changed under it."""
        epoch = await self._stream.open(broken)
        self._note_position = await self._stream.last_note()
        positions: dict[TableId, Position] = {}
        listings = await self._records.registered()
        # Who was told of a table that is off the list by now is told its end, if that is what became of it.
        self._delisted = self.tables.keys() - listings.keys()
        for table in (*listings, *self._delisted):
            try:
                position = await self._records.read(table)
            except DamagedRecordError as error:
                _leave_out(table, error)
                continue
            positions[table] = position
            if position.epoch != epoch:
                raise _NewLifeError("the epoch changed while loading")
            old = self.tables.get(table)
            if old is not None and old.view.epoch == epoch and position.record.seq < old.view.seq:
                raise DamagedRecordError(
                    f"table {table} went back from seq {old.view.seq} to {position.record.seq}"
                )
        # After the records, so that the entries reach at least as far as each of them.
        recent = await self._stream.recent(RECENT)
        fresh: dict[TableId, TableFeed] = {}
        for table, position in positions.items():
            try:
                listing = listings.get(table)
                if listing is None:
                    fresh[table] = ended_feed(self.tables[table].listing, position, recent)
                else:
                    fresh[table] = self._table_feed(table, listing, position, recent)
            except DamagedRecordError as error:
                _leave_out(table, error)
        self._position = min((one.last_entry for one in positions.values()), key=entry_order, default="0-0")
        self._install(fresh, epoch)
        self.ready.set()

    def _install(self, fresh: dict[TableId, TableFeed], epoch: Epoch) -> None:
        """Puts `fresh` in the place of what was known, and tells the audience what changed."""
        before, self.tables, self._epoch = self.tables, fresh, epoch
        now_ms = self._clock.now_ms()
        for feed in fresh.values():
            feed.plan(now_ms)
        for table, old in before.items():
            if table in fresh:
                self._replace(table, old, fresh[table])
                continue
            # Its record is gone or cannot be read: who watches is told, and sees it as it was.
            fresh[table] = old
            if old.stalled_since_ms is None:
                self._stall(table, old, now_ms)
        self._unlisted -= {table for table, feed in fresh.items() if feed.view.epoch == epoch}

    def _replace(self, table: TableId, old: TableFeed, new: TableFeed) -> None:
        """Brings those who watch from what `old` told them to what `new` knows."""
        missed = new.missed(Since(epoch=old.view.epoch, seq=old.view.seq))
        if missed is None:
            self._audience.snapshot(table, new.snapshot)
        else:
            for event in missed:
                self._audience.event(table, event)
        began_again = new.view.epoch != old.view.epoch
        self._notices.replaced(table, settled_round(new.view) if began_again else None)
        old.grown.set()
        if old.stalled_since_ms is not None:
            self._audience.live(table)

    async def _follow(self) -> None:
        """One read of the tail of events and notes: what everyone is told comes first."""
        after = self._position
        entries, notes = await self._stream.tail_with_notes(self._position, self._note_position)
        self._answered_at = steady = self._clock.steady()
        if entries:
            self._heard = steady
        elif steady - self._heard >= QUIET_S:
            self._heard = steady
            epoch = await self._stream.epoch()
            if epoch != self._epoch:
                raise _NewLifeError(f"the stream ended epoch {self._epoch}")
        try:
            self._take_all(entries)
        except GapError:
            if await self._stream.has_lost(after):
                raise _NewLifeError("this copy fell behind what the stream keeps") from None
            raise
        for note in notes:
            self._note_position = note.id
            self._hear(note)
        for table in dict.fromkeys(note.table for note in notes if note.kind == LISTED):
            await self._look_at_list(table)
        self._drop_closed()
        self._stall_overdue()

    def _drop_closed(self) -> None:
        """Forgets the tables that are off the list and have told so."""
        for table in list(self._delisted):
            feed = self.tables.get(table)
            if feed is None or feed.view.phase is Phase.ENDED:
                self._delisted.discard(table)
                if feed is not None:
                    del self.tables[table]
                    self._audience.closed(table)

    def _stall_overdue(self) -> None:
        now_ms = self._clock.now_ms()
        for table, feed in self.tables.items():
            if (
                feed.stalled_since_ms is None
                and feed.overdue_at_ms is not None
                and now_ms > feed.overdue_at_ms
            ):
                self._stall(table, feed, feed.overdue_at_ms)

    def _take_all(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._position = entry.id
            if entry.epoch != self._epoch:
                raise _NewLifeError(f"the stream began epoch {entry.epoch}")
            if entry.table is not None:
                self._take(entry.table, entry)

    async def _look_at_list(self, table: TableId) -> None:
        """A table was put on the list, or has new settings there."""
        encoded = await self._records.listing(table)
        if encoded is None:
            self._delisted.add(table)
            return
        self._delisted.discard(table)
        try:
            known = self.tables.get(table)
            if known is not None and known.view.epoch == self._epoch:
                known.listing = read_listing(encoded)
                self._rules[known.listing.rules] = known.listing.rule_set()
                return
            position = await self._records.read(table)
            if position.epoch != self._epoch:
                raise _NewLifeError(f"the epoch changed while table {table} was loaded")
            feed = self._table_feed(table, encoded, position, ())
        except (ListingError, DamagedRecordError) as error:
            _leave_out(table, error)
            return
        feed.plan(self._clock.now_ms())
        self.tables[table] = feed
        self._unlisted.discard(table)
        if known is not None:
            self._replace(table, known, feed)

    def _table_feed(
        self, table: TableId, encoded: bytes, position: Position, recent: Sequence[Entry]
    ) -> TableFeed:
        """A live copy of a table from its listing and record; notes the rules that it goes by."""
        feed = opened_feed(table, encoded, position, recent)
        self._rules[feed.listing.rules] = feed.listing.rule_set()
        sealed, running = position.record.sealed, feed.view.rules
        if running not in self._rules and sealed is not None and feed.view.cut is None:
            self._rules[running] = sealed.rule_set(running)
        return feed

    def rule_set(self, ref: RulesRef) -> RuleSet | None:
        """The rules that a table here goes by and calls `ref`."""
        return self._rules.get(ref)

    def _take(self, table: TableId, entry: Entry) -> None:
        feed = self.tables.get(table)
        if feed is None or feed.view.epoch != self._epoch:
            if table in self._unlisted:
                return
            self._unlisted.add(table)
            raise _NewLifeError(f"table {table} has begun")
        if feed.accounts_for(entry):
            return
        event = feed.take(entry, self._clock.now_ms())
        if feed.stalled_since_ms is not None:
            feed.stalled_since_ms = None
            self._audience.live(table)
        self._audience.event(table, event)
        if isinstance(event.message, RoundSettled):
            # What is everybody's goes first: the notes to each player would take their time from it.
            self._audience.afterwards(table, partial(self._notices.settled, table, event.message.round))

    def _hear(self, note: Note) -> None:
        if note.kind in _NOTICES:
            self._notices.told(note.table, note.player, NoticeCode(note.kind), note.reason)
        elif note.wallet is not None:
            self._notices.cashed_out(note.table, note.player, note.wallet)
        else:
            self._notices.touched(note.table, note.player, note.rev)

    def _stall(self, table: TableId, feed: TableFeed, since_ms: int) -> None:
        feed.stalled_since_ms = since_ms
        self._audience.stalled(table, since_ms)

    def _stall_all(self) -> None:
        now_ms = self._clock.now_ms()
        for table, feed in self.tables.items():
            if feed.stalled_since_ms is None:
                self._stall(table, feed, now_ms)

    def now_ms(self) -> int:
        """The store's time."""
        return self._clock.now_ms()

    async def rounds(self, table: TableId, before: int | None, limit: int) -> list[RoundRecord]:
        """Up to `limit` finished rounds, newest first; those before round `before` when it is given."""
        return await self._records.rounds(table, before, limit)

    async def reach(self, table: TableId, since: Since) -> bool:
        """Waits up to `AHEAD_S` until this copy has seen what `since` has; whether it has, or never will.

        A `since` of another epoch is answered at once: its holder gets a snapshot.
        """
        try:
            async with asyncio.timeout(AHEAD_S):
                while (feed := self.tables.get(table)) is not None and feed.is_behind(since):
                    await feed.grown.wait()
        except TimeoutError:
            return False
        return True


def _leave_out(table: TableId, error: DamagedRecordError | ListingError) -> None:
    """One table's damage is no reason to show none."""
    logger.error("table %s cannot be shown: %s", table, error, extra=of(table))
