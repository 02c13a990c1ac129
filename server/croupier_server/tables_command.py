"""`croupier tables`: what an operator does to running tables."""

import re
import secrets
import sys
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from croupier_protocol.messages.values import TABLE_ID_PATTERN, PlayerId, TableId
from croupier_server.configuring.reading import check_config, read_config
from croupier_server.configuring.table_sections import TableSection
from croupier_server.errors import SetupError
from croupier_server.operating import DONE, FAILED, USAGE, fail, show, with_store
from croupier_server.operations.errors import OperationCode, OperationError
from croupier_server.operations.orders import order
from croupier_server.operations.reasons import MOST_LETTERS, is_reason
from croupier_server.operations.tables import add_table, clear_alarm_at, list_tables
from croupier_server.store.keys import DEFAULT_PIT, PitId
from croupier_server.store.stores import Stores
from croupier_server.table import orders
from croupier_server.table.orders import Wish
from croupier_server.table.state import TableSettings
from croupier_server.tables_list import as_lines

_WISHES: Final = {
    "void": (Wish.VOID, Wish.VOID),
    "pause": (Wish.PAUSE, Wish.PAUSE_NOW),
    "resume": (Wish.RESUME, Wish.RESUME),
    "abandon": (Wish.ABANDON, Wish.ABANDON),
    "close": (Wish.CLOSE, Wish.CLOSE_NOW),
    "remove": (Wish.REMOVE, Wish.REMOVE),
}
"""What is ordered by an action, without and with `--now`."""


