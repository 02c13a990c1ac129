"""Everybody who takes part in one test: this process alone, or processes and machines that begin together."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, TypeVar

from msgspec.structs import replace

from croupier_client.errors import CroupierError
from croupier_client.load.lines import (
    LONGEST_LINE,
    Failed,
    Go,
    Joined,
    PartFailedError,
    Peer,
    Ready,
    Share,
    Told,
)
from croupier_client.load.part import Assignment, Second, prepared

STOP_S: Final = 5.0
"""How long a process may take to end when its standard input has closed."""

_Result = TypeVar("_Result")

TellPart = Callable[[int, Second], None]
"""Called with the number of a part and a second of it."""


class Member:
    """A process or a machine that has a share of the test; only one that is `here` is told secrets."""

    def __init__(self, peer: Peer, processes: int, *, here: bool) -> None:
        self.peer = peer
        self.processes = processes
        self._here = here

    async def prepare(self, assignment: Assignment) -> int:
        """Gives it its share, and returns how many tables it found.

        Raises:
            PartFailedError: it cannot do its share.
        """
        told = assignment if self._here else replace(assignment, tokens=None)
        self.peer.send(Share(told, self.processes))
        return (await self.peer.receive(Ready)).tables

    async def run(self, tell: TellPart) -> None:
        """Lets it begin, and hands over what it tells until its last second.

        Raises:
            PartFailedError: it failed, or has gone.
        """
        self.peer.send(Go())
        running = self.processes
        while running:
            told = await self.peer.receive(Told)
            tell(told.part, told.second)
            running -= told.second.last


async def run_here(assignment: Assignment, tell: TellPart, begun: Callable[[int], None]) -> None:
    """The whole test in this process; `begun` is called with the number of tables.

    Raises:
        CroupierError: it cannot begin.
    """
    async with prepared(assignment) as part:
        begun(part.tables)
        await part.run(lambda second: tell(assignment.part, second))


async def run_members(
    members: Sequence[Member], assignment: Assignment, tell: TellPart, begun: Callable[[int], None]
) -> None:
    """The test in all members, which begin together once each has found the server.

    Raises:
        PartFailedError: one of them cannot do its share.
    """
    parts = sum(member.processes for member in members)
    shares = []
    first = 0
    for member in members:
        shares.append(replace(assignment, part=first, parts=parts))
        first += member.processes
    tables = await _all(*(one.prepare(share) for one, share in zip(members, shares, strict=True)))
    begun(max(tables))
    await _all(*(member.run(tell) for member in members))


@asynccontextmanager
async def start_processes(number: int) -> AsyncIterator[list[Member]]:
    """So many processes on this machine, which end with the block."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(_process(index)) for index in range(number)]


@asynccontextmanager
async def _process(number: int) -> AsyncIterator[Member]:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.load.child"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
    )
    assert child.stdin is not None  # noqa: S101 - both are pipes
    assert child.stdout is not None  # noqa: S101 - both are pipes
    try:
        yield Member(Peer(child.stdout, child.stdin, f"process {number + 1}"), 1, here=True)
    finally:
        child.stdin.close()
        try:
            await asyncio.wait_for(child.wait(), STOP_S)
        except TimeoutError:
            child.kill()
            await child.wait()


@asynccontextmanager
async def meet_machines(
    host: str, port: int, number: int, told: Callable[[str], None]
) -> AsyncIterator[list[Member]]:
    """So many machines that join at an address of this one; `told` is called with each that has come."""
    joined: asyncio.Queue[Member] = asyncio.Queue()
    writers: list[asyncio.StreamWriter] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        peer = Peer(reader, writer, "{}:{}".format(*writer.get_extra_info("peername")[:2]))
        try:
            joined.put_nowait(Member(peer, (await peer.receive(Joined)).processes, here=False))
        except PartFailedError as error:
            told(str(error))
            writer.close()

    server = await asyncio.start_server(accept, host, port, limit=LONGEST_LINE)
    async with AsyncExitStack() as stack:
        stack.callback(server.close)
        stack.callback(lambda: _close_all(writers))
        told("{}:{}".format(*server.sockets[0].getsockname()[:2]))
        members: list[Member] = []
        while len(members) < number:
            members.append(await joined.get())
            told(members[-1].peer.name)
        yield members


def _close_all(writers: list[asyncio.StreamWriter]) -> None:
    for writer in writers:
        writer.close()


async def take_part(
    host: str, port: int, number: int, sources: tuple[str, ...], strategy: str | None
) -> None:
    """Joins the test of another machine with so many processes, and does its share.

    `sources` and `strategy` are this machine's own: the other one does not know its addresses, and is not to
    say what code it runs. Its players are new guests: tokens are for one machine.

    Raises:
        CroupierError: it cannot be done, or the other machine has gone.
    """
    try:
        reader, writer = await asyncio.open_connection(host, port, limit=LONGEST_LINE)
    except OSError as error:
        raise PartFailedError(f"nobody waits for machines at {host}:{port}: {error}") from error
    leader = Peer(reader, writer, f"{host}:{port}")
    try:
        leader.send(Joined(number))
        share = await leader.receive(Share)
        assignment = replace(share.assignment, sources=sources, strategy=strategy)
        async with start_processes(number) as members:
            await _relay(leader, members, assignment)
        await leader.flush()
    except CroupierError as error:
        leader.send(Failed(str(error)))
        raise
    finally:
        leader.close()


async def _relay(leader: Peer, members: Sequence[Member], assignment: Assignment) -> None:
    shares = [replace(assignment, part=assignment.part + index) for index in range(len(members))]
    tables = await _all(*(one.prepare(share) for one, share in zip(members, shares, strict=True)))
    leader.send(Ready(max(tables)))
    await leader.receive(Go)
    gone = asyncio.create_task(leader.gone())
    running = asyncio.create_task(
        _all(*(member.run(lambda part, second: leader.send(Told(part, second))) for member in members))
    )
    try:
        await asyncio.wait([gone, running], return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            raise PartFailedError(f"{leader.name} has gone")
        await running
    finally:
        for task in (gone, running):
            task.cancel()
        await asyncio.gather(gone, running, return_exceptions=True)


async def _all(*jobs: Coroutine[None, None, _Result]) -> list[_Result]:
    """What all jobs return; when one fails the others are cancelled."""
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
