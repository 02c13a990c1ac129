"""One table as this client follows it: what comes from the server, and the player's seat there.

`TableSession.state` is what pictures are made from; `changed` is called whenever it may have changed. Nothing
here knows of a terminal.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from croupier_client.checking import CardChecker
from croupier_client.connection import Client
from croupier_client.errors import CroupierError, NoAnswerError, RefusedError, TableClosedError
from croupier_client.notices import Connected, Notice
from croupier_client.seat import Seat
from croupier_client.terminal.betting import Betting, Situation, Ties
from croupier_client.terminal.reasons import Reason, Why, reason_of
from croupier_client.terminal.slip import buy_in_fault
from croupier_client.terminal.state import Checks, Choice, Link, Own, TableState
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import BettingOpened, CardDealt, ShoeOpened, TableClosed
from croupier_protocol.messages.to_client import (
    Live,
    OwnRound,
    RealityCheck,
    SeatNotice,
    Stalled,
    TableRules,
    TableView,
)
from croupier_protocol.messages.values import Payout

OWN_ROUNDS: Final = 30
"""Own rounds that are looked up: what a side column can show."""

_PASSING: Final = (RefusedError, NoAnswerError)
"""What a look-up may meet without harm: it is made again with the next shoe, seat or connection."""

_log: Final = logging.getLogger(__name__)


class TableSession:
    """Follows a table from `start` to `close`; `link` and `now_ms` tell of the connection and the time."""

    def __init__(
        self,
        client: Client,
        table: str,
        *,
        link: Callable[[], Link],
        now_ms: Callable[[], float | None],
        changed: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self.table = table
        self.choice = Choice()
        self.rules: TableRules | None = None
        self.betting = Betting(
            Ties(
                situation=self._situation,
                spawn=self._spawn,
                changed=changed,
                edited=self._forget_notice,
                doubted=self._look_up_rules,
            )
        )
        self._client = client
        self._link = link
        self._now_ms = now_ms
        self._changed = changed
        self._failed = failed
        self._tasks: set[asyncio.Task[None]] = set()
        self._view: TableView | None = None
        self._window = (0, 0.0)
        self._seat: Seat | None = None
        self._own = Own.UNKNOWN
        self._wallet: int | None = None
        self._payout: Payout | None = None
        self._rounds: tuple[OwnRound, ...] = ()
        self._notice = ""
        self._to_go_on = False
        self._stalled = False
        self._checks = Checks()
        self._cards: asyncio.Queue[tuple[CardDealt, TableView]] = asyncio.Queue()

    def start(self) -> None:
        self._spawn(self._watch())
        self._spawn(self._check_cards(self._client.checker(self.table)))
        self._spawn(self._find_place())

    async def close(self) -> None:
        """Stops following; a seat stays the player's."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def state(self) -> TableState:
        """Everything, now."""
        view, seat = self._view, self._seat
        return TableState(
            table=self.table,
            view=view,
            limits=None if self.rules is None else self.rules.limits,
            offer=None if self.rules is None else self.rules.offer,
            own=self._own,
            me=None if seat is None else seat.me,
            player=self._client.player,
            wallet=self._wallet,
            wanted=self.betting.wanted,
            sending=self.betting.sending,
            payout=self._payout,
            rounds=self._rounds,
            refused=self.betting.refused,
            notice=self._notice,
            checks=self._checks,
            left_out=() if seat is None else seat.left_out,
            link=self._link(),
            stalled=self._stalled,
            now_ms=self._now_ms(),
            window_ms=self._window[1],
            choice=self.choice,
        )

    @property
    def seated(self) -> bool:
        return self._own is Own.SEATED

    @property
    def bankroll(self) -> int:
        """Cents of the seat, those at stake included."""
        return self._situation().bankroll

    # What comes.

    def notice(self, notice: Notice) -> None:
        """News about the connection or the seat."""
        match notice:
            case Stalled(table=table) if table == self.table:
                self._stalled = True
            case Live(table=table) if table == self.table:
                self._stalled = False
            case SeatNotice(table=table, message=message, reason=reason) if table == self.table:
                self._notice = message if reason is None else f"{message} ({reason})"
            case RealityCheck(message=message):
                self._notice, self._to_go_on = message, True
            case Stalled() | Live() | SeatNotice():
                return
            case Connected():
                if self.rules is None:
                    self._look_up_rules()
            case _:
                self._stalled = False
        self._changed()

    async def _watch(self) -> None:
        async with self._client.watch(self.table) as watcher:
            async for message in watcher:
                view = watcher.view
                if view is None:
                    continue
                self._view = view
                self._stalled = watcher.stalled
                match message:
                    case TableView():
                        self._checks = Checks(unchecked=0 if view.shoe is None else view.shoe.dealt)
                        self._look_up_rules()
                    case ShoeOpened():
                        self._checks = Checks()
                        self._look_up_rules()
                    case BettingOpened():
                        self._opened(view)
                    case CardDealt():
                        self._cards.put_nowait((message, view))
                    case TableClosed():
                        self.betting.over()
                self.betting.seen(view)
                self._changed()

    def _opened(self, view: TableView) -> None:
        now_ms = self._now_ms()
        if view.round != self._window[0] and view.closes_at_ms is not None and now_ms is not None:
            self._window = view.round, view.closes_at_ms - now_ms

    async def _check_cards(self, checker: CardChecker) -> None:
        while True:
            event, view = await self._cards.get()
            good = await checker.check(event, view)
            checked, unchecked, wrong = self._checks
            shoe, on_table = view.shoe, None if self._view is None else self._view.shoe
            if shoe is None or on_table is None or shoe.number != on_table.number:
                continue
            self._checks = Checks(
                checked + (good is True), unchecked + (good is None), wrong + (good is False)
            )
            self._changed()

    def _look_up_rules(self) -> None:
        self._spawn(self._fetch_rules())

    async def _fetch_rules(self) -> None:
        with suppress(*_PASSING):
            self.rules = await self._client.rules(self.table)
            self._changed()

    async def _fetch_wallet(self) -> None:
        with suppress(*_PASSING):
            self._wallet = (await self._client.wallet_state()).balance
            self._changed()

    async def _fetch_rounds(self) -> None:
        with suppress(*_PASSING):
            self._rounds = (await self._client.my_rounds(limit=OWN_ROUNDS)).rounds
            self._changed()

    # The seat.

    async def _find_place(self) -> None:
        """Takes up the seat that this player has here already, if any."""
        if self._client.player is not None:
            with suppress(RefusedError):
                while True:
                    with suppress(NoAnswerError):
                        self._take_seat(await self._client.seat(self.table))
                        return
        self._own = Own.NONE
        await self._fetch_wallet()
        self._changed()

    async def sit(self, buy_in: int) -> Reason | None:
        """Takes a seat; says why not."""
        if self.rules is not None and (fault := buy_in_fault(buy_in, self.rules.limits, 0)):
            return fault
        try:
            self._take_seat(await self._client.sit(self.table, buy_in=buy_in))
        except RefusedError as refused:
            if refused.code is not ErrorCode.ALREADY_SEATED:
                return reason_of(refused)
            self._take_seat(await self._client.seat(self.table))
        except (CroupierError, ValueError) as error:
            return reason_of(error) if isinstance(error, CroupierError) else Reason(Why.ALREADY_SEATED)
        return None

    async def top_up(self, amount: int) -> Reason | None:
        """Buys more chips; says why not."""
        if self._seat is None:
            return Reason(Why.NOT_SEATED)
        if self.rules is not None and (fault := buy_in_fault(amount, self.rules.limits, self.bankroll)):
            return fault
        return await self._ask(self._seat.top_up(amount))

    async def leave(self) -> Reason | None:
        """Gives the seat up; says why not."""
        return Reason(Why.NOT_SEATED) if self._seat is None else await self._ask(self._seat.leave())

    async def _ask(self, operation: Coroutine[Any, Any, None]) -> Reason | None:
        try:
            await operation
        except CroupierError as error:
            return reason_of(error)
        finally:
            self._changed()
        return None

    def _take_seat(self, seat: Seat) -> None:
        self._seat = seat
        self._own = Own.SEATED
        self.betting.seated()
        self._notice = ""
        self._spawn(self._read_payouts(seat))
        self._spawn(self._fetch_rounds())
        self._changed()

    async def _read_payouts(self, seat: Seat) -> None:
        try:
            async for payout in seat.payouts():
                self._payout = payout
                self._changed()
                await self._fetch_rounds()
        except (RefusedError, TableClosedError) as over:
            _log.info("%s: the seat is over: %s", self.table, over)
        self._seat = None
        self._own = Own.NONE
        self.betting.over()
        await self._fetch_wallet()
        self._changed()

    def choose(self, bet: str | None = None, chip: int | None = None) -> None:
        """Chooses an area, a chip, or both."""
        chosen = Choice(self.choice.bet if bet is None else bet, self.choice.chip if chip is None else chip)
        self.choice = chosen
        self._changed()

    def _situation(self) -> Situation:
        return Situation(self._view, self.rules, self._seat, self._own, self._link().live)

    def _forget_notice(self) -> None:
        self._notice = ""
        if self._to_go_on:  # the reality check was there to be read, and the player bets
            self._to_go_on = False
            self._spawn(self._go_on())

    async def _go_on(self) -> None:
        try:
            await self._client.play_safe.go_on()
        except CroupierError as error:
            _log.info("%s: the reality check comes again: %s", self.table, error)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        """What fails is told to who started the session: nothing may die unseen."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._failed(error)
