"""The directory where a server without an outside store keeps everything: marked, locked, private."""

import contextlib
import fcntl
import os
import secrets
from pathlib import Path
from typing import IO, Final, Self

from croupier_server.errors import SetupError

MARK: Final = "croupier.json"
MARK_TEXT: Final = '{"croupier": "data directory", "layout": 1}\n'
LOCK: Final = "lock"
ARCHIVE_FILE: Final = "archive.db"
"""The archive, where it is not elsewhere: see `croupier_server.archive`."""


def default_path() -> Path:
    """`$XDG_STATE_HOME/croupier`, by default `~/.local/state/croupier`."""
    state = os.environ.get("XDG_STATE_HOME", "")
    return (Path(state) if state else Path.home() / ".local" / "state") / "croupier"


def make(path: Path) -> None:
    """Makes the directory, unless it is there, and marks it as a data directory.

    Raises:
        SetupError: it is something else.
        OSError: it cannot be made.
    """
    _make_unmarked(path)
    _mark(path)


def _make_unmarked(path: Path) -> None:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark = path / MARK
    if not mark.exists() and any(file.name != LOCK for file in path.iterdir()):
        raise SetupError(f"{path} holds other files and no {MARK}: it is not a Croupier data directory")
    if mark.exists() and mark.read_bytes() != MARK_TEXT.encode():
        raise SetupError(f"{mark} is not of this release: another layout, or not Croupier's")


def _mark(path: Path) -> None:
    mark = path / MARK
    if not mark.exists():
        mark.write_text(MARK_TEXT)


class DataDirectory:
    """A locked data directory. Only one server has it at a time; the lock ends with its process.

    Raises, on opening:
        SetupError: not a directory, not writable, not Croupier's, or in use.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: IO[str] | None = None

    def __enter__(self) -> Self:
        try:
            _make_unmarked(self.path)
            self._claim()
        except NotADirectoryError as error:
            raise SetupError(f"{self.path} is not a directory") from error
        except FileExistsError as error:
            raise SetupError(f"{self.path} is not a directory") from error
        except OSError as error:
            raise SetupError(f"the data directory {self.path} cannot be used: {error.strerror}") from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _claim(self) -> None:
        # Opened for appending, so that a second server can read the owner's process id and not erase it.
        lock = (self.path / LOCK).open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            owner = lock.read().strip() or "unknown"
            lock.close()
            raise SetupError(
                f"the data directory {self.path} is in use by another croupier serve (process {owner})"
            ) from error
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        self._lock = lock
        _mark(self.path)

    def secrets(self, name: str) -> tuple[bytes, ...]:
        """The secrets of 32 bytes in the file `name`, made on first use, readable by its owner alone.

        Raises:
            SetupError: it cannot be made or read, or holds no key.
        """
        path = self.path / name
        try:
            with contextlib.suppress(FileExistsError):
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(descriptor, "w") as file:
                    file.write(secrets.token_hex(32) + "\n")
        except OSError as error:
            raise SetupError(f"{path} cannot be written: {error.strerror}") from error
        return read_secrets(path)


def read_secrets(path: Path) -> tuple[bytes, ...]:
    """The secrets of 32 bytes whose hexadecimal digits are in the file `path`, the newest first.

    Raises:
        SetupError: it cannot be read, or holds something else.
    """
    try:
        return parse_secrets(path.read_bytes().decode("ascii", "replace"), str(path))
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}") from error


def parse_secrets(text: str, where: str) -> tuple[bytes, ...]:
    """Secrets of 32 bytes, each from 64 hexadecimal digits; there is white space between them.

    Raises:
        SetupError: for anything else, naming `where`.
    """
    try:
        secrets = tuple(bytes.fromhex(digits) for digits in text.split())
    except ValueError:
        secrets = ()
    if not secrets or any(len(secret) != 32 for secret in secrets):
        raise SetupError(f"{where} must hold a key of 64 hexadecimal digits, or several, one a line")
    return secrets
