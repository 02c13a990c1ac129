"""The pit's ledger in the store: its postings, and the base that sums up the older ones."""

import re
from typing import Final

from msgspec import Struct

from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Store

POSTINGS_KEPT: Final = 1_000_000

ROLL_CHUNK: Final = 25
"""Postings that one script call takes into the base: about a millisecond of the store's time."""

_POSITION: Final = re.compile(rb"(\d+)-(\d+)")


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
    """The ledger of one pit."""

    def __init__(self, store: Store, pit: PitId) -> None:
        self.store = store
        self.pit = pit

    async def roll(self, *, most: int = ROLL_CHUNK, kept: int = POSTINGS_KEPT) -> bool:
        """Takes up to `most` postings into the base, and trims those beyond `kept` that it has taken in.

        Returns whether there may be more to take in. Any number of dealers may call it at any time.

        Raises:
            DamagedRecordError: the next posting is none; nothing is taken in.
        """
        reply = await self.store.call(
            scripts.ROLL_LEDGER, [keys.ledger_key(self.pit), keys.ledger_base_key(self.pit)], [most, kept]
        )
        taken: int = reply[1]
        return taken == most
