"""What connections are served from."""

import asyncio
from collections.abc import Mapping
from typing import Protocol

from croupier_protocol.game.rules import RuleSet
from croupier_protocol.messages.to_server import Since
from croupier_protocol.messages.values import RoundRecord, RulesRef, TableId
from croupier_server.gateway.table_feed import TableFeed


class Source(Protocol):
    """Tables that go on by themselves, a pit's live copy or a recording, and tell an audience of it."""

    ready: asyncio.Event

    @property
    def tables(self) -> Mapping[TableId, TableFeed]:
        """Every table as it is now."""

    async def run(self) -> None:
        """Goes on until cancelled."""

    def rule_set(self, ref: RulesRef) -> RuleSet | None:
        """The rules that a table here goes by and calls `ref`."""

    async def reach(self, table: TableId, since: Since) -> bool:
        """Waits a moment for an event that a client has seen already; whether it came."""

    async def rounds(self, table: TableId, before: int | None, limit: int) -> list[RoundRecord]:
        """Up to `limit` finished rounds, newest first; those before round `before` when it is given.

        Raises:
            StoreError: they cannot be read at the moment.
        """

    def now_ms(self) -> int:
        """The time that the tables go by."""
