"""Ids, bounds and small values that messages carry.

Money is an integer number of cents, times are integer milliseconds of the store's clock, ids are
distinct types. Structs of the server's direction accept fields they do not know, so that an old client
can read a new server.
"""

from enum import StrEnum
from typing import Annotated, Final, NewType

from msgspec import Meta, Struct

from croupier_protocol.fairness.seeds import beacon_hash
from croupier_protocol.game.cards import Card
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.settlement import BetResult
from croupier_protocol.language import Language as Language  # noqa: PLC0414 - handed on: messages carry it

TableId = NewType("TableId", str)
"""A table's name: also its key in the store and its address on the wire."""

PlayerId = NewType("PlayerId", str)
"""A player's public name for programs. Others see it; it is never a credential."""

Epoch = NewType("Epoch", str)
"""One life of a pit's event stream. Two epochs have nothing in common but the tables."""

MAX_MONEY: Final = 2**53 - 1
"""The largest amount in cents: what Lua, JSON and a browser still hold exactly."""

TABLE_ID_PATTERN: Final = r"^[a-z0-9][a-z0-9-]{0,47}$(?!\n)"
"""The end says it twice: in Python `$` alone also matches before a last line feed."""

TableName = Annotated[str, Meta(pattern=TABLE_ID_PATTERN)]
"""A table id as a client writes it; refused by the decoder when it cannot be one."""

OperationId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$(?!\n)")]
"""A client's own name for one action, so that sending it twice does it once."""

Cents = Annotated[int, Meta(ge=0, le=MAX_MONEY)]
Amount = Annotated[int, Meta(ge=1, le=MAX_MONEY)]
SeatNumber = Annotated[int, Meta(ge=1, le=10_000)]
Count = Annotated[int, Meta(ge=0, le=MAX_MONEY)]
RequestId = Annotated[int, Meta(ge=0, le=MAX_MONEY)]


class Phase(StrEnum):
    """Where a table is in its round."""

    SHUFFLING = "shuffling"
    BETTING = "betting"
    CLOSED = "closed"
    DEALING = "dealing"
    SETTLING = "settling"
    RESULT = "result"
    VOIDING = "voiding"
    PAUSED = "paused"
    ENDED = "ended"


class Player(Struct, frozen=True):
    """Somebody at a table, as everyone sees them."""

    id: PlayerId
    name: str


class TakenSeat(Struct, frozen=True):
    """Who sits where."""

    seat: int
    player: Player


class Payout(Struct, frozen=True):
    """What a round brought to one seat: each bet's end, the sum that came back, and the bankroll after it."""

    table: TableId
    round: int
    bets: tuple[BetResult, ...]
    returned: int
    bankroll: int


class Contribution(Struct, frozen=True):
    """A player's part in the cut of a shoe: the hash that was sent first, and the value, once revealed.

    A value that was not revealed stays null, and its hash counts instead.
    """

    seat: int
    player: PlayerId
    hash: bytes
    value: bytes | None = None

    @property
    def counts_as(self) -> bytes:
        """The 32 bytes that go into the order."""
        return self.hash if self.value is None else self.value


class Beacon(Struct, frozen=True):
    """A round of a public beacon, named before it is drawn: `source` is an address with `{round}` in it.

    The address has a JSON object once the round is drawn, at `due_ms`; what stands behind `#` names its
    member with the value, in hexadecimal digits. `value` is null before, and for good if it did not come in
    time.
    """

    source: str
    round: int
    due_ms: int
    value: bytes | None = None

    @property
    def name(self) -> str:
        """What commitment and order are bound to: source and round."""
        return f"{self.source} {self.round}"

    @property
    def counts_as(self) -> bytes | None:
        """The 32 bytes that go into the order; None without a value."""
        return None if self.value is None else beacon_hash(self.name, self.value)


class RulesRef(Struct, frozen=True):
    """Which rules a table plays: the rule set's name and the digest over all that matters in it."""

    name: str
    digest: str


class HandView(Struct, frozen=True):
    """One hand as it lies on the table: its cards in dealing order and their total, 0 to 9."""

    cards: tuple[Card, ...] = ()
    total: int = 0


class PastCoup(Struct, frozen=True, array_like=True):
    """A finished coup of the running shoe, as the roads need it. An array on the wire, in this order."""

    round: int
    outcome: Outcome
    player_total: int
    banker_total: int
    natural: bool
    player_pair: bool
    banker_pair: bool


class RoundRecord(Struct, frozen=True):
    """A finished round as history tells it.

    `outcome` is null and `reason` says why when the round was voided; the cards are those shown until then.
    """

    round: int
    shoe: int
    coup: int
    rules: RulesRef
    player: HandView
    banker: HandView
    outcome: Outcome | None
    natural: bool
    player_pair: bool
    banker_pair: bool
    ended_at_ms: int
    reason: str | None = None
