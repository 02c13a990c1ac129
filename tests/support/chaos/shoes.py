"""All shoes that are dealt, unsealed with the test's key while they are in use."""

import asyncio
import contextlib
from contextlib import asynccontextmanager

from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.shoe.shoe import Shoe
from croupier_server.store.errors import StoreError
from croupier_server.table.state import decode_state
from support.chaos.tables import Table
from support.dealing import order_seed_of
from support.stores import TestPit
from support.tasks import beside

LOOK_S = 2.0
"""Between two looks at every table; a shoe of eight decks lasts about twenty seconds at turbo pace."""


class Shoes:
    """The shoes: `opened[table, number]`."""

    def __init__(self, pit: TestPit, tables: list[Table]) -> None:
        self.opened: dict[tuple[str, int], Shoe] = {}
        self._pit = pit
        self._tables = tables

    async def look(self) -> None:
        """Unseals the shoes in use."""
        for table in self._tables:
            record = (await self._pit.tables.read(table.name)).record
            shoe = decode_state(record.state).view.shoe if record.state else None
            if record.sealed is None or shoe is None:
                continue
            key = table.name, shoe.number
            if key not in self.opened:
                self.opened[key] = Shoe.open(RULE_SETS[table.rules], order_seed_of(record))

    async def keep_looking(self) -> None:
        while True:
            try:
                await self.look()
            except StoreError:  # it may be one that is killed, and forgets scripts
                with contextlib.suppress(StoreError):
                    await self._pit.stream.open()
            await asyncio.sleep(LOOK_S)


@asynccontextmanager
async def shoes_of(pit: TestPit, tables: list[Table]):
    """Looks into the shoes until left."""
    shoes = Shoes(pit, tables)
    async with beside(shoes.keep_looking()):
        yield shoes
