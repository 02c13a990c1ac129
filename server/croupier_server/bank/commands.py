"""`croupier audit` and `croupier wallet`: the operator's look at the money of a running server.

Exit status: 0 done or clean, 1 refused or a mismatch, 2 wrong usage or no store to be found.
"""

import secrets
import sys
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec
from cyclopts import App, Parameter

from croupier_protocol.messages.values import PlayerId
from croupier_server.bank.amounts import read_amount, write_amount
from croupier_server.bank.answers import Statement
from croupier_server.bank.findings import AuditReport
from croupier_server.operating import DONE, FAILED, OPERATION, USAGE, fail, with_store, write_time
from croupier_server.operations import money
from croupier_server.operations.errors import OperationCode, OperationError
from croupier_server.operations.reasons import MOST_LETTERS, is_reason
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.stores import Stores

_MARKS: Final = {
    "ok": "",
    "short": " refused: too little",
    "excluded": " refused: excluded",
    "time": " refused: own time over",
}
"""How a statement marks what the wallet said to an operation."""

Json = Annotated[bool, Parameter(negative="")]

wallet = App(name="wallet")


def audit(
    *,
    json: Json = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """Check that every cent is where it should be, on a running server or a resting one.

    Wallets, transfers under way, bankrolls, open stakes and the house must make what was issued and not
    retired, and each must agree with the ledger.

    Args:
        json: Print one JSON object per line, amounts in cents; the last has the sums.
        config: Configuration file (TOML) of the server.
        redis: URL of the store (redis://, rediss://, unix://).
        data: Data directory of a running server.

    Returns:
        Exit status: 0 when nothing contradicts anything, 1 on any mismatch, 2 when there is no store.
    """

    async def work(stores: Stores) -> int:
        report = await money.audit(stores)
        for line in _report_json(report) if json else _report_lines(report):
            sys.stdout.write(f"{line}\n")
        return DONE if report.clean else FAILED

    return with_store(config, redis, data, work)


@wallet.command
def show(
    player: str,
    *,
    json: Json = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """Show what a player's wallet holds, and its recent operations.

    Args:
        player: The player's id.
        json: Print one JSON object, amounts in cents.
        config: Configuration file (TOML) of the server.
        redis: URL of the store.
        data: Data directory of a running server.
    """

    async def work(stores: Stores) -> int:
        try:
            found = await money.statement(stores, PlayerId(player))
        except OperationError as error:
            return fail(str(error))
        if json:
            _print_json({"player": player, **msgspec.to_builtins(found)})
        else:
            for line in _statement_lines(player, found):
                sys.stdout.write(f"{line}\n")
        return DONE

    return with_store(config, redis, data, work)


@Parameter(name="*")
@dataclass(frozen=True)
class Adjustment:
    """Chips issued into a wallet, or retired from it."""

    player: Annotated[str, Parameter(help="The player's id.")]
    amount: Annotated[str, Parameter(help="How much, in decimal units: 5, or 0.25.")]
    _: KW_ONLY
    reason: Annotated[str, Parameter(help="Why; kept with the operation.")]
    op: Annotated[
        str | None,
        Parameter(
            help="A name of 8 to 64 letters, digits, - or _ for this operation: given again, it does nothing."
        ),
    ] = None
    json: Annotated[Json, Parameter(help="Print one JSON object, amounts in cents.")] = False
    config: Annotated[Path | None, Parameter(help="Configuration file (TOML) of the server.")] = None
    redis: Annotated[str | None, Parameter(help="URL of the store.")] = None
    data: Annotated[Path | None, Parameter(help="Data directory of a running server.")] = None


@wallet.command
def credit(adjustment: Adjustment) -> int:
    """Issue chips into a player's wallet."""
    return _adjust(adjustment, credit=True)


@wallet.command
def debit(adjustment: Adjustment) -> int:
    """Retire chips from a player's wallet."""
    return _adjust(adjustment, credit=False)


def _adjust(asked: Adjustment, *, credit: bool) -> int:
    name = asked.op or f"op-{secrets.token_hex(8)}"
    try:
        cents = read_amount(asked.amount)
    except ValueError as error:
        return fail(str(error), USAGE)
    if not cents:
        return fail("an amount of nothing moves nothing", USAGE)
    if not OPERATION.fullmatch(name):
        return fail("--op takes 8 to 64 letters, digits, - or _", USAGE)
    if not is_reason(asked.reason):
        return fail(f"--reason takes a line of text, {MOST_LETTERS} characters at most", USAGE)

    async def work(stores: Stores) -> int:
        player = PlayerId(asked.player)
        try:
            done = await money.adjust(stores, player, cents, name, asked.reason, credit=credit)
        except StoreUnavailableError as error:
            return fail(
                f"no answer, so it may be done or not: give the same again with --op {name} ({error})"
            )
        except OperationError as error:
            if asked.json and error.code is not OperationCode.UNKNOWN_PLAYER:
                refused = {"amount": cents, "refused": error.code, "limit": error.limit}
                _print_json({"player": player, "op": name, **refused})
            return fail(str(error))
        if asked.json:
            _print_json({"player": player, "op": name, "amount": done.amount, "balance": done.wallet})
        else:
            holds = write_amount(done.wallet)
            sys.stdout.write(f"{player}: the wallet holds {holds} (operation {name})\n")
        return DONE

    return with_store(asked.config, asked.redis, asked.data, work)


def _print_json(fields: object) -> None:
    sys.stdout.write(msgspec.json.encode(fields).decode() + "\n")


def _report_json(report: AuditReport) -> list[str]:
    lines: list[object] = [{"mismatch": mismatch} for mismatch in report.mismatches]
    lines += [{"unpinned": text} for text in report.unpinned]
    lines.append(
        {
            "clean": report.clean,
            "difference": report.difference,
            "mismatches": len(report.mismatches),
            "unpinned": len(report.unpinned),
            **msgspec.to_builtins(report.figures),
        }
    )
    return [msgspec.json.encode(line).decode() for line in lines]


def _report_lines(report: AuditReport) -> list[str]:
    lines = [f"MISMATCH {one.where}: {one.text}" for one in report.mismatches]
    lines += [f"not pinned: {text}" for text in report.unpinned]
    figures = report.figures
    parts = {
        "wallets": figures.wallets,
        "transfers under way": figures.in_flight,
        "bankrolls": figures.bankrolls,
        "open stakes": figures.stakes,
        "house": figures.house,
        "moved meanwhile": figures.moved,
        "issued": figures.issued,
        "retired": figures.retired,
    }
    lines += [f"{name:<20}{write_amount(cents):>24}" for name, cents in parts.items()]
    counted = f"{figures.players} players, {figures.tables} tables, {figures.postings} postings"
    if report.clean:
        lines.append(f"clean: {counted}")
    else:
        lines.append(f"mismatches: {len(report.mismatches)}, in {counted}")
    return lines


def _statement_lines(player: str, statement: Statement) -> list[str]:
    held = statement.wallet
    parts = {
        "balance": held.balance,
        "issued": held.issued,
        "retired": held.retired,
        "to tables": held.to_tables,
        "from tables": held.from_tables,
    }
    lines = [f"wallet of {player}, made {write_time(held.created_at_ms)}"]
    lines += [f"  {name:<12}{write_amount(cents):>24}" for name, cents in parts.items()]
    for one in statement.operations:
        mark = _MARKS[one.verdict]
        lines.append(
            f"  {write_time(one.at_ms)}  {one.request.partition(':')[0]:<8}{write_amount(one.amount):>16}"
            f"  then {write_amount(one.balance)}  {one.op}{mark}  {one.reason}".rstrip()
        )
    return lines
