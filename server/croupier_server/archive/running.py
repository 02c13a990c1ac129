"""Keeps an archiver going: store and database are waited for, and SIGTERM ends it between two batches."""

import asyncio
import logging
import signal
from collections.abc import Callable
from typing import Final

from croupier_server.archive.archive import Archive
from croupier_server.archive.archiver import Archiver
from croupier_server.archive.database import Database
from croupier_server.archive.errors import DatabaseAwayError
from croupier_server.errors import SetupError
from croupier_server.store.errors import StoreError, UnsuitableStoreError
from croupier_server.store.stores import Stores
from croupier_server.waiting import Backoff, first

logger = logging.getLogger(__name__)

PAUSE_S: Final = 1.0
"""Between two looks for more. What is archived is then about this old, in batches that cost little each."""

_AWAY: Final = (StoreError, SetupError, DatabaseAwayError)
"""What is waited for: a store that does not run, yet or any more, and a database that is away."""


async def archive_once(find_store: Callable[[], str], database: Database, *, instead: bool) -> int:
    """Archives all that there is now, and returns how many entries.

    Raises:
        ArchiveError, StoreError, SetupError: it cannot; what was archived until then stays.
    """
    stores = Stores(find_store(), one_off=True)
    try:
        return await (await _archiver(stores, database, instead=instead)).drain()
    finally:
        await stores.close()


async def archive_on(find_store: Callable[[], str], database: Database, *, instead: bool) -> None:
    """Archives until SIGTERM or SIGINT; the batch under way is ended first.

    Raises:
        ArchiveError: the database is not for this, or the store is archived elsewhere.
        UnsuitableStoreError: its URL is none.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    backoff = Backoff()
    while not stop.is_set():
        try:
            await _archive_while_there(find_store, database, stop, backoff, instead=instead)
        except UnsuitableStoreError:
            raise
        except _AWAY as error:
            wait_s = backoff.next_s()
            logger.warning("%s; trying again in %.1f s", error, wait_s)
            await first(stop, timeout_s=wait_s)
    logger.info("stopped")


async def _archive_while_there(
    find_store: Callable[[], str], database: Database, stop: asyncio.Event, backoff: Backoff, *, instead: bool
) -> None:
    stores = Stores(find_store(), one_off=True)
    try:
        archiver = await _archiver(stores, database, instead=instead)
        while not stop.is_set():
            entries = await archiver.drain(stop)
            backoff.reset()
            if entries:
                logger.debug("%d entries archived", entries)
            await first(stop, timeout_s=PAUSE_S)
    finally:
        await stores.close()


async def _archiver(stores: Stores, database: Database, *, instead: bool) -> Archiver:
    archive = Archive(database)
    await asyncio.to_thread(archive.open, make=True)
    logger.info("archiving into %s", database.name)
    return Archiver(stores, archive, instead=instead)
