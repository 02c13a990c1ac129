"""Real stores for tests: a process per test, and what a worker builds on one."""

import asyncio
import contextlib
import os
import signal
from contextlib import asynccontextmanager
from pathlib import Path

import needs
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.values import TableId
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.store.embedded import EmbeddedStore, find_server
from croupier_server.store.keys import DEFAULT_PIT, PitId
from croupier_server.store.pit import Pit
from croupier_server.store.stores import Stores
from croupier_server.table.pace import TURBO
from croupier_server.table.state import TableSettings

KEY_BYTES = bytes(range(32))
KEY = ShoeKey(KEY_BYTES)


def store_program() -> Path:
    """The store to test with: the one that `serve` would start, or the one the environment names."""
    name = os.environ.get("CROUPIER_TEST_STORE")
    return find_server() if name is None else needs.program(name)


class TestPit(Pit):
    """A pit with its client at hand, for tests that look into the store."""

    __test__ = False

    @property
    def client(self):
        return self.store.client

    async def tail(self, after):
        """Entries of the pit's stream after the one with id `after`; waits for the first, or for a note."""
        entries, _ = await self.stream.tail_with_notes(after, "$")
        return entries


@asynccontextmanager
async def open_pit(url: str, name: PitId = DEFAULT_PIT, confirmation=None, *, play_safe: bool = False):
    """A view of a pit of the store at `url`, with its stream opened."""
    pit = TestPit(Stores(url), name, confirmation=confirmation, play_safe=play_safe)
    try:
        await pit.stream.open()
        yield pit
    finally:
        await pit.close()


@asynccontextmanager
async def running_store(directory: Path, program: Path | None = None):
    """A store process on `directory`."""
    embedded = EmbeddedStore(directory, program or store_program())
    try:
        await embedded.start()
        yield embedded
    finally:
        # At once: an orderly stop takes a tenth of a second, and its own tests have it.
        with contextlib.suppress(ValueError, ProcessLookupError):
            os.kill(embedded.process_id, signal.SIGKILL)
            await embedded.wait()
        await embedded.stop()


async def written(client) -> None:
    """Returns when the store has handed everything so far to its file, which a slow disk delays."""
    async with asyncio.timeout(20):
        while (await client.info("persistence"))["aof_buffer_length"]:
            await asyncio.sleep(0.01)


def turbo(table: str, rules: str = "standard") -> TableSettings:
    """A table at turbo pace."""
    return TableSettings(table=TableId(table), rules=RULE_SETS[rules], pace=TURBO)
