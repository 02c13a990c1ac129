"""Tasks beside a test."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress


@asynccontextmanager
async def beside(work: Coroutine[object, object, object]) -> AsyncIterator[None]:
    """`work` goes on meanwhile and is cancelled at the end; if it has failed, that is raised there."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
