"""`croupier tables`: what an operator does to running tables."""

import asyncio
import secrets
import sys
from pathlib import Path
from typing import Final, Literal

import msgspec

from croupier_protocol.messages.values import TableId
from croupier_server.operating import DONE, FAILED, USAGE, fail, with_store
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.orders import Orders
from croupier_server.store.scripts import Store
from croupier_server.store.tables import Tables
from croupier_server.table import orders
from croupier_server.table.orders import Wish
from croupier_server.table.state import decode_state

ANSWER_S: Final = 60.0
"""How long a command waits for the dealer: a pause comes at the end of a round."""


def tables(
    action: Literal["list", "void", "pause", "resume", "abandon"],
    table: str | None = None,
    *,
    reason: str = "operator",
    now: bool = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """List tables, or void, pause, resume one or abandon its shoe, and wait for the dealer's answer.

    Prints one JSON object per line.

    Args:
        action: list; void (the running round, stakes return); pause (at the end of the round); resume;
            abandon (the running shoe, in public; the running round is voided).
        table: The table; not with list.
        reason: Told to everyone at the table.
        now: With pause: void the running round first.
        config: Configuration file (TOML) of the server.
        redis: URL of the store (redis://, rediss://, unix://).
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


async def _list(store: Store) -> int:
    records = Tables(store, DEFAULT_PIT)
    for table in sorted(await records.registered()):
        record = (await records.read(table)).record
        row: dict[str, object] = {"table": table, "owner": record.owner, "seq": record.seq}
        if record.state:
            view = decode_state(record.state).view
            row |= {"phase": view.phase.value, "round": view.round, "seats": len(view.seats)}
        row["lease_left_ms"] = max(record.lease_until_ms - store.clock.now_ms(), 0)
        _print(row)
    return DONE


async def _order(store: Store, table: TableId, wish: Wish, reason: str) -> int:
    given, op = Orders(store, DEFAULT_PIT), secrets.token_urlsafe(12)
    if not await given.give(table, op, wish, reason):
        return fail(f"there is no table {table}", USAGE)
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
