"""One store for the tests of webhooks, emptied before each."""

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
    """The main pit of an empty store."""
    async with open_pit(webhook_store.url) as opened:
        await opened.client.flushall()
        await opened.stream.open()
        yield opened
        await opened.client.flushall()
