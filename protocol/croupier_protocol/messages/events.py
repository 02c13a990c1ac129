"""Public events: the steps of a table, in order, the same for everyone.

`seq` rises by one per table without holes within an epoch. `at_ms` is the store's time of the commit and
the last field of every event: the commit script writes it into the encoded event, so an event is encoded
once, by the dealer, before its time is known (`croupier_protocol.codec`).
"""

from msgspec import Struct

from croupier_protocol.game.cards import Card
from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.messages.values import Epoch, HandView, Player, RulesRef, TableId
from croupier_protocol.shoe.shoe import Burn


class Event(Struct, frozen=True, kw_only=True, tag_field="type"):
    """What every event has. `due_ms` is when the step was due, `at_ms` when the store took it."""

    table: TableId
    epoch: Epoch
    seq: int
    due_ms: int
    at_ms: int


class ShoeOpened(Event, frozen=True, tag="shoe"):
    """A new shoe: its number at this table, how many cards it holds, what was burnt, where the cut card is.

    `cards` counts one deck of a series, which has no `burn` and no `cut_at` but a number of `coups`.
    """

    shoe: int
    decks: int
    rules: RulesRef
    cards: int
    burn: Burn | None
    cut_at: int | None
    coups: int | None


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
    """One card: to which hand, as its card number `index` (0 to 2), and that hand's new total."""

    round: int
    hand: Side
    index: int
    card: Card
    total: int


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
    ShoeOpened
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
