"""One table's live copy in a gateway: its view, the last events, the encoded snapshot. Nothing here waits."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from croupier_protocol.codec import MSGPACK, FrameError
from croupier_protocol.messages.events import TableEvent
from croupier_protocol.messages.to_client import Stalled, TableView
from croupier_protocol.messages.to_server import Since
from croupier_protocol.messages.values import Phase, TableId
from croupier_protocol.view import fold, opening_view
from croupier_server.gateway.encoded import Encoded
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.records import Position
from croupier_server.store.stream import Entry
from croupier_server.table.beacon import PATIENCE_MS
from croupier_server.table.listing import ListingError, TableListing, read_listing
from croupier_server.table.state import StateError, decode_state

BACKLOG: Final = 500
"""Events kept per table for resumes: about 20 minutes at standard pace, under 100 kB."""

OVERDUE_MS: Final = 2_000
"""A table this long past its next step counts as stalled."""


class TableFeed:
    """One table's live copy: its view, its backlog, its snapshot."""

    def __init__(
        self, listing: TableListing, view: TableView, last_entry: str, backlog: Sequence[Encoded]
    ) -> None:
        self.listing = listing
        self.view = view
        self.stalled_since_ms: int | None = None
        self.overdue_at_ms: int | None = None
        self.grown = asyncio.Event()
        self._last_entry = entry_order(last_entry)
        self._backlog = deque(backlog, maxlen=BACKLOG)
        self._snapshot: Encoded | None = None

    @property
    def snapshot(self) -> Encoded:
        """The view, encoded at most once per event."""
        if self._snapshot is None:
            self._snapshot = Encoded(self.view)
        return self._snapshot

    def standing(self) -> list[Encoded]:
        """What tells that the table stands still; nothing when it does not."""
        since_ms = self.stalled_since_ms
        return [] if since_ms is None else [Encoded(Stalled(table=self.view.table, since_ms=since_ms))]

    def present(self) -> list[Encoded]:
        """What tells somebody who knows nothing of the table how it is now."""
        return [self.snapshot, *self.standing()]

    def accounts_for(self, entry: Entry) -> bool:
        """Whether the record that this copy began with already held the entry's effect."""
        return entry_order(entry.id) <= self._last_entry

    def take(self, entry: Entry, now_ms: int) -> Encoded:
        """Folds the entry's event into the view.

        Raises:
            GapError: it is not the next one.
            FrameError: it is no event.
        """
        event = _decode_event(entry)
        self.view = fold(self.view, event)
        self._snapshot = None
        encoded = Encoded(event, entry.message)
        self._backlog.append(encoded)
        self.plan(now_ms)
        self.grown.set()
        self.grown = asyncio.Event()
        return encoded

    def plan(self, now_ms: int) -> None:
        """Sets when the next event is overdue; one that is paused or has ended never is."""
        if self.view.phase in {Phase.PAUSED, Phase.ENDED}:
            self.overdue_at_ms = None
        else:
            self.overdue_at_ms = now_ms + self.listing.pace.longest_ms + OVERDUE_MS
            beacon = None if self.view.cut is None else self.view.cut.beacon
            if beacon is not None:
                self.overdue_at_ms = max(self.overdue_at_ms, beacon.due_ms + PATIENCE_MS + OVERDUE_MS)

    def is_behind(self, since: Since) -> bool:
        """Whether `since` names an event of this epoch that has not come here yet."""
        return self.view.epoch == since.epoch and self.view.seq < since.seq

    def missed(self, since: Since) -> list[Encoded] | None:
        """Every event after `since`, or None when this copy cannot tell them all."""
        if since.epoch != self.view.epoch or since.seq > self.view.seq:
            return None
        count = self.view.seq - since.seq
        if count > len(self._backlog):
            return None
        return [self._backlog[index] for index in range(len(self._backlog) - count, len(self._backlog))]


def opened_feed(table: TableId, settings: bytes, position: Position, recent: Sequence[Entry]) -> TableFeed:
    """A copy of a table on the list, from its `settings` there.

    Raises:
        DamagedRecordError: they, or its record, cannot be read.
    """
    try:
        listing = read_listing(settings)
        if position.record.state:
            view = _view(position)
        else:
            view = opening_view(table, position.epoch, listing.rules)
    except (ListingError, StateError) as error:
        raise DamagedRecordError(f"the state or settings of table {table}: {error}") from error
    return TableFeed(listing, view, position.last_entry, _backlog(view, recent))


def ended_feed(listing: TableListing, position: Position, recent: Sequence[Entry]) -> TableFeed:
    """A copy of a table that is off the list, if it has ended.

    Raises:
        DamagedRecordError: it has not, as far as its record tells.
    """
    try:
        view = _view(position)
    except StateError as error:
        raise DamagedRecordError(f"a table that is off the list: {error}") from error
    if view.phase is not Phase.ENDED:
        raise DamagedRecordError(f"table {view.table} is off the list and has not ended")
    return TableFeed(listing, view, position.last_entry, _backlog(view, recent))


def _view(position: Position) -> TableView:
    return replace(decode_state(position.record.state, position.record.schema).view, epoch=position.epoch)


def _backlog(view: TableView, recent: Sequence[Entry]) -> Sequence[Encoded]:
    """The events that led to `view`, as far as they are known."""
    backlog: deque[Encoded] = deque(maxlen=BACKLOG)
    expected = view.seq
    for entry in reversed(recent):
        if entry.table != view.table or entry.epoch != view.epoch or entry.seq > expected:
            continue
        if entry.seq != expected or len(backlog) == BACKLOG:
            break
        try:
            event = _decode_event(entry)
        except (FrameError, DamagedRecordError):
            break
        backlog.appendleft(Encoded(event, entry.message))
        expected -= 1
    return backlog


def _decode_event(entry: Entry) -> TableEvent:
    event = MSGPACK.decode_message(entry.message)
    if not isinstance(event, TableEvent):
        raise DamagedRecordError(f"stream entry {entry.id} holds no event")
    return event


def entry_order(entry_id: str) -> tuple[int, int]:
    """What stream entries are compared by: as text, `9-0` would come after `10-0`."""
    milliseconds, _, sequence = entry_id.partition("-")
    return int(milliseconds), int(sequence)
