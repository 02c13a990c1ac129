"""What a dealer knows of tables that it does not deal: whose they are, and since when nobody's."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from croupier_protocol.messages.values import TableId
from croupier_server.store.records import LeaseSeen

LEASE_MS: Final = 3_000
"""How long a table stays with a dealer that has fallen silent."""

STILL_S: Final = LEASE_MS / 1000 + 1
"""A lease that has not moved for this long by our own steady clock is dead, whatever the store says."""


class Others:
    """Leases of others as last seen, with the steady time (seconds) since which they are what they are."""

    def __init__(self) -> None:
        self._seen: dict[TableId, tuple[LeaseSeen, float]] = {}
        self._free: dict[TableId, float] = {}

    def see(self, leases: Mapping[TableId, LeaseSeen], now_ms: int, steady: float) -> None:
        """Takes in all leases as they are now, at `steady` seconds; `now_ms` is the store's time."""
        for table, lease in leases.items():
            if table not in self._seen or self._seen[table][0] != lease:
                self._seen[table] = lease, steady
        for table in self._seen.keys() - leases.keys():
            del self._seen[table]
        free = [
            table
            for table, (lease, since) in self._seen.items()
            if not lease.owner or lease.until_ms <= now_ms or steady - since > STILL_S
        ]
        self._free = {table: self._free.get(table, steady) for table in free}

    def still(self, table: TableId, steady: float) -> LeaseSeen | None:
        """The lease of `table` if it has not moved for `STILL_S`."""
        seen, since = self._seen.get(table, (None, steady))
        return seen if steady - since > STILL_S else None

    def free(self, steady: float) -> dict[TableId, float]:
        """The tables that nobody deals, with the seconds since this was seen."""
        return {table: steady - since for table, since in self._free.items()}

    def held(self) -> Counter[str]:
        """How many tables each owner of a living lease deals."""
        return Counter(lease.owner for table, (lease, _) in self._seen.items() if table not in self._free)

    def silent(self) -> set[str]:
        """The owners all of whose leases have run out: workers that died or stand still."""
        return {self._seen[table][0].owner for table in self._free} - self.held().keys()

    def next_end_ms(self) -> int | None:
        """When the next of the living leases runs out, by the store's clock."""
        ends = [lease.until_ms for table, (lease, _) in self._seen.items() if table not in self._free]
        return min(ends, default=None)
