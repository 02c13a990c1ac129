"""`croupier tables`: what an operator does to running tables."""

import asyncio
import json
import logging
import secrets
import sys
from pathlib import Path
from typing import Final, Literal

from croupier_protocol.messages.values import TableId
from croupier_server.config import read_config
from croupier_server.data_directory import default_path
from croupier_server.errors import SetupError
from croupier_server.store.connection import connect
from croupier_server.store.embedded import running_url
from croupier_server.store.errors import StoreError
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.orders import Orders
from croupier_server.store.scripts import Store
from croupier_server.store.stream import Stream
from croupier_server.store.tables import Tables
from croupier_server.table.orders import DONE, Wish
from croupier_server.table.state import decode_state

ANSWER_S: Final = 60.0
"""How long a command waits for the dealer: a pause comes at the end of a round."""


async def open_store(config: Path | None, redis: str | None, data: Path | None) -> Store:
    """The store of a running server, found as `serve` would find it.

    Raises:
        SetupError: there is none.
    """
    section = read_config(config).store
    url = redis or section.redis
    if url is None:
        url = running_url((data or (Path(section.data) if section.data else default_path())) / "store")
    store = Store(connect(url))
    await Stream(store, DEFAULT_PIT).open()
    return store


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
    """List tables, or void, pause or resume one; waits for the dealer's answer.

    Args:
        action: list; void (the running round, stakes return); pause (at the end of the round); resume.
        table: The table.
        reason: Told to everyone at the table.
        now: With pause: void the running round first.
        config: Configuration file, as for serve.
        redis: URL of the store, as for serve.
        data: Data directory, as for serve.

    Returns:
        Exit status: 0 done, 1 refused, 2 when something has to be put right first.
    """
    logging.basicConfig(level=logging.WARNING)
    try:
        if action == "list":
            return asyncio.run(_list(config, redis, data))
        wish = Wish.PAUSE_NOW if action == "pause" and now else Wish(action)
        return asyncio.run(_order(table, wish, reason, (config, redis, data)))
    except (SetupError, StoreError) as error:
        sys.stderr.write(f"croupier: {error}\n")
        return 2


async def _list(config: Path | None, redis: str | None, data: Path | None) -> int:
    store = await open_store(config, redis, data)
    try:
        records = Tables(store, DEFAULT_PIT)
        for table in sorted(await records.registered()):
            record = (await records.read(table)).record
            row: dict[str, object] = {"table": table, "owner": record.owner, "seq": record.seq}
            if record.state:
                view = decode_state(record.state).view
                row |= {"phase": view.phase, "round": view.round, "seats": len(view.seats)}
            row["lease_left_ms"] = record.lease_until_ms - store.clock.now_ms()
            sys.stdout.write(json.dumps(row) + "\n")
    finally:
        await store.close()
    return 0


async def _order(
    named: str | None, wish: Wish, reason: str, where: tuple[Path | None, str | None, Path | None]
) -> int:
    if named is None:
        raise SetupError(f"croupier tables {wish.value} needs a table")
    table = TableId(named)
    store = await open_store(*where)
    orders, op = Orders(store, DEFAULT_PIT), secrets.token_urlsafe(12)
    try:
        if not await orders.give(table, op, wish, reason):
            raise SetupError(f"there is no table {table}")
        try:
            async with asyncio.timeout(ANSWER_S):
                answer = await orders.answer_to(op)
        except TimeoutError:
            await orders.withdraw(op)
            answer = f"no dealer answered in {ANSWER_S:.0f} s; the order is taken back"
    finally:
        await store.close()
    sys.stdout.write(json.dumps({"table": table, "order": wish.value, "answer": answer}) + "\n")
    return 0 if answer == DONE else 1
