"""What happens: a schedule drawn from a seed, so that a run can be had again.

Each misfortune is a coroutine that lets it happen and returns when all of it has; what follows from it is the
watchers' to see. Three kinds of victims: workers, ways to the store, the store.
"""

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from croupier_server.store.embedded import EmbeddedStore
from support.chaos.cast import Cast, send
from support.proxies import Proxy
from support.serving import command, until

LEASE_S: Final = 3.0
"""The default; a literal, since it is what the bounds are promised with."""

TAKEOVER_S: Final = LEASE_S + 1
"""The longest pause after a worker's death."""

DRAIN_S: Final = 0.5
"""The longest pause after a worker was told to stop."""

STORE_S: Final = 5.0
"""The longest pause after the store, or the way to it, is there again."""

FROZEN_S: Final = (LEASE_S + 1.2, LEASE_S + 2.5)
"""How long something stands still: past the lease, and the tables are with others by then."""

SLOW_S: Final = (0.05, 0.2)
"""How much longer a slow way takes, each way, and for how long: `SLOWNESS_S`."""
SLOWNESS_S: Final = 2.0

ENDED_S: Final = 30.0


@dataclass
class Misfortune:
    """Something that happened: to which processes, when, and how long a pause it may bring to watchers.

    Times are of the steady clock. Watchers served by one of `frozen` stand still with it and do not count.
    """

    kind: str
    workers: list[int]
    bound_s: float
    frozen: frozenset[int] = frozenset()
    began_s: float = 0.0
    ended_s: float = 0.0

    def __str__(self) -> str:
        return f"{self.kind} {self.workers}"


Kind = Callable[[random.Random], Awaitable[Misfortune]]


class Fate:
    """Lets misfortunes of several kinds happen, one after another, in a random order and equally often."""

    def __init__(self, kinds: Sequence[Kind], chance: random.Random) -> None:
        self._kinds = kinds
        self._chance = chance
        self._left: list[Kind] = []

    async def strike(self) -> Misfortune:
        """Lets the next one happen."""
        if not self._left:
            self._left = list(self._kinds)
            self._chance.shuffle(self._left)
        began_s = time.monotonic()
        misfortune = await self._left.pop()(self._chance)
        misfortune.began_s = began_s
        return misfortune


def of_workers(cast: Cast) -> list[Kind]:
    """Workers die, stand still and drain, alone and two at a time."""

    async def kill(chance: random.Random) -> Misfortune:
        victim = chance.choice(cast.workers)
        await _end(victim, signal.SIGKILL)
        return Misfortune("kill", [victim], TAKEOVER_S)

    async def drain(chance: random.Random) -> Misfortune:
        victim = chance.choice(cast.workers)
        await _end(victim, signal.SIGTERM)
        return Misfortune("drain", [victim], DRAIN_S)

    async def freeze(chance: random.Random) -> Misfortune:
        victim = chance.choice(cast.workers)
        await _freeze(victim, chance.uniform(*FROZEN_S))
        return Misfortune("freeze", [victim], TAKEOVER_S, frozenset({victim}))

    async def kill_two(chance: random.Random) -> Misfortune:
        victims = chance.sample(cast.workers, 2)
        await asyncio.gather(*(_end(one, signal.SIGKILL) for one in victims))
        return Misfortune("kill two", victims, TAKEOVER_S)

    async def kill_beside_a_frozen_one(chance: random.Random) -> Misfortune:
        frozen, killed = chance.sample(cast.workers, 2)
        await asyncio.gather(_freeze(frozen, chance.uniform(*FROZEN_S)), _end(killed, signal.SIGKILL))
        return Misfortune("kill beside a frozen one", [killed, frozen], TAKEOVER_S, frozenset({frozen}))

    async def kill_beside_a_draining_one(chance: random.Random) -> Misfortune:
        draining, killed = chance.sample(cast.workers, 2)
        await asyncio.gather(_end(draining, signal.SIGTERM), _end(killed, signal.SIGKILL))
        return Misfortune("kill beside a draining one", [killed, draining], TAKEOVER_S)

    return [kill, drain, freeze, kill_two, kill_beside_a_frozen_one, kill_beside_a_draining_one]


def of_ways(cast: Cast, ways: Sequence[Proxy]) -> list[Kind]:
    """The way from one of the servers to the store is cut, slow, or holds everything up; one way a server."""

    def worker_behind(way: Proxy) -> list[int]:
        return cast.workers_of(ways.index(way))

    async def cut(chance: random.Random) -> Misfortune:
        way = chance.choice(ways)
        await way.cut()
        return Misfortune("cut off the store", worker_behind(way), TAKEOVER_S)

    async def slow(chance: random.Random) -> Misfortune:
        way = chance.choice(ways)
        way.delay_s = chance.uniform(*SLOW_S)
        await asyncio.sleep(SLOWNESS_S)
        way.delay_s = 0.0
        return Misfortune("slow way to the store", worker_behind(way), TAKEOVER_S)

    async def stall(chance: random.Random) -> Misfortune:
        way = chance.choice(ways)
        workers = worker_behind(way)
        way.passing.clear()
        await asyncio.sleep(chance.uniform(*FROZEN_S))
        way.passing.set()
        return Misfortune("held up before the store", workers, TAKEOVER_S, frozenset(workers))

    return [cut, slow, stall]


def of_store(store: EmbeddedStore) -> list[Kind]:
    """The store dies and is started again on what it has written."""

    async def restart(_: random.Random) -> Misfortune:
        os.kill(store.process_id, signal.SIGKILL)
        await store.wait()
        await store.start()
        return Misfortune("kill of the store", [], STORE_S)

    return [restart]


async def _end(process: int, number: int) -> None:
    """Sends a signal to a worker and waits for its end."""
    send(process, number)
    await until(lambda: not command(process), ENDED_S, f"the end of worker {process}")


async def _freeze(process: int, seconds: float) -> None:
    """A worker stands still; this sleep is what happens to it, and no wait for something."""
    send(process, signal.SIGSTOP)
    try:
        await asyncio.sleep(seconds)
    finally:
        send(process, signal.SIGCONT)
