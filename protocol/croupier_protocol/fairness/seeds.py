"""What fixes the order of a shoe before anybody can know it: the house's seed and the players' values.

The house commits to its seed before the cut; players add values that the house cannot know when it commits;
the order follows from both. So neither alone can choose it. Where a public beacon was named with the
commitment, its value, which nobody knew when the cut was closed, is added too.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

VALUE_BYTES: Final = 32
"""The length of a player's value, and of every hash here."""

_COMMITMENT: Final = b"croupier shoe commitment 1\n"
_CUT: Final = b"croupier cut 1\n"
_CUT_WITH_BEACON: Final = b"croupier cut with beacon 1\n"
_BEACON: Final = b"croupier beacon 1\n"


def seed_commitment(
    table: str, shoe: int, rules_digest: str, seed: bytes, beacon: str | None = None
) -> bytes:
    """What the house publishes of `seed` before the cut: it fits no other seed, table, shoe, rules or beacon.

    SHA-256 of the label, the table's name, the shoe's number in decimals, the digest of the rules and, where
    one is named, the name of a beacon's round, each with a line feed behind it, and the 32 bytes of the seed.

    >>> seed_commitment("standard", 1, "00", bytes(32)).hex()[:16]
    '2ab05914daf8a8c2'
    """
    bound = [table, str(shoe), rules_digest, *([] if beacon is None else [beacon])]
    return hashlib.sha256(_COMMITMENT + "".join(f"{one}\n" for one in bound).encode() + seed).digest()


def value_hash(value: bytes) -> bytes:
    """What a player sends before its value: its plain SHA-256."""
    return hashlib.sha256(value).digest()


def beacon_hash(beacon: str, value: bytes) -> bytes:
    """What a beacon's value counts as: SHA-256 of the label, its round's name with a line feed, and it."""
    return hashlib.sha256(_BEACON + f"{beacon}\n".encode() + value).digest()


def order_seed(seed: bytes, values: Sequence[bytes], drawn: bytes | None = None) -> bytes:
    """The seed of the order: from the house's seed and the values of the cut, in the order of their list.

    HMAC-SHA-256 with the house's seed as key, of the label, the number of values, and the values one behind
    the other. A value that was not revealed counts as its hash. `drawn`, the hash of a beacon's value, comes
    last, and then the label is another; a value that did not come in time is none.
    """
    label = _CUT if drawn is None else _CUT_WITH_BEACON
    mixed = label + len(values).to_bytes(4, "big") + b"".join(values) + (drawn or b"")
    return hmac.digest(seed, mixed, "sha256")
