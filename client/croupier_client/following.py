"""Everything one client follows, tables and lobby, over one connection after another."""

import logging
from typing import Final, NamedTuple

from croupier_client.errors import ClosedError, LinkLostError, RefusedError
from croupier_client.follower import Follower, Verdict
from croupier_client.link import Frame, Link
from croupier_client.lobby import LobbyFollower
from croupier_client.questions import Questions
from croupier_client.timing import Timing
from croupier_client.watcher import Watcher
from croupier_protocol.codec import Incoming
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import TableEvent, UnknownEvent
from croupier_protocol.messages.to_client import (
    Error,
    Live,
    LobbyState,
    LobbyUpdate,
    Stalled,
    TableView,
    Watching,
)
from croupier_protocol.messages.to_server import ClientMessage, Lobby, Unwatch
from croupier_protocol.messages.values import RequestId, TableId

_TRY_ELSEWHERE: Final = frozenset({ErrorCode.BUSY, ErrorCode.UNAVAILABLE})
"""Refusals of `watch` that pass: the client reconnects, where it can to another gateway."""

_log = logging.getLogger(__name__)


class _Watched(NamedTuple):
    follower: Follower
    watcher: Watcher


class _Asked(NamedTuple):
    """A `watch` without its answer, and when that is overdue."""

    follower: Follower
    due_s: float


class Following:
    """What a client follows. One task calls `greet`, `take` and `lost`; watchers come and go beside it."""

    def __init__(self, questions: Questions, timing: Timing) -> None:
        self._questions = questions
        self._timing = timing
        self._link: Link | None = None
        self._tables: dict[TableId, _Watched] = {}
        self._lobby: LobbyFollower | None = None
        self._asked: dict[RequestId, _Asked] = {}
        self._end: Exception | None = None

    @property
    def follows_lobby(self) -> bool:
        return self._lobby is not None

    async def greet(self, link: Link) -> None:
        """Asks on a new connection for everything that is followed.

        Raises:
            LinkLostError: the connection is gone already.
        """
        tables = list(self._tables.values())
        lobby = self._lobby
        self._link = link  # from here on, what begins to be followed asks for itself
        if lobby is not None:
            await link.send(Lobby(follow=True))
        for watched in tables:
            await self._send_watch(link, watched.follower)

    def lost(self) -> None:
        """The connection is gone; what is followed waits for the next."""
        self._link = None
        self._asked.clear()
        for watched in self._tables.values():
            watched.watcher.stalled_since_ms = None

    def finish(self, error: Exception | None) -> None:
        """Ends every watcher and follower: with `error`, or quietly."""
        self._end = error or ClosedError("the client is closed")
        for watched in self._tables.values():
            watched.watcher.finish(error)
        if self._lobby is not None:
            self._lobby.finish(error)

    async def begin_table(self, watcher: Watcher) -> None:
        """Starts following what `watcher` watches.

        Raises:
            CroupierError: the client has ended, for this reason.
            ValueError: the table has a watcher already.
        """
        if self._end is not None:
            raise self._end
        if watcher.table in self._tables:
            raise ValueError(f"{watcher.table} is being watched already; close that watcher first")
        follower = Follower(watcher.table)
        self._tables[watcher.table] = _Watched(follower, watcher)
        if self._link is not None:
            try:
                await self._send_watch(self._link, follower)
            except LinkLostError:
                _log.debug("%s will be watched on the next connection", watcher.table)

    async def end_table(self, watcher: Watcher) -> None:
        """Stops following what `watcher` watches."""
        watched = self._tables.get(watcher.table)
        if watched is not None and watched.watcher is watcher:
            del self._tables[watcher.table]
            await self._send(Unwatch(id=self._questions.next_id(), table=watcher.table))

    async def begin_lobby(self, follower: LobbyFollower) -> None:
        """Starts following the lobby; raises as `begin_table` does."""
        if self._end is not None:
            raise self._end
        if self._lobby is not None:
            raise ValueError("the lobby is being followed already; close that follower first")
        self._lobby = follower
        await self._send(Lobby(follow=True))

    async def end_lobby(self, follower: LobbyFollower) -> None:
        """Stops following the lobby."""
        if self._lobby is follower:
            self._lobby = None
            await self._send(Lobby(follow=False))

    async def take(self, link: Link, message: Incoming, frame: Frame) -> None:
        """Takes a message for a table or the lobby; leaves all others alone.

        Raises:
            LinkLostError: another connection is needed.
        """
        match message:
            case TableView():
                self._take_snapshot(message, frame)
            case Watching():
                self._take_watching(message)
            case Error():
                await self._take_error(link, message)
            case LobbyState() if self._lobby is not None:
                self._lobby.state(message)
            case LobbyUpdate() if self._lobby is not None:
                self._lobby.update(message)
            case Stalled() | Live():
                self._take_stall(message)
            case UnknownEvent():
                await self._take_event(link, message, frame)
            case _ if isinstance(message, TableEvent):
                await self._take_event(link, message, frame)
        if self._asked and min(asked.due_s for asked in self._asked.values()) < self._timing.monotonic():
            raise LinkLostError("the server does not answer")

    def _take_snapshot(self, view: TableView, frame: Frame) -> None:
        watched = self._tables.get(view.table)
        if watched is not None and watched.follower.snapshot(view) is Verdict.DELIVER:
            watched.watcher.put(view, view, frame)

    def _take_watching(self, answer: Watching) -> None:
        asked = None if answer.id is None else self._asked.pop(answer.id, None)
        if asked is not None:
            asked.follower.watching(answer)

    async def _take_event(self, link: Link, event: TableEvent | UnknownEvent, frame: Frame) -> None:
        watched = self._tables.get(event.table)
        if watched is None:
            return
        follower = watched.follower
        match follower.event(event):
            case Verdict.DELIVER if follower.view is not None:
                watched.watcher.put(event, follower.view, frame)
            case Verdict.WATCH_AGAIN:
                _log.info("%s: event %d does not follow; watching again", event.table, event.seq)
                await self._send_watch(link, follower)
            case Verdict.RECONNECT:
                raise LinkLostError(f"{event.table}: its events do not join up")

    async def _take_error(self, link: Link, error: Error) -> None:
        asked = None if error.id is None else self._asked.pop(error.id, None)
        if asked is None:
            return
        if error.code in _TRY_ELSEWHERE:
            raise LinkLostError(error.message)
        follower = asked.follower
        if error.code is ErrorCode.SINCE_AHEAD:
            if follower.since_ahead() is Verdict.RECONNECT:
                raise LinkLostError(error.message)
            await self._send_watch(link, follower)
            return
        watched = self._tables.get(follower.table)
        if watched is not None and watched.follower is follower:
            del self._tables[follower.table]
            watched.watcher.finish(RefusedError(error.code, error.message, follower.table))

    def _take_stall(self, message: Stalled | Live) -> None:
        watched = self._tables.get(message.table)
        if watched is not None:
            watched.watcher.stalled_since_ms = message.since_ms if isinstance(message, Stalled) else None

    async def _send_watch(self, link: Link, follower: Follower) -> None:
        request = self._questions.next_id()
        self._asked[request] = _Asked(follower, self._timing.monotonic() + self._timing.answer_s)
        await link.send(follower.watch(request))

    async def _send(self, command: ClientMessage) -> None:
        """Sends what the next connection would bring about anyway."""
        if self._link is None:
            return
        try:
            await self._link.send(command)
        except LinkLostError:
            _log.debug("%s was not sent: the connection is gone", type(command).__name__)
