"""What a server does to its store before it deals: sees whether it can be used, and lists tables in it."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from croupier_protocol.messages.values import TableId
from croupier_server.config import Config
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.errors import SetupError
from croupier_server.sight.logs import of
from croupier_server.store.durability import Confirmation
from croupier_server.store.errors import StoreError, StoreUnavailableError
from croupier_server.store.fitness import check_servers
from croupier_server.store.keys import PitId
from croupier_server.store.stores import Stores
from croupier_server.store.stream import Stream
from croupier_server.store.tables import Tables
from croupier_server.table.listing import ListingError, Origin, encode_listing, read_listing

logger = logging.getLogger(__name__)

AGAIN_S: Final = 2.0
"""Between two attempts to prepare a pit whose server is away."""


class Prepared(Struct, frozen=True):
    """`pits` are all that there are to deal and serve, `late` those of them whose server was away."""

    pits: tuple[PitId, ...]
    late: frozenset[PitId]
    confirmation: Confirmation | None


class Preparing:
    """Prepares the pits of a store for a server with this configuration and key."""

    def __init__(self, stores: Stores, config: Config, key: ShoeKey) -> None:
        self._stores = stores
        self._config = config
        self._key = key
        self._named = False
        self._configured = {
            pit: {one.table: encode_listing(one) for one in settings}
            for pit, settings in config.pits().items()
        }

    async def prepare(self) -> Prepared:
        """Prepares every pit whose server answers.

        Raises:
            SetupError: the store cannot be used, all shoes of a pit are sealed with other keys, or a table is
                in another pit than the configuration says; or no server answers.
        """
        try:
            pits = tuple(sorted({*self._configured, *await self._known_pits()}))
            warnings, confirmation = await check_servers(
                self._stores.servers, self._config.store.durability, pits
            )
            for warning in warnings:
                logger.warning("%s", warning)
            late: dict[PitId, StoreUnavailableError] = {}
            for pit in pits:
                try:
                    await self._prepare(pit, pits)
                except StoreUnavailableError as error:
                    if self._stores.servers.cluster is None:
                        raise
                    logger.warning("pit %s stands still until its server answers: %s", pit, error)
                    late[pit] = error
            if len(late) == len(pits):
                raise late[pits[0]]
        except StoreError as error:
            raise SetupError(f"the store cannot be used: {error}") from error
        return Prepared(pits, frozenset(late), confirmation)

    async def prepare_late(self, prepared: Prepared) -> None:
        """Prepares the pits that were late, each as soon as its server answers."""
        while not self._named:
            await asyncio.sleep(AGAIN_S)
            await self._known_pits()
        for pit in sorted(prepared.late):
            while True:
                await asyncio.sleep(AGAIN_S)
                try:
                    await self._prepare(pit, prepared.pits)
                except StoreUnavailableError:
                    continue
                except (StoreError, SetupError) as error:
                    logger.error("pit %s is not prepared: %s", pit, error)  # noqa: TRY400  # the reason is in the message
                break

    async def _known_pits(self) -> list[PitId]:
        """The pits of the store, this server's among them from now on."""
        try:
            await self._stores.name_pits(self._configured)
            self._named = True
            return await self._stores.known_pits()
        except StoreUnavailableError as error:
            if self._stores.servers.cluster is None:
                raise
            logger.warning("the store does not tell its pits now: %s", error)
            return []

    async def _prepare(self, pit: PitId, pits: tuple[PitId, ...]) -> None:
        store = self._stores.pit(pit)
        await Stream(store, pit).open()
        tables = Tables(store, pit)
        configured: Mapping[TableId, bytes] = self._configured.get(pit, {})
        listed = await tables.registered()
        opens: dict[TableId, bool] = {}
        for table in configured.keys() | listed.keys():
            sealed = (await tables.read(table)).record.sealed
            if sealed is not None:
                opens[table] = self._key.opens(sealed)
        if opens and not any(opens.values()):
            raise SetupError(
                f"every shoe in pit {pit} is sealed with another key than {self._key.id}: give the one that"
                " it was begun with"
            )
        for table in (table for table, known in opens.items() if not known):
            logger.error(
                "table %s is not dealt: its shoe is sealed with a key that was not given",
                table,
                extra=of(table),
            )
        for other in pits:
            for table in listed.keys() & self._configured.get(other, {}).keys():
                if other != pit:
                    raise SetupError(
                        f"table {table} is in pit {pit}, with its seats and chips, and the configuration puts"
                        f" it into pit {other}: leave it where it is, or give the new one another name"
                    )
        if self._config.store.redis is None:
            # Nobody else configures tables here: those that the file has no longer are gone.
            dropped = listed.keys() - configured.keys()
            await tables.take_off([one for one in dropped if not _was_added(listed[one])])
        await tables.register(configured)


def _was_added(encoded: bytes) -> bool:
    """Whether a table was added at run time. A listing that cannot be read is no use to keep."""
    try:
        return read_listing(encoded).origin is Origin.ADDED
    except ListingError:
        return False
