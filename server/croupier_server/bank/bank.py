"""Moves money between wallets and seats, so that it is never in two places and never in none.

A wallet and a seat are in different slots of the store, so a transfer takes three steps, each a script that
may be sent again: the pit records it (and for a cash-out takes the chips), the wallet pays or is paid, the
pit ends it (and for a buy-in gives the chips). Any reply may be lost and any process may die in between:
whoever finds the record goes on with it, and several at once do no harm, since the wallet gives its verdict
once for each number and keeps it.

A client's `op` is done once. The wallet remembers it from the second step on, and is asked before the first
step and again after a refusal. A first step that comes late, after its own action was carried through by a
copy of it, is noticed: by the number of the seat's last transfer, or for a seat not there any more by the
wallet.
"""

import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from croupier_protocol.game.limits import LimitError, Limits
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import MAX_MONEY, PlayerId, TableId
from croupier_server.bank.answers import (
    Credited,
    Finished,
    Leaving,
    Left,
    NoWallet,
    Outlook,
    Refusal,
    Seated,
    Statement,
    ToppedUp,
)
from croupier_server.sight.logs import of
from croupier_server.store.errors import DamagedRecordError, StoreUnavailableError
from croupier_server.store.keys import PitId
from croupier_server.store.ledger import Archiving, Ledger
from croupier_server.store.own_limits import OwnLimits
from croupier_server.store.scripts import Store
from croupier_server.store.seats import SeatRecord
from croupier_server.store.transfers import Answer, Transfer, TransferKind, Transfers, read_transfer
from croupier_server.store.wallets import (
    NEW,
    OPEN,
    Move,
    Opened,
    Operation,
    Verdict,
    Wallets,
    WalletTerms,
)

logger = logging.getLogger(__name__)

FINISH_MS: Final = 2_000
"""A transfer older than this has been left behind by whoever began it."""

TRIES: Final = 20
"""How often a first step is taken again after another transfer of the same seat got in between."""

_REFUSALS: Final = {
    "limit": ErrorCode.LIMIT,
    "seated": ErrorCode.ALREADY_SEATED,
    "leaving": ErrorCode.LEAVING,
    "taken": ErrorCode.SEAT_TAKEN,
    "full": ErrorCode.TABLE_FULL,
    "name": ErrorCode.NAME_TAKEN,
    "ended": ErrorCode.UNKNOWN_TABLE,
    "seat": ErrorCode.NOT_SEATED,
}

_OWN: Final = {"excluded": ErrorCode.EXCLUDED, "time": ErrorCode.OWN_DAY_TIME}
"""What a wallet says where the player's own limits stand in the way."""

Done = Seated | ToppedUp | Left
"""What a transfer can come to."""


