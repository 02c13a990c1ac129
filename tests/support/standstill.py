"""Processes that stand still, as under a debugger, in swap, or on a core that others use."""

import asyncio
import contextlib
import os
import signal
from contextlib import asynccontextmanager

from support.tasks import beside


@contextlib.contextmanager
def stopped(process: int):
    """The process stands still meanwhile."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


@asynccontextmanager
async def stuttering(process: int, still_s: float, moving_s: float):
    """The process stands still again and again meanwhile."""

    async def stutter():
        while True:
            with stopped(process):
                await asyncio.sleep(still_s)
            await asyncio.sleep(moving_s)

    async with beside(stutter()):
        yield
