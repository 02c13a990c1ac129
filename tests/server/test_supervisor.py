"""The supervisor's care for what it starts, without a worker."""

import asyncio

import pytest

from croupier_server import supervisor as module
from croupier_server.config import Config, ServerSection, StoreSection
from croupier_server.errors import SetupError
from croupier_server.supervisor import Supervisor
from support.serving import until


class FailingStore:
    """A store that ends, and cannot be started the first times after."""

    def __init__(self, failures):
        self.failures = failures
        self.starts = 0
        self.ended = asyncio.Event()
        self.ended.set()

    async def wait(self):
        await self.ended.wait()
        return -9

    async def start(self):
        self.starts += 1
        if self.starts <= self.failures:
            raise SetupError("the disk is full")
        self.ended.clear()


async def test_a_store_that_cannot_be_restarted_is_tried_again(monkeypatch, caplog):
    monkeypatch.setattr(module, "FIRST_BACKOFF_S", 0.001)
    store = FailingStore(failures=3)
    keeping = asyncio.create_task(Supervisor(Config())._keep_store(store))
    await until(lambda: store.starts == 4)
    assert not keeping.done()
    assert caplog.text.count("the disk is full") == 3
    keeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeping


@pytest.mark.parametrize("url", ["localhost", "redis://localhost:port", "redis://127.0.0.1:1"])
async def test_a_store_url_that_leads_nowhere_is_a_setup_error(monkeypatch, url):
    monkeypatch.setenv("CROUPIER_SHOE_KEY", "ab" * 32)
    config = Config(server=ServerSection(port=0, admin_port=0), store=StoreSection(redis=url))
    with pytest.raises(SetupError, match="store"):
        await Supervisor(config).serve()
