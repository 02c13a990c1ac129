"""The tables of a store: what there is, what one played, tables that are added, and alarms that are ended."""

from collections.abc import Mapping

from msgspec import Struct

from croupier_protocol.messages.values import RoundRecord, TableId
from croupier_server.bank.alarms import Cleared, clear_alarm
from croupier_server.operations.errors import OperationCode, OperationError
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.keys import PitId
from croupier_server.store.stores import Stores
from croupier_server.store.tables import Tables
from croupier_server.table.listing import Origin, encode_listing
from croupier_server.table.state import TableSettings
from croupier_server.tables_list import TableRow, read_rows


class Listed(Struct, frozen=True):
    """Every table by pit and name; `silent` says why nothing is known of a pit."""

    rows: tuple[TableRow, ...]
    silent: Mapping[PitId, str]


async def list_tables(stores: Stores) -> Listed:
    """All tables of all pits whose server answers."""
    rows: list[TableRow] = []
    silent: dict[PitId, str] = {}
    for pit in await stores.known_pits():
        try:
            rows += await read_rows(stores.pit(pit), pit)
        except StoreUnavailableError as error:
            silent[pit] = str(error)
    return Listed(tuple(rows), silent)


async def add_table(stores: Stores, pit: PitId, settings: TableSettings, *, new_pit: bool) -> None:
    """Adds a table, for the running dealers to deal; the same one again changes nothing.

    A pit is for good, so one that is not there yet is made with `new_pit` alone.

    Raises:
        OperationError: TABLE_EXISTS, when there is one of that name with other settings or in another pit;
            UNKNOWN_PIT.
    """
    listing = encode_listing(settings, Origin.ADDED)
    known = await stores.known_pits()
    for one in known:
        there = await Tables(stores.pit(one), one).listing(settings.table)
        if there == listing and one == pit:
            return
        if there is not None:
            raise OperationError(
                OperationCode.TABLE_EXISTS, f"there is a table {settings.table} already, with other settings"
            )
    if pit not in known:
        if not new_pit:
            raise OperationError(
                OperationCode.UNKNOWN_PIT,
                f"there is no pit {pit}, only {', '.join(known)}; a new one has to be asked for as such",
            )
        await stores.name_pits([*known, pit])
    await Tables(stores.pit(pit), pit).register({settings.table: listing})


async def clear_alarm_at(stores: Stores, table: TableId, reason: str) -> Cleared:
    """Lets a table take bets again, unless the audit still finds what its alarm was about; see `Cleared`.

    Raises:
        OperationError: UNKNOWN_TABLE, or NO_ALARM.
    """
    cleared = await clear_alarm(stores, await pit_of(stores, table), table, reason)
    if not cleared.alarm:
        raise OperationError(OperationCode.NO_ALARM, f"there is no alarm at {table}")
    return cleared


async def past_rounds(stores: Stores, table: TableId, before: int | None, limit: int) -> list[RoundRecord]:
    """Up to `limit` finished rounds of a table, newest first; those before round `before` when it is given.

    Raises:
        OperationError: UNKNOWN_TABLE.
    """
    pit = await pit_of(stores, table)
    return await Tables(stores.pit(pit), pit).rounds(table, before, limit)


async def pit_of(stores: Stores, table: TableId) -> PitId:
    """The pit that lists a table.

    Raises:
        OperationError: UNKNOWN_TABLE.
        StoreUnavailableError: none does, and one that may does not answer.
    """
    away = ""
    for pit in await stores.known_pits():
        try:
            if await Tables(stores.pit(pit), pit).listing(table) is not None:
                return pit
        except StoreUnavailableError as error:
            away = f"; pit {pit} may have it, but its server does not answer: {error}"
    if away:
        raise StoreUnavailableError(f"there is no table {table}{away}")
    raise OperationError(OperationCode.UNKNOWN_TABLE, f"there is no table {table}")
