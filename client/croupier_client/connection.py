"""The client: one server, any number of connections after one another, up to eight tables watched.

```python
async with connect("localhost:8000") as client:
    async for message in client.watch("standard"):
        print(message)
```
"""

import asyncio
import logging
from collections.abc import Callable
from types import TracebackType
from typing import Final, NamedTuple, Self, TypeVar

from croupier_client.address import Address, parse_address
from croupier_client.errors import (
    ClosedError,
    LinkLostError,
    NoAnswerError,
    RefusedError,
    UnreachableError,
    ViolationError,
)
from croupier_client.following import Following
from croupier_client.link import Link
from croupier_client.lobby import LobbyFollower
from croupier_client.offset import ClockOffset, OffsetEstimate, measured
from croupier_client.questions import Questions
from croupier_client.timing import Backoff, Timing
from croupier_client.watcher import Watcher
from croupier_protocol.codec import MSGPACK, Codec, Incoming
from croupier_protocol.messages.to_client import (
    Error,
    HistoryPage,
    Live,
    LobbyState,
    Pong,
    Reply,
    Stalled,
    Welcome,
)
from croupier_protocol.messages.to_server import ClientMessage, Hello, History, Lobby, Ping
from croupier_protocol.messages.values import Language, RequestId, TableId

SHORTEST_SILENCE_S: Final = 0.1
"""A server that asks to be given up sooner than this is not obeyed."""

_Answer = TypeVar("_Answer", bound=Reply)
_log = logging.getLogger(__name__)


class Connected(NamedTuple):
    """A connection was made and the server has answered."""

    version: str


class Reconnecting(NamedTuple):
    """A connection was lost, or could not be made; the next try comes in `delay_s`."""

    delay_s: float
    reason: str


Notice = Connected | Reconnecting | Stalled | Live
"""News about the connection, told as it happens and not in line with the tables' messages."""


def connect(
    url: str,
    *,
    codec: Codec = MSGPACK,
    language: Language = Language.ENGLISH,
    on_notice: Callable[[Notice], None] | None = None,
    timing: Timing | None = None,
) -> "Client":
    """A client for the server at `url`, to be entered with ``async with``.

    Args:
        url: ``ws://host:port``, ``http://host:port`` or ``host:port``; wss and https likewise.
        codec: the subprotocol, `MSGPACK` or `JSON` of `croupier_protocol.codec`.
        language: of the texts of refusals.
        on_notice: is called with news about the connection; it must not block.
        timing: waits, clock and chance; tests bring their own.

    Raises:
        AddressError: when `url` is no address.
    """
    return Client(parse_address(url), codec, language, on_notice, timing or Timing())


