"""What an operator does to a player's own limits: looks at them, changes them at once, ends an exclusion."""

from collections.abc import Mapping

from croupier_protocol.messages.values import PlayerId
from croupier_server.operations.errors import OperationCode, OperationError
from croupier_server.play_safe.applying import apply
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.own_limits import NAMES, OwnLimits, OwnRecord
from croupier_server.store.significant import Kind, Significant
from croupier_server.store.stores import Stores


async def own_limits(stores: Stores, player: PlayerId) -> OwnRecord:
    """What a player has limited, as it is in force; nothing for whoever has not."""
    return await _records(stores).look(player)


async def set_limits(
    stores: Stores, player: PlayerId, limits: Mapping[str, int], op: str, reason: str
) -> OwnRecord:
    """Sets the limits that are named, 0 for none, at once; the same `op` again makes sure that it is done.

    Raises:
        OperationError: OPERATION_REUSED.
        StoreUnavailableError: it may be done or not, and may be sent again with the same `op`.
    """
    record = await _records(stores).set(player, op, limits, reality_minutes=0, operator=True)
    what = ", ".join(f"{name} {limits[name]}" for name in NAMES if name in limits)
    return await _done(stores, player, record, what, op, reason)


async def exclude(stores: Stores, player: PlayerId, days: int, op: str, reason: str) -> OwnRecord:
    """Keeps a player from the tables for so many days from now, 0 for no longer.

    Running slips are played out, then every seat is cashed out. Raises as `set_limits`.
    """
    record = await _records(stores).exclude(player, op, days, operator=True)
    return await _done(stores, player, record, f"exclude {days}", op, reason)


def _records(stores: Stores) -> OwnLimits:
    """Every player's record: whichever pit one begins at, it is found with the wallet."""
    return OwnLimits(stores.pit(DEFAULT_PIT))


async def _done(
    stores: Stores, player: PlayerId, record: OwnRecord | None, what: str, op: str, reason: str
) -> OwnRecord:
    if record is None:
        raise OperationError(
            OperationCode.OPERATION_REUSED, f"{player}: the operation {op} was used for something else"
        )
    for pit in await stores.known_pits():
        await apply(stores.pit(pit), pit, player, record)
    await stores.significant.note(Significant(Kind.LIMITED, player=player, what=what, reason=reason, op=op))
    return record
