"""A recording that plays: to connections it is a source like a pit's live copy."""

import asyncio
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Raw
from msgspec.structs import fields, replace

from croupier_protocol.codec import MSGPACK
from croupier_protocol.game.rules import RULE_SETS, RuleSet
from croupier_protocol.messages.events import TableEvent
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.to_server import Since
from croupier_protocol.messages.values import RoundRecord, RulesRef, TableId
from croupier_server.gateway.fanout import Fanout
from croupier_server.gateway.table_feed import TableFeed
from croupier_server.replay.transcript import Moment
from croupier_server.store.stream import Entry
from croupier_server.table.listing import TableListing
from croupier_server.table.pace import STANDARD
from croupier_server.table.state import rules_ref

LEAD_MS: Final = 500
"""Between the first watcher and the first event, so that the beginning is seen."""

LOOK_S: Final = 0.02
"""Between two looks for the first watcher."""

_PACE: Final = replace(STANDARD, name="replay")

_UNTOLD: Final = Raw(b"null")
"""What a recording tells of how its rules read."""


class Recording:
    """Plays moments as if they happened now, `speed` times as fast as they were recorded.

    Playing begins with the first watcher. All times in messages are moved to the present, so countdowns are
    true at any speed. After the last moment the tables stay as they are. There is no history of rounds.

    See `croupier_server.gateway.source.Source`.
    """

    def __init__(
        self,
        moments: Sequence[Moment],
        audience: Fanout,
        speed: Fraction = Fraction(1),
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.tables: dict[TableId, TableFeed] = {}
        self.ready = asyncio.Event()
        self.over = asyncio.Event()
        self.now_ms = now_ms
        self._moments = moments
        self._audience = audience
        self._speed = speed
        self._entries = 0

    async def run(self) -> None:
        """Waits for a watcher, plays, and stays until cancelled."""
        first = next(index for index, one in enumerate(self._moments) if isinstance(one.message, TableEvent))
        clock = await self._wait(self._moments[:first])
        for moment in self._moments[first:]:
            await asyncio.sleep((clock.time(moment.at_ms) - self.now_ms()) / 1000)
            self._show(clock.message(moment.message))
        self.over.set()
        await asyncio.Event().wait()

    async def _wait(self, opening: Sequence[Moment]) -> "Retimed":
        """Keeps the opening snapshots true until somebody watches; returns the clock that they went by."""
        while True:
            clock = Retimed(opening[0].at_ms, self.now_ms() + LEAD_MS, self._speed)
            for moment in opening:
                self._show(clock.message(moment.message))
            self.ready.set()
            await asyncio.sleep(LOOK_S)
            if any(self._audience.watchers(table) for table in self.tables):
                return clock

    def _show(self, message: TableView | TableEvent) -> None:
        table = message.table
        if isinstance(message, TableView):
            listing = TableListing(rules=message.rules, canonical=_UNTOLD, pace=_PACE)
            self.tables[table] = TableFeed(listing, message, "0-0", ())
            self._audience.snapshot(table, self.tables[table].snapshot)
            return
        self._entries += 1
        encoded = MSGPACK.encode(message)
        entry = Entry(f"{self._entries}-0", message.epoch, table, message.seq, encoded)
        self._audience.event(table, self.tables[table].take(entry, self.now_ms()))

    def rule_set(self, ref: RulesRef) -> RuleSet | None:
        """The rules that come with Croupier: a recording names its rules, and does not tell them."""
        return next((rules for rules in RULE_SETS.values() if rules_ref(rules) == ref), None)

    async def reach(self, table: TableId, since: Since) -> bool:
        """Whether a client's last event has been played; nothing is waited for."""
        feed = self.tables.get(table)
        return feed is None or not feed.is_behind(since)

    async def rounds(self, _table: TableId, _before: int | None, _limit: int) -> list[RoundRecord]:
        """None: a recording tells no history."""
        return []


class Retimed:
    """Moves times of a recording: `recorded_ms` is shown at `shown_ms`, and the rest at `speed` around it."""

    def __init__(self, recorded_ms: int, shown_ms: int, speed: Fraction) -> None:
        self._recorded_ms = recorded_ms
        self._shown_ms = shown_ms
        self._speed = speed

    def time(self, recorded_ms: int) -> int:
        """When something recorded at `recorded_ms` is shown.

        >>> Retimed(1_000, 50_000, Fraction(2)).time(3_000)
        51000
        """
        return self._shown_ms + round(Fraction(recorded_ms - self._recorded_ms) / self._speed)

    def message(self, message: TableView | TableEvent) -> TableView | TableEvent:
        """`message` with every time in it moved."""
        times: dict[str, object] = {
            field.name: self.time(value)
            for field in fields(message)
            if field.name.endswith("_ms") and (value := getattr(message, field.name)) is not None
        }
        if isinstance(message, TableView) and message.cut is not None and message.cut.until_ms is not None:
            times["cut"] = replace(message.cut, until_ms=self.time(message.cut.until_ms))
        return replace(message, **times)
