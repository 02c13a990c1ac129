"""`croupier archive`: keeps history in a database, and answers from it.

Exit status: 0 done or clean, 1 refused or a mismatch, 2 wrong usage, no store or no database.
"""

import asyncio
import sys
from collections.abc import Callable, Iterable
from typing import Annotated, Final, TypeVar

from cyclopts import App, Parameter
from msgspec import Struct

from croupier_server.archive.archive import Archive
from croupier_server.archive.check import check_archive
from croupier_server.archive.database import Transaction
from croupier_server.archive.errors import ArchiveError, UnsuitableDatabaseError
from croupier_server.archive.options import Place, Shown, When
from croupier_server.archive.printing import (
    balance_lines,
    checked_lines,
    played_lines,
    round_lines,
    total_lines,
)
from croupier_server.archive.queries import balances as find_balances
from croupier_server.archive.queries import player_rounds, table_rounds
from croupier_server.archive.queries import totals as find_totals
from croupier_server.archive.running import archive_on, archive_once
from croupier_server.errors import SetupError
from croupier_server.operating import DONE, FAILED, USAGE, fail, show
from croupier_server.sight.logs import set_up_log
from croupier_server.store.errors import StoreError, StoreUnavailableError, UnsuitableStoreError
from croupier_server.store.stores import Stores

archive = App(name="archive")

# What `Place`, `When` and `Shown` are told is described there, a parameter each.
Json = Annotated[bool, Parameter(negative="", help="Print one JSON object a line, amounts in cents.")]

_HERE: Final = Place()
_EVER: Final = When()
_NEWEST: Final = Shown()

RowT = TypeVar("RowT", bound=Struct)


@archive.default
def run(
    *,
    place: Place = _HERE,
    once: Annotated[bool, Parameter(negative="")] = False,
    instead: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Bring the store's history into a database, for as long as this runs: rounds, slips, postings.

    What the database has may then be trimmed from the store. Whatever goes away meanwhile is waited for.
    SIGTERM and Ctrl-C end it; started again it goes on where it was. It may run more than once.

    Args:
        once: Archive what there is now, and end.
        instead: Take the place of another database that this store was archived into.

    Returns:
        Exit status: 0 after an orderly stop, 1 when the store is archived elsewhere or, with --once, on any
        failure, 2 when something has to be put right first.
    """

    def work() -> int:
        set_up_log("archive", place.log())
        database = place.database(make_it=True)
        try:
            if once:
                entries = asyncio.run(archive_once(place.store, database, instead=instead))
                sys.stdout.write(f"{entries} entries archived into {database.name}\n")
            else:
                asyncio.run(archive_on(place.store, database, instead=instead))
        finally:
            database.close()
        return DONE

    return _reporting(work)


@archive.command
def rounds(
    table: str | None = None, *, when: When = _EVER, shown: Shown = _NEWEST, place: Place = _HERE
) -> int:
    """List finished rounds, newest first.

    Args:
        table: Those of this table alone.
    """
    return _query(
        place,
        lambda one: table_rounds(one, table, when.period(), shown.limit),
        None if shown.json else round_lines,
    )


@archive.command
def player(player: str, *, when: When = _EVER, shown: Shown = _NEWEST, place: Place = _HERE) -> int:
    """List the rounds that a player had bets in, newest first, with what each bet came to.

    Args:
        player: The player's id.
    """
    return _query(
        place,
        lambda one: player_rounds(one, player, when.period(), shown.limit),
        None if shown.json else played_lines,
    )


@archive.command
def totals(table: str | None = None, *, when: When = _EVER, json: Json = False, place: Place = _HERE) -> int:
    """Sum up what was staked and returned, by table and day (UTC).

    Args:
        table: Of this table alone.
    """
    return _query(place, lambda one: find_totals(one, table, when.period()), None if json else total_lines)


@archive.command
def balances(*, json: Json = False, place: Place = _HERE) -> int:
    """Show what each account of the ledger holds: house, seats, and what players have bought."""
    return _query(place, find_balances, None if json else balance_lines)


@archive.command
def check(*, json: Json = False, place: Place = _HERE) -> int:
    """Check that the archive adds up, and agrees with the books of the store, running or resting.

    Returns:
        Exit status: 0 when nothing contradicts anything, 1 on any mismatch, 2 when there is no store.
    """

    async def checked() -> int:
        database = place.database(make_it=False)
        stores = Stores(place.store(), one_off=True)
        try:
            opened = Archive(database)
            opened.open(make=False)
            found = await check_archive(stores, opened)
        finally:
            await stores.close()
            database.close()
        if json:
            show({"clean": found.clean, "accounts": found.accounts, "postings": found.postings})
            for mismatch in found.mismatches:
                show({"mismatch": mismatch})
        else:
            _print(checked_lines(found))
        return DONE if found.clean else FAILED

    return _reporting(lambda: asyncio.run(checked()))


def _query(
    place: Place,
    find: Callable[[Transaction], Iterable[RowT]],
    lines: Callable[[RowT], list[str]] | None,
) -> int:
    """Prints what `find` finds in the archive: as `lines`, where it is nothing too, or as JSON."""

    def work() -> int:
        database, found = place.database(make_it=False), False
        try:
            Archive(database).open(make=False)
            with database.reading() as transaction:
                for row in find(transaction):
                    found = True
                    if lines is None:
                        show(row)
                    else:
                        _print(lines(row))
        finally:
            database.close()
        if not found and lines is not None:
            sys.stderr.write("croupier: the archive has nothing of that\n")
        return DONE

    return _reporting(work)


def _print(lines: list[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")


def _reporting(work: Callable[[], int]) -> int:
    """Does `work` and says in a line why it failed, if it did."""
    try:
        return work()
    except (SetupError, UnsuitableStoreError, UnsuitableDatabaseError) as error:
        return fail(str(error), USAGE)
    except StoreUnavailableError as error:
        return fail(f"the store does not answer: {error}", USAGE)
    except (StoreError, ArchiveError) as error:
        return fail(str(error))