class Bank:
    """The bank of one pit. Every method may be called again with the same `op` after a lost answer.

    Each may raise:
        StoreUnavailableError: no answer from the store. What was begun is ended by the same call made again,
            or by `finish`; until then the chips are in the transfer.
        DamagedRecordError: a wallet, a seat or a transfer is not what Croupier wrote: `ErrorCode.ALARM`.
    """

    def __init__(
        self,
        store: Store,
        pit: PitId,
        terms: WalletTerms | None = None,
        archiving: Archiving | None = None,
        own_limits: OwnLimits | None = None,
    ) -> None:
        """With `own_limits` players are kept from buying in by what they have set themselves."""
        self.wallets = Wallets(store)
        self.transfers = Transfers(store, pit)
        self.ledger = Ledger(store, pit, archiving)
        self._terms = terms or WalletTerms()
        self._own_limits = own_limits

    async def sit(
        self,
        table: TableId,
        player: PlayerId,
        op: str,
        buy_in: int,
        limits: Limits,
        *,
        name: str,
        skeleton: str,
        seat: int | None = None,
    ) -> Done | Leaving | Refusal:
        """Buys a seat: number `seat`, or the lowest free one. The wallet is made by the first call.

        Answered by `Seated`. Refused as LIMIT, INVALID (no such seat), ALREADY_SEATED, LEAVING, SEAT_TAKEN,
        TABLE_FULL, NAME_TAKEN, WALLET_SHORT, EXCLUDED, OWN_DAY_TIME or OPERATION_REUSED.
        """
        try:
            limits.check_buy_in(buy_in)
        except LimitError as error:
            return Refusal(ErrorCode.LIMIT, error.value)
        if seat is not None and not 1 <= seat <= limits.seats:
            return Refusal(ErrorCode.INVALID, limits.seats)
        request = f"sit:{table}:{seat or 0}:{buy_in}"
        record = SeatRecord(seat=seat or 0, name=name, skeleton=skeleton, state="buying")

        async def begin(_: int) -> Answer:
            await self._bring_limits(player)
            return await self.transfers.reserve(table, player, op, request, buy_in, record, limits.seats)

        return await self._act(table, player, op, request, begin, new=True)

    async def top_up(
        self, table: TableId, player: PlayerId, op: str, amount: int, limits: Limits
    ) -> Done | Leaving | Refusal:
        """Brings `amount` more cents from the wallet to the seat.

        Answered by `ToppedUp`. Refused as INVALID, LIMIT, NOT_SEATED, LEAVING, WALLET_SHORT, EXCLUDED,
        OWN_DAY_TIME or OPERATION_REUSED.
        """
        if not 0 < amount <= MAX_MONEY:
            return Refusal(ErrorCode.INVALID)
        request = f"top_up:{table}:{amount}"

        async def begin(seen: int) -> Answer:
            await self._bring_limits(player)
            return await self.transfers.top_up(table, player, op, request, amount, seen, limits)

        return await self._act(table, player, op, request, begin)

    async def leave(self, table: TableId, player: PlayerId, op: str) -> Done | Leaving | Refusal:
        """Cashes the seat out: at once, or after the round when it has a slip on it.

        Answered by `Left` or `Leaving`. Refused as NOT_SEATED or OPERATION_REUSED.
        """
        request = f"leave:{table}"

        async def begin(seen: int) -> Answer:
            return await self.transfers.leave(table, player, op, request, seen)

        return await self._act(table, player, op, request, begin)

    async def cash_out(self, table: TableId, player: PlayerId) -> Left | Leaving | None:
        """Ends a seat for the house: one that waits to leave, or whose player is gone.

        None when there is no such seat any more; `Leaving` while it has a slip on the running round.
        """
        for _ in range(TRIES):
            answer = await self.transfers.leave(
                table, player, f"out-{secrets.token_hex(8)}", f"leave:{table}", seen=None
            )
            if answer.word == "leaving":
                return Leaving()
            if answer.transfer is None:
                return None
            verdict = await self._carry(answer.transfer)
            if answer.word == "ok":
                return Left(answer.transfer.amount, verdict.balance if verdict.ok else None)
        raise _contended(table, player)

    async def finish(self, table: TableId, older_than_ms: int = FINISH_MS) -> Finished:
        """Ends the table's transfers that were begun over `older_than_ms` ago by the store's clock.

        A damaged one is logged and does not keep the others from being ended.
        """
        now_ms, found = await self.transfers.all()
        ended, waiting, damaged = 0, 0, []
        for field, text in found.items():
            if not field.startswith(f"{table}|".encode()):
                continue
            try:
                transfer = read_transfer(field, text)
                # One from the future was begun before the store's clock went back.
                if 0 <= now_ms - transfer.at_ms < older_than_ms:
                    continue
                await self._carry(transfer)
                if await self.transfers.find(table, transfer.player) == transfer:
                    waiting += 1
                else:
                    ended += 1
            except DamagedRecordError as error:
                logger.error("table %s: a transfer cannot be ended: %s", table, error, extra=of(table))  # noqa: TRY400  # the reason is in the message
                damaged.append(PlayerId(field.decode("utf-8", "replace").partition("|")[2]))
        return Finished(ended=ended, waiting=waiting, damaged=tuple(damaged))

    async def wallet(self, player: PlayerId) -> Statement | None:
        """The player's wallet as it stands, or None for who never sat."""
        found = await self.wallets.read(player)
        if found is not None:
            return Statement(wallet=found[0], operations=tuple(found[1]))
        if await self.wallets.registered(player) == OPEN:
            raise DamagedRecordError(f"the wallet of {player} has vanished")
        return None

    async def outlook(self, player: PlayerId | None) -> Outlook:
        """What the player can buy in with, and when there will be more; for nobody, as a new player's."""
        terms = self._terms
        statement = None if player is None else await self.wallet(player)
        if statement is None:
            return Outlook(balance=terms.start)
        wallet = statement.wallet
        if not terms.refill_every_ms:
            return Outlook(balance=wallet.balance)
        refill_at_ms = wallet.refilled_at_ms + terms.refill_every_ms
        return Outlook(balance=wallet.balance, refill_to=terms.refill_to, refill_at_ms=refill_at_ms)

    async def refill(self, player: PlayerId) -> int | None:
        """Refills the wallet if that is due, and returns what it holds; None for who never sat."""
        if await self.wallets.registered(player) != OPEN:
            return None
        return (await self.wallets.open(player, self._terms, made=True)).balance

    async def credit(
        self, player: PlayerId, amount: int, op: str, reason: str
    ) -> Credited | Refusal | NoWallet:
        """Issues `amount` cents into a wallet. Refused as INVALID, LIMIT (no room) or OPERATION_REUSED."""
        return await self._adjust(player, amount, op, reason, credit=True)

    async def debit(
        self, player: PlayerId, amount: int, op: str, reason: str
    ) -> Credited | Refusal | NoWallet:
        """Retires `amount` cents from a wallet. Refused as INVALID, WALLET_SHORT or OPERATION_REUSED."""
        return await self._adjust(player, amount, op, reason, credit=False)

    async def _adjust(
        self, player: PlayerId, amount: int, op: str, reason: str, *, credit: bool
    ) -> Credited | Refusal | NoWallet:
        if not 0 < amount <= MAX_MONEY:
            return Refusal(ErrorCode.INVALID)
        if await self.wallets.registered(player) != OPEN:
            if await self.wallets.read(player) is None:
                return NoWallet()
            await self.wallets.register(player, OPEN)
        request = f"{'credit' if credit else 'debit'}:{amount}"
        counter = "issued" if credit else "retired"
        verdict = await self.wallets.move(
            player,
            Move(op=op, request=request, credit=credit, counter=counter, amount=amount, reason=reason),
        )
        word, balance = verdict.word, verdict.balance
        if verdict.known is not None:
            if verdict.known.request != request:
                return Refusal(ErrorCode.OPERATION_REUSED)
            word, balance = verdict.known.verdict, verdict.known.balance
        if word == "short":
            return Refusal(ErrorCode.WALLET_SHORT, balance)
        if word == "full":
            return Refusal(ErrorCode.LIMIT, MAX_MONEY)
        return Credited(amount=amount, wallet=balance)

    async def _act(
        self,
        table: TableId,
        player: PlayerId,
        op: str,
        request: str,
        begin: Callable[[int], Awaitable[Answer]],
        *,
        new: bool = False,
    ) -> Done | Leaving | Refusal:
        """Does what `op` asks for, or says again what came of it.

        `begin` takes the first step, given the number of the last transfer that the wallet knows of.
        """
        refused: Refusal | None = None
        for _ in range(TRIES):
            opened = await self._open(player, op, self.transfers.slot(table), new=new)
            if opened.known is not None:
                return await self._again(table, player, opened, opened.known, request)
            if refused is not None:
                return refused
            answer = await begin(opened.last_number)
            if answer.word == "moved":
                continue
            if answer.transfer is None:
                if answer.word == "leaving" and request.startswith("leave:"):
                    return Leaving()
                refused = Refusal(_REFUSALS[answer.word], answer.limit)
                continue
            verdict = await self._carry(answer.transfer)
            if answer.word == "ok" and verdict.word not in {"again", "stale"}:
                return _done(answer.transfer, verdict.word, verdict.balance)
        raise _contended(table, player)

    async def _bring_limits(self, player: PlayerId) -> None:
        """Has the pit know the player's own limits before there are chips to stake."""
        if self._own_limits is not None:
            record = await self._own_limits.look(player)
            if record.rev:
                await self._own_limits.tell(self.transfers.pit, self.transfers.store, player, record)

    async def _open(self, player: PlayerId, op: str, slot: str, *, new: bool) -> Opened:
        """The player's wallet, made if `new` and need be, with what it knows of `op`."""
        state = await self.wallets.registered(player)
        if state is None:
            if not new and await self.wallets.read(player) is None:
                return Opened(balance=0, known=None, last_number=0)
            await self.wallets.register(player, NEW)
        opened = await self.wallets.open(player, self._terms, made=state == OPEN, op=op, slot=slot)
        if state != OPEN:
            await self.wallets.register(player, OPEN)
        return opened

    async def _again(
        self, table: TableId, player: PlayerId, opened: Opened, known: Operation, request: str
    ) -> Done | Leaving | Refusal:
        """The first answer to an operation that the wallet knows, once the pit has ended it too."""
        if known.request != request:
            return Refusal(ErrorCode.OPERATION_REUSED)
        transfer = await self.transfers.find(table, player)
        if transfer is not None and transfer.op == known.op:
            await self._carry(transfer)
        kinds = {"sit": TransferKind.BUY_IN, "top_up": TransferKind.TOP_UP, "leave": TransferKind.CASH_OUT}
        kind = kinds[request.partition(":")[0]]
        done = Transfer(
            table=table,
            player=player,
            number=known.number,
            kind=kind,
            op=known.op,
            request=request,
            amount=known.amount,
            seat=known.seat,
            at_ms=known.at_ms,
        )
        return _done(done, known.verdict, opened.balance if known.verdict == "ok" else known.balance)

    async def _carry(self, transfer: Transfer) -> Verdict:
        """Brings a transfer to its end: the wallet's verdict, then the pit's last step."""
        credit = transfer.kind is TransferKind.CASH_OUT
        verdict = await self.wallets.move(
            transfer.player,
            Move(
                op=transfer.op,
                request=transfer.request,
                credit=credit,
                counter="from_tables" if credit else "to_tables",
                amount=transfer.amount,
                slot=self.transfers.slot(transfer.table),
                number=transfer.number,
                seat=transfer.seat,
            ),
            limited=self._own_limits is not None,
        )
        if verdict.word == "stale":
            if await self.transfers.find(transfer.table, transfer.player) == transfer:
                raise DamagedRecordError(
                    f"table {transfer.table} has transfer {transfer.number} of {transfer.player} under way,"
                    " and the wallet a later one"
                )
        elif verdict.ok or not credit:
            # A buy-in for which a counter has no room is refused for good: counters only rise.
            await self.transfers.end(transfer, verdict)
        return verdict


def _done(transfer: Transfer, word: str, balance: int) -> Done | Refusal:
    if transfer.kind is TransferKind.CASH_OUT:
        return Left(transfer.amount, balance if word == "ok" else None)
    if word == "short":
        return Refusal(ErrorCode.WALLET_SHORT, balance)
    if word in _OWN:
        return Refusal(_OWN[word])
    if word != "ok":
        return Refusal(ErrorCode.LIMIT, MAX_MONEY)
    if transfer.kind is TransferKind.BUY_IN:
        return Seated(seat=transfer.seat, bought=transfer.amount, wallet=balance)
    return ToppedUp(bought=transfer.amount, wallet=balance)


def _contended(table: TableId, player: PlayerId) -> StoreUnavailableError:
    return StoreUnavailableError(f"other transfers of {player} at {table} came in between; ask again")
