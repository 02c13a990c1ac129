"""The databases that an archive can be in, behind what the archive asks of one.

Statements are in the SQL that SQLite and PostgreSQL have in common, with `?` for what is put in.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Value = str | int | None
Row = tuple[Any, ...]


class Transaction(Protocol):
    """One transaction of a database."""

    def rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        """What a query finds."""

    def run(self, statement: str, values: Sequence[Value] = ()) -> int:
        """Changes something, and returns how many rows."""

    def run_each(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        """Makes the same change with each of `rows`."""

    def tables(self) -> set[str]:
        """The tables that there are."""


class Database(Protocol):
    """A database. It connects on first use, and anew after a failure; calls come one at a time.

    Each call may raise:
        DatabaseAwayError: it does not answer or takes no writes now.
        UnsuitableDatabaseError: it is no database, or does not let us in.
    """

    name: str
    """Where it is, for people; without a password."""

    def writing(self) -> AbstractContextManager[Transaction]:
        """A transaction that no other of an archive runs beside; committed at its end unless that fails."""

    def reading(self) -> AbstractContextManager[Transaction]:
        """A transaction that sees one state of everything."""

    def close(self) -> None:
        """Ends the connection, if there is one."""
