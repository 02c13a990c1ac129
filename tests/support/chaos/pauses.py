"""How long watchers saw a table stand still, and which misfortune that belongs to.

A bound of the product is checked on machines that do other things as well. What these take is measured while
the run goes on, by two instruments: how late this process is woken (`Metronome`), and the longest silence
that watchers saw while nothing was amiss. The larger of both is allowed on top of a bound.
"""

import asyncio
import time
from collections.abc import Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from support.chaos.misfortunes import Misfortune
from support.chaos.watchers import Silence
from support.tasks import beside

TICK_S = 0.02


class Metronome:
    """How late a timer fires in this process: the longest lateness between two times, in seconds."""

    def __init__(self) -> None:
        self._late: list[tuple[float, float]] = []

    async def run(self) -> None:
        while True:
            due = time.monotonic() + TICK_S
            await asyncio.sleep(TICK_S)
            late = time.monotonic() - due
            if late > TICK_S:
                self._late.append((due, late))

    def longest(self, began_s: float, ended_s: float) -> float:
        return max(
            (late for due, late in self._late if began_s <= due + late and due <= ended_s), default=0.0
        )


@asynccontextmanager
async def metronome():
    """A running metronome."""
    instrument = Metronome()
    async with beside(instrument.run()):
        yield instrument


@dataclass(frozen=True)
class Pause:
    """The longest pause that a misfortune brought any watcher, and what was allowed."""

    misfortune: Misfortune
    seconds: float
    allowance_s: float
    silence: Silence | None

    @property
    def late(self) -> bool:
        return self.seconds > self.misfortune.bound_s + self.allowance_s

    def __str__(self) -> str:
        return (
            f"{self.misfortune}: {self.seconds:.2f} s, bound {self.misfortune.bound_s:.1f} s"
            f" and {self.allowance_s:.2f} s for the machine"
        )


def pauses(
    misfortunes: Iterable[Misfortune], silences: Iterable[Silence], instrument: Metronome
) -> tuple[list[Pause], float]:
    """The pauses of each misfortune, and the longest while nothing was amiss."""
    misfortunes = list(misfortunes)
    quiet = 0.0
    of: dict[int, Silence] = {}
    for silence in silences:
        cause = next((one for one in misfortunes if _overlap(silence, one)), None)
        if cause is None:
            quiet = max(quiet, silence.pause_s)
        elif silence.gateway not in cause.frozen and (
            id(cause) not in of or silence.pause_s > of[id(cause)].pause_s
        ):
            of[id(cause)] = silence
    return [
        Pause(
            one,
            of[id(one)].pause_s if id(one) in of else 0.0,
            max(quiet, instrument.longest(one.began_s, one.ended_s)),
            of.get(id(one)),
        )
        for one in misfortunes
    ], quiet


def _overlap(silence: Silence, misfortune: Misfortune) -> bool:
    return silence.began_s <= misfortune.ended_s and misfortune.began_s <= silence.ended_s
