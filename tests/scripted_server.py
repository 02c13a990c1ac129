"""A server on a real socket that does as the protocol says, and goes wrong where a test tells it to."""

import asyncio
from collections import deque
from contextlib import suppress
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from croupier_protocol.codec import CODECS, Codec
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import TableEvent
from croupier_protocol.messages.to_client import (
    Error,
    HistoryPage,
    LobbyState,
    Pong,
    TableInfo,
    Unwatched,
    Watching,
    Welcome,
)
from croupier_protocol.messages.to_server import (
    ClientMessage,
    Hello,
    History,
    Lobby,
    Ping,
    Unwatch,
    Watch,
)
from legal_rounds import RULES, Dealer

NOW_MS = 1_700_000_000_000


class Session:
    """One connection, as the server sees it."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.codec: Codec = CODECS[socket.subprotocol or ""]
        self.commands: list[ClientMessage] = []
        self.watched: set[str] = set()

    async def send(self, message) -> None:
        await self.send_raw(message if isinstance(message, (bytes, str)) else self.codec.encode(message))

    async def send_raw(self, payload: bytes | str) -> None:
        text = self.codec.text
        with suppress(ConnectionClosed):
            await self.socket.send(payload, text=text)


class ScriptedServer:
    """Holds tables that a test deals, and the faults it asks for.

    `refusals` are HTTP answers to the next handshakes, as (status, headers); `watch_errors` are answers to
    the next `watch` commands; `silent` stops everything it would send; `muddle` answers each `watch` with an
    event that does not follow.
    """

    def __init__(self) -> None:
        self.tables: dict[str, Dealer] = {"standard": Dealer()}
        self.sessions: list[Session] = []
        self.refusals: deque[tuple[int, dict[str, str]]] = deque()
        self.watch_errors: deque[ErrorCode] = deque()
        self.handshakes = 0
        self.silent = False
        self.muddle = False
        self.silence_ms = 50_000
        self.port = 0

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def open_sessions(self) -> list[Session]:
        return [session for session in self.sessions if session.socket.state.name == "OPEN"]

    def watches(self, table: str = "standard") -> list[Watch]:
        """Every `watch` command for the table, on whatever connection."""
        commands = [command for session in self.sessions for command in session.commands]
        return [command for command in commands if isinstance(command, Watch) and command.table == table]

    def serving(self, host: str = "127.0.0.1", port: int = 0):
        return serve(
            self._session,
            host,
            port,
            subprotocols=list(CODECS),
            compression=None,
            process_request=self._process_request,
            ping_interval=None,
            close_timeout=0.2,
        )

    def _process_request(self, _connection: ServerConnection, _request: Request) -> Response | None:
        self.handshakes += 1
        if not self.refusals:
            return None
        status, headers = self.refusals.popleft()
        body = b"no\n"
        fields = Headers({**headers, "Content-Length": str(len(body)), "Connection": "close"})
        return Response(status, HTTPStatus(status).phrase, fields, body)

    async def _session(self, socket: ServerConnection) -> None:
        session = Session(socket)
        self.sessions.append(session)
        with suppress(ConnectionClosed):
            async for payload in socket:
                command = session.codec.decode_command(payload)
                session.commands.append(command)
                if not self.silent:
                    await self._answer(session, command)

    async def _answer(self, session: Session, command: ClientMessage) -> None:
        match command:
            case Hello():
                await session.send(
                    Welcome(id=command.id, version="test", server_ms=NOW_MS, silence_ms=self.silence_ms)
                )
            case Lobby():
                await session.send(LobbyState(id=command.id, server_ms=NOW_MS, tables=self.lobby()))
            case Watch():
                await self._watch(session, command)
            case Unwatch():
                session.watched.discard(command.table)
                await session.send(Unwatched(id=command.id, table=command.table))
            case History():
                await session.send(HistoryPage(id=command.id, table=command.table, rounds=(), more=False))
            case Ping():
                await session.send(Pong(id=command.id, server_ms=NOW_MS))

    def lobby(self) -> tuple[TableInfo, ...]:
        return tuple(
            TableInfo(
                table=dealer.table,
                rules=RULES,
                pace="turbo",
                phase=dealer.view.phase,
                round=dealer.view.round,
                coup=dealer.view.coup,
                closes_at_ms=dealer.view.closes_at_ms,
                spectators=3,
                past=dealer.view.past,
            )
            for dealer in self.tables.values()
        )

    async def _watch(self, session: Session, command: Watch) -> None:
        dealer = self.tables.get(command.table)
        if self.watch_errors or dealer is None:
            code = self.watch_errors.popleft() if self.watch_errors else ErrorCode.UNKNOWN_TABLE
            await session.send(
                Error(id=command.id, code=code, message=f"no: {code}", server_ms=NOW_MS, table=command.table)
            )
            return
        view, since = dealer.view, command.since
        resumed = since is not None and since.epoch == view.epoch and since.seq <= view.seq
        await session.send(
            Watching(id=command.id, table=view.table, epoch=view.epoch, seq=view.seq, resumed=resumed)
        )
        if resumed and since is not None:
            for event in dealer.events[since.seq :]:
                await session.send(event)
        else:
            await session.send(view)
        if self.muddle:
            await session.send(dealer.events[0])
        session.watched.add(command.table)

    async def push(self, *messages, table: str = "standard") -> None:
        """Sends messages to every connection that watches the table, as they are."""
        if self.silent:
            return
        for session in self.open_sessions:
            if table in session.watched:
                for message in messages:
                    await session.send(message)

    async def deal(self, rounds: int = 1, table: str = "standard") -> list[TableEvent]:
        """Deals rounds to everyone who watches the table."""
        events = self.tables[table].deal(rounds)
        await self.push(*events, table=table)
        return events

    def cut(self) -> None:
        """Breaks every connection without a word."""
        for session in self.open_sessions:
            session.socket.transport.abort()

    async def close(self, code: int, reason: str = "") -> None:
        """Closes every connection with a code."""
        await asyncio.gather(*(session.socket.close(code, reason) for session in self.open_sessions))
