"""A server on a real socket that does as the protocol says, and goes wrong where a test tells it to."""

import asyncio
from collections import defaultdict, deque
from contextlib import suppress
from http import HTTPStatus

from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from croupier_protocol.codec import CODECS, Codec
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import BettingOpened, RoundSettled, TableEvent
from croupier_protocol.messages.offers import offer_of
from croupier_protocol.messages.to_client import (
    Error,
    HistoryPage,
    LobbyState,
    OwnLimits,
    OwnRounds,
    PaidOut,
    Pong,
    TableInfo,
    TableRules,
    Unwatched,
    WalletState,
    Watching,
    Welcome,
)
from croupier_protocol.messages.to_server import (
    ClientMessage,
    Deal,
    GoOn,
    Hello,
    History,
    Leave,
    Lobby,
    MyRounds,
    Ping,
    Rules,
    Sit,
    Slip,
    TopUp,
    Unwatch,
    Wallet,
    Watch,
)
from croupier_protocol.messages.values import Language, Player
from legal_rounds import RULES, Dealer
from scripted_seats import RefusalError, ScriptedBank

NOW_MS = 1_700_000_000_000


class Session:
    """One connection, as the server sees it."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.codec: Codec = CODECS[socket.subprotocol or ""]
        self.commands: list[ClientMessage] = []
        self.watched: set[str] = set()
        self.player: Player | None = None
        self.name: str | None = None

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

    By type of command: the connection breaks before the next `lose_commands` of them are carried out, and
    after the next `lose_replies` were, without their answer; `errors` are the next answers in place of the
    true ones; answers of a type in `held` wait in `waiting`.
    """

    def __init__(self) -> None:
        self.tables: dict[str, Dealer] = {"standard": Dealer()}
        self.sessions: list[Session] = []
        self.refusals: deque[tuple[int, dict[str, str]]] = deque()
        self.watch_errors: deque[ErrorCode] = deque()
        self.bank = ScriptedBank()
        self.lose_commands: deque[type] = deque()
        self.lose_replies: deque[type] = deque()
        self.errors: defaultdict[type, deque[RefusalError]] = defaultdict(deque)
        self.held: set[type] = set()
        self.waiting: list[tuple[Session, object]] = []
        self._rounds: dict[str, object] = {}
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
        return [command for command in self.commands(Watch) if command.table == table]

    def commands(self, kind: type) -> list:
        """Every command of a kind, on whatever connection."""
        every = [command for session in self.sessions for command in session.commands]
        return [command for command in every if isinstance(command, kind)]

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
                if type(command) in self.lose_commands:
                    self.lose_commands.remove(type(command))
                    session.socket.transport.abort()
                elif not self.silent:
                    await self._answer(session, command)

    async def _answer(self, session: Session, command: ClientMessage) -> None:  # noqa: C901 - one case each
        match command:
            case Hello():
                await self._hello(session, command)
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
            case Rules():
                await session.send(self._rules(command))
            case Wallet():
                player = session.player
                balance = 1_000_00 if player is None else self.bank.wallets[player.id]
                await session.send(WalletState(id=command.id, balance=balance))
            case GoOn():
                await session.send(OwnLimits(id=command.id))
            case MyRounds():
                await session.send(OwnRounds(id=command.id, rounds=(), next=command.before))
            case Sit() | TopUp() | Leave() | Slip() | Deal():
                await self._operate(session, command)

    def _rules(self, command: Rules) -> TableRules:
        return TableRules(
            id=command.id,
            table=command.table,
            rules=RULES,
            limits=self.bank.limits,
            language=Language.ENGLISH,
            title="Rules of the test",
            sections=(),
            offer=offer_of(RULE_SETS["standard"]),
        )

    async def _hello(self, session: Session, command: Hello) -> None:
        if self.errors[Hello]:
            await self._refuse(session, command, self.errors[Hello].popleft())
            return
        if command.resume is not None:
            session.player = self.bank.tokens.get(command.resume)
            if session.player is None:
                await self._refuse(session, command, RefusalError(ErrorCode.BAD_RESUME))
                return
        session.name = command.name
        await self._welcome(session, command.id)

    async def _welcome(self, session: Session, request: int | None = None) -> None:
        player = session.player
        await session.send(
            Welcome(
                id=request,
                version="test",
                server_ms=NOW_MS,
                silence_ms=self.silence_ms,
                player=player,
                resume=None if player is None else self.bank.token(player),
            )
        )

    async def _operate(self, session: Session, command: Sit | TopUp | Leave | Slip | Deal) -> None:
        """Carries an operation out once, and answers as the test wants it."""
        if session.player is None:
            session.player = self.bank.guest(session.name)
            await self._welcome(session)
        kind, view = type(command), self.tables[command.table].view
        try:
            if self.errors[kind]:
                raise self.errors[kind].popleft()
            if isinstance(command, Slip):
                answer = self.bank.place(session.player, command, view)
            else:
                answer = self.bank.operate(session.player, command, view)
        except RefusalError as refusal:
            await self._refuse(session, command, refusal)
            return
        answer = replace(answer, id=command.id)
        if kind in self.lose_replies:
            self.lose_replies.remove(kind)
            session.socket.transport.abort()
        elif kind in self.held:
            self.waiting.append((session, answer))
        else:
            await session.send(answer)

    async def release(self) -> None:
        """Sends every answer that waits, in order, and holds no more."""
        self.held.clear()
        waiting, self.waiting = self.waiting, []
        for session, answer in waiting:
            await session.send(answer)

    async def _refuse(self, session: Session, command: ClientMessage, refusal: RefusalError) -> None:
        await session.send(
            Error(
                id=command.id,
                code=refusal.code,
                message=f"no: {refusal.code}",
                server_ms=NOW_MS,
                table=getattr(command, "table", None),
                bet=refusal.bet,
                limit=refusal.limit,
            )
        )

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
                seated=0,
                limits=self.bank.limits,
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
        if session.player is not None:
            await session.send(self.bank.me(session.player, command.table, command.paid_round))

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

    async def open_window(self, table: str = "standard") -> int:
        """Deals until bets are open, and returns the round."""
        self._rounds[table] = self.tables[table].steps()
        for event in self._rounds[table]:
            await self.push(event, table=table)
            if isinstance(event, BettingOpened):
                break
        return self.tables[table].view.round

    async def play_out(self, table: str = "standard", *, tell: bool = True) -> None:
        """Deals the rest of the round and pays it; with `tell`, players are told at once."""
        dealer = self.tables[table]
        for event in self._rounds.pop(table):
            if isinstance(event, RoundSettled):
                paid = self.bank.settle(table, dealer.view)
            await self.push(event, table=table)
        for session in self.open_sessions if tell else ():
            payout = None if session.player is None else paid.get(session.player.id)
            if payout is not None and table in session.watched:
                await session.send(PaidOut(payout=payout))
        self.bank.cash_out_leavers(table)
        if tell:
            await self.tell_all(table)

    async def tell_all(self, table: str = "standard") -> None:
        """Sends `me` to every player that watches the table."""
        for session in self.open_sessions:
            if session.player is not None and table in session.watched:
                await session.send(self.bank.me(session.player, table))

    def cut(self) -> None:
        """Breaks every connection without a word."""
        for session in self.open_sessions:
            session.socket.transport.abort()

    async def close(self, code: int, reason: str = "") -> None:
        """Closes every connection with a code."""
        await asyncio.gather(*(session.socket.close(code, reason) for session in self.open_sessions))
