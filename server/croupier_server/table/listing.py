"""A table as its pit lists it, and the digest of what slips are checked under there."""

import hashlib

import msgspec
from msgspec import Struct

from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.values import RulesRef
from croupier_server.table.pace import Pace
from croupier_server.table.state import TableSettings, rules_ref


class TableListing(Struct, frozen=True):
    """What the pit's list of tables says of one, beyond its name."""

    rules: RulesRef
    pace: Pace
    limits: Limits = Limits()


def encode_listing(settings: TableSettings) -> bytes:
    """The entry of a table in its pit's list, as JSON."""
    return msgspec.json.encode(
        TableListing(rules=rules_ref(settings.rules), pace=settings.pace, limits=settings.limits)
    )


def listing_digest(rules_digest: str, limits: Limits) -> str:
    """Names a pair of rules and limits: a dealer writes it into the record with each window, and a slip that
    was checked under another pair is checked again.

    >>> listing_digest("ab", Limits()) == listing_digest("ab", Limits(seats=2))
    False
    """
    return hashlib.sha256(rules_digest.encode() + b"\0" + msgspec.json.encode(limits)).hexdigest()[:16]
