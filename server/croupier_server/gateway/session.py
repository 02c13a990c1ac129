"""One connection: its commands, in order, and their answers.

Every answer and every event leaves through the connection's `Outlet`, which never waits; so a snapshot and
the events after it are written in that order, with nothing in between.
"""

import logging
from importlib import metadata
from typing import Final, assert_never

from websockets.asyncio.server import ServerConnection

from croupier_protocol.codec import Codec, FrameError
from croupier_protocol.messages.errors import CloseCode, ErrorCode, error_text
from croupier_protocol.messages.to_client import (
    Error,
    HistoryPage,
    LobbyState,
    Pong,
    Stalled,
    TableRules,
    Unwatched,
    Watching,
    Welcome,
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
from croupier_protocol.messages.values import Language, RequestId, TableId
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.fanout import Fanout, Outlet, cut
from croupier_server.gateway.lobby import Lobby as LobbyRows
from croupier_server.gateway.rulebook import Rulebook
from croupier_server.gateway.source import Source
from croupier_server.store.errors import StoreError

logger = logging.getLogger(__name__)

SILENCE_MS: Final = 50_000
"""After this much silence either side may take the connection for dead."""

MOST_BAD_FRAMES: Final = 10
"""Frames that are no messages; after so many the connection is cut."""

VERSION: Final = metadata.version("croupier")


class Session:
    """The reading side of one connection."""

    def __init__(
        self,
        connection: ServerConnection,
        codec: Codec,
        feed: Source,
        fanout: Fanout,
        lobby: LobbyRows,
        rulebook: Rulebook,
    ) -> None:
        self.outlet = Outlet(connection, codec)
        self._connection = connection
        self._codec = codec
        self._feed = feed
        self._fanout = fanout
        self._lobby = lobby
        self._rulebook = rulebook
        self._watching: set[TableId] = set()
        self._language = Language.ENGLISH
        self._bad_frames = 0

    async def run(self) -> None:
        """Serves the connection until it ends."""
        self._fanout.outlets.add(self.outlet)
        try:
            async for frame in self._connection:
                try:
                    command = self._codec.decode_command(frame)
                except FrameError as error:
                    self._refuse(error.code, error.detail)
                    self._bad_frames += 1
                    if self._bad_frames >= MOST_BAD_FRAMES:
                        await cut(self.outlet, CloseCode.BAD_FRAMES)
                        return
                else:
                    await self._handle(command)
        finally:
            self._fanout.outlets.discard(self.outlet)
            self._lobby.unfollow(self.outlet)
            for table in self._watching:
                self._fanout.unwatch(table, self.outlet)

    async def _handle(self, command: ClientMessage) -> None:
        match command:
            case Hello():
                self._hello(command)
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
            case _ as never:
                assert_never(never)

    def _hello(self, command: Hello) -> None:
        self._language = command.language
        self.outlet.reply(
            Welcome(id=command.id, version=VERSION, server_ms=self._feed.now_ms(), silence_ms=SILENCE_MS)
        )

    def _show_lobby(self, command: Lobby) -> None:
        if command.follow:
            self._lobby.follow(self.outlet)
        else:
            self._lobby.unfollow(self.outlet)
        rows = tuple(self._lobby.rows().values())
        self.outlet.reply(LobbyState(id=command.id, server_ms=self._feed.now_ms(), tables=rows))

    async def _watch(self, command: Watch) -> None:
        table = TableId(command.table)
        if table not in self._watching and len(self._watching) >= MAX_WATCHED_TABLES:
            self._refuse(ErrorCode.TOO_MANY_TABLES, id_=command.id, table=table, limit=MAX_WATCHED_TABLES)
            return
        if command.since is not None and not await self._feed.reach(table, command.since):
            self._refuse(ErrorCode.SINCE_AHEAD, id_=command.id, table=table)
            return
        # From here to the end nothing waits: no event can come between the answer and what follows it.
        feed = self._feed.tables.get(table)
        if feed is None:
            self._refuse(ErrorCode.UNKNOWN_TABLE, id_=command.id, table=table)
            return
        missed = None if command.since is None else feed.missed(command.since)
        view = feed.view
        resumed = missed is not None
        self.outlet.reply(
            Watching(id=command.id, table=table, epoch=view.epoch, seq=view.seq, resumed=resumed)
        )
        for message in [feed.snapshot] if missed is None else missed:
            self.outlet.send(message)
        if feed.stalled_since_ms is not None:
            self.outlet.send(Encoded(Stalled(table=table, since_ms=feed.stalled_since_ms)))
        self._watching.add(table)
        self._fanout.watch(table, self.outlet)

    def _unwatch(self, command: Unwatch) -> None:
        table = TableId(command.table)
        if table not in self._watching:
            self._refuse(ErrorCode.NOT_WATCHING, id_=command.id, table=table)
            return
        self._watching.discard(table)
        self._fanout.unwatch(table, self.outlet)
        self.outlet.reply(Unwatched(id=command.id, table=table))

    async def _rules(self, command: Rules) -> None:
        table = TableId(command.table)
        feed = self._feed.tables.get(table)
        if feed is None:
            self._refuse(ErrorCode.UNKNOWN_TABLE, id_=command.id, table=table)
            return
        rules = feed.view.rules
        language = self._language if command.language is None else command.language
        text = await self._rulebook.text(rules, language)
        if text is None:
            self._refuse(ErrorCode.UNKNOWN_RULES, id_=command.id, table=table)
            return
        self.outlet.reply(
            TableRules(
                id=command.id,
                table=table,
                rules=rules,
                language=language,
                title=text.title,
                sections=text.sections,
            )
        )

    async def _history(self, command: History) -> None:
        table = TableId(command.table)
        if table not in self._feed.tables:
            self._refuse(ErrorCode.UNKNOWN_TABLE, id_=command.id, table=table)
            return
        try:
            rounds = await self._feed.rounds(table, command.before, command.limit + 1)
        except StoreError as error:
            logger.warning("history of %s: %s", table, error)
            self._refuse(ErrorCode.UNAVAILABLE, id_=command.id, table=table)
            return
        page = tuple(rounds[: command.limit])
        self.outlet.reply(
            HistoryPage(id=command.id, table=table, rounds=page, more=len(rounds) > command.limit)
        )

    def _refuse(
        self,
        code: ErrorCode,
        detail: str = "",
        *,
        id_: RequestId | None = None,
        table: TableId | None = None,
        limit: int | None = None,
    ) -> None:
        text = error_text(code, self._language)
        self.outlet.reply(
            Error(
                id=id_,
                code=code,
                message=f"{text} ({detail})" if detail else text,
                server_ms=self._feed.now_ms(),
                table=table,
                limit=limit,
            )
        )
