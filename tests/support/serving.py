"""Real servers for tests: `croupier serve` in a process of its own, killed for real."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO

READY_S = 60.0
STOP_S = 30.0


class Serving:
    """One running `croupier serve`."""

    def __init__(self, process: asyncio.subprocess.Process, ready: dict) -> None:
        self.process = process
        self.url: str = ready["url"]
        self.admin: str = ready["admin"]

    @property
    def worker_id(self) -> int:
        """The process id of the only worker, or of one of them."""
        return next(iter(self.worker_ids))

    @property
    def worker_ids(self) -> set[int]:
        """The process ids of the workers, draining ones too."""
        return self._children("croupier_server.worker")

    @property
    def port(self) -> int:
        """Where clients connect."""
        return int(self.url.rpartition(":")[2].partition("/")[0])

    @property
    def connections(self) -> int:
        """How many connections of clients there are."""
        return len(_connections(self.port))

    @property
    def holding(self) -> set[int]:
        """The process ids of the workers that hold connections of clients."""
        held = _connections(self.port)
        return {worker for worker in self.worker_ids if _sockets(worker) & held}

    @property
    def store_id(self) -> int:
        """The process id of the embedded store."""
        return next(iter(self._children("unixsocket")))

    def _children(self, marked: str) -> set[int]:
        return {child for child in children(self.process.pid) if marked in command(child)}

    async def stop(self, number: int = signal.SIGTERM) -> int:
        """Sends a signal and returns the exit status."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)
        async with asyncio.timeout(STOP_S):
            return await self.process.wait()


async def start_serving(
    data: Path,
    *options: str,
    tables: Sequence[str] = ("standard",),
    environment: dict | None = None,
    stderr: BinaryIO | None = None,
) -> Serving:
    """Starts `croupier serve`, returns when it is ready; its log goes to `stderr`.

    Unless told otherwise it is on free ports and has one worker and one table; each of `tables` is named as
    its rule set.
    """
    if "--workers" not in options:
        options = (*options, "--workers", "1")
    if "--config" not in options:
        config = data.with_suffix(".toml")
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text("".join(f'[[tables]]\nname = "{name}"\nrules = "{name}"\n' for name in tables))
        options = (*options, "--config", str(config))
    if "--port" not in options:
        options = (*options, "--port", "0", "--admin-port", "0")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", "serve", "--data", str(data), *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=stderr,
        env={**os.environ, **(environment or {})},
    )
    try:
        async with asyncio.timeout(READY_S):
            line = await process.stdout.readline()
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        raise
    if not line:
        raise AssertionError(f"croupier serve ended with status {await process.wait()} before it was ready")
    return Serving(process, json.loads(line))


@asynccontextmanager
async def serving(data: Path, *options: str, tables: Sequence[str] = ("standard",), **more):
    """A server that is stopped at the end, whatever happened to it; see `start_serving`."""
    server = await start_serving(data, *options, tables=tables, **more)
    try:
        yield server
    finally:
        if server.process.returncode is None:
            await server.stop()


def children(process_id: int) -> list[int]:
    """The ids of a process's children."""
    listing = Path(f"/proc/{process_id}/task/{process_id}/children").read_text()
    return [int(child) for child in listing.split()]


def _connections(port: int) -> set[str]:
    """The inodes of the established connections to a port of this machine, at its end; see proc(5)."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {row[9] for row in rows if row[3] == "01" and int(row[1].rpartition(":")[2], 16) == port}


def _sockets(process_id: int) -> set[str]:
    """The inodes of the sockets that a process has open."""
    found = set()
    for descriptor in Path(f"/proc/{process_id}/fd").iterdir():
        with contextlib.suppress(OSError):
            found.add(str(descriptor.readlink()).removeprefix("socket:[").removesuffix("]"))
    return found


def command(process_id: int) -> str:
    """The command line of a process."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process_id}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


async def until(condition, seconds: float = 20.0, what: str = "the condition"):
    """Waits until `condition()` is true and returns its value."""
    try:
        async with asyncio.timeout(seconds):
            while not (found := condition()):  # it may be in another process
                await asyncio.sleep(0.01)
            return found
    except TimeoutError:
        raise AssertionError(f"{what} did not come within {seconds} s") from None
