"""What tests of the client have in common."""

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

from croupier_client.timing import Timing
from scripted_seats import Chair
from scripted_server import ScriptedServer

PROMPT = Timing(uniform=lambda low, _high: low)
"""Waits no longer than it must."""

_Read = TypeVar("_Read")


def chair(server: ScriptedServer, table: str = "standard") -> Chair:
    """The place of the server's first player."""
    return server.bank.chairs["p1", table]


async def read(told: AsyncIterator[_Read], count: int) -> list[_Read]:
    """The next so many events or payouts."""
    async with asyncio.timeout(5):
        return [await anext(told) for _ in range(count)]