def tables(
    action: Literal["list", "add", "void", "pause", "resume", "abandon", "close", "remove", "clear-alarm"],
    table: str | None = None,
    player: str | None = None,
    *,
    rules: str = "standard",
    pace: str = "standard",
    limits: str = "",
    pit: str = DEFAULT_PIT,
    new_pit: bool = False,
    reason: str = "operator",
    now: bool = False,
    json: bool = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """List the tables, add one, or give the dealer of one an order and wait for its answer.

    Prints one JSON object per line; `list` on a terminal prints a table.

    Args:
        action: list; add (dealt by the running servers); void (the running round, stakes return); pause
            (at the end of the round); resume; abandon (the running shoe, in public; the running round is
            voided); close (at the end of the round: every seat is cashed out);
            remove (a player: its bets are played out, its chips go to its wallet); clear-alarm (bets are
            taken again, unless the audit still finds the damage).
        table: The table; not with list.
        player: With remove: the player's id.
        rules: With add: the rule set, one that comes with Croupier or one of the configuration.
        pace: With add: standard, speed or turbo.
        limits: With add: limits that differ from the usual, as `main_most=200,step=5`.
        pit: With add: the pit that the table is in for good; all tables of one share a server of the store.
        new_pit: With add: make the pit, where there is none of that name.
        reason: Told to everyone at the table; with remove to the player, with clear-alarm kept in the record.
        now: With pause and close: void the running round first.
        json: With list: JSON also on a terminal.
        config: Configuration file (TOML) of the server.
        redis: URL of the store.
        data: Data directory of a running server.

    Returns:
        Exit status: 0 done, 1 refused, 2 when there is no store, table or pit of that name.
    """
    if action == "list" and table is None:
        plain = json or not sys.stdout.isatty()
        return with_store(config, redis, data, lambda store: _list(store, as_json=plain))
    misuse = _misuse(action, table, player, reason)
    if table is None or misuse is not None:
        return fail(misuse or "", USAGE)
    if action == "add":
        try:
            settings = _settings(config, table, rules, pace, limits, pit)
        except SetupError as error:
            return fail(str(error), USAGE)
        return with_store(
            config, redis, data, lambda store: _add(store, PitId(pit), settings, new_pit=new_pit)
        )
    named, whom = TableId(table), None if player is None else PlayerId(player)
    if action == "clear-alarm":
        return with_store(config, redis, data, lambda stores: _clear_alarm(stores, named, reason))
    wish = _WISHES[action][now]
    return with_store(config, redis, data, lambda stores: _order(stores, named, wish, reason, whom))


def _misuse(action: str, table: str | None, player: str | None, reason: str) -> str | None:
    """What is wrong with how the command was called."""
    if action == "list":
        return "tables list takes no table: it lists them all"
    if table is None:
        return f"tables {action} needs a table"
    if (player is None) == (action == "remove"):
        return "tables remove needs a player" if player is None else f"{action} takes no player"
    if not is_reason(reason):
        return f"--reason takes a line of text, {MOST_LETTERS} characters at most"
    return None


def _settings(config: Path | None, table: str, rules: str, pace: str, limits: str, pit: str) -> TableSettings:
    """The settings of a table to add.

    Raises:
        SetupError: there is no such name, rule set, pace, limit or pit.
    """
    where = "tables add"
    for name in (table, pit):
        if re.fullmatch(TABLE_ID_PATTERN, name) is None:
            raise SetupError(f"{where}: {name!r} is no name: small letters, digits and -, 48 of them at most")
    read = _read_limits(limits, where)
    fields = {"name": table, "rules": rules, "pace": pace, "limits": read, "pit": pit}
    try:
        section = msgspec.convert(fields, TableSection)
    except msgspec.ValidationError as error:
        raise SetupError(f"{where}: {error}") from error
    added = replace(read_config(config), tables=(section,))
    check_config(added, where)
    return added.table_settings()[0]


def _read_limits(text: str, where: str) -> dict[str, object]:
    """Limits as a configuration has them, from `name=units,…`; several chips are `chips=1/5/25`."""
    read: dict[str, object] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        try:
            units = [int(one) if one.isdecimal() else float(one) for one in value.split("/")]
        except ValueError as error:
            raise SetupError(f"{where}: limits: {part!r} is not name=amount") from error
        read[name] = units if name == "chips" else units[0]
    return read


async def _list(stores: Stores, *, as_json: bool) -> int:
    listed = await list_tables(stores)
    for pit, why in listed.silent.items():
        fail(f"pit {pit}: its server does not answer: {why}")
    if as_json:
        for row in listed.rows:
            show(row)
    else:
        sys.stdout.write("".join(f"{line}\n" for line in as_lines(listed.rows)))
    return FAILED if listed.silent else DONE


async def _add(stores: Stores, pit: PitId, settings: TableSettings, *, new_pit: bool) -> int:
    try:
        await add_table(stores, pit, settings, new_pit=new_pit)
    except OperationError as error:
        if error.code is OperationCode.UNKNOWN_PIT:
            return fail(f"{error}: --new-pit", USAGE)
        return fail(str(error))
    return _told(settings.table, "add", orders.DONE)


async def _order(stores: Stores, table: TableId, wish: Wish, reason: str, player: PlayerId | None) -> int:
    try:
        await order(stores, table, secrets.token_urlsafe(12), wish, reason, player)
    except OperationError as error:
        if error.code not in {OperationCode.REFUSED, OperationCode.NO_DEALER}:
            return fail(str(error), USAGE)
        return _told(table, wish.value, str(error))
    return _told(table, wish.value, orders.DONE)


def _told(table: TableId, order: str, answer: str) -> int:
    show({"table": table, "order": order, "answer": answer})
    return DONE if answer == orders.DONE else FAILED


async def _clear_alarm(stores: Stores, table: TableId, reason: str) -> int:
    try:
        cleared = await clear_alarm_at(stores, table, reason)
    except OperationError as error:
        return fail(str(error), USAGE)
    for one in cleared.damage:
        show({"table": table, "alarm": cleared.alarm, "where": one.where, "mismatch": one.text})
    if cleared.damage:
        return fail(f"{table} takes no bets until this is put right; see `croupier audit`")
    if cleared.changed:
        return fail(f"{table} has another alarm by now; look into that one")
    show({"table": table, "cleared": cleared.alarm, "reason": reason})
    return DONE
