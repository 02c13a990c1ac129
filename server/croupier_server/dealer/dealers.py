"""The dealers of one worker, one in each pit: together they are what other workers see of it."""

import asyncio
import secrets
from collections.abc import Iterable, Sequence

from croupier_protocol.messages.values import TableId
from croupier_server.dealer.dealer import Dealer
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.sight.metrics import Metrics
from croupier_server.store.pit import Pit
from croupier_server.store.workers import WorkerEntry


class Dealers:
    """Dealers under one `owner`, the random id of the worker's life. `run` goes on until cancelled."""

    def __init__(self, pits: Iterable[Pit], key: ShoeKey, metrics: Metrics | None = None) -> None:
        self.owner = secrets.token_hex(8)
        self.each: list[Dealer] = []
        self._key = key
        self._metrics = metrics
        self._group: asyncio.TaskGroup | None = None
        for pit in pits:
            self.add(pit)

    def add(self, pit: Pit) -> None:
        """Deals in one more pit, also while running."""
        dealer = Dealer(pit, self._key, self.owner, self._metrics)
        self.each.append(dealer)
        if self._group is not None:
            _start(dealer, self._group)

    @property
    def dealing(self) -> frozenset[TableId]:
        """The tables that this worker deals now, in all pits."""
        return frozenset(table for dealer in self.each for table in dealer.dealing)

    def peers(self, entries: Sequence[WorkerEntry]) -> None:
        """See `Dealer.peers`."""
        for dealer in self.each:
            dealer.peers(entries)

    async def run(self) -> None:
        """Deals in every pit until cancelled."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            for dealer in self.each:
                _start(dealer, group)

    async def release(self) -> None:
        """See `Dealer.release`."""
        await asyncio.gather(*(dealer.release() for dealer in self.each))


def _start(dealer: Dealer, group: asyncio.TaskGroup) -> None:
    group.create_task(dealer.run(), name="dealer")
    group.create_task(dealer.hear_notes(), name="notes")
