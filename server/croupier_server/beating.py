"""A worker's entry in the register of live workers, kept fresh, and what follows from the others' entries."""

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Awaitable
from typing import Final

from croupier_server.dealer.dealers import Dealers
from croupier_server.gateway.door import DoorState
from croupier_server.gateway.listener import Gateway
from croupier_server.gateway.share import takes_more
from croupier_server.store.errors import StoreError
from croupier_server.store.scripts import ScriptsMissingError
from croupier_server.store.workers import BEAT_S, WorkerEntry, Workers, watching

logger = logging.getLogger(__name__)

DEALING_CAPACITY: Final = 1
"""Every worker runs on one core, so all that deal take the same share of tables."""

FIRST_BEAT_S: Final = 0.05
"""Between two attempts until the first beat has come through."""

LAST_WORD_S: Final = 1.0
"""How long a worker that stops tries to tell the register so; a store that is away must not hold it up."""


class Beating:
    """Beats for a worker that has dealers, a gateway or both, under the supervisor of that id."""

    def __init__(
        self, workers: Workers, supervisor: str, dealers: Dealers | None, gateway: Gateway | None
    ) -> None:
        self.owner = secrets.token_hex(8) if dealers is None else dealers.owner
        self._workers = workers
        self._supervisor = supervisor
        self._dealers = dealers
        self._gateway = gateway
        self._draining = False
        self._speaking = asyncio.Lock()
        self.begun = asyncio.Event()
        """Set once the register has this worker: the store is there, and knows the scripts."""

    async def run(self) -> None:
        """Beats until cancelled; a store that is away is waited for."""
        away = False
        while True:
            try:
                await self.beat()
            except ScriptsMissingError:
                pass  # dealer and feed settle the epoch first, then load them
            except StoreError as error:
                if not away:
                    logger.warning("no place in the register of workers: %s", error)
                away = True
                if self._gateway is not None:
                    self._gateway.fanout.elsewhere = {}
                await self._open()  # nobody knows who else takes connections
            else:
                away = False
                self.begun.set()
            await asyncio.sleep(BEAT_S if self.begun.is_set() else FIRST_BEAT_S)

    async def beat(self) -> None:
        """Says that this worker lives, and acts on who else does.

        Raises:
            StoreError: the register cannot be reached, or read.
        """
        live = await self._say(self._door)
        if self._gateway is not None:
            self._gateway.fanout.elsewhere = watching(one for one in live if one.owner != self.owner)
        if self._door != "closed":
            await self._keep_to_share(live)
        if self._dealers is not None:
            self._dealers.peers(live)

    async def drain(self) -> None:
        """From now on this worker counts on no tables and no connections."""
        self._draining = True
        await _last_word(self._say("closed"))

    async def leave(self) -> None:
        """Takes the worker off the register; nothing beats after it."""
        await _last_word(self._workers.leave(self.owner))

    @property
    def _door(self) -> DoorState:
        if self._draining or self._gateway is None or self._gateway.door is None:
            return "closed"
        return self._gateway.door.state

    async def _say(self, door: DoorState) -> list[WorkerEntry]:
        async with self._speaking:  # a beat on its way must not come after the last word
            return await self._workers.beat(self._entry("closed" if self._draining else door))

    def _entry(self, door: DoorState) -> WorkerEntry:
        dealers, gateway = self._dealers, self._gateway
        return WorkerEntry(
            owner=self.owner,
            supervisor=self._supervisor,
            host=socket.gethostname(),
            process=os.getpid(),
            capacity=0 if dealers is None or self._draining else DEALING_CAPACITY,
            tables=0 if dealers is None else len(dealers.dealing),
            connections=0 if gateway is None else len(gateway.fanout.outlets),
            watchers={} if gateway is None else gateway.fanout.audience(),
            door=door,
        )

    async def _keep_to_share(self, live: list[WorkerEntry]) -> None:
        """Pauses or opens the door, as this worker's share of the port's connections asks."""
        if self._gateway is None or self._gateway.door is None:
            return
        door = self._gateway.door
        others = self._others(live)
        own = len(self._gateway.fanout.outlets)
        more = takes_more(door.state == "open", own, [one.connections for one in others])
        if door.state == "paused" and (more or not _any_open(others)):
            await self._open()
        elif door.state == "open" and not more:
            # Said first and done after: the register answers in turn, so of two that want to pause at once
            # the second one sees the first.
            live = await self._say("paused")
            if _any_open(self._others(live)) and self._door == "open":
                door.pause()
                logger.info("%d connections are far above this worker's share: no more for now", own)
            else:
                await self._say(self._door)

    def _others(self, live: list[WorkerEntry]) -> list[WorkerEntry]:
        """The other workers on the same port."""
        return [
            one
            for one in live
            if one.supervisor == self._supervisor and one.owner != self.owner and one.door != "closed"
        ]

    async def _open(self) -> None:
        if self._door == "paused" and self._gateway is not None and self._gateway.door is not None:
            await self._gateway.door.open()
            logger.info("taking connections again")


async def _last_word(saying: Awaitable[object]) -> None:
    try:
        async with asyncio.timeout(LAST_WORD_S):
            await saying
    except (StoreError, TimeoutError) as error:
        logger.warning("the register of workers was not told: %s", error or "no answer")


def _any_open(workers: list[WorkerEntry]) -> bool:
    return any(one.door == "open" for one in workers)