class Client:
    """See `connect`.

    Entering it waits for the first welcome, trying again for `Timing.first_s`. From then on it reconnects by
    itself, for as long as it takes. What ends it for good, be it the server's word or a defect, is raised to
    everyone who waits on it.
    """

    def __init__(
        self,
        address: Address,
        codec: Codec,
        language: Language,
        on_notice: Callable[[Notice], None] | None,
        timing: Timing,
    ) -> None:
        self._address = address
        self._codec = codec
        self._language = language
        self._on_notice = on_notice
        self._timing = timing
        self._backoff = Backoff(timing)
        self._questions = Questions()
        self._link: Link | None = None
        self._settled = asyncio.Event()
        self._welcomed = asyncio.Event()
        self._ended = asyncio.Event()
        self._failure: Exception | None = None
        self._last_loss: LinkLostError | None = None
        self._task: asyncio.Task[None] | None = None
        self._following = Following(self._questions, timing)
        self._offset = OffsetEstimate()
        self._hello_s = 0.0

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

    def watch(self, table: str) -> Watcher:
        """The messages of `table`, to be iterated; see `Watcher`. Asking for the first one starts it."""
        return Watcher(TableId(table), self._codec, self._following.begin_table, self._following.end_table)

    async def lobby(self) -> LobbyState:
        """Every table, now.

        Raises:
            RefusedError, NoAnswerError: as for every question; and whatever has ended the client.
        """
        return await self._ask(
            lambda request: Lobby(id=request, follow=self._following.follows_lobby), LobbyState
        )

    def follow_lobby(self) -> LobbyFollower:
        """Every table, now and whenever something changes; one follower at a time."""
        return LobbyFollower(self._following.begin_lobby, self._following.end_lobby)

    async def history(self, table: str, *, before: int | None = None, limit: int = 20) -> HistoryPage:
        """Finished rounds of `table`, newest first: those before round `before`, or the latest."""
        return await self._ask(
            lambda request: History(id=request, table=table, before=before, limit=limit), HistoryPage
        )

    async def ping(self) -> ClockOffset:
        """Asks for the server's time once more; what all answers together say about its clock.

        One question is as good as its round trip is short; several find a shorter one.
        """
        sent_s = 0.0

        def question(request: RequestId) -> Ping:
            nonlocal sent_s
            sent_s = self._timing.monotonic()
            return Ping(id=request)

        pong = await self._ask(question, Pong)
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
        async with await Link.open(self._address, self._codec, self._timing) as link:
            since_s = self._timing.monotonic()
            try:
                await self._greet(link)
                while True:
                    message, frame = await link.receive()
                    self._take(link, message)
                    await self._following.take(link, message, frame)
            finally:
                self._link = None
                self._settled.clear()
                self._following.lost()
                self._questions.fail_all(LinkLostError("the connection was lost"))
                if self._timing.monotonic() - since_s >= self._timing.stable_s:
                    self._backoff.reset()

    async def _greet(self, link: Link) -> None:
        """Says hello, then asks again for everything that was followed."""
        link.silence_s = self._timing.open_s
        self._offset.clear()
        self._hello_s = self._timing.monotonic()
        await link.send(Hello(id=self._questions.next_id(), language=self._language))
        self._link = link
        self._settled.set()
        await self._following.greet(link)

    def _take(self, link: Link, message: Incoming) -> None:
        match message:
            case Welcome():
                link.silence_s = max(message.silence_ms / 1000, SHORTEST_SILENCE_S)
                self._offset.add(measured(self._hello_s, self._timing.monotonic(), message.server_ms))
                self._tell(Connected(message.version))
                self._welcomed.set()
            case LobbyState() | HistoryPage() | Pong():
                self._questions.settle(message.id, message)
            case Error():
                refusal = RefusedError(message.code, message.message, message.table)
                if not self._questions.settle(message.id, refusal):
                    _log.info("the server refused something: %s", refusal)
            case Stalled() | Live():
                self._tell(message)

    def _tell(self, notice: Notice) -> None:
        if self._on_notice is not None:
            self._on_notice(notice)

    async def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _end(self, error: Exception | None) -> None:
        """Ends everyone who waits: with `error`, or because the client was left."""
        self._failure = self._failure or error
        if error is not None:
            _log.info("the client has ended: %s", error)
        self._ended.set()
        self._settled.set()
        self._following.finish(error)
        self._questions.fail_all(error or ClosedError("the client is closed"))

    async def _ask(self, question: Callable[[RequestId], ClientMessage], kind: type[_Answer]) -> _Answer:
        """The answer to a question, asked again on every new connection until it comes.

        Raises:
            RefusedError: the server's answer is no.
            NoAnswerError: there was none in time.
        """
        try:
            async with asyncio.timeout(self._timing.answer_s):
                while True:
                    try:
                        answer = await self._ask_once(question)
                        break
                    except LinkLostError:
                        await asyncio.sleep(0)  # the task that reads must get to see the loss
        except TimeoutError:
            raise NoAnswerError(f"no answer in {self._timing.answer_s:g} s") from None
        if not isinstance(answer, kind):
            raise ViolationError(f"the server answered with {type(answer).__name__}, not {kind.__name__}")
        return answer

    async def _ask_once(self, question: Callable[[RequestId], ClientMessage]) -> Reply:
        self._raise_if_over()
        await self._settled.wait()
        self._raise_if_over()
        if self._link is None:
            raise LinkLostError("the connection was lost")
        request = self._questions.next_id()
        answer = self._questions.ask(request)
        try:
            await self._link.send(question(request))
            return await answer
        finally:
            self._questions.forget(request)

    def _raise_if_over(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self._ended.is_set():
            raise ClosedError("the client is closed")
