"""Following the lobby: all tables, and what changes about them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from types import TracebackType
from typing import Self

from croupier_protocol.messages.to_client import LobbyState, LobbyUpdate, TableInfo
from croupier_protocol.messages.values import TableId


class LobbyFollower(AsyncIterator[tuple[TableInfo, ...]]):
    """Every table, again each time something changed; at most once a second.

    A consumer that is slow gets the latest state, not the ones between. Leaving it as a context ends it.
    """

    def __init__(
        self,
        begin: Callable[["LobbyFollower"], Awaitable[None]],
        end: Callable[["LobbyFollower"], Awaitable[None]],
    ) -> None:
        self._begin: Callable[[LobbyFollower], Awaitable[None]] | None = begin
        self._end = end
        self._tables: dict[TableId, TableInfo] = {}
        self._changed = asyncio.Event()
        self._error: Exception | None = None
        self._over = False

    async def __anext__(self) -> tuple[TableInfo, ...]:
        if self._begin is not None:
            begin, self._begin = self._begin, None
            await begin(self)
        await self._changed.wait()
        if self._error is not None:
            raise self._error
        if self._over:
            raise StopAsyncIteration
        self._changed.clear()
        return tuple(self._tables.values())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._over:
            self.finish()
            await self._end(self)

    def state(self, state: LobbyState) -> None:
        """Takes the whole lobby."""
        self._tables.clear()
        self._merge(state.tables)

    def update(self, update: LobbyUpdate) -> None:
        """Takes the tables that changed."""
        for table in update.closed:
            self._tables.pop(table, None)
        self._merge(update.tables)

    def finish(self, error: Exception | None = None) -> None:
        """Ends the iteration: with `error`, or quietly."""
        self._over = True
        self._error = self._error or error
        self._changed.set()

    def _merge(self, tables: Iterable[TableInfo]) -> None:
        self._tables.update((info.table, info) for info in tables)
        self._changed.set()
