"""One store for the API's tests, and a caller of the API on it."""

import pytest
import pytest_asyncio

from support.operator_api import DIGEST, calling, terms_of
from support.stores import open_pit, running_store


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def api_store(tmp_path_factory):
    """A store process that these tests share."""
    async with running_store(tmp_path_factory.mktemp("api") / "store") as embedded:
        yield embedded


@pytest.fixture
async def pit(api_store):
    """The main pit of a store that is empty, and empty again afterwards."""
    async with open_pit(api_store.url) as opened:
        yield opened
        await opened.client.flushall()


@pytest.fixture
async def operator(api_store):
    """A program with a key, and its admin port. A test that changes the store takes `pit`, too."""
    async with calling(api_store.url, terms_of(DIGEST)) as caller:
        yield caller
