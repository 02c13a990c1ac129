"""One connection after another to one server: made, greeted, read, and made again when it is lost."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Final, Self

from croupier_client.address import Address
from croupier_client.asker import TRY_AGAIN, Asker
from croupier_client.errors import LinkLostError, RefusedError, UnreachableError
from croupier_client.following import Following
from croupier_client.link import Link
from croupier_client.notices import Connected, Notice, Reconnecting, SignedIn
from croupier_client.offset import ClockOffset, OffsetEstimate, measured
from croupier_client.questions import Questions
from croupier_client.sign_in import SignIn, TokenSource
from croupier_client.timing import Backoff, Timing
from croupier_protocol.codec import Codec, Incoming
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
from croupier_protocol.messages.to_server import Hello
from croupier_protocol.messages.values import Player, RequestId

SHORTEST_SILENCE_S: Final = 0.1
"""A server that asks to be given up sooner than this is not obeyed."""

_log = logging.getLogger(__name__)


class ConnectedClient:
    """A client as far as its connection goes; `Client` adds what can be asked for.

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

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Starts a task that lives no longer than the client."""
        task = asyncio.create_task(work)
        self._seat_tasks.add(task)
        task.add_done_callback(self._seat_tasks.discard)
        return task
