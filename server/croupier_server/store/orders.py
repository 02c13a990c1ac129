"""Operators' orders in the store: given by a command, answered by the table's dealer."""

import asyncio
from typing import Final

import msgspec
from msgspec import Struct

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError, LeaseLostError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Store, run
from croupier_server.store.stream import NOTES_KEPT
from croupier_server.store.tables import Lease
from croupier_server.table.orders import Standing, Wish

LOOK_S: Final = 0.1
"""Between two looks for an answer."""


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
        """Gives an order; false when there is no such table. Giving the same `op` again changes nothing.

        `player` is whom a `REMOVE` is about.
        """
        reply = await self.store.call(
            scripts.ORDER,
            [keys.table_key(self.pit, table), keys.orders_key(self.pit), keys.notes_key(self.pit)],
            [table, op, msgspec.json.encode(_Order(wish, reason, player)), NOTES_KEPT],
        )
        return bool(reply[0] == b"ok")

    async def answer_to(self, op: str) -> str:
        """Waits for the dealer's answer, takes it away and returns it. The caller sets the deadline."""
        key = keys.orders_key(self.pit)
        while True:
            stored = await run(self.store.client.hget(key, op))
            if stored is None:
                raise DamagedRecordError(f"order {op} is gone without an answer")
            _, _, answer, _ = stored.decode().split("|", 3)
            if answer:
                await run(self.store.client.hdel(key, op))
                return str(answer)
            await asyncio.sleep(LOOK_S)

    async def withdraw(self, op: str) -> None:
        """Takes back an order that nobody is going to wait for."""
        await run(self.store.client.hdel(keys.orders_key(self.pit), op))

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
