"""What a slip was checked under: a digest of a table's rules and limits.

A dealer writes it into the record with each window; a slip that was checked under another is checked again.
"""

import hashlib

import msgspec

from croupier_protocol.game.limits import Limits


def listing_digest(rules_digest: str, limits: Limits) -> str:
    """Names a pair of rules and limits.

    >>> listing_digest("ab", Limits()) == listing_digest("ab", Limits(seats=2))
    False
    """
    return hashlib.sha256(rules_digest.encode() + b"\0" + msgspec.json.encode(limits)).hexdigest()[:16]
