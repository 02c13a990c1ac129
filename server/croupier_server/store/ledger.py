"""The pit's ledger in the store: its postings, and the base that sums up the older ones."""

import re
from typing import Final

from msgspec import Struct

from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Store

POSTINGS_KEPT: Final = 1_000_000

ARCHIVED_KEPT: Final = 100_000
"""Postings that are kept although the archive has them: as much of it can be lost and read again. With what
is kept for an archive they are larger than others. A backlog that is smaller goes before it.
"""

ROLL_CHUNK: Final = 25
"""Postings that one script call takes into the base: about a millisecond of the store's time."""

_POSITION: Final = re.compile(rb"(\d+)-(\d+)")


class Archiving(Struct, frozen=True):
    """That the ledger goes to an archive, and how many postings are kept while it does not come for them."""

    backlog: int


class Rolled(Struct, frozen=True):
    """What rolling came to: whether there may be more to do.

    Where the ledger goes to an archive, also how long the oldest posting has waited for that, and how many
    were trimmed before the archive had them, ever.
    """

    more: bool
    behind_ms: int
    lost: int


class Position(Struct, frozen=True, order=True):
    """A place in the ledger: that of a posting, or the beginning."""

    ms: int = 0
    sequence: int = 0

    @classmethod
    def read(cls, text: bytes) -> "Position":
        """The position in a stream's id.

        Raises:
            DamagedRecordError: it is none.
        """
        match = _POSITION.fullmatch(text)
        if match is None:
            raise DamagedRecordError(f"{text!r} is no position in a ledger")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.ms}-{self.sequence}"


class Ledger:
    """The ledger of one pit, and whether it goes to an archive."""

    def __init__(self, store: Store, pit: PitId, archiving: Archiving | None = None) -> None:
        self.store = store
        self.pit = pit
        self._archiving = archiving

    async def roll(self, *, most: int = ROLL_CHUNK, kept: int | None = None) -> Rolled:
        """Takes up to `most` postings into the base, and trims those beyond `kept`, at most twice as many.

        Only those that the base has are trimmed, and where there is an archive, that it has; beyond the most
        that may wait for it, they are lost to it. Any number of dealers may call it at any time.

        Raises:
            DamagedRecordError: the next posting is none; nothing is taken in.
        """
        archiving = self._archiving
        if kept is None:
            kept = POSTINGS_KEPT if archiving is None else min(ARCHIVED_KEPT, archiving.backlog)
        _, taken, dropped, behind_ms, lost = await self.store.call(
            scripts.ROLL_LEDGER,
            [keys.ledger_key(self.pit), keys.ledger_base_key(self.pit), keys.archive_key(self.pit)],
            [most, kept, "" if archiving is None else archiving.backlog],
        )
        return Rolled(more=taken == most or dropped == 2 * most, behind_ms=behind_ms, lost=lost)
