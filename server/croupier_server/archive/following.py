"""Whether what the store has follows what the archive has, and what it is when it does not. Pure."""

from enum import StrEnum

from msgspec import Struct

from croupier_server.archive.entries import digest
from croupier_server.store.archiving import Fields, Page
from croupier_server.store.ledger import Position


class Reason(StrEnum):
    """Why a life of a pit's history began."""

    FIRST = "first"
    """The archive had nothing of this pit."""
    LOST_WRITES = "lost_writes"
    """The store has lost its last writes, as after a failover or the restoring of a backup: what the archive
    had of them is withdrawn."""
    OTHER_STORE = "other_store"
    """Nothing in the ledger is known: the store was begun anew. What the archive has of the old one stays."""
    GAP = "gap"
    """Postings were trimmed before this archive had them."""


class Cursor(Struct, frozen=True):
    """Up to where the archive has a pit's ledger: the life, the last entry, and its digest.

    The digest is empty where the life begins after what was trimmed, of which nothing is there to compare.
    """

    life: int
    position: Position
    digest: str = ""


class Break(StrEnum):
    """How the store does not follow: its last entry that the archive has was trimmed, or is not there."""

    TRIMMED = "trimmed"
    GONE = "gone"


def following(cursor: Cursor, page: Page) -> tuple[tuple[Position, Fields], ...] | Break:
    """What comes after `cursor`, given the `page` that was read from its position on."""
    if cursor.position < page.trimmed_upto:
        return Break.TRIMMED
    if cursor.position == page.trimmed_upto:
        return tuple(one for one in page.postings if one[0] > cursor.position)
    if not page.postings:
        return Break.GONE
    (position, fields), *rest = page.postings
    if position != cursor.position or digest(position, fields) != cursor.digest:
        return Break.GONE
    return tuple(rest)
