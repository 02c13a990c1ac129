"""An archive in a file: SQLite."""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

from croupier_server.archive.database import Row, Transaction, Value
from croupier_server.archive.errors import DatabaseAwayError, UnsuitableDatabaseError

BUSY_S: Final = 10.0
"""How long to wait for another process that writes."""

_KIND: Final = 0xFF
"""The part of SQLite's error codes that says of which kind an error is; the rest says where it was met."""


class SqliteDatabase:
    """See `Database`. With `make`, a file that is not there is made, for its owner alone."""

    def __init__(self, path: Path, *, make: bool) -> None:
        self.name = str(path)
        self._path = path
        self._make = make
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None

    @contextlib.contextmanager
    def writing(self) -> Iterator[Transaction]:
        """See `Database`."""
        with self._transaction("BEGIN IMMEDIATE") as transaction:
            yield transaction

    @contextlib.contextmanager
    def reading(self) -> Iterator[Transaction]:
        """See `Database`."""
        with self._transaction("BEGIN") as transaction:
            yield transaction

    def close(self) -> None:
        """See `Database`."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[Transaction]:
        try:
            connection = self._connected()
            connection.execute(begin)
            try:
                yield _SqliteTransaction(connection)
                connection.execute("COMMIT")
            except BaseException:
                self.close()  # which rolls back, whatever state it is in
                raise
        except sqlite3.OperationalError as error:  # locked, full, not readable, no such directory
            raise DatabaseAwayError(f"{self.name}: {error}") from error
        except sqlite3.DatabaseError as error:
            match error.sqlite_errorcode & _KIND:
                case sqlite3.SQLITE_NOTADB:
                    reason = "is no SQLite database"
                case sqlite3.SQLITE_CORRUPT:
                    reason = "is damaged, so go on from a backup of it"
                case _:
                    raise
            raise UnsuitableDatabaseError(f"{self.name} {reason}: {error}") from error

    def _connected(self) -> sqlite3.Connection:
        if self._connection is not None and self._file() != self._opened:
            self.close()  # whoever has taken the file away is not to be written behind
        if self._connection is None:
            if self._make:
                with contextlib.suppress(OSError):  # which SQLite then meets as well
                    os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            self._connection = sqlite3.connect(
                f"file:{quote(str(self._path))}?mode=rw",
                uri=True,
                timeout=BUSY_S,
                isolation_level=None,
                check_same_thread=False,  # one call at a time, each in whatever thread
            )
            # Readers do not wait for the archiver, and a commit is on the disk before the store is told.
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._opened = self._file()
        return self._connection

    def _file(self) -> tuple[int, int] | None:
        """Which file is there."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        return self._connection.execute(statement, values).fetchall()

    def run(self, statement: str, values: Sequence[Value] = ()) -> int:
        return self._connection.execute(statement, values).rowcount

    def run_each(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        self._connection.executemany(statement, rows)

    def tables(self) -> set[str]:
        return {name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
