"""All pits that a gateway serves, as one source: a table's name says which pit it is in."""

import asyncio
import contextlib
from collections import ChainMap
from collections.abc import Mapping
from typing import Final

from croupier_protocol.game.rules import RuleSet
from croupier_protocol.messages.to_server import Since
from croupier_protocol.messages.values import RoundRecord, RulesRef, TableId
from croupier_server.gateway.feed import Feed
from croupier_server.gateway.table_feed import TableFeed

LATE_S: Final = 3.0
"""How long a gateway that starts waits for pits whose server is slow or away, once it has the copy of one."""


class Floor:
    """The live copies of several pits; see `source.Source`.

    A pit whose server is away stalls its own tables and nobody else's.
    """

    def __init__(self) -> None:
        self.feeds: list[Feed] = []
        self.ready = asyncio.Event()
        self._group: asyncio.TaskGroup | None = None

    def add(self, feed: Feed) -> None:
        """One more pit, also while running."""
        self.feeds.append(feed)
        if self._group is not None:
            self._group.create_task(feed.run(), name="feed")

    @property
    def tables(self) -> Mapping[TableId, TableFeed]:
        """See `source.Source`."""
        return ChainMap(*(feed.tables for feed in self.feeds))

    async def run(self) -> None:
        """See `source.Source`."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            for feed in self.feeds:
                group.create_task(feed.run(), name="feed")
            await self._load()
            self.ready.set()

    async def _load(self) -> None:
        """Returns when every pit is here, or one has been and the others are late."""
        waiting = {asyncio.ensure_future(feed.ready.wait()) for feed in self.feeds}
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LATE_S):
                    await asyncio.wait(waiting)
        finally:
            for one in waiting:
                one.cancel()

    async def reach(self, table: TableId, since: Since) -> bool:
        """See `source.Source`."""
        feed = self._feed(table)
        return feed is None or await feed.reach(table, since)

    async def rounds(self, table: TableId, before: int | None, limit: int) -> list[RoundRecord]:
        """See `source.Source`."""
        feed = self._feed(table)
        return [] if feed is None else await feed.rounds(table, before, limit)

    def now_ms(self) -> int:
        """The time of the first pit's server: that of others is as close as their clocks are kept."""
        return self.feeds[0].now_ms()

    def rule_set(self, ref: RulesRef) -> RuleSet | None:
        """See `source.Source`."""
        found = (feed.rule_set(ref) for feed in self.feeds)
        return next((rules for rules in found if rules is not None), None)

    def _feed(self, table: TableId) -> Feed | None:
        return next((feed for feed in self.feeds if table in feed.tables), None)
