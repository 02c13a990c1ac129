"""What happens to workers: a schedule drawn from a seed, so that a run can be had again."""

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from croupier_server.dealer.dealer import LEASE_MS
from support.chaos.cast import Cast, send
from support.serving import command, until

LEASE_S = LEASE_MS / 1000

FROZEN_S = (LEASE_S + 1.2, LEASE_S + 2.5)
"""How long a frozen worker stays so: past its lease, and its tables are with others by then."""

ENDED_S = 30.0


@dataclass
class Misfortune:
    """Something that happened, from when to when it was over, by the steady clock."""

    kind: str
    workers: list[int]
    began_s: float
    ended_s: float = 0.0
    frozen: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.kind} {self.workers}"


class Fate:
    """Draws misfortunes from a seed and lets them happen, one after another."""

    def __init__(self, cast: Cast, chance: random.Random) -> None:
        self._cast = cast
        self._chance = chance
        self._kinds: dict[str, Callable[[Misfortune], Awaitable[None]]] = {
            "kill": self._kill,
            "freeze": self._freeze,
            "drain": self._drain,
            "kill two": self._kill_two,
            "kill while another is frozen": self._kill_and_freeze,
            "kill while another drains": self._kill_and_drain,
        }
        self._left: list[str] = []

    def next_kind(self) -> str:
        """What happens next: kinds come in a random order, each as often as any other."""
        if not self._left:
            self._left = list(self._kinds)
            self._chance.shuffle(self._left)
        return self._left.pop()

    async def strike(self, kind: str) -> Misfortune:
        """Lets it happen to random workers; returns when what can be sent has been sent."""
        workers = self._cast.workers
        victims = self._chance.sample(workers, 2)
        misfortune = Misfortune(kind, victims, time.monotonic())
        await self._kinds[kind](misfortune)
        return misfortune

    async def _kill(self, misfortune: Misfortune) -> None:
        del misfortune.workers[1:]
        await _end(misfortune.workers[0], signal.SIGKILL)

    async def _drain(self, misfortune: Misfortune) -> None:
        del misfortune.workers[1:]
        await _end(misfortune.workers[0], signal.SIGTERM)

    async def _freeze(self, misfortune: Misfortune) -> None:
        del misfortune.workers[1:]
        await self._frozen(misfortune, asyncio.sleep(0))

    async def _kill_two(self, misfortune: Misfortune) -> None:
        await asyncio.gather(*(_end(one, signal.SIGKILL) for one in misfortune.workers))

    async def _kill_and_freeze(self, misfortune: Misfortune) -> None:
        await self._frozen(misfortune, _end(misfortune.workers[1], signal.SIGKILL))

    async def _kill_and_drain(self, misfortune: Misfortune) -> None:
        draining, killed = misfortune.workers
        await asyncio.gather(_end(draining, signal.SIGTERM), _end(killed, signal.SIGKILL))

    async def _frozen(self, misfortune: Misfortune, meanwhile: Awaitable[None]) -> None:
        """The first of the workers stands still for longer than its leases last."""
        [frozen, *_] = misfortune.workers
        misfortune.frozen.append(frozen)
        send(frozen, signal.SIGSTOP)
        try:
            await meanwhile
            await asyncio.sleep(self._chance.uniform(*FROZEN_S))  # the misfortune itself, not a wait for something
        finally:
            send(frozen, signal.SIGCONT)


async def _end(process: int, number: int) -> None:
    """Sends a signal to a worker and waits for its end."""
    send(process, number)
    await until(lambda: not command(process), ENDED_S, f"the end of worker {process}")
