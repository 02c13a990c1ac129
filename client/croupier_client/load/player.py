"""A player of a load test: a guest that sits down, bets, checks what it is paid, and leaves.

It is the client library's own player, with two things looked at on the way: every message, before the library
makes anything of it, and every slip.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from croupier_client.address import Address
from croupier_client.connection import Client
from croupier_client.errors import BettingClosedError, CroupierError, LinkLostError, RefusedError
from croupier_client.link import Link
from croupier_client.load.account import Account
from croupier_client.load.book import Book
from croupier_client.load.clock import ServerClock
from croupier_client.load.lean_socket import OPEN_S
from croupier_client.load.rhythm import Rhythm
from croupier_client.load.strategy import Strategy
from croupier_client.load.stream import Header, Stream
from croupier_client.load.tally import Count
from croupier_client.load.times import Measure
from croupier_client.load.timetable import Arrivals
from croupier_client.notices import Notice, Reconnecting
from croupier_client.seat import Seat
from croupier_client.seating import Seating
from croupier_client.timing import Timing
from croupier_protocol.codec import MSGPACK, Incoming
from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import BettingOpened, TableEvent, UnknownEvent
from croupier_protocol.messages.to_client import (
    Me,
    PaidOut,
    SlipAccepted,
    SlipChanged,
    TableInfo,
    TableView,
    Watching,
)
from croupier_protocol.messages.to_server import Hello
from croupier_protocol.messages.values import Phase

BUY_INS: Final = 10
"""A player buys so many times the least that a table takes, or a quarter of the wallet that most have."""

PAID_S: Final = 45.0
"""How long a player waits at the end for its last slip: longer than a round at the slowest pace."""

LEAVE_S: Final = 10.0


class LoadClient(Client):
    """A client whose messages are judged by `stream` and `account` before they count for anything else."""

    def __init__(
        self,
        address: Address,
        hello: Hello,
        book: Book,
        clock: ServerClock,
        rhythm: Rhythm,
        info: TableInfo,
        source: str | None,
    ) -> None:
        # The environment's proxies are none of a load test's business, so every address is taken for near.
        near = address._replace(loopback=True)
        timing = Timing(first_s=OPEN_S, open_s=OPEN_S)  # as patient as spectators are
        super().__init__(near, MSGPACK, hello, self._hear, timing, source)
        self.wallet: int | None = None
        self.book = book
        self.clock = clock
        self.limits: Limits = info.limits
        self.account = Account(book, info.table)
        self.opened_ms = 0.0
        self._stream = Stream(book, rhythm, info.table, lambda: None)
        self._table = info.table

    def _take(self, link: Link, message: Incoming) -> None:
        self._judge_public(message)
        self._judge_private(message)
        super()._take(link, message)

    def _judge_public(self, message: Incoming) -> None:
        match message:
            case Watching():
                self._stream.asked()
                if message.resumed:
                    self._stream.rewind()
                self._judge(Header("watching", message.epoch, message.seq, resumed=message.resumed))
            case TableView():
                self._judge(Header("snapshot", message.epoch, message.seq))
            case UnknownEvent():
                self._stream.timed = False  # it has no times that we know of, and the next one follows it
                self._judge(Header(message.type, message.epoch, message.seq, at_ms=1))
                self._stream.timed = True
            case _ if isinstance(message, TableEvent):
                kind = str(message.__struct_config__.tag)
                self._judge(Header(kind, message.epoch, message.seq, message.due_ms, message.at_ms))
                if isinstance(message, BettingOpened):
                    self.opened_ms = float(message.due_ms)

    def _judge_private(self, message: Incoming) -> None:
        """Keeps the books in the order in which things were told, however late anybody hears of an answer."""
        match message:
            case SlipAccepted():
                self.account.accepted(message)
            case SlipChanged() if message.bets:  # an earlier slip whose answer was lost
                self.account.accepted(message)
            case PaidOut():
                self.account.paid(message.payout)
            case Me():
                self.wallet = self.wallet if message.wallet is None else message.wallet
                for payout in message.payouts:
                    self.account.paid(payout)

    def _hear(self, notice: Notice) -> None:
        if isinstance(notice, Reconnecting):
            self.book.tally.add(Count.CUTS)
            self.book.tally.failed(LinkLostError(notice.reason))

    def _judge(self, header: Header) -> None:
        self._stream.take(header, self.clock.now_ms())

    def _seat(self, seating: Seating) -> "MeasuredSeat":
        return MeasuredSeat(seating, self)


class MeasuredSeat(Seat):
    """A seat whose slips are timed and whose money is checked."""

    def __init__(self, seating: Seating, client: LoadClient) -> None:
        self._client = client
        self._placing: set[asyncio.Task[SlipAccepted]] = set()
        super().__init__(seating, client._asker, client._spawn, client._language)  # noqa: SLF001 - as Client does

    @property
    def limits(self) -> Limits:
        """What the table takes."""
        return self._client.limits

    @property
    def opened_ms(self) -> float:
        """When the window that is open was due to open, server time; now, if that was not seen."""
        return self._client.opened_ms or self._client.clock.now_ms()

    def steady_s(self, server_ms: float) -> float:
        """When this machine's steady clock shows a time of the server's."""
        return self._client.clock.steady_s(server_ms)

    def missed(self) -> None:
        """The window was over before this player had placed its slip."""
        self._client.book.tally.add(Count.SLIPS_MISSED)

    async def bet(self, **bets: int) -> SlipAccepted:
        return await self.bet_at(time.monotonic(), **bets)

    async def clear(self) -> SlipAccepted:
        return await self.bet_at(time.monotonic())

    async def bet_at(self, due_s: float, **bets: int) -> SlipAccepted:
        """As `bet`; the time until the answer counts from when the slip was to be placed, steady time.

        Who is cancelled does not take the slip back, so its answer is waited for all the same.
        """
        placing = asyncio.create_task(self._place(due_s, bets))
        self._placing.add(placing)
        placing.add_done_callback(self._placing.discard)
        return await asyncio.shield(placing)

    async def placed(self) -> None:
        """Waits for the answers of all slips that are on their way."""
        await asyncio.gather(*self._placing, return_exceptions=True)

    async def _place(self, due_s: float, bets: dict[str, int]) -> SlipAccepted:
        client = self._client
        sent_ms = client.clock.now_ms()
        closes_ms = self._closes_ms()
        try:
            accepted = await super().bet(**bets)
        except BettingClosedError:
            if closes_ms is not None and sent_ms >= closes_ms:
                client.book.tally.add(Count.LATE_REFUSED)
            raise
        except RefusedError:
            client.book.tally.add(Count.SLIPS_REFUSED)
            raise
        client.book.done(Measure.ACK, due_s)
        if self.round == accepted.round:  # a window may have been given a new end meanwhile
            closes_ms = max(closes_ms or 0, self._closes_ms() or 0)
        late_ms = 0.0 if not closes_ms else sent_ms - closes_ms - client.clock.error_ms
        if late_ms > 0:
            text = f"{self.table}: a slip of round {accepted.round} sent {late_ms:.1f} ms after its window"
            client.book.tally.fault(Count.LATE_ACCEPTED, text)
        return accepted

    async def paid(self, condition: Callable[[], bool]) -> None:
        """Waits until `condition()` holds, which is looked at after each message."""
        await self._seating.until(condition)

    async def top_up(self, amount: int, *, op: str | None = None) -> None:
        account = self._client.account
        account.buying()
        try:
            await super().top_up(amount, op=op)
        except RefusedError:
            raise
        except BaseException:
            account.unsure()
            raise
        account.bought(amount)

    def _closes_ms(self) -> int | None:
        view = self.view
        return None if view is None or view.phase is not Phase.BETTING else view.closes_at_ms

    def _take_part(self, view: TableView) -> None:
        self._client.account.see(view)
        super()._take_part(view)


class Player:
    """One player at one table. `run` lasts until `stop` is called and the last slip has been paid."""

    def __init__(
        self, client: LoadClient, info: TableInfo, strategy: Strategy, buy_in: int, arrivals: Arrivals
    ) -> None:
        self._client = client
        self._info = info
        self._strategy = strategy
        self._buy_in = buy_in
        self._arrivals = arrivals
        self._stopped = asyncio.Event()

    @property
    def token(self) -> str | None:
        """By which a later client is the same guest."""
        return self._client.resume_token

    def stop(self) -> None:
        """No more slips: it is time to be paid and to go."""
        self._stopped.set()

    async def run(self, due_s: float) -> None:
        """Sits down at `due_s`, steady time, and plays. What goes wrong is counted and ends the player."""
        await asyncio.sleep(max(0.0, due_s - time.monotonic()))
        book = self._client.book
        try:
            async with self._client:
                seat = await self._sit()
                book.done(Measure.SIT, due_s)
                self._arrivals.come(due_s, time.monotonic())
                book.tally.add(Count.SEATED)
                book.playing += 1
                try:
                    await self._play(seat)
                    await self._go(seat)
                finally:
                    book.playing -= 1
        except CroupierError as error:
            book.tally.failed(error)
        finally:
            self._client.account.close()

    async def _sit(self) -> MeasuredSeat:
        account = self._client.account
        try:
            seat = await self._client.sit(self._info.table, buy_in=self._buy_in)
            account.begin(seat.bankroll, self._buy_in)
        except RefusedError as refused:
            if refused.code is not ErrorCode.ALREADY_SEATED:
                raise
            seat = await self._client.seat(self._info.table)  # left there by an earlier run that was ended
            account.unsure()
        assert isinstance(seat, MeasuredSeat)  # noqa: S101 - LoadClient makes no other
        return seat

    async def _play(self, seat: MeasuredSeat) -> None:
        """Lets the strategy bet until it is time to stop. One that ends early has had enough."""
        playing = asyncio.create_task(self._bet(seat))
        stopping = asyncio.create_task(self._stopped.wait())
        await asyncio.wait([playing, stopping], return_when=asyncio.FIRST_COMPLETED)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await stopping

    async def _bet(self, seat: MeasuredSeat) -> None:
        try:
            await self._strategy(seat)
        except CroupierError as error:
            self._client.book.tally.failed(error)
        except Exception as error:  # noqa: BLE001 - anybody's code: what it throws is told
            text = f"{seat.table}: {type(error).__name__}: {error}"
            self._client.book.tally.fault(Count.STRATEGY_FAILED, text)

    async def _go(self, seat: MeasuredSeat) -> None:
        """Waits for what is owed, looks up what was not seen, and leaves."""
        account = self._client.account
        await seat.placed()
        with suppress(TimeoutError):
            async with asyncio.timeout(PAID_S):
                await seat.paid(lambda: not account.open_rounds)
        for round_ in account.unchecked_rounds:
            with suppress(CroupierError):
                page = await self._client.history(self._info.table, before=round_ + 1, limit=1)
                for record in page.rounds:
                    account.read(record)
        if seat.number is None:  # the strategy, or the house, has given it up
            return
        before, self._client.wallet = self._client.wallet, None
        with suppress(TimeoutError):
            async with asyncio.timeout(LEAVE_S):
                await seat.leave()
        account.left(self._client.wallet, before)
