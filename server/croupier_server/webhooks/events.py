"""What receivers are told. Amounts are cents, times milliseconds of the store's clock."""

from typing import Final, get_args

from msgspec import Struct

from croupier_protocol.game.coup import Outcome
from croupier_protocol.messages.values import HandView, PlayerId, RulesRef, TableId
from croupier_server.store.keys import PitId


class WebhookEvent(Struct, frozen=True, tag_field="type"):
    """What all have: `id` names the event, and stays the same however often it is delivered."""

    id: str
    pit: PitId


class RoundSettled(WebhookEvent, frozen=True, tag="round_settled"):
    """Every bet of a round has been paid or taken; `paid` seats had some.

    Hands and outcome are null when the round's record is not kept any more.
    """

    table: TableId
    round: int
    at_ms: int
    staked: int
    returned: int
    paid: int
    rules: RulesRef | None
    player: HandView | None
    banker: HandView | None
    outcome: Outcome | None


class RoundVoid(WebhookEvent, frozen=True, tag="round_void"):
    """A round does not count, and every stake has been returned."""

    table: TableId
    round: int
    at_ms: int
    returned: int
    paid: int
    reason: str


class PlayerBroke(WebhookEvent, frozen=True, tag="player_broke"):
    """After a round in which it had bets, a player has nothing left in front of it nor in its wallet."""

    table: TableId
    round: int
    at_ms: int
    player: PlayerId


class EventsLost(WebhookEvent, frozen=True, tag="events_lost"):
    """Events were gone before they could be told: rounds may be missing. `tables.rounds` has them."""


Told = RoundSettled | RoundVoid | PlayerBroke | EventsLost
"""Everything that receivers are told."""

TOLD: Final[tuple[type[WebhookEvent], ...]] = get_args(Told)
"""The same, one by one."""
