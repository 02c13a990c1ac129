"""One hash over all that a shoe dealt, and into the next shoe: a result that is left out breaks it.

Each step is SHA-256 of a label, the hash before it, and what happened, so nobody can change, drop or move a
round without changing every hash after it.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

from croupier_protocol.game.cards import Card

NO_SHOE: Final = bytes(32)
"""Stands for the end of the shoe before the first."""

VOID: Final = "void"
"""Stands for the outcome of a round that was voided."""

_BEGIN: Final = b"croupier shoe begins 1\n"
_ROUND: Final = b"croupier round 1\n"
_END: Final = b"croupier shoe ends 1\n"


def begin_shoe(previous: bytes | None, commitment: bytes, digest: bytes, cut_at: int | None) -> bytes:
    """The first hash of a shoe: the label, the hash of the last one's end (`NO_SHOE` for none), the
    commitment to the seed, the digest of the list (empty for a shoe that was never opened), and the cut
    card's position in decimals (empty for none) with a line feed.
    """
    where = f"{'' if cut_at is None else cut_at}\n".encode()
    return hashlib.sha256(_BEGIN + (previous or NO_SHOE) + commitment + digest + where).digest()


def add_round(
    chain: bytes, round_: int, coup: int, outcome: str, player: Sequence[Card], banker: Sequence[Card]
) -> bytes:
    """The hash after a round: the label, the hash before it, and a line with number, coup, outcome (or
    `VOID`), the player's cards and the banker's, without spaces in a hand and one between fields.
    """
    told = f"{round_} {coup} {outcome} {''.join(player)} {''.join(banker)}\n"
    return hashlib.sha256(_ROUND + chain + told.encode()).digest()


def end_shoe(chain: bytes, seed: bytes, reason: str | None) -> bytes:
    """The hash of a shoe's end: the label, the hash before it, the house's seed, and the UTF-8 of the reason
    for which it was abandoned (empty for none) with a line feed.
    """
    return hashlib.sha256(_END + chain + seed + f"{reason or ''}\n".encode()).digest()
