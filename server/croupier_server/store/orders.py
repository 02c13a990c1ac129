"""Operators' orders in the store: given by a command, answered by the table's dealer."""

import asyncio
from typing import Any, Final

import msgspec
from msgspec import Struct

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import LeaseLostError, OperationReusedError
from croupier_server.store.keys import PitId
from croupier_server.store.records import Lease
from croupier_server.store.scripts import Store, run
from croupier_server.store.stream import NOTES_KEPT
from croupier_server.table.orders import Standing, Wish

LOOK_S: Final = 0.1
"""Between two looks for an answer."""

ANSWERS_KEPT: Final = 200
"""Answered orders of a pit that are remembered with their first answers, as many as a wallet's operations."""


class _Order(Struct, frozen=True):
    wish: Wish
    reason: str
    player: PlayerId | None = None


class Orders:
    """The orders of one pit."""

    def __init__(self, store: Store, pit: PitId) -> None:
        self.store = store
        self.pit = pit

    async def give(
        self, table: TableId, op: str, wish: Wish, reason: str, player: PlayerId | None = None
    ) -> bool:
        """Gives an order; false when there is no such table.

        The same `op` given again changes nothing, and `answer_to` has its first answer. `player` is whom a
        `REMOVE` is about.

        Raises:
            OperationReusedError: `op` was the name of another order.
        """
        reply = await self.store.call(
            scripts.ORDER,
            [
                keys.table_key(self.pit, table),
                keys.orders_key(self.pit),
                keys.notes_key(self.pit),
                keys.answered_key(self.pit),
            ],
            [table, op, msgspec.json.encode(_Order(wish, reason, player)), NOTES_KEPT],
        )
        if reply[0] == b"reused":
            raise OperationReusedError(op)
        return bool(reply[0] == b"ok")

    async def answer_to(self, op: str) -> str | None:
        """Waits for the dealer's answer; None when the order was taken back. The caller sets the deadline."""
        while True:
            word, _, *answer = await self._take(op, "")
            if word != b"waits":
                return answer[0].decode() if answer else None
            await asyncio.sleep(LOOK_S)

    async def withdraw(self, op: str) -> str | None:
        """Takes back an order that nobody is going to wait for; the answer, if it has got one meanwhile."""
        _, _, *answer = await self._take(op, "withdraw")
        return answer[0].decode() if answer else None

    async def _take(self, op: str, what: str) -> list[Any]:
        orders, answered = keys.orders_key(self.pit), keys.answered_key(self.pit)
        return await self.store.call(scripts.TAKE_ANSWER, [orders, answered], [op, ANSWERS_KEPT, what])

    async def first_answer(
        self, table: TableId, op: str, wish: Wish, reason: str, player: PlayerId | None = None
    ) -> str | None:
        """What this order was answered, if it was given before and its answer is still kept.

        Raises:
            OperationReusedError: as `give`.
        """
        for entry in await run(self.store.client.lrange(keys.answered_key(self.pit), 0, -1)):
            name, of, _, answer, order = entry.decode().split("|", 4)
            if name == op:
                if (of, order.encode()) != (table, msgspec.json.encode(_Order(wish, reason, player))):
                    raise OperationReusedError(op)
                return str(answer)
        return None

    async def standing(self, table: TableId) -> list[Standing]:
        """The orders for `table` that have no answer yet."""
        found = await run(self.store.client.hgetall(keys.orders_key(self.pit)))
        orders = []
        for op, stored in found.items():
            of, round_, answer, text = stored.decode().split("|", 3)
            if of == table and not answer:
                order = msgspec.json.decode(text, type=_Order)
                orders.append(Standing(op.decode(), order.wish, order.reason, int(round_), order.player))
        return orders

    async def answer(self, lease: Lease, order: Standing, text: str) -> None:
        """Answers an order, if it still stands.

        Raises:
            LeaseLostError: the table is somebody else's by now.
        """
        reply = await self.store.call(
            scripts.ANSWER_ORDER,
            [keys.table_key(self.pit, lease.table), keys.orders_key(self.pit)],
            [lease.owner, lease.fence, order.op, f"{lease.table}|{order.round}|{text.replace('|', '/')}|"],
        )
        if reply[0] == b"lost":
            raise LeaseLostError(lease.table)
