"""Orders for the dealer of a table, in whichever pit it is, and their answers."""

import asyncio
from typing import Final

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.operations.errors import OperationCode, OperationError
from croupier_server.operations.tables import pit_of
from croupier_server.store.errors import OperationReusedError
from croupier_server.store.orders import Orders
from croupier_server.store.seats import Seats
from croupier_server.store.significant import Kind, Significant
from croupier_server.store.stores import Stores
from croupier_server.table import orders
from croupier_server.table.orders import Wish

ANSWER_S: Final = 60.0
"""How long the dealer's answer is waited for: a pause comes at the end of a round."""

FIRST_DEAL_S: Final = 5.0
"""How long an order waits for the first step of a table that was only just added: a dealer is told of it at
once, and looks for such tables by itself as well."""

LOOK_S: Final = 0.1
"""Between two looks whether a new table has been dealt."""


async def order(
    stores: Stores, table: TableId, op: str, wish: Wish, reason: str, player: PlayerId | None = None
) -> None:
    """Gives an order and returns when the dealer has carried it out; `player` is whom a removal is about.

    The same `op` again waits for the same order, or gets its first answer again.

    Raises:
        OperationError: UNKNOWN_TABLE, NOT_SEATED, OPERATION_REUSED; REFUSED, with the dealer's words; or
            NO_DEALER, when nobody answered and the order was taken back.
    """
    try:
        answer = await _known(stores, table, op, wish, reason, player)
        if answer is None:
            answer = await _ask(stores, table, op, wish, reason, player)
    except OperationReusedError as error:
        raise OperationError(
            OperationCode.OPERATION_REUSED, f"the operation {op} was used for something else"
        ) from error
    if answer is None:
        raise OperationError(
            OperationCode.NO_DEALER, f"no dealer answered in {ANSWER_S:.0f} s; the order is taken back"
        )
    if answer != orders.DONE:
        raise OperationError(OperationCode.REFUSED, answer)
    await stores.significant.note(
        Significant(Kind.ORDERED, table=table, player=player, what=wish.value, reason=reason, op=op)
    )


async def _known(
    stores: Stores, table: TableId, op: str, wish: Wish, reason: str, player: PlayerId | None
) -> str | None:
    """The first answer to an order after which its table, or its player's seat, is not there any more."""
    if wish not in {Wish.CLOSE, Wish.CLOSE_NOW, Wish.REMOVE}:
        return None
    for pit in await stores.known_pits():
        answer = await Orders(stores.pit(pit), pit).first_answer(table, op, wish, reason, player)
        if answer is not None:
            return answer
    return None


async def _ask(
    stores: Stores, table: TableId, op: str, wish: Wish, reason: str, player: PlayerId | None
) -> str | None:
    pit = await pit_of(stores, table)
    store = stores.pit(pit)
    if player is not None and (await Seats(store, pit).private(table, player)).seat is None:
        raise OperationError(OperationCode.NOT_SEATED, f"{player} has no seat at {table}")
    given = Orders(store, pit)
    loop = asyncio.get_running_loop()
    dealt_by = loop.time() + FIRST_DEAL_S
    while not await given.give(table, op, wish, reason, player):
        if loop.time() >= dealt_by:
            raise OperationError(
                OperationCode.UNKNOWN_TABLE,
                f"table {table} has never been dealt: does a server with a dealer run?",
            )
        await asyncio.sleep(LOOK_S)
    try:
        async with asyncio.timeout(ANSWER_S):
            return await given.answer_to(op)
    except TimeoutError:
        return await given.withdraw(op)
