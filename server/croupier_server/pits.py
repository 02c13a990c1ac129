"""The pits that a worker deals and serves: those that it began with, and those that are named later."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Final

from croupier_server.store.durability import Confirmation
from croupier_server.store.errors import StoreError
from croupier_server.store.keys import PitId
from croupier_server.store.ledger import Archiving
from croupier_server.store.pit import Pit
from croupier_server.store.stores import Stores
from croupier_server.store.wallets import WalletTerms

logger = logging.getLogger(__name__)

LOOK_S: Final = 5.0
"""Between two looks for pits that other servers have brought."""


class Pits:
    """The pits of a store, as they come to be known."""

    def __init__(
        self,
        stores: Stores,
        names: Iterable[PitId],
        terms: WalletTerms,
        confirmation: Confirmation | None,
        large_win: int,
        archiving: Archiving | None,
        *,
        play_safe: bool = False,
    ) -> None:
        self._stores = stores
        self._terms = terms
        self._confirmation = confirmation
        self._large_win = large_win
        self._archiving = archiving
        self._play_safe = play_safe
        self._opened = {name: self._open(name) for name in names}

    @property
    def opened(self) -> list[Pit]:
        """Every pit that is known here."""
        return list(self._opened.values())

    async def follow(self, *added: Callable[[Pit], None]) -> None:
        """Hands each pit that comes to be known to all of `added`, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                names = await self._stores.known_pits()
            except StoreError as error:
                logger.warning("the store does not tell its pits now: %s", error)
                continue
            for name in names:
                if name not in self._opened:
                    logger.info("pit %s is dealt and served from now on", name)
                    self._opened[name] = self._open(name)
                    for add in added:
                        add(self._opened[name])

    def _open(self, name: PitId) -> Pit:
        return Pit(
            self._stores,
            name,
            self._terms,
            self._confirmation,
            self._large_win,
            self._archiving,
            play_safe=self._play_safe,
        )
