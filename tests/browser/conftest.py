"""What the browser's tests share."""

import pytest_asyncio

from support.chromium import chromium


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser():
    """A browser for all tests of this process; one that needs another kind has a fixture of its own."""
    async with chromium() as running:
        yield running
