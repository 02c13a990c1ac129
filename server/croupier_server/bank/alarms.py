"""Ends a table's alarm once an operator has put right what it was about.

A gateway or a dealer that meets a record which is not what Croupier wrote stops the betting of its table. The
alarm stays while the audit still finds something wrong that the table's players could lose by: at the table
itself, with the house, the ledger or the transfers, or in the wallet of whoever sits there or is named in the
alarm.
"""

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.bank.audit import Auditor
from croupier_server.bank.findings import Mismatch
from croupier_server.store.keys import PitId, wallet_key
from croupier_server.store.seats import Seats
from croupier_server.store.stores import Stores
from croupier_server.store.transfers import Transfers

_OF_A_TABLE: Final = "table "
_OF_A_WALLET: Final = "wallet of "


class Cleared(Struct, frozen=True):
    """What came of an attempt: the `alarm` that stood, empty for none, and what still keeps it.

    `changed`: another alarm has come meanwhile.
    """

    alarm: str
    damage: tuple[Mismatch, ...] = ()
    changed: bool = False


async def clear_alarm(stores: Stores, pit: PitId, table: TableId, reason: str) -> Cleared:
    """Clears the alarm of `table`, kept with `reason`, unless an audit still finds its damage.

    Raises:
        StoreError: the store is away, or the seats cannot be read: nothing has changed.
    """
    store = stores.pit(pit)
    seats = Seats(store, pit)
    alarm = await seats.alarmed(table)
    if alarm is None:
        return Cleared("")
    report = await Auditor(stores, await stores.known_pits()).run()
    look = await seats.look(table, 0)
    _, transfers = await Transfers(store, pit).all()
    fields = (field.decode("utf-8", "replace").partition("|") for field in transfers)
    concerned = {*look.seats, *(PlayerId(player) for of, _, player in fields if of == table)}
    damage = tuple(one for one in report.mismatches if _keeps(one, table, concerned, alarm))
    if damage:
        return Cleared(alarm, damage)
    return Cleared(alarm, changed=not await seats.clear_alarm(table, alarm, reason))


def _keeps(mismatch: Mismatch, table: TableId, concerned: Collection[PlayerId], alarm: str) -> bool:
    """Whether a mismatch is one that this table's betting has to wait for."""
    where = mismatch.where
    if where.startswith(_OF_A_TABLE):
        return where.removeprefix(_OF_A_TABLE).partition(",")[0] == table
    if where.startswith(_OF_A_WALLET):
        player = PlayerId(where.removeprefix(_OF_A_WALLET))
        return player in concerned or wallet_key(player) in alarm or f"{where} " in f"{alarm} "
    return where != "all money"  # which tells of damage elsewhere too
