"""One store for the tests of webhooks."""

import pytest
import pytest_asyncio

from support.stores import open_pit, running_store


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def webhook_store(tmp_path_factory):
    """A store process that these tests share."""
    async with running_store(tmp_path_factory.mktemp("webhooks") / "store") as embedded:
        yield embedded


@pytest.fixture
async def pit(webhook_store):
    """The main pit of a store that is empty, and empty again afterwards."""
    async with open_pit(webhook_store.url) as opened:
        yield opened
        await opened.client.flushall()
