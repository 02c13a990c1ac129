"""`croupier players limits` and `exclude`: what an operator does to a player's own limits.

Exit status: 0 done, 1 refused, 2 wrong usage or no store to be found.
"""

import secrets
import sys
from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from croupier_protocol.messages.to_server import MAX_EXCLUDED_DAYS
from croupier_protocol.messages.values import PlayerId
from croupier_server.bank.amounts import read_amount, write_amount
from croupier_server.operating import DONE, OPERATION, USAGE, fail, show, with_store, write_time
from croupier_server.operations import play_safe
from croupier_server.operations.errors import OperationError
from croupier_server.operations.reasons import MOST_LETTERS, is_reason
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.own_limits import OwnRecord
from croupier_server.store.stores import Stores

_DAY: Final = Number(gte=0, lte=1_440)


@Parameter(name="*")
@dataclass(frozen=True)
class Limiting:
    """Whom an operator limits, and why."""

    player: Annotated[str, Parameter(help="The player's id.")]
    _: KW_ONLY
    reason: Annotated[str | None, Parameter(help="Why; kept among the significant events.")] = None
    op: Annotated[
        str | None,
        Parameter(
            help="A name of 8 to 64 letters, digits, - or _ for this operation: given again, it does nothing."
        ),
    ] = None
    json: Annotated[bool, Parameter(negative="", help="Print one JSON object, amounts in cents.")] = False
    config: Annotated[Path | None, Parameter(help="Configuration file (TOML) of the server.")] = None
    redis: Annotated[str | None, Parameter(help="URL of the store.")] = None
    data: Annotated[Path | None, Parameter(help="Data directory of a running server.")] = None


def limits(
    asked: Limiting,
    *,
    round_stake: Annotated[str | None, Parameter(help="Most in a round, in decimal units.")] = None,
    day_stake: Annotated[
        str | None, Parameter(help="Most in a day of UTC at all tables, in decimal units.")
    ] = None,
    day_minutes: Annotated[
        int | None, Parameter(validator=_DAY, help="Most minutes at the tables in a day.")
    ] = None,
    reality_minutes: Annotated[
        int | None,
        Parameter(validator=_DAY, help="Minutes at the tables from one reality check to the next."),
    ] = None,
) -> int:
    """Show what a player has limited for itself, or with a --reason set it, at once.

    0 lifts a limit; what is not given stays as it is.

    Returns:
        Exit status: 0 when it is done, 1 when it is refused, 2 for wrong usage or when there is no store.
    """
    try:
        given = {
            "round_stake": None if round_stake is None else read_amount(round_stake),
            "day_stake": None if day_stake is None else read_amount(day_stake),
            "day_minutes": day_minutes,
            "reality_minutes": reality_minutes,
        }
    except ValueError as error:
        return fail(str(error), USAGE)
    wanted = {name: value for name, value in given.items() if value is not None}

    async def change(stores: Stores, player: PlayerId, op: str, reason: str) -> OwnRecord:
        return await play_safe.set_limits(stores, player, wanted, op, reason)

    return _limit(asked, change if wanted else None)


def exclude(
    asked: Limiting,
    *,
    days: Annotated[
        int,
        Parameter(validator=Number(gte=0, lte=MAX_EXCLUDED_DAYS), help="For how many days from now."),
    ],
) -> int:
    """Keep a player from all tables, or let it come back before its time with --days 0.

    What stands at a table is played out, then every seat is cashed out.

    Returns:
        Exit status: 0 when it is done, 1 when it is refused, 2 for wrong usage or when there is no store.
    """

    async def change(stores: Stores, player: PlayerId, op: str, reason: str) -> OwnRecord:
        return await play_safe.exclude(stores, player, days, op, reason)

    return _limit(asked, change)


def _limit(
    asked: Limiting, change: Callable[[Stores, PlayerId, str, str], Awaitable[OwnRecord]] | None
) -> int:
    """Changes a player's limits, if there is something to change, and says what they are."""
    op = asked.op or f"op-{secrets.token_hex(8)}"
    reason = asked.reason or ""
    if change is not None and not is_reason(reason):
        return fail(f"--reason takes a line of text, {MOST_LETTERS} characters at most", USAGE)
    if not OPERATION.fullmatch(op):
        return fail("--op takes 8 to 64 letters, digits, - or _", USAGE)

    async def work(stores: Stores) -> int:
        player = PlayerId(asked.player)
        try:
            if change is None:
                record = await play_safe.own_limits(stores, player)
            else:
                record = await change(stores, player, op, reason)
        except StoreUnavailableError as error:
            return fail(f"no answer, so it may be done or not: give the same again with --op {op} ({error})")
        except OperationError as error:
            return fail(str(error))
        if asked.json:
            show({"player": player, **msgspec.to_builtins(record)})
        else:
            for line in limit_lines(player, record):
                sys.stdout.write(f"{line}\n")
        return DONE

    return with_store(asked.config, asked.redis, asked.data, work)


def limit_lines(player: str, record: OwnRecord) -> list[str]:
    """A player's own limits for people."""

    def amount(value: int | None) -> str:
        return "none" if value is None else write_amount(value)

    def minutes(value: int | None, none: str) -> str:
        return none if value is None else f"{value} min"

    def written(name: str, value: int | None) -> str:
        none = "as the house has it" if name == "reality_minutes" else "none"
        return amount(value) if name.endswith("stake") else minutes(value, none)

    names = {
        "round_stake": "most in a round",
        "day_stake": "most in a day",
        "day_minutes": "time in a day",
        "reality_minutes": "reality check",
    }
    coming = {one.limit: one for one in record.waiting}
    lines = [f"limits of {player}; {record.played_minutes} min at the tables today"]
    for name, text in names.items():
        line = f"  {text:<18}{written(name, getattr(record, name))}"
        if name in coming:
            value, from_ms = coming[name].value, coming[name].from_ms
            line += f", from {write_time(from_ms)} on {written(name, value)}"
        lines.append(line)
    if record.excluded:
        lines.append(f"  {'excluded until':<18}{write_time(record.excluded_until_ms)}")
    return lines
