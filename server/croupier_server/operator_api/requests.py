"""What the methods of the operator's API take. Amounts are cents, times milliseconds of the store's clock."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.to_server import MAX_EXCLUDED_DAYS, MAX_HISTORY, DayMinutes
from croupier_protocol.messages.values import Amount, Cents, OperationId, TableName
from croupier_server.operations.reasons import MOST_LETTERS
from croupier_server.store.keys import DEFAULT_PIT

PlayerName = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$(?!\n)",
        description="A player's id: a token's `sub`, or a guest's.",
    ),
]

Reason = Annotated[str, Meta(min_length=1, max_length=MOST_LETTERS, description="Why: a line of text.")]

Op = Annotated[
    OperationId,
    Meta(description="The caller's own name for this action; sent again, it gets the first answer."),
]

Page = Annotated[int, Meta(ge=1, le=MAX_HISTORY, description="How many at most.")]


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


class AddTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open: its name, rule set (of the configuration or Croupier's own), pace, limits and pit.

    A pit that is not there yet is made with `new_pit` alone.
    """

    table: TableName
    rules: str = "standard"
    pace: str = "standard"
    limits: Limits = Limits()
    pit: TableName = DEFAULT_PIT
    new_pit: bool = False


class TableOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """An order for a table's dealer; everyone at the table is told the reason."""

    table: TableName
    op: Op
    reason: Reason = "operator"


class TimedOrder(TableOrder, frozen=True, forbid_unknown_fields=True):
    """The same for what waits for the end of the round, unless `now` has that voided first."""

    now: bool = False


class RemovePlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom to remove from a table; the player is told the reason."""

    table: TableName
    player: PlayerName
    op: Op
    reason: Reason = "operator"


class ClearAlarm(Struct, frozen=True, forbid_unknown_fields=True):
    """A table whose alarm is to end; the reason is kept in its record."""

    table: TableName
    reason: Reason


class PastRounds(Struct, frozen=True, forbid_unknown_fields=True):
    """A page of a table's rounds: the last ones, or those before round `before`."""

    table: TableName
    before: Annotated[int, Meta(ge=1)] | None = None
    limit: Page = 20


class OfPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """One player."""

    player: PlayerName


class MakeCode(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom a one-time code signs in, and the name that others see; without one it is made up."""

    player: PlayerName
    name: Annotated[str, Meta(max_length=200)] = ""


class Adjust(Struct, frozen=True, forbid_unknown_fields=True):
    """Chips to issue into a player's wallet, or to retire from it, and why."""

    player: PlayerName
    amount: Amount
    reason: Reason
    op: Op


class SetLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's limits, in force at once: null leaves one as it is, 0 is no limit.

    Stakes are cents in a round and in a day at all tables; minutes are those at the tables in a day, and from
    one reality check to the next.
    """

    player: PlayerName
    reason: Reason
    op: Op
    round_stake: Cents | None = None
    day_stake: Cents | None = None
    day_minutes: DayMinutes | None = None
    reality_minutes: DayMinutes | None = None


class ExcludePlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom to keep from all tables, and for how many days from now; 0 ends it."""

    player: PlayerName
    days: Annotated[int, Meta(ge=0, le=MAX_EXCLUDED_DAYS)]
    reason: Reason
    op: Op


class PastEvents(Struct, frozen=True, forbid_unknown_fields=True):
    """A page of significant events: the last ones, or those from the `next` of the page before."""

    before: Annotated[str, Meta(pattern=r"^[0-9]{1,20}-[0-9]{1,20}$(?!\n)")] | None = None
    limit: Page = 20


class PlayersRounds(Struct, frozen=True, forbid_unknown_fields=True):
    """A page of a player's own rounds: the last ones, or those from the `next` of the page before."""

    player: PlayerName
    before: Annotated[str, Meta(pattern=r"^[0-9]{1,20}-[0-9]{1,20}$(?!\n)")] | None = None
    limit: Page = 20
