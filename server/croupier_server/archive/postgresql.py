"""An archive in a PostgreSQL server."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import psycopg
from psycopg import conninfo, errors

from croupier_server.archive.database import Row, Transaction, Value
from croupier_server.archive.errors import DatabaseAwayError, UnsuitableDatabaseError

CONNECT_S: Final = 10

OPTIONS: Final = {
    "connect_timeout": CONNECT_S,
    "application_name": "croupier archive",
    # A server that does not answer any more, as when its machine is gone, fails what waits for it.
    "tcp_user_timeout": 30_000,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}

LIMITS_MS: Final = {
    "lock_timeout": 10_000,
    "statement_timeout": 60_000,
    "idle_in_transaction_session_timeout": 60_000,
}
"""What a batch may take, far more than it does: an archiver that is frozen does not hold up others."""

WRITERS: Final = 6_029_823_145
"""The number of the lock by which one archiver writes at a time. It only has to be nobody else's."""

_REFUSALS: Final = (
    errors.InvalidPassword,
    errors.InvalidAuthorizationSpecification,
    errors.InvalidCatalogName,
    errors.InsufficientPrivilege,
)
"""What a server says to whom it does not let in, or not to this."""

_AWAY: Final = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.InternalError)
"""What says nothing against the database. The last is also of one that only reads, as a replica does, and of
a transaction that took too long."""


class PostgresqlDatabase:
    """See `Database`; `url` is what libpq takes.

    Raises:
        UnsuitableDatabaseError: it is no address of a database.
    """

    def __init__(self, url: str) -> None:
        try:
            given = conninfo.conninfo_to_dict(url)
        except psycopg.Error as error:
            raise UnsuitableDatabaseError(f"no address of a PostgreSQL database: {error}") from None
        self.name = f"postgresql://{given.get('host', '')}/{given.get('dbname', '')}"
        self._given = given
        self._connection: psycopg.Connection[Row] | None = None

    @contextlib.contextmanager
    def writing(self) -> Iterator[Transaction]:
        """See `Database`."""
        with self._transaction() as transaction:
            for name, limit_ms in LIMITS_MS.items():
                transaction.run(f"SET LOCAL {name} = {limit_ms}")
            transaction.rows("SELECT pg_advisory_xact_lock(?)", (WRITERS,))
            yield transaction

    @contextlib.contextmanager
    def reading(self) -> Iterator[Transaction]:
        """See `Database`."""
        with self._transaction() as transaction:
            transaction.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield transaction

    def close(self) -> None:
        """See `Database`."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Transaction]:
        try:
            if self._connection is None:
                options: dict[str, Any] = {**OPTIONS, **self._given}
                self._connection = psycopg.connect(autocommit=True, **options)
            connection = self._connection
            try:
                with connection.transaction():
                    yield _PostgresqlTransaction(connection)
            except BaseException:
                self.close()  # which rolls back, whatever state it is in
                raise
        except psycopg.Error as error:
            text = f"{self.name}: {str(error).strip()}"
            if isinstance(error, _REFUSALS):
                raise UnsuitableDatabaseError(text) from error
            if isinstance(error, _AWAY):
                raise DatabaseAwayError(text) from error
            raise


class _PostgresqlTransaction:
    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        return self._connection.execute(_placed(statement), values).fetchall()

    def run(self, statement: str, values: Sequence[Value] = ()) -> int:
        return self._connection.execute(_placed(statement), values or None).rowcount

    def run_each(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_placed(statement), rows)

    def tables(self) -> set[str]:
        found = self.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {name for (name,) in found}


def _placed(statement: str) -> bytes:
    """The statement as this library marks what is put in."""
    return statement.replace("?", "%s").encode()
