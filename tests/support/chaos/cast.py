"""The servers of a chaos run: real processes on one store, and the workers in which they deal and serve."""

import contextlib
import os
import signal
from collections.abc import Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from croupier_server.store import keys
from croupier_server.store.workers import WorkerEntry
from support.chaos.tables import Table
from support.dealing import reach
from support.serving import Serving, children, command, start_serving
from support.stores import KEY_BYTES, TestPit

WORKER = "croupier_server.worker"
"""What the command line of a worker holds."""

START_S = 30.0

CONFIG = """\
[guests]
enabled = true
burst = 10000
a_minute = 10000

[wallet]
start = 100000
"""


class Cast:
    """Some `croupier serve` on one store, and all their workers."""

    def __init__(self, servers: list[Serving], workers: int) -> None:
        self.servers = servers
        self.number = workers

    def url(self, index: int) -> str:
        """Where the watcher or player number `index` connects."""
        return self.servers[index % len(self.servers)].url

    @property
    def workers(self) -> list[int]:
        """The process ids of all workers that run or are being started, frozen ones included."""
        return [worker for index in range(len(self.servers)) for worker in self.workers_of(index)]

    def workers_of(self, index: int) -> list[int]:
        """Those of one server."""
        return [one for one in children(self.servers[index].process.pid) if WORKER in command(one)]

    async def complete(self, pit: TestPit) -> None:
        """Waits until there are as many workers as there should be, and all of them deal and serve."""

        async def all_at_work() -> bool:
            entries = await pit.client.hvals(keys.WORKERS_KEY)
            at_work = {one.process for one in map(_entry, entries) if one.capacity and one.door != "closed"}
            workers = self.workers
            return len(workers) == self.number and at_work.issuperset(workers)

        await reach(all_at_work, START_S, f"work of {self.number} workers")


def _entry(stored: bytes) -> WorkerEntry:
    """A worker's entry in the register, which is kept after the time of its last beat."""
    return msgspec.json.decode(stored.partition(b"|")[2], type=WorkerEntry)


def send(process: int, number: int) -> None:
    """Sends a signal to a process, which may have ended meanwhile."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


@asynccontextmanager
async def cast_on(folder: Path, ways: Sequence[str], tables: Sequence[Table], workers: int):
    """A server for each of `ways`, URLs that lead to one store, with so many workers each."""
    config = folder / "croupier.toml"
    config.write_text(CONFIG + "".join(table.section for table in tables))
    started: list[Serving] = []
    try:
        for index, url in enumerate(ways):
            options = ("--config", str(config), "--redis", url, "--workers", str(workers))
            environment = {"CROUPIER_SHOE_KEY": KEY_BYTES.hex()}
            started.append(await start_serving(folder / f"data-{index}", *options, environment=environment))
        yield Cast(started, len(ways) * workers)
    finally:
        for server in started:
            for worker in children(server.process.pid) if server.process.returncode is None else ():
                send(worker, signal.SIGCONT)
        for server in started:
            if server.process.returncode is None:
                await server.stop()
