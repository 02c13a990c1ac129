"""What `croupier tables` asks of one table, in whichever pit it is: orders for its dealer, an alarm's end."""

import asyncio
import secrets
from typing import Final

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.bank.alarms import clear_alarm
from croupier_server.operating import DONE, FAILED, USAGE, fail, show
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.keys import PitId
from croupier_server.store.orders import Orders
from croupier_server.store.seats import Seats
from croupier_server.store.stores import Stores
from croupier_server.store.tables import Tables
from croupier_server.table import orders
from croupier_server.table.orders import Wish

ANSWER_S: Final = 60.0
"""How long a command waits for the dealer: a pause comes at the end of a round."""


async def order(
    stores: Stores, table: TableId, wish: Wish, reason: str, player: PlayerId | None = None
) -> int:
    """Gives an order and waits for the dealer's answer; `player` is whom a removal is about."""
    pit, missing = await _pit_of(stores, table)
    if pit is None:
        return fail(missing, USAGE)
    store = stores.pit(pit)
    if player is not None and (await Seats(store, pit).private(table, player)).seat is None:
        return fail(f"{player} has no seat at {table}", USAGE)
    given, op = Orders(store, pit), secrets.token_urlsafe(12)
    if not await given.give(table, op, wish, reason, player):
        return fail(f"there is no table {table}", USAGE)
    try:
        async with asyncio.timeout(ANSWER_S):
            answer = await given.answer_to(op)
    except TimeoutError:
        await given.withdraw(op)
        answer = f"no dealer answered in {ANSWER_S:.0f} s; the order is taken back"
    show({"table": table, "order": wish.value, "answer": answer})
    return DONE if answer == orders.DONE else FAILED


async def clear_alarm_at(stores: Stores, table: TableId, reason: str) -> int:
    """Lets a table take bets again, unless the audit still finds what its alarm was about."""
    pit, missing = await _pit_of(stores, table)
    if pit is None:
        return fail(missing, USAGE)
    cleared = await clear_alarm(stores, pit, table, reason)
    if not cleared.alarm:
        return fail(f"there is no alarm at {table}", USAGE)
    for one in cleared.damage:
        show({"table": table, "alarm": cleared.alarm, "where": one.where, "mismatch": one.text})
    if cleared.damage:
        return fail(f"{table} takes no bets until this is put right; see `croupier audit`")
    if cleared.changed:
        return fail(f"{table} has another alarm by now; look into that one")
    show({"table": table, "cleared": cleared.alarm, "reason": reason})
    return DONE


async def _pit_of(stores: Stores, table: TableId) -> tuple[PitId | None, str]:
    """The pit that lists a table; without one, what to tell."""
    away = ""
    for pit in await stores.known_pits():
        try:
            if await Tables(stores.pit(pit), pit).listing(table) is not None:
                return pit, ""
        except StoreUnavailableError as error:
            away = f"; pit {pit} may have it, but its server does not answer: {error}"
    return None, f"there is no table {table}{away}"
