"""`croupier tables`: what an operator does to running tables."""

import asyncio
import secrets
import sys
from pathlib import Path
from typing import Final, Literal

import msgspec

from croupier_protocol.messages.values import TableId
from croupier_server.operating import DONE, FAILED, USAGE, fail, with_store
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.keys import PitId
from croupier_server.store.orders import Orders
from croupier_server.store.scripts import Store
from croupier_server.store.stores import Stores
from croupier_server.store.tables import Tables
from croupier_server.table import orders
from croupier_server.table.orders import Wish
from croupier_server.table.state import decode_state

ANSWER_S: Final = 60.0
"""How long a command waits for the dealer: a pause comes at the end of a round."""


def tables(
    action: Literal["list", "void", "pause", "resume"],
    table: str | None = None,
    *,
    reason: str = "operator",
    now: bool = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """List tables, or void, pause or resume one and wait for the dealer's answer.

    Prints one JSON object per line.

    Args:
        action: list; void (the running round, stakes return); pause (at the end of the round); resume.
        table: The table; not with list.
        reason: Told to everyone at the table.
        now: With pause: void the running round first.
        config: Configuration file (TOML) of the server.
        redis: URL of the store.
        data: Data directory of a running server.

    Returns:
        Exit status: 0 done, 1 refused, 2 when there is no store or no such table.
    """
    if action == "list":
        return with_store(config, redis, data, _list)
    if table is None:
        return fail(f"croupier tables {action} needs a table", USAGE)
    wish = Wish.PAUSE_NOW if action == "pause" and now else Wish(action)
    named = TableId(table)
    return with_store(config, redis, data, lambda store: _order(store, named, wish, reason))


async def _list(stores: Stores) -> int:
    status = DONE
    for pit in await stores.known_pits():
        try:
            await _list_pit(stores.pit(pit), pit)
        except StoreUnavailableError as error:
            status = fail(f"pit {pit}: its server does not answer: {error}")
    return status


async def _list_pit(store: Store, pit: PitId) -> None:
    records = Tables(store, pit)
    for table in sorted(await records.registered()):
        record = (await records.read(table)).record
        row: dict[str, object] = {"table": table, "pit": pit, "owner": record.owner, "seq": record.seq}
        if record.state:
            view = decode_state(record.state).view
            row |= {"phase": view.phase.value, "round": view.round, "seats": len(view.seats)}
        row["lease_left_ms"] = max(record.lease_until_ms - store.clock.now_ms(), 0)
        _print(row)


async def _order(stores: Stores, table: TableId, wish: Wish, reason: str) -> int:
    op = secrets.token_urlsafe(12)
    away = ""
    for pit in await stores.known_pits():
        given = Orders(stores.pit(pit), pit)
        try:
            if await given.give(table, op, wish, reason):
                break
        except StoreUnavailableError as error:
            away = f"; pit {pit} may have it, but its server does not answer: {error}"
    else:
        return fail(f"there is no table {table}{away}", USAGE)
    try:
        async with asyncio.timeout(ANSWER_S):
            answer = await given.answer_to(op)
    except TimeoutError:
        await given.withdraw(op)
        answer = f"no dealer answered in {ANSWER_S:.0f} s; the order is taken back"
    _print({"table": table, "order": wish.value, "answer": answer})
    return DONE if answer == orders.DONE else FAILED


def _print(row: dict[str, object]) -> None:
    sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
