"""`croupier tables`: what an operator does to running tables."""

import asyncio
import secrets
import sys
from pathlib import Path
from typing import Final, Literal

import msgspec

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.bank.alarms import clear_alarm
from croupier_server.operating import DONE, FAILED, USAGE, fail, with_store
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.orders import Orders
from croupier_server.store.scripts import Store
from croupier_server.store.seats import Seats
from croupier_server.store.tables import Tables
from croupier_server.table import orders
from croupier_server.table.orders import Wish
from croupier_server.table.state import decode_state

ANSWER_S: Final = 60.0
"""How long a command waits for the dealer: a pause comes at the end of a round."""


def tables(
    action: Literal["list", "void", "pause", "resume", "remove", "clear-alarm"],
    table: str | None = None,
    player: str | None = None,
    *,
    reason: str = "operator",
    now: bool = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """List tables, or give the dealer of one an order and wait for the answer.

    Prints one JSON object per line.

    Args:
        action: list; void (the running round, stakes return); pause (at the end of the round); resume;
            remove (a player: its bets are played out, its chips go to its wallet); clear-alarm (bets are
            taken again, unless the audit still finds the damage).
        table: The table; not with list.
        player: With remove: the player's id.
        reason: Told to everyone at the table; with remove to the player, with clear-alarm kept in the record.
        now: With pause: void the running round first.
        config: Configuration file (TOML) of the server.
        redis: URL of the store (redis://, rediss://, unix://).
        data: Data directory of a running server.

    Returns:
        Exit status: 0 done, 1 refused, 2 when there is no store or no such table.
    """
    if action == "list":
        return with_store(config, redis, data, _list)
    misuse = _misuse(action, table, player, reason)
    if misuse is not None:
        return fail(misuse, USAGE)
    named, whom = TableId(table or ""), None if player is None else PlayerId(player)

    async def work(store: Store) -> int:
        if action == "clear-alarm":
            return await _clear_alarm(store, named, reason)
        if whom is not None and (await Seats(store, DEFAULT_PIT).private(named, whom)).seat is None:
            return fail(f"{whom} has no seat at {named}", USAGE)
        wish = Wish.PAUSE_NOW if action == "pause" and now else Wish(action)
        return await _order(store, named, wish, reason, whom)

    return with_store(config, redis, data, work)


def _misuse(action: str, table: str | None, player: str | None, reason: str) -> str | None:
    """What is wrong with how the command was called."""
    if table is None:
        return f"croupier tables {action} needs a table"
    if (player is None) == (action == "remove"):
        return "croupier tables remove needs a player" if player is None else f"{action} takes no player"
    if not reason.strip() or not reason.isprintable():
        return "--reason takes a line of text"
    return None


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


async def _clear_alarm(store: Store, table: TableId, reason: str) -> int:
    cleared = await clear_alarm(store, DEFAULT_PIT, table, reason)
    if not cleared.alarm:
        return fail(f"there is no alarm at {table}", USAGE)
    for one in cleared.damage:
        _print({"table": table, "alarm": cleared.alarm, "where": one.where, "mismatch": one.text})
    if cleared.damage:
        return fail(f"{table} takes no bets until this is put right; see `croupier audit`")
    if cleared.changed:
        return fail(f"{table} has another alarm by now; look into that one")
    _print({"table": table, "cleared": cleared.alarm, "reason": reason})
    return DONE


async def _order(
    store: Store, table: TableId, wish: Wish, reason: str, player: PlayerId | None = None
) -> int:
    given, op = Orders(store, DEFAULT_PIT), secrets.token_urlsafe(12)
    if not await given.give(table, op, wish, reason, player):
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
