"""A pit's ledger as an archive reads it, and how far the archive has come."""

from typing import Final

from msgspec import Struct

from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.ledger import Position
from croupier_server.store.scripts import Store, run

Fields = dict[bytes, bytes]

PAGE: Final = 500
"""Postings read together: up to 200 kB, which takes the store a millisecond."""


class Page(Struct, frozen=True):
    """A piece of the ledger from one position on, with what was true at that moment.

    `trimmed_upto` is the last posting that was ever trimmed; `archive` the id of the archive that the ledger
    goes to, empty when there is none yet.
    """

    postings: tuple[tuple[Position, Fields], ...]
    trimmed_upto: Position
    archive: str


class LedgerReader:
    """Reads the ledger of one pit."""

    def __init__(self, store: Store, pit: PitId) -> None:
        self.store = store
        self.pit = pit

    async def page(self, start: Position) -> Page:
        """The next postings from `start` on, that one included."""
        pipe = self.store.client.pipeline(transaction=True)
        pipe.xrange(keys.ledger_key(self.pit), str(start), count=PAGE)
        pipe.hget(keys.ledger_base_key(self.pit), "trimmed_upto")
        pipe.hget(keys.archive_key(self.pit), "id")
        entries, trimmed_upto, archive = await run(pipe.execute())
        return Page(
            postings=_postings(entries),
            trimmed_upto=Position.read(trimmed_upto or b"0-0"),
            archive=(archive or b"").decode("utf-8", "replace"),
        )

    async def before(self, position: Position) -> tuple[tuple[Position, Fields], ...]:
        """The postings before `position` that are nearest to it, newest first."""
        if not position.ms:
            return ()
        entries = await run(
            self.store.client.xrevrange(keys.ledger_key(self.pit), f"({position}", count=PAGE)
        )
        return _postings(entries)

    async def archived(self, archive: str, upto: Position, *, instead: bool = False) -> bool:
        """Says that `archive` has everything up to `upto`, so that what is before may be trimmed.

        False when the ledger goes to another archive; with `instead`, this one takes its place.
        """
        reply = await self.store.call(
            scripts.ARCHIVED, [keys.archive_key(self.pit)], [archive, str(upto), "1" if instead else ""]
        )
        return bool(reply[0] == b"ok")


def _postings(entries: list[tuple[bytes, Fields | None]]) -> tuple[tuple[Position, Fields], ...]:
    for position, fields in entries:
        if fields is None:
            raise DamagedRecordError(f"the posting at {position!r} is gone")
    return tuple((Position.read(position), fields) for position, fields in entries if fields is not None)
