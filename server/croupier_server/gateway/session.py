"""One connection: its commands, in order, and their answers.

Every answer and every event leaves through the connection's `Outlet`, which never waits; so a snapshot and
the events after it are written in that order, with nothing in between.
"""

import asyncio
import logging
from typing import Final

from croupier_protocol.codec import Codec, FrameError
from croupier_protocol.messages.errors import CloseCode, ErrorCode
from croupier_protocol.messages.offers import offer_of
from croupier_protocol.messages.to_client import (
    HistoryPage,
    LobbyState,
    Pong,
    TableRules,
    Unwatched,
    Watching,
)
from croupier_protocol.messages.to_server import (
    MAX_WATCHED_TABLES,
    ClientMessage,
    Hello,
    History,
    Lobby,
    Ping,
    Rules,
    Unwatch,
    Watch,
)
from croupier_protocol.messages.values import TableId
from croupier_server.gateway.addresses import Caller
from croupier_server.gateway.budget import Budget
from croupier_server.gateway.connection import Connection
from croupier_server.gateway.desk import Desk
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.fanout import Fanout
from croupier_server.gateway.lobby import Lobby as LobbyRows
from croupier_server.gateway.outlet import Outlet, cut
from croupier_server.gateway.replies import RefusedError, Replies
from croupier_server.gateway.rulebook import Rulebook
from croupier_server.gateway.seating import Seating
from croupier_server.gateway.source import Source
from croupier_server.gateway.table_feed import TableFeed
from croupier_server.sight.logs import of
from croupier_server.store.errors import StoreError

logger = logging.getLogger(__name__)

MOST_BAD_FRAMES: Final = 10
"""Frames that are no messages; after so many the connection is cut."""


