"""The store as a whole, from one process: one server or many, and which of them holds what."""

import contextlib
from collections.abc import Collection
from typing import Final

from redis import exceptions
from redis.asyncio import Redis

from croupier_server.store import keys
from croupier_server.store.connection import Servers
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import DEFAULT_PIT, PitId
from croupier_server.store.routes import Address
from croupier_server.store.scripts import OneOffStore, OutsideStore, Store, run
from croupier_server.store.significant import SignificantEvents

READERS: Final = 3
"""Connections of a pit for reads that block: the feed's, the dealer's, and one to spare."""


class Stores:
    """Every server of a store.

    Each pit gets a `Store` of its own, whose connections follow the pit to wherever its slot is, with a clock
    that hears that server alone. What belongs to no pit (wallets, guests, registers) is found by
    `Store.holding`: on the same server, or on whichever node of a cluster has the key.

    With `one_off` it is for a command of the operator, which loads no scripts.
    """

    def __init__(self, url: str, *, one_off: bool = False) -> None:
        """Reads the URL; connects on first use.

        Raises:
            UnsuitableStoreError: as `Servers`.
        """
        self.servers = Servers(url)
        self._one_off = one_off
        self._shared: Redis | None = None
        self._pits: dict[PitId, Store] = {}
        self._readers: list[Redis] = []
        self._nodes: dict[Address, Store] = {}

    def pit(self, pit: PitId) -> Store:
        """The server that holds `pit`."""
        if pit not in self._pits:
            kind = OneOffStore if self._one_off else Store
            if self.servers.cluster is None:
                if self._shared is None:
                    self._shared = self.servers.client(keys.events_key(pit))
                self._pits[pit] = kind(self._shared, pit)
            else:
                self._pits[pit] = kind(self.servers.client(keys.events_key(pit)), pit, self._holding)
        return self._pits[pit]

    def reader(self, pit: PitId) -> Redis:
        """A client for reads of `pit` that block."""
        reader = self.servers.client(keys.events_key(pit), connections=READERS)
        self._readers.append(reader)
        return reader

    @property
    def significant(self) -> SignificantEvents:
        """What an operator looks up later: one stream for all pits."""
        return SignificantEvents(self.pit(DEFAULT_PIT))

    async def known_pits(self) -> list[PitId]:
        """Every pit of the store, by name; the default one alone in a store that names none.

        Raises:
            StoreUnavailableError: nobody knows.
        """
        store = await self.pit(DEFAULT_PIT).holding(keys.PITS_KEY)
        found = await run(store.client.smembers(keys.PITS_KEY))
        try:
            return sorted(PitId(one.decode()) for one in found) or [DEFAULT_PIT]
        except UnicodeDecodeError as error:
            raise DamagedRecordError(f"{keys.PITS_KEY}: {error}") from error

    async def name_pits(self, pits: Collection[PitId]) -> None:
        """Makes `pits` known to workers and operators' commands, beside those that are."""
        store = await self.pit(DEFAULT_PIT).holding(keys.PITS_KEY)
        await run(store.client.sadd(keys.PITS_KEY, *pits))

    async def _holding(self, key: str) -> Store:
        address = await run(self.servers.node_of(key))
        if address not in self._nodes:
            kind = OneOffStore if self._one_off else OutsideStore
            self._nodes[address] = kind(self.servers.node(address))
        return self._nodes[address]

    async def close(self) -> None:
        """Closes every connection."""
        clients = [store.client for store in (*self._pits.values(), *self._nodes.values())]
        for client in dict.fromkeys([*clients, *self._readers]):
            with contextlib.suppress(exceptions.RedisError, OSError):
                await client.aclose()
        await self.servers.close()
