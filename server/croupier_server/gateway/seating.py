"""What a player may ask for: to be known, a seat, chips, a slip, to deal, to leave, and its own rounds."""

import asyncio
import contextlib
import logging
import re
from typing import Final

from croupier_protocol.game.limits import LimitError, Limits
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import (
    CutTaken,
    OwnRound,
    OwnRounds,
    SlipAccepted,
    SlipChanged,
    TableView,
    WalletState,
)
from croupier_protocol.messages.to_server import (
    Cut,
    Deal,
    Exclude,
    GoOn,
    Hello,
    Leave,
    MyLimits,
    MyRounds,
    Sit,
    Slip,
    TopUp,
    Wallet,
)
from croupier_protocol.messages.values import PlayerId, RequestId, TableId
from croupier_protocol.view import settled_round
from croupier_server.bank.answers import Leaving, Refusal
from croupier_server.bank.bank import Done
from croupier_server.gateway.addresses import Caller
from croupier_server.gateway.desk import Desk, PitDesk
from croupier_server.gateway.details import limit_hit
from croupier_server.gateway.identity import Claimed, Identity
from croupier_server.gateway.own_limits import changes
from croupier_server.gateway.replies import RefusedError, Replies
from croupier_server.gateway.slips import place_slip, refusal
from croupier_server.gateway.source import Source
from croupier_server.players.names import guest_name, skeleton
from croupier_server.sight.logs import of
from croupier_server.store.errors import DamagedRecordError, StoreError, StoreUnavailableError
from croupier_server.store.sign_ins import is_sign_in

logger = logging.getLogger(__name__)

PlayerCommand = Sit | TopUp | Leave | Slip | Deal | Cut | MyRounds | Wallet | MyLimits | Exclude | GoOn

NAMES_TRIED: Final = 5
"""Names offered for a guest that chose none, before it is told that its name is taken."""

_MARK: Final = re.compile(r"[0-9]{1,15}-[0-9]{1,15}")
"""What `my_rounds` gives as `next`: an entry of the player's stream of rounds."""


