"""Waiting for the first of several things, and between attempts."""

import asyncio
from typing import Any, Final

FIRST_BACKOFF_S: Final = 0.1
LONGEST_BACKOFF_S: Final = 5.0


class Backoff:
    """The waits before something that ended is started again, each twice as long as the one before."""

    def __init__(self) -> None:
        self._next_s = FIRST_BACKOFF_S

    def next_s(self) -> float:
        """The wait before the next attempt."""
        wait_s = self._next_s
        self._next_s = min(wait_s * 2, LONGEST_BACKOFF_S)
        return wait_s

    def reset(self) -> None:
        """The last attempt went well for long enough."""
        self._next_s = FIRST_BACKOFF_S


async def first(*things: "asyncio.Event | asyncio.Task[Any]", timeout_s: float | None = None) -> None:
    """Returns when an event is set or a task is done, or after `timeout_s`; no task is harmed."""
    waits = [asyncio.create_task(thing.wait()) for thing in things if isinstance(thing, asyncio.Event)]
    tasks = [thing for thing in things if isinstance(thing, asyncio.Task)]
    try:
        await asyncio.wait([*waits, *tasks], timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await cancel(*waits)


async def cancel(*tasks: "asyncio.Task[Any]") -> None:
    """Cancels tasks and waits for their end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