class Session:
    """The reading side of one connection. Without a `desk` it serves spectators alone."""

    def __init__(
        self,
        connection: Connection,
        codec: Codec,
        feed: Source,
        fanout: Fanout,
        lobby: LobbyRows,
        rulebook: Rulebook,
        desk: Desk | None,
        caller: Caller | None,
        cookie_token: str | None = None,
    ) -> None:
        self.outlet = Outlet(connection, codec)
        self._connection = connection
        self._codec = codec
        self._feed = feed
        self._fanout = fanout
        self._lobby = lobby
        self._rulebook = rulebook
        self._replies = Replies(self.outlet, feed.now_ms)
        self._seating = None if desk is None else Seating(desk, feed, self._replies, caller, cookie_token)
        self._watching: set[TableId] = set()
        self._bad_frames = 0
        self._budget = Budget(asyncio.get_running_loop().time())

    async def run(self) -> None:
        """Serves the connection until it ends."""
        self._fanout.outlets.add(self.outlet)
        try:
            async for frame in self._connection:
                try:
                    command = self._codec.decode_command(frame)
                except FrameError as error:
                    self._replies.refuse(RefusedError(error.code, error.detail))
                    self._bad_frames += 1
                    if self._bad_frames >= MOST_BAD_FRAMES:
                        await cut(self.outlet, CloseCode.BAD_FRAMES)
                        return
                else:
                    if not await self._within_bounds(command):
                        return
        finally:
            self._fanout.outlets.discard(self.outlet)
            self._lobby.unfollow(self.outlet)
            for table in self._watching:
                self._fanout.unwatch(table, self.outlet)
            if self._seating is not None:
                self._seating.end()

    async def _within_bounds(self, command: ClientMessage) -> bool:
        """Answers a command; false when the connection was cut for sending too much or reading too little."""
        if self.outlet.behind:
            await cut(self.outlet, CloseCode.SLOW_READER)
            return False
        if self._budget.take(command, asyncio.get_running_loop().time()):
            await self._handle(command)
        elif self._budget.spent:
            self._connection.cut_flood()
            return False
        else:
            self._replies.refuse(RefusedError(ErrorCode.BUSY), command.id)
        # Frames that are here already come without waiting: others' turns come between them.
        await asyncio.sleep(0)
        return True

    async def _handle(self, command: ClientMessage) -> None:
        """Answers a command, whatever becomes of it."""
        name = getattr(command, "table", None)
        table = None if name is None else TableId(name)
        try:
            await self._carry_out(command)
        except RefusedError as refused:
            self._replies.refuse(refused, command.id, table)
        except StoreError as error:
            about = None if table is None else of(table, getattr(command, "round", None))
            logger.warning("%s at %s: %s", type(command).__name__, table, error, extra=about)
            self._replies.refuse(RefusedError(ErrorCode.UNAVAILABLE), command.id, table)

    async def _carry_out(self, command: ClientMessage) -> None:
        match command:
            case Hello():
                await self._hello(command)
            case Lobby():
                self._show_lobby(command)
            case Watch():
                await self._watch(command)
            case Unwatch():
                self._unwatch(command)
            case Rules():
                await self._rules(command)
            case History():
                await self._history(command)
            case Ping():
                self.outlet.reply(Pong(id=command.id, server_ms=self._feed.now_ms()))
            case _:
                if self._seating is None:
                    raise RefusedError(ErrorCode.SIGN_IN_NEEDED)
                await self._seating.handle(command)

    async def _hello(self, command: Hello) -> None:
        self.outlet.language = command.language
        self._fanout.show(self.outlet, shown=not command.test)
        if self._seating is None:
            self._replies.welcome(command.id)
        else:
            await self._seating.hello(command)

    def _show_lobby(self, command: Lobby) -> None:
        if command.follow:
            self._lobby.follow(self.outlet)
        else:
            self._lobby.unfollow(self.outlet)
        rows = tuple(self._lobby.rows().values())
        self.outlet.reply(LobbyState(id=command.id, server_ms=self._feed.now_ms(), tables=rows))

    async def _watch(self, command: Watch) -> None:
        table = TableId(command.table)
        self._watching &= self._feed.tables.keys()  # but for those that were closed
        if table not in self._watching and len(self._watching) >= MAX_WATCHED_TABLES:
            raise RefusedError(ErrorCode.TOO_MANY_TABLES, limit=MAX_WATCHED_TABLES)
        if command.since is not None and not await self._feed.reach(table, command.since):
            raise RefusedError(ErrorCode.SINCE_AHEAD)
        # From here to `watch` nothing waits: no event can come between the answer and what follows it.
        feed = self._table(table)
        missed = None if command.since is None else feed.missed(command.since)
        view = feed.view
        resumed = missed is not None
        answer = Watching(id=command.id, table=table, epoch=view.epoch, seq=view.seq, resumed=resumed)
        following = feed.present() if missed is None else [*missed, *feed.standing()]
        self.outlet.send(Encoded(answer), *following)
        self._watching.add(table)
        self._fanout.watch(table, self.outlet)
        if self._seating is not None:
            await self._seating.watch(view, command.paid_round)

    def _unwatch(self, command: Unwatch) -> None:
        table = TableId(command.table)
        if table not in self._watching:
            raise RefusedError(ErrorCode.NOT_WATCHING)
        self._watching.discard(table)
        self._fanout.unwatch(table, self.outlet)
        if self._seating is not None:
            self._seating.unwatch(table)
        self.outlet.reply(Unwatched(id=command.id, table=table))

    async def _rules(self, command: Rules) -> None:
        table = TableId(command.table)
        feed = self._table(table)
        ref = feed.view.rules
        rules = self._feed.rule_set(ref)
        if rules is None:
            raise RefusedError(ErrorCode.UNKNOWN_RULES)
        language = self._replies.language if command.language is None else command.language
        text = await self._rulebook.text(rules, language)
        self.outlet.reply(
            TableRules(
                id=command.id,
                table=table,
                rules=ref,
                limits=feed.listing.limits,
                language=language,
                title=text.title,
                sections=text.sections,
                offer=offer_of(rules),
                auto_rebet=feed.listing.auto_rebet,
            )
        )

    async def _history(self, command: History) -> None:
        table = TableId(command.table)
        self._table(table)
        rounds = await self._feed.rounds(table, command.before, command.limit + 1)
        page = tuple(rounds[: command.limit])
        self.outlet.reply(
            HistoryPage(id=command.id, table=table, rounds=page, more=len(rounds) > command.limit)
        )

    def _table(self, table: TableId) -> TableFeed:
        feed = self._feed.tables.get(table)
        if feed is None:
            raise RefusedError(ErrorCode.UNKNOWN_TABLE)
        return feed
