"""A table as its pit lists it: all that is needed to deal it, to serve it and to explain it.

The list is the one source: dealers deal what is on it, gateways show it. A server's configuration is written
into it at the start.
"""

import hashlib
from enum import StrEnum
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct

from croupier_protocol.game.canonical import rules_from_canonical
from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RulesError, RuleSet
from croupier_protocol.messages.values import RulesRef, TableId
from croupier_server.table.beacon import BeaconSource
from croupier_server.table.pace import Pace
from croupier_server.table.state import TableSettings, rules_ref

READ_KEPT: Final = 1_024
"""Listings whose decoded form is kept: more than a worker has tables."""


class ListingError(ValueError):
    """A listing cannot be read."""


class Origin(StrEnum):
    """Where a table comes from, and so what takes it off the list besides `croupier tables close`."""

    CONFIGURED = "configured"
    """A server's configuration: when that no longer has it, the next start takes it off."""
    ADDED = "added"
    """`croupier tables add`."""


class TableListing(Struct, frozen=True):
    """What the pit's list of tables says of one, beyond its name.

    `canonical` is the rule set in canonical form: a server whose own configuration lacks it can deal it.
    """

    rules: RulesRef
    canonical: msgspec.Raw
    pace: Pace
    limits: Limits = Limits()
    early_close: bool = True
    auto_rebet: bool = True
    origin: Origin = Origin.CONFIGURED
    beacon: BeaconSource | None = None

    def rule_set(self) -> RuleSet:
        """The rules with which the table's next shoe opens.

        Raises:
            ListingError: they cannot be played, or are not those that `rules` names.
        """
        return _rule_set(self.rules, bytes(self.canonical))

    def settings(self, table: TableId) -> TableSettings:
        """The same for who deals the table.

        Raises:
            ListingError: as `rule_set`.
        """
        return TableSettings(
            table=table,
            rules=self.rule_set(),
            pace=self.pace,
            limits=self.limits,
            early_close=self.early_close,
            beacon=self.beacon,
            auto_rebet=self.auto_rebet,
        )


def encode_listing(settings: TableSettings, origin: Origin = Origin.CONFIGURED) -> bytes:
    """The entry of a table in its pit's list, as JSON."""
    return msgspec.json.encode(
        TableListing(
            rules=rules_ref(settings.rules),
            canonical=msgspec.Raw(msgspec.json.encode(settings.rules.canonical)),
            pace=settings.pace,
            limits=settings.limits,
            early_close=settings.early_close,
            auto_rebet=settings.auto_rebet,
            origin=origin,
            beacon=settings.beacon,
        )
    )


@lru_cache(maxsize=READ_KEPT)
def read_listing(encoded: bytes) -> TableListing:
    """What `encode_listing` wrote.

    Raises:
        ListingError: it did not write this, or its rules cannot be played.
    """
    try:
        listing = msgspec.json.decode(encoded, type=TableListing)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ListingError(f"a listing: {error}") from error
    listing.rule_set()
    return listing


@lru_cache(maxsize=64)
def _rule_set(ref: RulesRef, canonical: bytes) -> RuleSet:
    try:
        rules = rules_from_canonical(ref.name, msgspec.json.decode(canonical))
    except (msgspec.MsgspecError, RulesError, RecursionError) as error:
        raise ListingError(f"the rules of a listing: {error}") from error
    if rules.digest != ref.digest:
        raise ListingError(f"a table is listed with other rules than {ref.name} as it says")
    return rules


def listing_digest(rules_digest: str, limits: Limits) -> str:
    """Names a pair of rules and limits: a dealer writes it into the record with each window, and a slip that
    was checked under another pair is checked again.

    >>> listing_digest("ab", Limits()) == listing_digest("ab", Limits(seats=2))
    False
    """
    return hashlib.sha256(rules_digest.encode() + b"\0" + msgspec.json.encode(limits)).hexdigest()[:16]
