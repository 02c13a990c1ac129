"""A store for all of these tests, emptied before each, and both databases."""

import psycopg
import pytest
import pytest_asyncio

from support.archiving import archived_pit
from support.postgresql import running_postgresql
from support.stores import running_store


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_store(tmp_path_factory):
    """A store process that these tests share."""
    async with running_store(tmp_path_factory.mktemp("archive") / "store") as embedded:
        yield embedded


@pytest.fixture
async def pit(shared_store):
    """The main pit of an empty store, whose ledger goes to an archive."""
    async with archived_pit(shared_store.url) as opened:
        await opened.client.flushall()
        await opened.stream.open()
        yield opened


@pytest.fixture(scope="session")
def postgresql_server():
    """A PostgreSQL server that these tests share."""
    with running_postgresql() as server:
        yield server


@pytest.fixture
def sqlite_to(tmp_path):
    """The address of a file that is not there yet."""
    return f"sqlite:{tmp_path / 'archive.db'}"


@pytest.fixture
def postgresql_to(postgresql_server):
    """The address of an empty database of the server."""
    with psycopg.connect(postgresql_server.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgresql_server.url


@pytest.fixture(params=["sqlite_to", "postgresql_to"])
def to(request):
    """The address of an empty database, of each kind."""
    return request.getfixturevalue(request.param)
