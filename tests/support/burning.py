"""Processes that keep the whole machine busy for a share of the time, and no longer than the test.

Run as a program: the share in percent, of all processors, with whatever else they do. It ends when its
standard input does.
"""

import os
import select
import sys
import time
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from support.beside import program

TURN_S = 0.02
"""A turn of work and rest: shorter than the steps of a table, so that no step falls into rest alone."""

LOOK_S = 0.5
"""Between two looks at how busy the machine is by now."""

STEP = 0.25
"""How much of what is lacking, or too much, a look makes up for."""


@asynccontextmanager
async def burning(percent: int):
    """One such process for each processor that this one may use; killed at the end, if they live."""
    async with AsyncExitStack() as stack:
        for _ in os.sched_getaffinity(0):
            await stack.enter_async_context(program(__file__, percent))
        yield


class Processor:
    """How busy the whole machine has been since this was made (Linux)."""

    def __init__(self) -> None:
        self._busy, self._all = self._read()

    def percent(self) -> float:
        """The share of all processors' time in which they did something."""
        busy, everything = self._read()
        return 100 * (busy - self._busy) / max(everything - self._all, 1)

    @staticmethod
    def _read() -> tuple[int, int]:
        ticks = [int(one) for one in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def burn(percent: float) -> None:
    """Works for a part of each turn until standard input ends: what is lacking to so busy a machine."""
    share = percent / 100
    looked, processor = time.monotonic(), Processor()
    turn = looked
    while not select.select([sys.stdin], [], [], max(0.0, turn - time.monotonic()))[0]:
        rest_at = turn + TURN_S * share
        while time.monotonic() < rest_at:
            pass
        turn = max(turn + TURN_S, time.monotonic())
        if turn - looked > LOOK_S:
            share = min(max(share + STEP * (percent - processor.percent()) / 100, 0.0), 1.0)
            looked, processor = turn, Processor()


if __name__ == "__main__":
    burn(float(sys.argv[1]))
