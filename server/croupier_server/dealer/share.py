"""How a pit's tables are shared out among the live workers: pure arithmetic, the same at each of them.

A worker's share goes by its capacity. It takes free tables up to its share at once, and free tables that
nobody else wants a moment later, so that none lies idle. What it has beyond its share it gives up only when
somebody is below theirs, and then between rounds.
"""

import hashlib
from collections.abc import Collection, Mapping
from typing import Final

from msgspec import Struct

from croupier_protocol.messages.values import TableId
from croupier_server.store.keys import PitId

LEFT_S: Final = 0.25
"""How long a free table is left to workers below their share before any worker takes it."""


class Plan(Struct, frozen=True):
    """What a worker is to do: which free tables to take, in this order; how many of its own to give up."""

    take: tuple[TableId, ...] = ()
    give_up: int = 0


def shares(pit: PitId, tables: int, capacities: Mapping[str, int]) -> dict[str, int]:
    """How many of the pit's `tables` each owner is to deal, by capacity; none where there is no capacity.

    What does not divide goes to those with the largest remainders; among equals to different ones in
    different pits.

    >>> shares(PitId("main"), 300, {"a": 1, "b": 2, "idle": 0})
    {'a': 100, 'b': 200, 'idle': 0}
    >>> shares(PitId("main"), 5, {})
    {}
    """
    whole = sum(capacities.values())
    if not whole:
        return dict.fromkeys(capacities, 0)
    share = {owner: tables * capacity // whole for owner, capacity in capacities.items()}
    able = [owner for owner, capacity in capacities.items() if capacity]
    able.sort(key=lambda owner: (-(tables * capacities[owner] % whole), _digest(pit, owner)))
    for owner in able[: tables - sum(share.values())]:
        share[owner] += 1
    return share


def plan(
    me: str,
    share: Mapping[str, int],
    mine: Collection[TableId],
    held: Mapping[str, int],
    free: Mapping[TableId, float],
) -> Plan:
    """What `me`, who deals the tables `mine`, is to do.

    `held` is how many tables the others deal now, `free` since how many seconds nobody has dealt a table.
    Without a share of one's own, as when the register of workers cannot be read, one takes everything.
    """
    # Each worker has an order of its own, so that they do not all reach for the same table.
    wanted = sorted(free, key=lambda table: _digest(me, table))
    if me not in share:
        return Plan(take=tuple(wanted))
    room = max(share[me] - len(mine), 0)
    left = [table for table in wanted[room:] if free[table] >= LEFT_S]
    below = sum(max(share[owner] - held.get(owner, 0), 0) for owner in share if owner != me)
    return Plan(
        take=(*wanted[:room], *left),
        give_up=max(min(len(mine) - share[me], below - len(free)), 0),
    )


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode()).digest()