class Seating:
    """The player's side of one connection.

    Its commands may raise:
        RefusedError: nothing has moved.
        StoreUnavailableError: nobody knows whether something has; the same command may be sent again.

    What a player owns and is not what Croupier wrote stops the table's betting, and is refused as an alarm.
    """

    def __init__(
        self, desk: Desk, feed: Source, replies: Replies, caller: Caller | None, cookie_token: str | None
    ) -> None:
        """`cookie_token` is an operator's token that the browser of a page sent along, if it did."""
        self._desk = desk
        self._feed = feed
        self._replies = replies
        self._identity = Identity(desk, replies.outlet, caller)
        self._cookie_token = cookie_token

    async def hello(self, command: Hello) -> None:
        """Takes in who speaks, and answers with `welcome`."""
        try:
            claimed = await self._claim(command)
        except RefusedError as refused:
            self._identity.refused(refused.code)
            raise
        self._identity.test = command.test
        shown = self._identity.shown(self._replies.language)
        self._replies.welcome(command.id, shown, claimed.resume, claimed.expires_ms)
        if claimed != Claimed():
            for table in self._identity.watching:
                await self._tell(table)

    async def _claim(self, command: Hello) -> Claimed:
        """Whom the operator's word names; where none is shown, its cookie in the browser, if that counts."""
        shown = command.token is not None or command.code is not None
        if not shown and (command.resume is None or not is_sign_in(command.resume)):
            cookie_token, self._cookie_token = self._cookie_token, None
            if cookie_token is not None:
                with contextlib.suppress(RefusedError):
                    return await self._identity.claim(Hello(token=cookie_token, name=command.name))
        claimed = await self._identity.claim(command)
        self._cookie_token = None
        return claimed

    async def watch(self, view: TableView, paid_round: int | None) -> None:
        """The connection watches a table from `view` on; a player is told its place there."""
        told = settled_round(view) if paid_round is None else paid_round
        self._identity.watch(view.table, told)
        await self._tell(view.table)

    def unwatch(self, table: TableId) -> None:
        """Ends what `watch` began."""
        self._identity.unwatch(table)

    def end(self) -> None:
        """The connection has ended."""
        self._identity.end()

    async def handle(self, command: PlayerCommand) -> None:
        """Carries out a command and answers it."""
        if not isinstance(command, Slip):
            await self._carry_out(command)
            return
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            await self._carry_out(command)
        except (RefusedError, StoreError) as error:
            code = error.code if isinstance(error, RefusedError) else ErrorCode.UNAVAILABLE
            self._desk.metrics.slips_answered.labels(code.value).inc()
            raise
        finally:
            self._desk.metrics.slip_answer.observe(loop.time() - began)

    async def _carry_out(self, command: PlayerCommand) -> None:
        if isinstance(command, MyRounds):
            await self._my_rounds(command)
            return
        if isinstance(command, Wallet):
            await self._wallet(command)
            return
        if isinstance(command, MyLimits | Exclude | GoOn):
            await self._own_limits(command)
            return
        if not isinstance(command, Leave):  # who goes takes its chips along at any time
            self._identity.check()
        table = TableId(command.table)
        feed, pit = self._feed.tables.get(table), self._desk.at(table)
        if feed is None or pit is None:
            raise RefusedError(ErrorCode.UNKNOWN_TABLE)
        if isinstance(command, Cut):
            await self._cut(table, pit, command)
            return
        try:
            await self._act(table, pit, feed.listing.limits, command)
        except DamagedRecordError as error:
            raise await self._alarm(table, pit, error) from error

    async def _act(
        self, table: TableId, pit: PitDesk, limits: Limits, command: Sit | TopUp | Leave | Slip | Deal
    ) -> None:
        if isinstance(command, Sit):
            await self._sit(table, pit, limits, command)
            return
        player = self._identity.player
        if player is None:
            raise RefusedError(ErrorCode.NOT_SEATED)
        match command:
            case Slip():
                await self._slip(table, pit, player, command)
            case Deal():
                refused = await pit.seats.ready(table, player, command.round)
                if refused is not None:
                    raise refusal(refused)
                await pit.private.tell(table, player, self._replies.outlet, command.id)
            case TopUp():
                done = await pit.bank.top_up(table, player, command.op, command.amount, limits)
                await self._moved(table, pit, player, command.id, done)
            case Leave():
                done = await pit.bank.leave(table, player, command.op)
                await self._moved(table, pit, player, command.id, done)

    async def _sit(self, table: TableId, pit: PitDesk, limits: Limits, command: Sit) -> None:
        try:
            limits.check_buy_in(command.buy_in)
        except LimitError as error:  # before a new guest is made for nothing
            raise RefusedError(ErrorCode.LIMIT, limit_hit(error), limit=error.value) from error
        if self._identity.player is not None:  # a new guest has no seat anywhere
            await self._desk.check_seats(self._identity.player, table)
        player = await self._somebody()
        for name in self._names(player):
            done = await pit.bank.sit(
                table,
                player,
                command.op,
                command.buy_in,
                limits,
                name=name,
                skeleton=skeleton(name),
                seat=command.seat,
            )
            if not (isinstance(done, Refusal) and done.code is ErrorCode.NAME_TAKEN):
                break
        await self._moved(table, pit, player, command.id, done)

    async def _somebody(self) -> PlayerId:
        """The player, who is a new guest if nobody so far."""
        player = self._identity.player
        if player is None:
            guest = await self._identity.arrive()
            self._replies.welcome(None, self._identity.shown(self._replies.language), guest.resume)
            player = guest.player
        return player

    def _names(self, player: PlayerId) -> list[str]:
        """What the player may be called at a table: as it chose, or one of a few made-up names."""
        if self._identity.name:
            return [self._identity.name]
        language = self._replies.language
        return [guest_name(player, language, attempt) for attempt in range(NAMES_TRIED)]

    async def _moved(
        self,
        table: TableId,
        pit: PitDesk,
        player: PlayerId,
        id_: RequestId | None,
        done: Done | Leaving | Refusal,
    ) -> None:
        """Answers what the bank has done with `me`."""
        if isinstance(done, Refusal):
            raise RefusedError(done.code, limit=done.limit)
        wallet = None if isinstance(done, Leaving) else done.wallet
        await pit.private.tell(table, player, self._replies.outlet, id_, wallet)

    async def _slip(self, table: TableId, pit: PitDesk, player: PlayerId, command: Slip) -> None:
        state = await place_slip(pit.slips, pit.terms, pit.own_limits, player, command)
        answer = SlipAccepted if state.accepted else SlipChanged
        answered = "accepted" if state.accepted else "slip_changed"
        self._desk.metrics.slips_answered.labels(answered).inc()
        self._replies.send(
            answer(
                id=command.id,
                table=table,
                round=command.round,
                rev=state.rev,
                bets=state.bets,
                bankroll=state.bankroll,
            )
        )
        pit.private.answered(table, player, self._replies.outlet, state.rev)

    async def _cut(self, table: TableId, pit: PitDesk, command: Cut) -> None:
        player, cuts = self._identity.player, pit.cuts
        if player is None:
            raise RefusedError(ErrorCode.NOT_SEATED)
        match command:
            case Cut(hash=bytes(hash_), value=None):
                refused = await cuts.send_hash(table, player, command.shoe, hash_)
            case Cut(hash=None, value=bytes(value)):
                refused = await cuts.send_value(table, player, command.shoe, value)
            case _:
                raise RefusedError(ErrorCode.INVALID, "`cut` takes a hash or a value, one of the two")
        if refused is not None:
            raise RefusedError(refused)
        self._replies.send(CutTaken(id=command.id, table=table, shoe=command.shoe))

    async def _my_rounds(self, command: MyRounds) -> None:
        if command.before is not None and _MARK.fullmatch(command.before) is None:
            raise RefusedError(ErrorCode.INVALID, "`before` is no mark that `my_rounds` gave")
        player = self._identity.player
        found: list[tuple[str, OwnRound]] = []
        if player is not None:
            await self._desk.keep_own_rounds(player)
            found = await self._desk.settled.own_rounds(player, command.before, command.limit + 1)
        page = found[: command.limit]
        self._replies.send(
            OwnRounds(
                id=command.id,
                rounds=tuple(own for _, own in page),
                next=page[-1][0] if len(found) > command.limit else None,
            )
        )

    async def _wallet(self, command: Wallet) -> None:
        outlook = await self._desk.bank.outlook(self._identity.player)
        self._replies.send(
            WalletState(
                id=command.id,
                balance=outlook.balance,
                refill_to=outlook.refill_to,
                refill_at_ms=outlook.refill_at_ms,
            )
        )

    async def _own_limits(self, command: MyLimits | Exclude | GoOn) -> None:
        desk = self._desk.own_limits
        if desk is None:
            raise RefusedError(ErrorCode.UNKNOWN_TYPE)
        if isinstance(command, Exclude) or changes(command):
            await self._somebody()
        self._replies.send(await desk.handle(self._identity.player, command))

    async def _tell(self, table: TableId) -> None:
        """Tells the player its place at a table; should the store be away, it is told when that is back."""
        player, pit = self._identity.player, self._desk.at(table)
        if player is not None and pit is not None:
            try:
                await pit.private.tell(table, player, self._replies.outlet)
            except DamagedRecordError as error:
                raise await self._alarm(table, pit, error) from error
            except StoreUnavailableError as error:
                logger.warning("a player at %s is told later: %s", table, error, extra=of(table))

    async def _alarm(self, table: TableId, pit: PitDesk, error: DamagedRecordError) -> RefusedError:
        """Stops the table's betting: nobody can tell what its players own."""
        logger.error("ALARM: betting at %s is stopped: %s", table, error, extra=of(table))
        with contextlib.suppress(StoreError):
            await pit.seats.alarm(table, str(error))
        return RefusedError(ErrorCode.ALARM)
