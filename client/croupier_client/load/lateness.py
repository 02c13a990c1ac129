"""How late this process is with its own work, and how much of a core it takes.

A tester can be the bottleneck itself, and has to say so.
"""

import asyncio
import time
from typing import Final

from croupier_client.load.book import Book
from croupier_client.load.times import Measure

LAG_EVERY_S: Final = 0.02
"""Between two looks at the own lag. They are due at fixed times: a pause counts for all that it swallowed."""


async def watch_lag(book: Book) -> None:
    """Measures how late this process runs what is due, as part of every other figure."""
    due_s = time.monotonic()
    while True:
        due_s += LAG_EVERY_S
        now_s = time.monotonic()
        if due_s > now_s:
            await asyncio.sleep(due_s - now_s)
        book.done(Measure.LAG, due_s)


class CoreShare:
    """The share of one core that this process has taken since the last look."""

    def __init__(self) -> None:
        self._wall_s = time.monotonic()
        self._own_s = time.process_time()

    def look(self) -> float:
        wall_s, own_s = time.monotonic(), time.process_time()
        share = (own_s - self._own_s) / max(wall_s - self._wall_s, 1e-6)
        self._wall_s, self._own_s = wall_s, own_s
        return min(share, 1.0)
