"""The worker processes of a supervisor: each is started, watched, drained, and replaced when it ends.

Every place for a worker is kept filled by itself: a worker that crashes is started again after a wait that
grows, and the others do not notice. One that drains, because somebody has told that process alone to stop,
is replaced as soon as it says so.
"""

import asyncio
import itertools
import logging
import signal
import sys
import time
from asyncio.subprocess import Process
from typing import Final

from croupier_server.waiting import Backoff, cancel, first
from croupier_server.worker_orders import (
    DRAINING_LINE,
    LONGEST_LINE,
    READY_LINE,
    WorkerOrders,
    read_answer,
)

logger = logging.getLogger(__name__)

DRAIN_S: Final = 20.0
"""How long a worker may take to release its tables and close its sockets."""

STEADY_S: Final = 10.0
"""A worker that ran this long before it ended is started again after the first, short wait."""


class Stop:
    """What a supervisor wants of its children: `draining` them, or `killing` them at once."""

    def __init__(self) -> None:
        self.draining = asyncio.Event()
        self.killing = asyncio.Event()

    def press(self) -> None:
        """Asks for the one, and when asked again for the other."""
        (self.killing if self.draining.is_set() else self.draining).set()


class Child:
    """One life of a worker process."""

    def __init__(self, process: Process, stop: Stop, place_ready: asyncio.Event) -> None:
        self.process = process
        self._asked: dict[bytes, asyncio.Future[bytes | None]] = {}
        self.leaving = asyncio.Event()
        self._ready = False
        self._place_ready = place_ready
        self._stop = stop

    @classmethod
    async def start(cls, orders: WorkerOrders, stop: Stop, place_ready: asyncio.Event) -> "Child":
        """Starts a worker with its orders; `place_ready` is set when it is ready.

        Raises:
            OSError: the system does not make the process.
        """
        descriptor = orders.listening_descriptor
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier_server.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            pass_fds=[] if descriptor is None else [descriptor],
            limit=LONGEST_LINE,
            start_new_session=True,
        )
        if process.stdin is not None:
            process.stdin.write(orders.encode())
        return cls(process, stop, place_ready)

    @property
    def serving(self) -> bool:
        """Whether it is ready and stays so."""
        return self._ready and not self.leaving.is_set() and self.process.returncode is None

    async def live(self) -> None:
        """Returns when the process has ended: by itself, or drained when that is asked for or it says so."""
        hearing = asyncio.create_task(self._hear())
        ended = asyncio.create_task(self.process.wait())
        try:
            await first(ended, self.leaving, self._stop.draining)
            if not ended.done():
                await self._drain(ended)
        finally:
            if self.process.stdin is not None:
                self.process.stdin.close()
            await cancel(hearing, ended)
            for question in list(self._asked):
                self._answered(question, None)

    async def ask(self, question: bytes, within_s: float) -> bytes | None:
        """The worker's answer, or None if none comes in that time.

        What it has not answered yet is not asked once more: a worker that stands still is sent no more than
        its pipe holds, and whoever asks meanwhile gets the answer to the first asking.
        """
        asked = self._asked.get(question)
        if asked is None:
            if self.process.stdin is None or self.process.returncode is not None:
                return None
            asked = self._asked[question] = asyncio.get_running_loop().create_future()
            self.process.stdin.write(question + b"\n")
        await asyncio.wait([asked], timeout=within_s)
        return asked.result() if asked.done() else None

    def _answered(self, question: bytes, answer: bytes | None) -> None:
        asked = self._asked.pop(question, None)
        if asked is not None:
            asked.set_result(answer)

    async def _hear(self) -> None:
        if self.process.stdout is None:
            return
        async for line in self.process.stdout:
            if line == READY_LINE:
                self._ready = True
                self._place_ready.set()
            elif line == DRAINING_LINE:
                self.leaving.set()
            elif (answer := read_answer(line)) is not None:
                self._answered(answer[0], answer[1] or None)

    async def _drain(self, ended: "asyncio.Task[int]") -> None:
        """Lets the worker finish, for `DRAIN_S` at most, or until a second signal."""
        if not self.leaving.is_set():
            self.process.send_signal(signal.SIGTERM)
        await first(ended, self._stop.killing, timeout_s=DRAIN_S)
        if not ended.done():
            logger.warning("worker %d is stopped at once", self.process.pid)
            self.process.kill()
        await ended


class Crew:
    """All workers that live now, draining ones too, each by the lowest number that was free when it began.

    So numbers stay few however often workers are replaced. `lost` have ended by themselves.
    """

    def __init__(self) -> None:
        self.members: dict[int, Child] = {}
        self.lost = 0

    def enter(self, child: Child) -> int:
        """One more; returns its number."""
        number = next(one for one in itertools.count(1) if one not in self.members)
        self.members[number] = child
        return number


class Place:
    """Where there always is a worker of the crew; `ready` once there was one that took connections."""

    def __init__(self, orders: WorkerOrders, stop: Stop, crew: Crew) -> None:
        self.ready = asyncio.Event()
        self._orders = orders
        self._stop = stop
        self._crew = crew
        self._children: list[Child] = []

    @property
    def serving(self) -> bool:
        """Whether a worker here is ready now."""
        return any(child.serving for child in self._children)

    async def keep(self) -> None:
        """Keeps the place filled until stopped; returns when the last worker here has ended."""
        backoff = Backoff()
        async with asyncio.TaskGroup() as lives:
            while not self._stop.draining.is_set():
                started = time.monotonic()
                ended = await self._fill(lives)
                if self._stop.draining.is_set():
                    return
                if ended is None:
                    continue
                if time.monotonic() - started > STEADY_S:
                    backoff.reset()
                self._crew.lost += 1
                wait_s = backoff.next_s()
                logger.error("%s; starting another in %g s", ended, wait_s)
                await first(self._stop.draining, timeout_s=wait_s)

    async def _fill(self, lives: asyncio.TaskGroup) -> str | None:
        """Starts a worker and waits until it needs a successor; returns how it failed, None if it drains."""
        try:
            child = await Child.start(self._orders, self._stop, self.ready)
        except OSError as error:
            return f"no worker can be started: {error}"
        life = lives.create_task(self._live(child), name=f"worker {child.process.pid}")
        await first(life, child.leaving, self._stop.draining)
        if child.leaving.is_set():
            logger.info("worker %d drains, and another takes its place", child.process.pid)
            return None
        return f"worker {child.process.pid} ended by itself (status {child.process.returncode})"

    async def _live(self, child: Child) -> None:
        self._children.append(child)
        number = self._crew.enter(child)
        try:
            await child.live()
        finally:
            self._children.remove(child)
            del self._crew.members[number]
