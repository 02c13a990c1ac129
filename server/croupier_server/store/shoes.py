"""What the last shoes of a table dealt, as it was published: for everyone to check."""

from typing import Final

from croupier_protocol.messages.values import TableId
from croupier_server.store import keys
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Store, run

OPENING: Final = 3
"""A shoe's first entries: its commitment, the list of its cut if there was one, and its opening."""


class Shoes:
    """The shoes at the tables of one pit. See `keys.shoes_key`."""

    def __init__(self, store: Store, pit: PitId) -> None:
        self.store = store
        self.pit = pit

    async def commitments(self, table: TableId, shoe: int) -> bytes | None:
        """The list of commitments to the cards of a shoe, once it has been opened."""
        entries = await self._entries(table, shoe, OPENING)
        return next((fields[b"l"] for fields in entries if b"l" in fields), None)

    async def events(self, table: TableId, shoe: int) -> list[bytes]:
        """Every event of a shoe, in MessagePack; empty when nothing of it is kept."""
        return [fields[b"m"] for fields in await self._entries(table, shoe) if b"m" in fields]

    async def _entries(self, table: TableId, shoe: int, count: int | None = None) -> list[dict[bytes, bytes]]:
        key = keys.shoes_key(self.pit, table)
        found = await run(self.store.client.xrange(key, str(shoe), str(shoe), count=count))
        return [fields for _, fields in found]
