"""Brings a player's own limits to where they are judged, and ends the seats of who is kept from the tables.

The record with the wallet comes first, so whoever finds it goes on from there: a server that dies in between
leaves to the next tick of a gateway what was not done.
"""

import logging
from collections.abc import Iterable

from croupier_protocol.messages.notices import NoticeCode
from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.bank.bank import Bank
from croupier_server.sight.logs import of
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.own_limits import OwnLimits, OwnRecord
from croupier_server.store.scripts import Store
from croupier_server.store.seats import TAKEN, Seats
from croupier_server.store.tables import Tables

logger = logging.getLogger(__name__)


async def apply(store: Store, pit: PitId, player: PlayerId, record: OwnRecord) -> None:
    """Has `pit` go by `record`, and ends the player's seats there if it says so. May be called again.

    Raises:
        StoreError: some of it is not done.
    """
    await OwnLimits(store).bring(pit, store, player, record)
    if record.excluded or record.time_over:
        tables = await Tables(store, pit).registered()
        await end_seats(Bank(store, pit), Seats(store, pit), player, record, tables)


async def end_seats(
    bank: Bank, seats: Seats, player: PlayerId, record: OwnRecord, tables: Iterable[TableId]
) -> None:
    """Cashes out the player's seats at these tables, those with a slip on the running round after it.

    Raises:
        StoreUnavailableError: some may still be there.
    """
    code = NoticeCode.EXCLUDED if record.excluded else NoticeCode.TIME_OVER
    for table in tables:
        try:
            seat = (await seats.private(table, player)).seat
            if seat is not None and seat.state == TAKEN:
                await bank.cash_out(table, player)
                await seats.notice(table, code, player)
        except DamagedRecordError as error:
            logger.error("table %s: %s cannot be cashed out: %s", table, player, error, extra=of(table))  # noqa: TRY400  # the reason is in the message
