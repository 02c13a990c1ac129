import asyncio
import contextlib
import io
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from croupier_client.cli.app import run
from croupier_client.connection import Client, connect
from croupier_client.seat import Seat
from scripted_server import ScriptedServer
from support.clients import PROMPT

DEADLINE_S = 20.0
ROOT = Path(__file__).parents[2]


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    scripted = ScriptedServer()
    async with scripted.serving() as listener:
        scripted.port = listener.sockets[0].getsockname()[1]
        yield scripted
        scripted.cut()


@pytest.fixture
async def client(server: ScriptedServer) -> AsyncIterator[Client]:
    """A client that waits no longer than it must."""
    async with connect(server.url, timing=PROMPT, name="Ana") as connected:
        yield connected


@pytest.fixture
async def seat(client: Client) -> Seat:
    """The first player's seat."""
    return await client.sit("standard", buy_in=100_00)


@pytest.fixture
def until():
    """Waits for a condition, at most as long as a busy machine may need."""

    async def wait(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.002)

    return wait


class Command:
    """One run of `croupier`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def end(self) -> tuple[str, str, int]:
        """Standard output, standard error and status, when it has ended."""
        async with asyncio.timeout(20):
            out, err = await self.process.communicate()
        return out.decode(), err.decode(), self.process.returncode


@pytest.fixture
def told():
    """Runs a command line here, without a process of its own: standard output, standard error and status."""

    async def run_here(*arguments: str) -> tuple[str, str, int]:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = await asyncio.to_thread(run, list(arguments))
        return out.buffer.getvalue().decode(), err.buffer.getvalue().decode(), status

    return run_here


@pytest.fixture
async def croupier():
    """Starts the real command line."""
    processes = []
    paths = [str(ROOT / part) for part in ("protocol", "client", "server")]
    path = os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")])

    async def start(*arguments: str, **variables: str) -> Command:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "croupier_client.cli",
            *arguments,
            env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **variables},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        processes.append(process)
        return Command(process)

    yield start
    for process in processes:
        if process.returncode is None:
            process.kill()
            await process.communicate()
