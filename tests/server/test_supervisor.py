"""The supervisor's care for what it starts, without a real worker."""

import asyncio
import resource

import pytest

from croupier_server import children, waiting
from croupier_server.children import Crew, Place, Stop
from croupier_server.config import Config
from croupier_server.configuring.sections import ServerSection, StoreSection
from croupier_server.descriptors import raise_descriptor_limit
from croupier_server.errors import SetupError
from croupier_server.store_keeper import keep_store
from croupier_server.supervisor import Supervisor
from croupier_server.waiting import Backoff
from croupier_server.worker_orders import WorkerOrders, read_answer
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
    monkeypatch.setattr(waiting, "FIRST_BACKOFF_S", 0.001)
    store = FailingStore(failures=3)
    keeping = asyncio.create_task(keep_store(store))
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
        await Supervisor(config, lambda: config).serve()


ORDERS = WorkerOrders(
    config=Config(),
    redis="unix:///nowhere",
    pits=(),
    confirmation=None,
    embedded=False,
    shoe_keys=(b"",),
    supervisor="s",
    listening_descriptor=None,
)


def worker_that(tmp_path, monkeypatch, does: str) -> None:
    """Makes `croupier_server.worker` of child processes a script."""
    package = tmp_path / "croupier_server"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "worker.py").write_text(does)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


async def test_a_worker_that_always_crashes_is_started_again_after_waits_that_grow(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(waiting, "FIRST_BACKOFF_S", 0.01)
    worker_that(tmp_path, monkeypatch, "raise SystemExit(7)")
    stop = Stop()
    place = Place(ORDERS, stop, Crew())
    keeping = asyncio.create_task(place.keep())
    await until(lambda: caplog.text.count("ended by itself (status 7)") == 3)
    assert [text[-6:] for text in caplog.messages[:3]] == ["0.01 s", "0.02 s", "0.04 s"]
    assert (place.serving, place.ready.is_set()) == (False, False)
    stop.press()
    async with asyncio.timeout(10):
        await keeping


async def test_a_system_that_starts_no_process_is_asked_again(monkeypatch, caplog):
    monkeypatch.setattr(waiting, "FIRST_BACKOFF_S", 0.001)
    monkeypatch.setattr(children.sys, "executable", "/nowhere/python")
    stop = Stop()
    keeping = asyncio.create_task(Place(ORDERS, stop, Crew()).keep())
    await until(lambda: caplog.text.count("no worker can be started") >= 3)
    stop.press()
    async with asyncio.timeout(10):
        await keeping


async def test_a_worker_that_says_it_drains_is_replaced_before_it_has_ended(tmp_path, monkeypatch):
    """The first life drains and stays; the second is ready meanwhile; a stop ends both."""
    worker_that(
        tmp_path,
        monkeypatch,
        "import os, pathlib, signal, sys, threading\n"
        f"mark = pathlib.Path({str(tmp_path / 'mark')!r})\n"
        "ended = threading.Event()\n"
        "signal.signal(signal.SIGTERM, lambda *_: os._exit(0))\n"
        "print('ready', flush=True)\n"
        "if not mark.exists():\n"
        "    mark.touch()\n"
        "    print('draining', flush=True)\n"
        "    sys.stdin.buffer.read()\n"
        "    os._exit(0)\n"
        "signal.pause()\n",
    )
    stop = Stop()
    place = Place(ORDERS, stop, Crew())
    keeping = asyncio.create_task(place.keep())
    await until(lambda: len(place._children) == 2 and place.serving)
    first, second = place._children
    assert (first.serving, second.serving) == (False, True)
    assert first.process.returncode is None
    first.process.kill()
    stop.press()
    async with asyncio.timeout(10):
        await keeping
    assert second.process.returncode == 0


async def test_a_worker_that_stands_still_is_asked_once_and_told_of_when_the_time_is_up(
    tmp_path, monkeypatch
):
    """When it goes on, whoever asks next gets the answer to the first asking; an ended one is not asked."""
    worker_that(
        tmp_path,
        monkeypatch,
        "import base64, sys\n"
        "read = sys.stdin.buffer.readline\n"
        "read()\n"
        "print('ready', flush=True)\n"
        "assert [read(), read()] == [b'health\\n', b'metrics\\n']\n"
        "print('health', base64.b64encode(b'well').decode(), flush=True)\n"
        "read()\n",
    )
    stop, crew = Stop(), Crew()
    keeping = asyncio.create_task(Place(ORDERS, stop, crew).keep())
    await until(lambda: 1 in crew.members and crew.members[1].serving)
    child = crew.members[1]
    assert await child.ask(b"health", 0.01) is None
    assert await child.ask(b"health", 0.01) is None
    asking = asyncio.create_task(child.ask(b"metrics", 600))
    assert await child.ask(b"health", 20) == b"well"
    child.process.kill()
    async with asyncio.timeout(20):
        assert await asking is None
    await child.process.wait()
    assert await child.ask(b"health", 20) is None
    stop.press()
    async with asyncio.timeout(10):
        await keeping


def test_an_answer_that_a_dying_worker_did_not_finish_is_none():
    assert read_answer(b"metrics QUJD\n") == (b"metrics", b"ABC")
    assert read_answer(b"metrics QUJD") is None
    assert read_answer(b"ready\n") is None


def test_workers_have_the_lowest_numbers_that_are_free():
    crew, children_ = Crew(), [object() for _ in range(4)]
    assert [crew.enter(child) for child in children_[:3]] == [1, 2, 3]
    del crew.members[2]
    assert crew.enter(children_[3]) == 2
    assert crew.members == {1: children_[0], 2: children_[3], 3: children_[2]}


def test_waits_grow_to_five_seconds_and_begin_again():
    backoff = Backoff()
    assert [round(backoff.next_s(), 1) for _ in range(8)] == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    backoff.reset()
    assert backoff.next_s() == 0.1


def test_the_soft_limit_of_open_files_is_raised_to_the_hard_one_and_a_low_one_is_said(monkeypatch, caplog):
    """N4."""
    limits = [(256, 1024)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: limits.append(new))
    raise_descriptor_limit()
    assert limits[-1] == (1024, 1024)
    assert "only 1024 files, so about as many connections: raise the hard limit" in caplog.text


def test_a_high_limit_of_open_files_is_not_mentioned(monkeypatch, caplog):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 524_288))
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    raise_descriptor_limit()
    assert caplog.text == ""


def test_a_limit_that_the_system_does_not_grant_is_said(monkeypatch, caplog):
    def refuse(*_):
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    raise_descriptor_limit()
    assert "only 256 files" in caplog.text
