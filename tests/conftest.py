"""Fixtures that tests of several parts share."""

import gc
import zlib

import pytest

from support.stores import open_pit, running_store


def pytest_collection_modifyitems(items):
    """Files come in an order without meaning, always the same, so that some wait while others compute."""
    items.sort(key=lambda item: zlib.crc32(item.nodeid.partition("::")[0].encode()))


def pytest_collection_finish():
    """What is there when tests begin stays: looking through it takes the collector a sixth of their time."""
    gc.collect()
    gc.freeze()


@pytest.fixture
async def store(tmp_path):
    """A store process of the test's own."""
    async with running_store(tmp_path / "store") as embedded:
        yield embedded


@pytest.fixture
async def pit(store):
    """The main pit of the test's own store."""
    async with open_pit(store.url) as opened:
        yield opened
