"""One store for these tests, emptied before each, with a pit where players may limit themselves."""

import pytest
import pytest_asyncio

from support.stores import open_pit, running_store


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_store(tmp_path_factory):
    """A store process that these tests share."""
    async with running_store(tmp_path_factory.mktemp("play_safe") / "store") as embedded:
        yield embedded


@pytest.fixture
async def pit(shared_store):
    """The main pit of an empty store, with the switch on."""
    async with open_pit(shared_store.url, play_safe=True) as opened:
        await opened.client.flushall()
        await opened.stream.open()
        yield opened
