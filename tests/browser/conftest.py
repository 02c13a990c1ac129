"""What the browser's tests share."""

import pytest_asyncio

from support.chromium import chromium


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser():
    """A browser for the tests of one module; one that needs another kind has a fixture of its own."""
    async with chromium() as running:
        yield running
