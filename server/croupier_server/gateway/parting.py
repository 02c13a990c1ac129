"""Ending every connection of a gateway, a few at a time, so that not all of them come back at once."""

import asyncio
import math
from collections.abc import Iterable
from typing import Final

from croupier_protocol.messages.errors import CloseCode
from croupier_server.gateway.outlet import Outlet, cut

BATCH_S: Final = 0.1
"""Between two batches."""

LEAST_BATCH: Final = 25
"""Connections in a batch, at least: 250 a second, which any worker that is left takes in."""

LONGEST_S: Final = 6.0
"""However many connections there are, the last batch begins by then; larger batches make up for it."""


def batch_size(connections: int) -> int:
    """How many connections are ended together.

    >>> batch_size(500), batch_size(15_000)
    (25, 250)
    """
    return max(LEAST_BATCH, math.ceil(connections * BATCH_S / LONGEST_S))


async def part(outlets: Iterable[Outlet]) -> list[asyncio.Task[None]]:
    """Tells each client to reconnect; returns when the last is being told, with a task for each goodbye."""
    left = list(outlets)
    size = batch_size(len(left))
    goodbyes: list[asyncio.Task[None]] = []
    for start in range(0, len(left), size):
        if start:
            await asyncio.sleep(BATCH_S)
        batch = left[start : start + size]
        goodbyes += [asyncio.create_task(cut(outlet, CloseCode.DRAINING)) for outlet in batch]
    await asyncio.sleep(0)  # in which the last batch begins
    return goodbyes
