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
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from croupier_client.address import parse_address
from croupier_client.asker import check_command
from croupier_client.checking import CardChecker
from croupier_client.errors import NoAnswerError, RefusedError
from croupier_client.lobby import LobbyFollower
from croupier_client.notices import Notice
from croupier_client.offset import ClockOffset, measured
from croupier_client.play_safe import PlaySafe
from croupier_client.reconnecting import ConnectedClient
from croupier_client.seat import Seat
from croupier_client.seating import Seating
from croupier_client.sign_in import TokenSource
from croupier_client.slips import new_op
from croupier_client.timing import Timing
from croupier_client.watcher import Watcher
from croupier_protocol.codec import MSGPACK, Codec
from croupier_protocol.messages.errors import ErrorCode, error_text
from croupier_protocol.messages.to_client import (
    HistoryPage,
    LobbyState,
    Me,
    OwnRounds,
    Pong,
    TableRules,
    WalletState,
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
from croupier_protocol.messages.values import TABLE_ID_PATTERN, Language, RequestId, TableId


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


class Client(ConnectedClient):
    """See `connect`. What can be asked for, over whichever connection there is; see `ConnectedClient`."""

    @property
    def play_safe(self) -> PlaySafe:
        """What this player limits for itself."""
        return PlaySafe(self._asker)

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
