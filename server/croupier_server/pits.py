"""The pits that a worker deals and serves: those that it began with, and those that are named later."""

import asyncio
import logging
import secrets
from collections.abc import Collection
from typing import Final

from croupier_server.config import Config
from croupier_server.dealer.dealer import Dealer
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.gateway.listener import Gateway
from croupier_server.store.durability import Confirmation
from croupier_server.store.errors import StoreError
from croupier_server.store.keys import PitId
from croupier_server.store.pit import Pit
from croupier_server.store.stores import Stores

logger = logging.getLogger(__name__)

LOOK_S: Final = 5.0
"""Between two looks for pits that other servers have brought."""


class Pits:
    """A dealer for each pit, and one gateway for all."""

    def __init__(
        self,
        stores: Stores,
        names: Collection[PitId],
        config: Config,
        key: ShoeKey,
        confirmation: Confirmation | None,
    ) -> None:
        self.stores = stores
        self.owner = secrets.token_hex(8)
        self._config = config
        self._key = key
        self._confirmation = confirmation
        self._terms = config.wallet.terms()
        self.pits = {name: self._open(name) for name in names}
        self.dealers = {name: self._dealer(pit) for name, pit in self.pits.items()}
        self.gateway = Gateway(list(self.pits.values()), config.arrivals())

    async def run(self) -> None:
        """Deals and serves until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.gateway.run(), name="gateway")
            for dealer in self.dealers.values():
                _start(dealer, group)
            while True:
                await asyncio.sleep(LOOK_S)
                for name in await self._known():
                    if name not in self.pits:
                        logger.info("pit %s is dealt and served from now on", name)
                        self.pits[name] = self._open(name)
                        self.gateway.add(self.pits[name])
                        self.dealers[name] = self._dealer(self.pits[name])
                        _start(self.dealers[name], group)

    async def release(self) -> None:
        """Gives every table back; see `Dealer.release`."""
        await asyncio.gather(*(dealer.release() for dealer in self.dealers.values()))

    def _open(self, name: PitId) -> Pit:
        return Pit(self.stores, name, self._terms, self._confirmation)

    def _dealer(self, pit: Pit) -> Dealer:
        return Dealer(pit, self._key, self.owner)

    async def _known(self) -> list[PitId]:
        try:
            return await self.stores.known_pits()
        except StoreError as error:
            logger.warning("the store does not tell its pits now: %s", error)
            return []


def _start(dealer: Dealer, group: asyncio.TaskGroup) -> None:
    group.create_task(dealer.run(), name="dealer")
    group.create_task(dealer.hear_notes(), name="notes")
