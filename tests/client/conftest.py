import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from scripted_server import ScriptedServer

DEADLINE_S = 5.0


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    scripted = ScriptedServer()
    async with scripted.serving() as listener:
        scripted.port = listener.sockets[0].getsockname()[1]
        yield scripted
        scripted.cut()


@pytest.fixture
def until():
    """Waits for a condition, at most a few seconds."""

    async def wait(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.002)

    return wait
