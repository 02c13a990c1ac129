"""What fixes the order of a shoe before anybody can know it: the house's seed and the players' values.

The house commits to its seed before the cut; players add values that the house cannot know when it commits;
the order follows from both. So neither alone can choose it.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

VALUE_BYTES: Final = 32
"""The length of a player's value, and of every hash here."""

_COMMITMENT: Final = b"croupier shoe commitment 1\n"
_CUT: Final = b"croupier cut 1\n"


def seed_commitment(table: str, shoe: int, rules_digest: str, seed: bytes) -> bytes:
    """What the house publishes of `seed` before the cut: it fits no other seed, table, shoe or rules.

    SHA-256 of the label, the table's name, the shoe's number in decimals and the digest of the rules, each
    with a line feed behind it, and the 32 bytes of the seed.

    >>> seed_commitment("standard", 1, "00", bytes(32)).hex()[:16]
    '2ab05914daf8a8c2'
    """
    return hashlib.sha256(_COMMITMENT + f"{table}\n{shoe}\n{rules_digest}\n".encode() + seed).digest()


def value_hash(value: bytes) -> bytes:
    """What a player sends before its value: its plain SHA-256."""
    return hashlib.sha256(value).digest()


def order_seed(seed: bytes, values: Sequence[bytes]) -> bytes:
    """The seed of the order: from the house's seed and the values of the cut, in the order of their list.

    HMAC-SHA-256 with the house's seed as key, of the label, the number of values, and the values one behind
    the other. A value that was not revealed counts as its hash.
    """
    return hmac.digest(seed, _CUT + len(values).to_bytes(4, "big") + b"".join(values), "sha256")
