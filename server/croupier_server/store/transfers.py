"""The pit's half of every transfer between a wallet and a seat: one typed method per script.

A transfer begins and ends in the pit's slot. There is at most one for a table and a player at a time, and
each has a number that is higher than that of any before it in the pit.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

from croupier_protocol.game.limits import LimitError, Limits
from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Store, run
from croupier_server.store.seats import SeatRecord
from croupier_server.store.stream import NOTES_KEPT
from croupier_server.store.wallets import Verdict

NUMBER: Final = b"number"
"""The field beside the transfers that holds the last number given."""


class TransferKind(StrEnum):
    """Which way the chips go, and what becomes of the seat."""

    BUY_IN = "buy_in"
    TOP_UP = "top_up"
    CASH_OUT = "cash_out"


class Transfer(Struct, frozen=True):
    """A transfer under way. `request` is what was asked for, in one line; `amount` is in cents."""

    table: TableId
    player: PlayerId
    number: int
    kind: TransferKind
    op: str
    request: str
    amount: int
    seat: int
    at_ms: int


class Answer(Struct, frozen=True):
    """What a script that begins a transfer says: `ok` and `pending` bring one, the rest are refusals.

    `limit` is the one that was hit, in cents.
    """

    word: str
    now_ms: int
    transfer: Transfer | None = None
    limit: int | None = None


class Transfers:
    """The transfers of one pit."""

    def __init__(self, store: Store, pit: PitId) -> None:
        self.store = store
        self.pit = pit

    def slot(self, table: TableId) -> str:
        """How a wallet names this pit's `table`."""
        return f"{self.pit}|{table}"

    async def reserve(
        self,
        table: TableId,
        player: PlayerId,
        op: str,
        request: str,
        amount: int,
        seat: SeatRecord,
        most_seats: int,
    ) -> Answer:
        """Reserves a seat: that of `seat`, or the lowest free one when its number is 0.

        Raises:
            DamagedRecordError: what the store has of this seat contradicts itself.
            StoreUnavailableError: no answer; may be sent again, also by the same `op`.
        """
        tail = msgspec.json.encode(seat).removeprefix(f'{{"seat":{seat.seat}'.encode())
        skeleton = b'"skeleton":' + msgspec.json.encode(seat.skeleton)
        reply = await self.store.call(
            scripts.RESERVE,
            [
                keys.seats_key(self.pit, table),
                keys.bankrolls_key(self.pit, table),
                keys.slips_key(self.pit, table),
                keys.transfers_key(self.pit),
                keys.table_key(self.pit, table),
            ],
            [table, player, op, request, amount, seat.seat, most_seats, skeleton, tail],
        )
        return _answer(table, player, reply)

    async def top_up(
        self,
        table: TableId,
        player: PlayerId,
        op: str,
        request: str,
        amount: int,
        seen: int,
        limits: Limits,
    ) -> Answer:
        """Begins to bring chips to a seat whose last transfer is still number `seen`.

        Raises:
            StoreError: as `reserve`.
        """
        reply = await self.store.call(
            scripts.TOP_UP,
            [
                keys.seats_key(self.pit, table),
                keys.bankrolls_key(self.pit, table),
                keys.slips_key(self.pit, table),
                keys.transfers_key(self.pit),
            ],
            [table, player, op, request, amount, seen, limits.buy_in_least, limits.buy_in_most],
        )
        match reply:
            case [b"limit", int(now_ms), int(whole)]:
                try:
                    limits.check_buy_in(amount, whole)
                except LimitError as error:
                    return Answer(word="limit", now_ms=now_ms, limit=error.value)
        return _answer(table, player, reply)

    async def leave(
        self, table: TableId, player: PlayerId, op: str, request: str, seen: int | None
    ) -> Answer:
        """Begins to cash a seat out, or marks it as leaving while it has a slip on the running round.

        With `seen`, only a seat whose last transfer is still that number.

        Raises:
            StoreError: as `reserve`.
        """
        reply = await self.store.call(
            scripts.LEAVE,
            [
                keys.seats_key(self.pit, table),
                keys.bankrolls_key(self.pit, table),
                keys.slips_key(self.pit, table),
                keys.revisions_key(self.pit, table),
                keys.ready_key(self.pit, table),
                keys.present_key(self.pit, table),
                keys.transfers_key(self.pit),
                keys.ledger_key(self.pit),
                keys.notes_key(self.pit),
            ],
            [table, player, op, request, "" if seen is None else seen, NOTES_KEPT],
        )
        return _answer(table, player, reply)

    async def end(self, transfer: Transfer, verdict: Verdict) -> str:
        """Ends a transfer after the wallet's verdict: `ok`, `gone` (ended before) or `full` (not now).

        Raises:
            StoreError: as `reserve`.
        """
        reply = await self.store.call(
            scripts.END_TRANSFER,
            [
                keys.seats_key(self.pit, transfer.table),
                keys.bankrolls_key(self.pit, transfer.table),
                keys.revisions_key(self.pit, transfer.table),
                keys.transfers_key(self.pit),
                keys.ledger_key(self.pit),
                keys.notes_key(self.pit),
            ],
            [
                transfer.table,
                transfer.player,
                transfer.number,
                "1" if verdict.ok else "",
                verdict.balance,
                NOTES_KEPT,
            ],
        )
        word: bytes = reply[0]
        return word.decode()

    async def find(self, table: TableId, player: PlayerId) -> Transfer | None:
        """The transfer under way between this player and this table, if there is one."""
        field = f"{table}|{player}".encode()
        text = await run(self.store.client.hget(keys.transfers_key(self.pit), field))
        return None if text is None else read_transfer(field, text)

    async def all(self) -> tuple[int, dict[bytes, bytes]]:
        """The store's time, and every transfer under way as it is stored."""
        now_ms, flat = await self.store.call(scripts.TRANSFERS, [keys.transfers_key(self.pit)], [])
        found = dict(zip(flat[::2], flat[1::2], strict=True))
        found.pop(NUMBER, None)
        return now_ms, found


def read_transfer(field: bytes, text: bytes) -> Transfer:
    """A transfer from the pit's hash.

    Raises:
        DamagedRecordError: it is none.
    """
    try:
        table, bar, player = field.decode().partition("|")
        number, kind, op, request, amount, seat, at_ms = text.decode().split("|")
        if not (bar and (number + amount + seat + at_ms).isdigit()):
            raise DamagedRecordError(f"the transfer {field!r} reads {text!r}")
        return Transfer(
            table=TableId(table),
            player=PlayerId(player),
            number=int(number),
            kind=TransferKind(kind),
            op=op,
            request=request,
            amount=int(amount),
            seat=int(seat),
            at_ms=int(at_ms),
        )
    except ValueError as error:
        raise DamagedRecordError(f"the transfer {field!r} reads {text!r}") from error


def _answer(table: TableId, player: PlayerId, reply: Sequence[object]) -> Answer:
    match reply:
        case [b"ok" | b"pending" as word, int(now_ms), bytes(text)]:
            transfer = read_transfer(f"{table}|{player}".encode(), text)
            return Answer(word=word.decode(), now_ms=now_ms, transfer=transfer)
        case [bytes(word), int(now_ms)]:
            return Answer(word=word.decode(), now_ms=now_ms)
    raise DamagedRecordError(f"a script answered {reply!r}")
