"""Public events: the steps of a table, in order, the same for everyone.

`seq` rises by one per table without holes within an epoch. `at_ms` is the store's time of the commit and
the last field of every event: the commit script writes it into the encoded event, so an event is encoded
once, by the dealer, before its time is known (`croupier_protocol.codec`).
"""

from msgspec import Struct

from croupier_protocol.fairness.cards import POSITION_BYTES
from croupier_protocol.game.cards import Card
from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.messages.values import (
    Beacon,
    Contribution,
    Epoch,
    HandView,
    Player,
    RulesRef,
    TableId,
)
from croupier_protocol.shoe.shoe import Burn


class Event(Struct, frozen=True, kw_only=True, tag_field="type"):
    """What every event has. `due_ms` is when the step was due, `at_ms` when the store took it."""

    table: TableId
    epoch: Epoch
    seq: int
    due_ms: int
    at_ms: int


class ShoeCommitted(Event, frozen=True, tag="commitment"):
    """The next shoe begins: the `commitment` to its seed, under which rules, and after which shoe's end.

    `rules_text` is the canonical form of the rules, of which their digest is the SHA-256. `previous` is the
    `chain` of the last shoe's end; null for a table's first shoe. Seated players may send hashes for the cut
    until `cut_until_ms`; it is null where nobody is seated, and then the cut is skipped. `beacon` is a round
    of a public beacon that will be drawn when the cut is over, if the operator names one.
    """

    shoe: int
    rules: RulesRef
    rules_text: str
    commitment: bytes
    previous: bytes | None
    cut_until_ms: int | None
    beacon: Beacon | None = None


class CutListed(Event, frozen=True, tag="cut_list"):
    """The hashes that were sent for the cut, in the order in which their values will count.

    Their senders reveal the values until `reveal_until_ms`.
    """

    shoe: int
    contributions: tuple[Contribution, ...]
    reveal_until_ms: int


class ShoeOpened(Event, frozen=True, tag="shoe"):
    """A new shoe: its number at this table, how many cards it holds, what was burnt, where the cut card is.

    `cards` counts one deck of a series, which has no `burn` and no `cut_at` but a number of `coups`. The
    order is fixed by the committed seed, the `contributions` and the value of the `beacon`, where one was
    named and has come. `digest` is that of the list of commitments to its cards, which is at
    `/shoes/<table>/<shoe>/commitments`; `burn_salt` is the salt of the card shown.
    """

    shoe: int
    decks: int
    rules: RulesRef
    cards: int
    burn: Burn | None
    cut_at: int | None
    coups: int | None
    contributions: tuple[Contribution, ...]
    digest: bytes
    burn_salt: bytes | None
    beacon: Beacon | None = None


class ShoeEnded(Event, frozen=True, tag="shoe_end"):
    """A shoe has ended, and is open to everyone: seed, contributions and beacon make its order again.

    `reason` is null unless it was abandoned, which may be before it was opened; `burnt` are the cards burnt
    unseen; `chain` is the hash over all that it dealt.
    """

    shoe: int
    reason: str | None
    seed: bytes
    contributions: tuple[Contribution, ...]
    burnt: tuple[Card, ...]
    chain: bytes
    beacon: Beacon | None = None


class BettingOpened(Event, frozen=True, tag="betting"):
    """A betting window, open until `closes_at_ms`. Sent again for the same round when a clock stepped.

    `coup` is the number in the shoe; `last` marks the last coup before a shuffle.
    """

    round: int
    shoe: int
    coup: int
    closes_at_ms: int
    last: bool


class BetsChanged(Event, frozen=True, tag="bets"):
    """What is on the table for the round: cents a bet, seats with a slip, seats that are ready."""

    round: int
    totals: dict[str, int]
    bettors: int
    ready: int


class BettingClosed(Event, frozen=True, tag="closed"):
    """No more bets for this round."""

    round: int


class CardDealt(Event, frozen=True, tag="card"):
    """One card: to which hand, as its card number `index` (0 to 2), and that hand's new total.

    `proof` is what its commitment in the shoe's list is made with: its position as two bytes, big-endian, and
    the 16 bytes of its salt.
    """

    round: int
    hand: Side
    index: int
    card: Card
    total: int
    proof: bytes

    @property
    def position(self) -> int:
        """Where it lay in its deck, counted from 0."""
        return int.from_bytes(self.proof[:POSITION_BYTES], "big")

    @property
    def salt(self) -> bytes:
        """The salt of its commitment."""
        return self.proof[POSITION_BYTES:]


class RoundResult(Event, frozen=True, tag="result"):
    """The finished coup."""

    round: int
    outcome: Outcome
    player: HandView
    banker: HandView
    natural: bool
    player_pair: bool
    banker_pair: bool


class RoundSettled(Event, frozen=True, tag="settled"):
    """Every bet of the round has been paid, taken or returned: totals in cents, and the seats paid."""

    round: int
    staked: int
    returned: int
    paid: int


class RoundVoided(Event, frozen=True, tag="void"):
    """The round does not count and every stake returns; `settled` follows."""

    round: int
    reason: str


class SeatChanged(Event, frozen=True, tag="seat"):
    """A seat was taken, or given up (null)."""

    seat: int
    player: Player | None


class Paused(Event, frozen=True, tag="paused"):
    """The table deals no further round until `resumed`."""

    reason: str


class Resumed(Event, frozen=True, tag="resumed"):
    """The table goes on."""


class TableClosed(Event, frozen=True, tag="table_closed"):
    """The table is no more: every seat was cashed out, and no event follows.

    Should it be opened again under its name, it goes on with `resumed`.
    """

    reason: str


class UnknownEvent(Struct, frozen=True):
    """An event of a newer server. It counts for `seq` and changes nothing an older client knows."""

    type: str
    table: TableId
    epoch: Epoch
    seq: int


TableEvent = (
    ShoeCommitted
    | CutListed
    | ShoeOpened
    | ShoeEnded
    | BettingOpened
    | BetsChanged
    | BettingClosed
    | CardDealt
    | RoundResult
    | RoundSettled
    | RoundVoided
    | SeatChanged
    | Paused
    | Resumed
    | TableClosed
)
