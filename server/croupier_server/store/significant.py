"""Significant events: what an operator is to be able to look up later, on a stream of their own.

Each is also a line of the log. The stream is for people and their tools: what counts is the ledger, the
rounds and the orders themselves. So who writes here never fails for it, and a store that is away loses the
entry, not the line.
"""

import logging
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.sight.logs import of
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError, StoreError
from croupier_server.store.scripts import Store, run

KEPT: Final = 10_000
"""Entries of the stream, give or take a hundred; older ones are dropped."""

OPS_KEPT: Final = 200
"""Events of operations that are known when they come again, as many as a wallet or a pit knows operations."""

LARGE_WIN: Final = 1_000_00
"""Cents that a player must have won in a round, over all its bets, for a large win."""

logger = logging.getLogger(__name__)


class Kind(StrEnum):
    """What has happened. A kind keeps its meaning."""

    LOGIN_FAILED = "login_failed"
    LARGE_WIN = "large_win"
    ROUND_VOID = "round_void"
    SETTINGS_CHANGED = "settings_changed"
    ADJUSTED = "adjusted"
    ORDERED = "ordered"
    REVOKED = "revoked"
    LIMITED = "limited"


class Significant(Struct, frozen=True, omit_defaults=True):
    """One event; `at_ms` is store time, and comes from the stream.

    `amount` is in cents: what was won in all, or issued (below zero: retired). `what` is a code or an order,
    `reason` an operator's words, `times` how many failed logins it stands for.
    """

    kind: Kind
    at_ms: int = 0
    table: TableId | None = None
    round: int | None = None
    player: PlayerId | None = None
    amount: int | None = None
    what: str | None = None
    reason: str | None = None
    op: str | None = None
    address: str | None = None
    times: int = 1


class Page(Struct, frozen=True):
    """Some of the events, and the mark to go on from, if there are more."""

    events: tuple[Significant, ...]
    mark: str | None


class SignificantEvents:
    """The significant events of a store, of all its servers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def note(self, event: Significant) -> None:
        """Takes an event in, in the log at least; that of an operation once, however often it is sent."""
        text = msgspec.json.encode(event)
        new = True
        try:
            new = await self._add(event, text)
        except StoreError as error:
            logger.warning("the significant event that follows is in the log alone: %s", error)
        if new:
            about = None if event.table is None else of(event.table, event.round)
            logger.info("significant: %s", text.decode(), extra=about)

    async def _add(self, event: Significant, text: bytes) -> bool:
        """Adds the event to the stream; False where that has been done before."""
        store = await self._store.holding(keys.SIGNIFICANT_KEY)
        if event.op is None:
            await run(store.client.xadd(keys.SIGNIFICANT_KEY, {b"e": text}, maxlen=KEPT))
            return True
        both = [keys.SIGNIFICANT_KEY, keys.SIGNIFICANT_OPS_KEY]
        # Without the reason: sent again with other words, it is not done again.
        name = "|".join((event.kind, event.table or "", event.player or "", event.op))
        [word, *_] = await store.call(scripts.NOTE_ONCE, both, [text, name, KEPT, OPS_KEPT])
        return bool(word == b"ok")

    async def last(self, limit: int, before: str | None = None) -> Page:
        """The newest events, newest first, or those from the mark of the page before.

        Raises:
            StoreUnavailableError: no answer.
            DamagedRecordError: one is none.
        """
        newest = "+" if before is None else f"({before}"
        return await self._page("xrevrange", newest, "-", limit)

    async def since(self, mark: str | None, limit: int) -> Page:
        """Events after a mark, oldest first, or from the oldest on; as `last`."""
        oldest = "-" if mark is None else f"({mark}"
        return await self._page("xrange", oldest, "+", limit)

    async def _page(self, way: str, first: str, to: str, limit: int) -> Page:
        store = await self._store.holding(keys.SIGNIFICANT_KEY)
        found = await run(getattr(store.client, way)(keys.SIGNIFICANT_KEY, first, to, count=limit))
        events = tuple(_read(entry, fields) for entry, fields in found)
        return Page(events, found[-1][0].decode() if found else None)


def _read(entry: bytes, fields: dict[bytes, bytes]) -> Significant:
    try:
        event = msgspec.json.decode(fields[b"e"], type=Significant)
        return replace(event, at_ms=int(entry.partition(b"-")[0]))
    except (KeyError, ValueError, msgspec.MsgspecError) as error:
        raise DamagedRecordError(f"{keys.SIGNIFICANT_KEY}: {entry!r}: {error}") from error
