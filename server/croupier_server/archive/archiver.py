"""Drains the ledgers of a store into an archive, pit by pit, for as long as it is let."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

from croupier_server.archive.archive import Archive
from croupier_server.archive.balances import balances_at
from croupier_server.archive.entries import Entry, Posting, digest, read_entry
from croupier_server.archive.errors import MovedOnError, OtherArchiveError
from croupier_server.archive.following import Break, Cursor, Reason, following
from croupier_server.store.archiving import LedgerReader, Page
from croupier_server.store.errors import DamagedRecordError, StoreUnavailableError
from croupier_server.store.keys import PitId
from croupier_server.store.ledger import Position
from croupier_server.store.stores import Stores

logger = logging.getLogger(__name__)

TELLS: Final = {
    Reason.FIRST: "archived from here on",
    Reason.LOST_WRITES: "the store has lost its last writes; what the archive had of them is withdrawn",
    Reason.OTHER_STORE: "the store was begun anew: nothing in it follows what the archive has",
    Reason.GAP: "postings were trimmed before the archive had them: it has a gap",
}


class Archiver:
    """Brings what is in the store into an archive that is open; `instead` of another one, if that is said."""

    def __init__(self, stores: Stores, archive: Archive, *, instead: bool = False) -> None:
        self._stores = stores
        self._archive = archive
        self._instead = instead
        self._readers: dict[PitId, LedgerReader] = {}
        self._told: set[PitId] = set()

    async def drain(self, stop: asyncio.Event | None = None) -> int:
        """Archives all that there is, in every pit, or until `stop` is set; returns how many entries.

        A pit whose ledger cannot be read is told in the log, and left where it is. One whose server is away
        does not keep the others from being archived.

        Raises:
            StoreUnavailableError, DatabaseAwayError: one side is away; calling again goes on.
            OtherArchiveError: the store is archived elsewhere.
        """
        entries, away = 0, None
        for pit in await self._stores.known_pits():
            if pit not in self._readers:
                self._readers[pit] = LedgerReader(self._stores.pit(pit), pit)
            try:
                while stop is None or not stop.is_set():
                    added = await self._step(self._readers[pit])
                    if added is None:
                        break
                    entries += added
            except StoreUnavailableError as error:
                away = error
            except DamagedRecordError as error:
                logger.error("pit %s is archived no further: %s", pit, error)  # noqa: TRY400  # the reason is in the message
        if away is not None:
            raise away
        return entries

    async def _step(self, reader: LedgerReader) -> int | None:
        """Archives the next page of a pit's ledger; returns how many entries, or None at its end."""
        pit = reader.pit
        cursor = await asyncio.to_thread(self._archive.cursor, pit)
        page = await reader.page(Position() if cursor is None else cursor.position)
        if page.archive != self._archive.id:
            await self._claim(reader, Position() if cursor is None else cursor.position)
        try:
            if cursor is None:
                return await self._begin_life(reader, None, Reason.FIRST, (page.trimmed_upto, ""))
            match following(cursor, page):
                case Break.TRIMMED:
                    return await self._begin_life(reader, cursor, Reason.GAP, (page.trimmed_upto, ""))
                case Break.GONE:
                    return await self._resume(reader, cursor, page)
                case raw:
                    return await self._add(reader, cursor, [read_entry(*one) for one in raw])
        except MovedOnError as error:
            logger.info("%s", error)
            return 0

    async def _add(self, reader: LedgerReader, cursor: Cursor, entries: Sequence[Entry]) -> int | None:
        if not entries:
            return None
        moved = await asyncio.to_thread(self._archive.add, reader.pit, cursor, entries)
        await self._claim(reader, moved.position)
        if reader.pit not in self._told and any(_says_nothing(entry) for entry in entries):
            self._told.add(reader.pit)
            logger.warning(
                "pit %s: the server keeps no cards and payouts for an archive: set `enabled` under [archive]"
                " in its configuration",
                reader.pit,
            )
        return len(entries)

    async def _claim(self, reader: LedgerReader, upto: Position) -> None:
        """Tells the store how far the archive has come."""
        if not await reader.archived(self._archive.id, upto, instead=self._instead):
            raise OtherArchiveError(
                f"the ledger of pit {reader.pit} goes to another archive; --instead makes it go to"
                f" {self._archive.database.name}"
            )

    async def _resume(self, reader: LedgerReader, cursor: Cursor, page: Page) -> int:
        """Begins a life after the last entry that archive and store have in common, if there is one."""
        newest = cursor.position
        while found := await reader.before(newest):
            oldest = found[-1][0]
            known = await asyncio.to_thread(self._archive.known, reader.pit, oldest, newest)
            for position, fields in found:
                if known.get(position) == digest(position, fields):
                    after = position, known[position]
                    return await self._begin_life(reader, cursor, Reason.LOST_WRITES, after)
            newest = oldest
        return await self._begin_life(reader, cursor, Reason.OTHER_STORE, (page.trimmed_upto, ""))

    async def _begin_life(
        self, reader: LedgerReader, cursor: Cursor | None, reason: Reason, after: tuple[Position, str]
    ) -> int:
        openings = await balances_at(reader.store, reader.pit, after[0])
        now_ms = reader.store.clock.now_ms()
        begun = await asyncio.to_thread(
            self._archive.begin_life, reader.pit, cursor, reason, after, openings, now_ms
        )
        level = logging.INFO if reason is Reason.FIRST else logging.WARNING
        logger.log(level, "pit %s, life %d, after %s: %s", reader.pit, begun.life, after[0], TELLS[reason])
        await self._claim(reader, begun.position)
        return 0


def _says_nothing(entry: Entry) -> bool:
    """Whether it is a slip of which the store has no more than the sums."""
    one = entry.content
    return isinstance(one, Posting) and one.round is not None and one.own_round is None
