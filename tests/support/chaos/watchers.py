"""Watchers of all tables: what they saw, that they saw the same, and how long nothing came.

Events are kept once for all watchers, by table, epoch and `seq`; each watcher checks what it gets against
that as it comes, and that it follows what it got before.
"""

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from croupier_client.connection import Client, connect
from croupier_protocol.messages.events import TableEvent
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import Phase
from support.chaos.tables import CUT_S, STEP_S

TABLES_A_CONNECTION = 8
"""As many as a server lets one connection watch."""

NOTED_S = 0.2
"""Silences at a table shorter than this are not kept."""


@dataclass(frozen=True)
class Silence:
    """A time without an event of a table at a watcher, by the steady clock; which worker served it before."""

    watcher: int
    table: str
    began_s: float
    ended_s: float
    gateway: int | None
    step_s: float = STEP_S

    @property
    def pause_s(self) -> float:
        """By how much it was longer than the step that was due."""
        return max(self.ended_s - self.began_s - self.step_s, 0.0)


class Histories:
    """Every event that any watcher saw: `events[table][epoch][seq]`."""

    def __init__(self) -> None:
        self.events: dict[str, dict[str, dict[int, TableEvent]]] = defaultdict(lambda: defaultdict(dict))

    @property
    def counts(self) -> list[int]:
        """How many events there are of each table in each epoch."""
        return [len(events) for epochs in self.events.values() for events in epochs.values()]

    def agree(self, event: TableEvent) -> None:
        """Keeps an event, or fails when another watcher has seen another one in its place."""
        known = self.events[event.table][event.epoch].setdefault(event.seq, event)
        assert known == event, f"two watchers saw different events: {known} and {event}"


class TableLog:
    """One watcher's sight of one table."""

    def __init__(self, watcher: "Watcher", client: Client, table: str) -> None:
        self.table = table
        self.seen = 0
        self.view: TableView | None = None
        self.resnapshots: list[tuple[TableView, TableView]] = []
        self.silences: list[Silence] = []
        self._watcher = watcher
        self._client = client
        self._heard_s = time.monotonic()
        self._gateway: int | None = None

    async def read(self) -> None:
        """Follows the table until cancelled."""
        watching = self._client.watch(self.table)
        async for message in watching:
            now_s = time.monotonic()
            self._note(now_s)
            if isinstance(message, TableView):
                if self.view is not None:
                    assert message.epoch != self.view.epoch or message.seq > self.view.seq, "an older view"
                    self.resnapshots.append((self.view, message))
            else:
                self._watcher.histories.agree(message)
            self.view = watching.view
            self.seen += 1
        raise AssertionError("the client ended")

    def _note(self, now_s: float) -> None:
        if now_s - self._heard_s > NOTED_S and self.view is not None:
            step_s = CUT_S if self.view.phase is Phase.SHUFFLING else STEP_S
            self.silences.append(
                Silence(self._watcher.number, self.table, self._heard_s, now_s, self._gateway, step_s)
            )
        self._heard_s = now_s

    def remember_gateway(self, workers: Iterable[int]) -> None:
        """Takes note of which of the workers serves this watcher now."""
        self._gateway = gateway_of(self._client, workers)


class Watcher:
    """One spectator of all tables, on as many connections as that takes."""

    def __init__(self, number: int, histories: Histories) -> None:
        self.number = number
        self.histories = histories
        self.logs: list[TableLog] = []


class Watchers:
    """All spectators of a run."""

    def __init__(self, histories: Histories, watchers: list[Watcher]) -> None:
        self.histories = histories
        self.all = watchers
        self._tasks = [asyncio.create_task(log.read(), name=f"watching {log.table}") for log in self.logs]

    @property
    def logs(self) -> list[TableLog]:
        return [log for watcher in self.all for log in watcher.logs]

    def check(self) -> None:
        """Fails when a watcher has failed."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def advance(self, events: int, seconds: float) -> None:
        """Waits until every watcher has seen that many more messages of every table."""
        marks = {id(log): log.seen + events for log in self.logs}
        try:
            async with asyncio.timeout(seconds):
                while any(log.seen < marks[id(log)] for log in self.logs):
                    self.check()
                    await asyncio.sleep(0.02)
        except TimeoutError:
            behind = [log for log in self.logs if log.seen < marks[id(log)]]
            late = [(log.table, None if log.view is None else log.view.phase) for log in behind]
            raise AssertionError(f"no {events} events within {seconds:.0f} s at {late}") from None

    def remember_gateways(self, workers: Iterable[int]) -> None:
        """Takes note of which of the workers serves whom."""
        for log in self.logs:
            log.remember_gateway(workers)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def watching(url, tables: list[str], number: int):
    """`number` watchers of all `tables`; `url(index)` says where each connects."""
    histories = Histories()
    async with AsyncExitStack() as stack:
        all_ = []
        for index in range(number):
            watcher = Watcher(index, histories)
            for start in range(0, len(tables), TABLES_A_CONNECTION):
                client = await stack.enter_async_context(connect(url(index)))
                for table in tables[start : start + TABLES_A_CONNECTION]:
                    watcher.logs.append(TableLog(watcher, client, table))
            all_.append(watcher)
        watchers = Watchers(histories, all_)
        try:
            yield watchers
        finally:
            await watchers.stop()


def gateway_of(client: Client, workers: Iterable[int]) -> int | None:
    """Which of the workers holds the other end of a client's connection; None while there is none."""
    link = client._following._link
    if link is None or link._socket.transport.is_closing():
        return None
    own, other = (link._socket.transport.get_extra_info(end)[1] for end in ("sockname", "peername"))
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1].endswith(f":{other:04X}") and fields[2].endswith(f":{own:04X}"):
            return _holder(f"socket:[{fields[9]}]", workers)
    return None


def _holder(socket: str, workers: Iterable[int]) -> int | None:
    for worker in workers:
        for descriptor in Path(f"/proc/{worker}/fd").glob("*"):
            with contextlib.suppress(OSError):  # it may be gone by now
                if str(descriptor.readlink()) == socket:
                    return worker
    return None
