"""The client: one server, any number of connections after one another, up to eight tables watched or sat at.

```python
async with connect("localhost:8000") as client:
    async for message in client.watch("standard"):
        print(message)

async with connect("localhost:8000") as client:
    seat = await client.sit("standard", buy_in=100_00)
    await seat.window()
    await seat.bet(player=5_00, tie=1_00)
    await seat.deal()
    async for payout in seat.payouts():
        print(payout.returned, payout.bankroll)
```
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Final, Self

from croupier_client.address import Address, parse_address
from croupier_client.asker import TRY_AGAIN, Asker, check_command
from croupier_client.checking import CardChecker
from croupier_client.errors import (
    LinkLostError,
    NoAnswerError,
    RefusedError,
    UnreachableError,
)
from croupier_client.following import Following
from croupier_client.link import Link
from croupier_client.lobby import LobbyFollower
from croupier_client.notices import Connected, Notice, Reconnecting, SignedIn
from croupier_client.offset import ClockOffset, OffsetEstimate, measured
from croupier_client.play_safe import PlaySafe
from croupier_client.questions import Questions
from croupier_client.seat import Seat
from croupier_client.seating import Seating
from croupier_client.sign_in import SignIn, TokenSource
from croupier_client.slips import new_op
from croupier_client.timing import Backoff, Timing
from croupier_client.watcher import Watcher
from croupier_protocol.codec import MSGPACK, Codec, Incoming
from croupier_protocol.messages.errors import ErrorCode, error_text
from croupier_protocol.messages.to_client import (
    CutTaken,
    Error,
    HistoryPage,
    Live,
    LobbyState,
    Me,
    OwnLimits,
    OwnRounds,
    Pong,
    RealityCheck,
    SeatNotice,
    SlipAccepted,
    SlipChanged,
    Stalled,
    TableRules,
    WalletState,
    Welcome,
)
from croupier_protocol.messages.to_server import (
    Hello,
    History,
    Lobby,
    MyRounds,
    Ping,
    Rules,
    Sit,
    Wallet,
)
from croupier_protocol.messages.values import TABLE_ID_PATTERN, Language, Player, RequestId, TableId

SHORTEST_SILENCE_S: Final = 0.1
"""A server that asks to be given up sooner than this is not obeyed."""

_log = logging.getLogger(__name__)


def connect(
    url: str,
    *,
    codec: Codec = MSGPACK,
    language: Language = Language.ENGLISH,
    name: str | None = None,
    token: str | TokenSource | None = None,
    code: str | None = None,
    resume_token: str | None = None,
    on_notice: Callable[[Notice], None] | None = None,
    timing: Timing | None = None,
) -> "Client":
    """A client for the server at `url`, to be entered with ``async with``.

    Args:
        url: ``ws://host:port``, ``http://host:port`` or ``host:port``; wss and https likewise.
        codec: the subprotocol, `MSGPACK` or `JSON` of `croupier_protocol.codec`.
        language: of the texts of refusals.
        name: what others see at a table.
        token: the operator's word for who this is, or what gets one: asked at each connection, and again
            before the time of the last one is over.
        code: the operator's word too, good once and for a minute; what it brings lasts through reconnections.
        resume_token: of an earlier client, to be the same player again; see `SignedIn`.
        on_notice: is called with news about the connection; it must not block.
        timing: waits, clock and chance; tests bring their own.

    Raises:
        AddressError: when `url` is no address.
    """
    return Client(
        parse_address(url),
        codec,
        Hello(language=language, name=name, code=code, resume=resume_token),
        on_notice,
        timing or Timing(),
        token=token,
    )


class Client:
    """See `connect`.

    `source` is the address of this machine to connect from, where the system is not to choose.

    Entering it waits for the first welcome, trying again for `Timing.first_s`. From then on it reconnects by
    itself, for as long as it takes. What ends it for good, be it the server's word or a defect, is raised to
    everyone who waits on it.
    """

    def __init__(
        self,
        address: Address,
        codec: Codec,
        hello: Hello,
        on_notice: Callable[[Notice], None] | None,
        timing: Timing,
        source: str | None = None,
        token: str | TokenSource | None = None,
    ) -> None:
        self._address = address
        self._source = source
        self._codec = codec
        self._on_notice = on_notice
        self._timing = timing
        self._backoff = Backoff(timing)
        self._questions = Questions()
        self._sign_in = SignIn(hello, token, timing, self._questions.next_id)
        self._asker = Asker(self._questions, timing)
        self._play_safe = PlaySafe(self._asker)
        self._welcomed = asyncio.Event()
        self._ended = asyncio.Event()
        self._failure: Exception | None = None
        self._last_loss: LinkLostError | None = None
        self._task: asyncio.Task[None] | None = None
        self._seat_tasks: set[asyncio.Task[None]] = set()
        self._following = Following(self._questions, timing)
        self._offset = OffsetEstimate()
        self._greeting: RequestId | None = None
        self._hello_s = 0.0
        self._player: Player | None = None
        self._language = hello.language

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name=f"croupier client of {self._address.url}")
        waits = [asyncio.create_task(self._welcomed.wait()), asyncio.create_task(self._ended.wait())]
        try:
            await asyncio.wait(waits, timeout=self._timing.first_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            if not self._welcomed.is_set():
                await self._stop()
                self._end(None)
        if self._failure is not None:
            raise self._failure
        if not self._welcomed.is_set():
            reason = "no answer" if self._last_loss is None else str(self._last_loss)
            raise UnreachableError(f"no server at {self._address.url}: {reason}") from self._last_loss
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()
        self._end(None)

    @property
    def play_safe(self) -> PlaySafe:
        """What this player limits for itself."""
        return self._play_safe

    @property
    def offset(self) -> ClockOffset | None:
        """How far the server's clock is, by the shortest round trip so far on this connection."""
        return self._offset.best

    @property
    def player(self) -> Player | None:
        """Who this client is; None until it has a name or a seat."""
        return self._player

    @property
    def resume_token(self) -> str | None:
        """The secret by which a later client is the same player; it changes with each connection."""
        return self._sign_in.hello.resume

    def watch(self, table: str) -> Watcher:
        """The messages of `table`, to be iterated; see `Watcher`. Asking for the first one starts it.

        Raises:
            RefusedError: no table can have that name.
        """
        if re.fullmatch(TABLE_ID_PATTERN, table) is None:
            text = error_text(ErrorCode.UNKNOWN_TABLE, self._language)
            raise RefusedError(ErrorCode.UNKNOWN_TABLE, text, TableId(table))
        return Watcher(TableId(table), self._codec, self._following.begin_table, self._following.end_table)

    def checker(self, table: str) -> CardChecker:
        """Checks each card of `table` against the list of its shoe; see `CardChecker`.

        ```python
        checker = client.checker("standard")
        async for message in watcher:
            if isinstance(message, CardDealt):
                assert await checker.check(message, watcher.view) is not False
        ```
        """
        return CardChecker(self._address, TableId(table))

    async def lobby(self) -> LobbyState:
        """Every table, now.

        Raises:
            RefusedError, NoAnswerError: as for every question; and whatever has ended the client.
        """
        return await self._asker.ask(
            lambda request: Lobby(id=request, follow=self._following.follows_lobby), LobbyState
        )

    def follow_lobby(self) -> LobbyFollower:
        """Every table, now and whenever something changes; one follower at a time."""
        return LobbyFollower(self._following.begin_lobby, self._following.end_lobby)

    async def rules(self, table: str) -> TableRules:
        """What `table` plays, in words of the client's language, with its bets and the limits in force."""
        return await self._asker.ask(lambda request: Rules(id=request, table=table), TableRules)

    async def wallet_state(self) -> WalletState:
        """What this player has away from the tables, or would begin with."""
        return await self._asker.ask(lambda request: Wallet(id=request), WalletState)

    async def history(self, table: str, *, before: int | None = None, limit: int = 20) -> HistoryPage:
        """Finished rounds of `table`, newest first: those before round `before`, or the latest."""
        return await self._asker.ask(
            lambda request: History(id=request, table=table, before=before, limit=limit), HistoryPage
        )

    async def my_rounds(self, *, before: str | None = None, limit: int = 20) -> OwnRounds:
        """This player's own settled rounds at all tables, newest first.

        `before` is the `next` of an earlier answer, for the page after it.
        """
        return await self._asker.ask(
            lambda request: MyRounds(id=request, before=before, limit=limit), OwnRounds
        )

    async def sit(self, table: str, *, buy_in: int, seat: int | None = None, op: str | None = None) -> Seat:
        """Takes a seat, number `seat` or any, with chips for `buy_in` cents from the wallet.

        After a `NoAnswerError` the same `op` asks for the same seat again, and pays for it once.

        Raises:
            RefusedError: the server's answer is no; `already_seated` when this player has a seat here, which
                `Client.seat` gives; `not_seated` when the seat was taken and, before its answer came through,
                given up again, with its chips.
            ValueError: this client has a seat here already, or `BadCommandError`: an amount is out of bounds.
            NoAnswerError: there was no answer in time; and whatever has ended the client.
        """
        sit = Sit(table=table, buy_in=buy_in, seat=seat, op=op or new_op())
        check_command(sit)
        seating = Seating(TableId(table), language=self._language)
        async with self._attached(seating):
            await self._until(seating, lambda: seating.view is not None)
            if seating.view is not None:
                seating.place.begins_at(seating.view, self._following.paid_round(seating.view))
            await self._asker.perform(sit, Me)
            self._check_seated(seating)
        return self._seat(seating)

    async def seat(self, table: str, *, paid_round: int = 0) -> Seat:
        """The seat that this player has at `table` already, taken by another client or connection.

        `Seat.payouts` begins after `paid_round`, as far back as the server keeps a seat's payouts.

        Raises:
            RefusedError: `not_seated`, or the table cannot be watched.
            ValueError, NoAnswerError: as for `sit`.
        """
        seating = Seating(TableId(table), paid_round, self._language)
        async with self._attached(seating):
            if self._player is not None:  # nobody is told nothing
                await self._until(seating, lambda: seating.view is not None and seating.place.told)
            self._check_seated(seating)
        return self._seat(seating)

    async def ping(self) -> ClockOffset:
        """Asks for the server's time once more; what all answers together say about its clock.

        One question is as good as its round trip is short; several find a shorter one.
        """
        sent_s = 0.0

        def question(request: RequestId) -> Ping:
            nonlocal sent_s
            sent_s = self._timing.monotonic()
            return Ping(id=request)

        pong = await self._asker.ask(question, Pong)
        sample = measured(sent_s, self._timing.monotonic(), pong.server_ms)
        self._offset.add(sample)
        return self._offset.best or sample

    # The connection, made again and again by one task.

    async def _run(self) -> None:
        try:
            while True:
                try:
                    await self._one_connection()
                except LinkLostError as lost:
                    self._last_loss = lost
                    delay_s = self._backoff.wait_s(lost.retry_after_s)
                    _log.info("%s; next try in %.2f s", lost, delay_s)
                    self._tell(Reconnecting(delay_s, str(lost)))
                    await self._timing.sleep(delay_s)
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait must see it
            self._end(error)

    async def _one_connection(self) -> None:
        async with await Link.open(self._address, self._codec, self._timing, self._source) as link:
            since_s = self._timing.monotonic()
            try:
                await self._greet(link)
                while True:
                    message, frame = await link.receive()
                    self._take(link, message)
                    await self._following.take(link, message, frame)
            finally:
                self._sign_in.lost()
                self._following.lost()
                self._asker.lost()
                if self._timing.monotonic() - since_s >= self._timing.stable_s:
                    self._backoff.reset()

    async def _greet(self, link: Link) -> None:
        """Says hello, then asks again for everything that was followed."""
        link.silence_s = self._timing.open_s
        self._offset.clear()
        self._hello_s = self._timing.monotonic()
        self._greeting = self._questions.next_id()
        await self._sign_in.say(link, self._greeting)
        self._asker.open(link)
        await self._following.greet(link)

    def _take(self, link: Link, message: Incoming) -> None:
        match message:
            case Welcome():
                self._take_welcome(link, message)
            case (
                LobbyState()
                | HistoryPage()
                | OwnRounds()
                | Pong()
                | Me()
                | SlipAccepted()
                | SlipChanged()
                | CutTaken()
                | TableRules()
                | WalletState()
                | OwnLimits()
            ):
                self._questions.settle(message.id, message)
            case Error():
                refusal = RefusedError.of(message)
                if message.id is not None and message.id == self._greeting:
                    raise LinkLostError(str(refusal)) if message.code in TRY_AGAIN else refusal
                if not self._questions.settle(message.id, refusal):
                    _log.info("the server refused something: %s", refusal)
            case Stalled() | Live() | SeatNotice() | RealityCheck():
                self._tell(message)

    def _take_welcome(self, link: Link, welcome: Welcome) -> None:
        """The answer to `hello`; later ones on a connection tell that it has become somebody."""
        self._sign_in.welcomed(link, welcome)
        self._player = welcome.player or self._player
        if welcome.player is not None and welcome.resume is not None:
            self._tell(SignedIn(welcome.player, welcome.resume))
        if welcome.id == self._greeting:
            link.silence_s = max(welcome.silence_ms / 1000, SHORTEST_SILENCE_S)
            self._offset.add(measured(self._hello_s, self._timing.monotonic(), welcome.server_ms))
            self._tell(Connected(welcome.version))
            self._welcomed.set()

    def _tell(self, notice: Notice) -> None:
        if self._on_notice is not None:
            self._on_notice(notice)

    async def _stop(self) -> None:
        tasks = [task for task in (self._task, *self._seat_tasks) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _end(self, error: Exception | None) -> None:
        """Ends everyone who waits: with `error`, or because the client was left."""
        self._failure = self._failure or error
        if error is not None:
            _log.info("the client has ended: %s", error)
        self._ended.set()
        self._following.finish(error)
        self._asker.end(error)

    # Seats.

    @asynccontextmanager
    async def _attached(self, seating: Seating) -> AsyncIterator[None]:
        """Follows the table of a seat, and stops when it is not to be had."""
        await self._following.begin_seat(seating)
        try:
            yield
        except BaseException:
            await self._following.end_seat(seating)
            raise

    async def _until(self, seating: Seating, condition: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(self._timing.operation_s):
                await seating.until(condition)
        except TimeoutError:
            raise NoAnswerError(f"no answer in {self._timing.operation_s:g} s") from None

    def _check_seated(self, seating: Seating) -> None:
        if seating.place.me.seat is None:
            code = ErrorCode.NOT_SEATED
            raise RefusedError(code, error_text(code, self._language), seating.table)

    def _seat(self, seating: Seating) -> Seat:
        return Seat(seating, self._asker, self._spawn, self._language)

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Starts a task that lives no longer than the client."""
        task = asyncio.create_task(work)
        self._seat_tasks.add(task)
        task.add_done_callback(self._seat_tasks.discard)
        return task
