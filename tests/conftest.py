"""Fixtures that tests of several parts share."""

import asyncio
import functools
import gc
import inspect
import logging
import os
import sys
import threading
import zlib

import pytest

from support.stores import open_pit, running_store

LONGEST_S = 180
"""A test that is not `long` ends within this time or fails where it waits, which says more than a dump of
threads after `faulthandler_timeout`."""


gc.disable()
"""Nearly all that is made while tests are found stays; see `pytest_collection_finish`."""


if os.environ.get("CROUPIER_TEST_LOOP") == "uvloop":
    import uvloop

    def pytest_asyncio_loop_factories():
        """Tests, and what they run in their own process, wait on this loop instead of asyncio's."""
        return {"uvloop": uvloop.new_event_loop}


def pytest_collection_modifyitems(items):
    """Files come in an order without meaning, always the same, so that some wait while others compute."""
    items.sort(key=lambda item: zlib.crc32(item.nodeid.partition("::")[0].encode()))
    for item in items:
        waits = inspect.iscoroutinefunction(getattr(item, "obj", None))
        if waits and item.get_closest_marker("long") is None:
            item.obj = _bounded(item.obj)


def _bounded(test):
    """The test, ended where it waits when it takes too long."""

    @functools.wraps(test)
    async def within_bounds(*arguments, **fixtures):
        async with asyncio.timeout(LONGEST_S):
            return await test(*arguments, **fixtures)

    return within_bounds


def pytest_collection_finish():
    """What is there when tests begin stays: looking through it takes the collector a sixth of their time."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def log_as_it_was():
    """`serve` sets the log of its process up; run by a test, that is everybody's after it."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    hooks = sys.excepthook, sys.unraisablehook, threading.excepthook
    yield
    sys.excepthook, sys.unraisablehook, threading.excepthook = hooks
    logging.captureWarnings(capture=False)
    root.handlers[:] = handlers
    root.setLevel(level)


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
