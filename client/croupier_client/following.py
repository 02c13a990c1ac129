"""Everything one client follows, tables with their seats and the lobby, over one connection after another."""

import logging
from dataclasses import dataclass
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier_client.errors import ClosedError, LinkLostError, RefusedError, TableClosedError
from croupier_client.follower import Follower, Verdict
from croupier_client.link import Frame, Link
from croupier_client.lobby import LobbyFollower
from croupier_client.questions import Questions
from croupier_client.seating import PrivateMessage, Seating
from croupier_client.timing import Timing
from croupier_client.watcher import TableMessage, Watcher
from croupier_protocol.codec import Incoming
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import TableEvent, UnknownEvent
from croupier_protocol.messages.to_client import (
    Error,
    Live,
    LobbyState,
    LobbyUpdate,
    Me,
    PaidOut,
    SlipAccepted,
    SlipChanged,
    Stalled,
    TableView,
    Watching,
)
from croupier_protocol.messages.to_server import ClientMessage, Lobby, Unwatch
from croupier_protocol.messages.values import Phase, RequestId, TableId

_TRY_ELSEWHERE: Final = frozenset({ErrorCode.BUSY, ErrorCode.UNAVAILABLE})
"""Refusals of `watch` that pass: the client reconnects, where it can to another gateway."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Watched:
    """A table that is watched for its watcher, for a seat, or for both."""

    follower: Follower
    watcher: Watcher | None = None
    seating: Seating | None = None


class _Asked(NamedTuple):
    """A `watch` without its answer, and when that is overdue."""

    watched: _Watched
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
        self._paid: dict[TableId, tuple[str, int]] = {}

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
            await self._send_watch(link, watched)

    def lost(self) -> None:
        """The connection is gone; what is followed waits for the next."""
        self._link = None
        self._asked.clear()
        for watched in self._tables.values():
            if watched.watcher is not None:
                watched.watcher.stalled_since_ms = None

    def finish(self, error: Exception | None) -> None:
        """Ends every watcher and follower: with `error`, or quietly."""
        self._end = error or ClosedError("the client is closed")
        for watched in self._tables.values():
            _finish(watched, error)
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
        watched = self._tables.get(watcher.table)
        if watched is None:
            await self._begin(_Watched(Follower(watcher.table), watcher=watcher))
        elif watched.watcher is not None:
            raise ValueError(f"{watcher.table} is being watched already; close that watcher first")
        else:
            watched.watcher = watcher
            if watched.follower.view is not None:
                watcher.put_view(watched.follower.view)

    async def end_table(self, watcher: Watcher) -> None:
        """Stops following what `watcher` watches, unless a seat needs it."""
        watched = self._tables.get(watcher.table)
        if watched is not None and watched.watcher is watcher:
            watched.watcher = None
            await self._end_unneeded(watched)

    async def begin_seat(self, seating: Seating) -> None:
        """Starts following the table of a seat; `watch` asks for `me` where the seat has a paid round.

        Raises:
            CroupierError: the client has ended, for this reason.
            ValueError: this client has a seat at the table already.
        """
        if self._end is not None:
            raise self._end
        watched = self._tables.get(seating.table)
        if watched is None:
            await self._begin(_Watched(Follower(seating.table), seating=seating))
        elif watched.seating is not None:
            raise ValueError(f"there is a seat at {seating.table} already; leave that one first")
        else:
            watched.seating = seating
            if watched.follower.view is not None:
                seating.see(watched.follower.view)
            if seating.place.paid_round is not None:
                await self._send_begin(watched)

    async def end_seat(self, seating: Seating) -> None:
        """Stops following the table of a seat, unless a watcher needs it."""
        watched = self._tables.get(seating.table)
        if watched is not None and watched.seating is seating:
            watched.seating = None
            if seating.view is not None and seating.place.paid_round is not None:
                self._paid[seating.table] = seating.view.epoch, seating.place.paid_round
            await self._end_unneeded(watched)

    def paid_round(self, view: TableView) -> int:
        """The last round that an earlier seat here was paid for, in the same life of the table's stream.

        In another life a round that was lost may be played again.
        """
        epoch, round_ = self._paid.get(view.table, (view.epoch, 0))
        return round_ if epoch == view.epoch else 0

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
        """Takes a message for a table, a seat or the lobby; leaves all others alone.

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
            case Me() | SlipAccepted() | SlipChanged() | PaidOut():
                await self._take_private(message)
            case _ if isinstance(message, TableEvent | UnknownEvent):
                await self._take_event(link, message, frame)
        if self._asked and min(asked.due_s for asked in self._asked.values()) < self._timing.monotonic():
            raise LinkLostError("the server does not answer")

    def _take_snapshot(self, view: TableView, frame: Frame) -> None:
        watched = self._tables.get(view.table)
        if watched is not None and watched.follower.snapshot(view) is Verdict.DELIVER:
            self._deliver(watched, view, view, frame)

    def _deliver(self, watched: _Watched, message: TableMessage, view: TableView, frame: Frame) -> None:
        """Hands a message, and the table after it, to whoever follows the table; its end ends them."""
        if watched.watcher is not None:
            watched.watcher.put(message, view, frame)
        if watched.seating is not None:
            watched.seating.see(view)
        if view.phase is Phase.ENDED:
            del self._tables[view.table]
            if watched.watcher is not None:
                watched.watcher.finish()
            if watched.seating is not None:
                watched.seating.finish(TableClosedError(view.table, view.reason or ""))

    async def _take_private(self, message: PrivateMessage) -> None:
        table = message.payout.table if isinstance(message, PaidOut) else message.table
        watched = self._tables.get(table)
        if watched is None or watched.seating is None:
            return
        watched.seating.take(message)
        if watched.seating.place.over:
            await self.end_seat(watched.seating)

    def _take_watching(self, answer: Watching) -> None:
        asked = None if answer.id is None else self._asked.pop(answer.id, None)
        if asked is not None:
            asked.watched.follower.watching(answer)

    async def _take_event(self, link: Link, event: TableEvent | UnknownEvent, frame: Frame) -> None:
        watched = self._tables.get(event.table)
        if watched is None:
            return
        follower = watched.follower
        match follower.event(event):
            case Verdict.DELIVER if follower.view is not None:
                self._deliver(watched, event, follower.view, frame)
            case Verdict.WATCH_AGAIN:
                _log.info("%s: event %d does not follow; watching again", event.table, event.seq)
                await self._send_watch(link, watched)
            case Verdict.RECONNECT:
                raise LinkLostError(f"{event.table}: its events do not join up")

    async def _take_error(self, link: Link, error: Error) -> None:
        asked = None if error.id is None else self._asked.pop(error.id, None)
        if asked is None:
            return
        if error.code in _TRY_ELSEWHERE:
            raise LinkLostError(error.message)
        watched = asked.watched
        if error.code is ErrorCode.SINCE_AHEAD:
            if watched.follower.since_ahead() is Verdict.RECONNECT:
                raise LinkLostError(error.message)
            await self._send_watch(link, watched)
            return
        if self._tables.get(watched.follower.table) is watched:
            del self._tables[watched.follower.table]
            _finish(watched, RefusedError.of(error))

    def _take_stall(self, message: Stalled | Live) -> None:
        watched = self._tables.get(message.table)
        if watched is not None and watched.watcher is not None:
            watched.watcher.stalled_since_ms = message.since_ms if isinstance(message, Stalled) else None

    async def _begin(self, watched: _Watched) -> None:
        self._tables[watched.follower.table] = watched
        await self._send_begin(watched)

    async def _send_begin(self, watched: _Watched) -> None:
        """Sends a `watch` that the next connection would bring about anyway."""
        if self._link is None:
            return
        try:
            await self._send_watch(self._link, watched)
        except LinkLostError:
            _log.debug("%s will be watched on the next connection", watched.follower.table)

    async def _end_unneeded(self, watched: _Watched) -> None:
        """Stops following a table that neither a watcher nor a seat needs."""
        table = watched.follower.table
        if watched.watcher is None and watched.seating is None and self._tables.get(table) is watched:
            del self._tables[table]
            await self._send(Unwatch(id=self._questions.next_id(), table=table))

    async def _send_watch(self, link: Link, watched: _Watched) -> None:
        request = self._questions.next_id()
        self._asked[request] = _Asked(watched, self._timing.monotonic() + self._timing.answer_s)
        command = watched.follower.watch(request)
        seating = watched.seating
        if seating is not None and seating.place.paid_round is not None:
            command = replace(command, paid_round=seating.place.paid_round)
            seating.watched()
        await link.send(command)

    async def _send(self, command: ClientMessage) -> None:
        """Sends what the next connection would bring about anyway."""
        if self._link is None:
            return
        try:
            await self._link.send(command)
        except LinkLostError:
            _log.debug("%s was not sent: the connection is gone", type(command).__name__)


def _finish(watched: _Watched, error: Exception | None) -> None:
    """Ends whoever follows the table."""
    if watched.watcher is not None:
        watched.watcher.finish(error)
    if watched.seating is not None:
        watched.seating.finish(error)
