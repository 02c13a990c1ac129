"""SIGHUP: the configuration is read again, and what may change of it while a server runs is applied.

That is all that a pit's list says of a table: new tables, and rules, limits, pace, early close, auto-rebet
and beacon of those that there are. Dealers take the rules and the beacon with the next shoe, the rest with
the next round; auto-rebet is told to who asks for the rules. Everything else keeps what it had at the start;
so does everything, when the file cannot be used.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier_protocol.messages.values import TableId
from croupier_server.config import Config
from croupier_server.configuring.showing import differences, plain
from croupier_server.errors import SetupError
from croupier_server.store.errors import StoreError
from croupier_server.store.keys import PitId
from croupier_server.store.significant import Kind, Significant
from croupier_server.store.stores import Stores
from croupier_server.store.stream import Stream
from croupier_server.store.tables import Tables
from croupier_server.table.listing import encode_listing

logger = logging.getLogger(__name__)

STANDARD_INPUT: Final = 0

UNCHANGED: Final = "the configuration stays as it was"

_CHANGEABLE: Final = ("tables", "rules", "shoe.beacon")
"""What a pit's list has of the configuration: sections and keys below these."""


class Changes(Struct, frozen=True):
    """What another reading of the file brings.

    `listed` are the tables that are new or have other settings, by pit; `dropped` those that the file has no
    longer, which go on; `kept` the keys that need a new start.
    """

    listed: Mapping[PitId, Mapping[TableId, bytes]]
    dropped: list[TableId]
    kept: list[str]


def changes(running: Config, read: Config) -> Changes:
    """What is to be done so that a server with the configuration `running` has what `read` says."""
    before, after = _listings(running), _listings(read)
    listed: dict[PitId, dict[TableId, bytes]] = {}
    for (pit, table), listing in after.items():
        if before.get((pit, table)) != listing:
            listed.setdefault(pit, {})[table] = listing
    there_are = {table for _, table in after}
    return Changes(
        listed=listed,
        dropped=[table for _, table in before if table not in there_are],
        kept=[
            key
            for key, _ in differences("", plain(read), plain(running))
            if not any(key == one or key.startswith((f"{one}.", f"{one}[")) for one in _CHANGEABLE)
        ],
    )


def _listings(config: Config) -> dict[tuple[PitId, TableId], bytes]:
    pits = config.pits().items()
    return {(pit, one.table): encode_listing(one) for pit, settings in pits for one in settings}


class Reloading:
    """Reads the configuration with `read` when it is asked to, and applies it to the lists of the store."""

    def __init__(self, running: Config, read: Callable[[], Config], stores: Stores) -> None:
        self._running = running
        self._read = read
        self._stores = stores

    @property
    def running(self) -> Config:
        """The configuration as it is applied now."""
        return self._running

    async def run(self, asked: asyncio.Event) -> None:
        """Does so each time that `asked` is set, until cancelled; what fails can be asked for again."""
        while True:
            await asked.wait()
            asked.clear()
            try:
                await self.reload()
            except (SetupError, StoreError) as error:
                logger.error("%s: %s", UNCHANGED, error)  # noqa: TRY400  # the reason is in the message
            except Exception:
                logger.exception(UNCHANGED)

    async def reload(self) -> None:
        """Reads and applies.

        Raises:
            SetupError: the configuration cannot be used, or puts a table into another pit.
            StoreError: the store does not take the tables now.
        """
        read = self._read()
        found = changes(self._running, read)
        await self._list(found.listed)
        self._running = replace(
            self._running,
            tables=read.tables,
            rules=read.rules,
            shoe=replace(self._running.shoe, beacon=read.shoe.beacon),
        )
        names = ", ".join(sorted(table for tables in found.listed.values() for table in tables))
        logger.info("the configuration was read again; new or changed tables: %s", names or "none")
        if names:
            await self._stores.significant.note(Significant(Kind.SETTINGS_CHANGED, what=names))
        if found.kept:
            logger.warning("these need a new start to change: %s", ", ".join(found.kept))
        if found.dropped:
            logger.warning(
                "the file has these tables no longer, and they go on until `croupier tables close`: %s",
                ", ".join(found.dropped),
            )

    async def _list(self, listed: Mapping[PitId, Mapping[TableId, bytes]]) -> None:
        if not listed:
            return
        known = await self._stores.known_pits()
        for other in known:
            there = await Tables(self._stores.pit(other), other).registered()
            for pit, tables in listed.items():
                for table in there.keys() & tables.keys():
                    if pit != other:
                        raise SetupError(
                            f"table {table} is in pit {other}, with its seats and chips, and the"
                            f" configuration puts it into pit {pit}"
                        )
        await self._stores.name_pits({*known, *listed})
        for pit, tables in listed.items():
            store = self._stores.pit(pit)
            await Stream(store, pit).open()  # loads the scripts, where the server is a new one
            await Tables(store, pit).register(tables)


class Terminal:
    """The terminal that a server was started on, if any: the system says by SIGHUP, too, that it has gone."""

    def __init__(self, descriptor: int = STANDARD_INPUT) -> None:
        self._descriptor = descriptor
        self._was_there = self._is_there()

    @property
    def gone(self) -> bool:
        """Whether there was one at the start and is none now."""
        return self._was_there and not self._is_there()

    def _is_there(self) -> bool:
        return os.isatty(self._descriptor)
