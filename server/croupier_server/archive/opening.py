"""Which database an address names."""

from pathlib import Path
from typing import Final

from croupier_server.archive.database import Database
from croupier_server.archive.errors import UnsuitableDatabaseError
from croupier_server.archive.sqlite import SqliteDatabase

SQLITE: Final = "sqlite:"
POSTGRESQL: Final = ("postgresql://", "postgres://")


def open_database(to: str, *, make: bool) -> Database:
    """The database at `to`; connects on first use. With `make`, a file that is not there is made.

    Raises:
        UnsuitableDatabaseError: it is no address of one.
        ImportError: PostgreSQL's library is not installed.
    """
    if to.startswith(SQLITE):
        path = Path(to.removeprefix(SQLITE))
        if not path.name or "\0" in to:
            raise UnsuitableDatabaseError("name a file: sqlite:PATH")
        if not make and not path.exists():
            raise UnsuitableDatabaseError(f"there is no archive at {path}: `croupier archive` makes it")
        return SqliteDatabase(path, make=make)
    if to.startswith(POSTGRESQL):
        from croupier_server.archive.postgresql import PostgresqlDatabase  # noqa: PLC0415  # an extra brings it

        return PostgresqlDatabase(to)
    raise UnsuitableDatabaseError("an archive is at sqlite:PATH or at postgresql://user@host/name")
