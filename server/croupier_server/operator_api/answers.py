"""What the methods of the operator's API give. Amounts are cents, times milliseconds of the store's clock."""

from typing import Final, Literal

from msgspec import Struct

from croupier_protocol.messages.to_client import OwnRound, WaitingLimit
from croupier_protocol.messages.values import PlayerId, RoundRecord, TableId
from croupier_server.bank.findings import Figures, Mismatch
from croupier_server.store.keys import PitId
from croupier_server.store.own_limits import OwnRecord
from croupier_server.store.significant import Significant
from croupier_server.store.wallets import Operation, Wallet
from croupier_server.tables_list import TableRow

MOST_FINDINGS: Final = 100
"""So many mismatches of an audit are told; `croupier audit` tells all."""


class Tables(Struct, frozen=True):
    """Every table; `silent` says of which pits nothing is known now, and why."""

    tables: tuple[TableRow, ...]
    silent: dict[PitId, str]


class Ordered(Struct, frozen=True):
    """The order is carried out."""

    table: TableId
    order: str
    answer: Literal["done"] = "done"


class AlarmCleared(Struct, frozen=True):
    """The table takes bets again; `cleared` was its alarm."""

    table: TableId
    cleared: str


class Rounds(Struct, frozen=True):
    """Finished rounds of a table, newest first; `more` where there are older ones."""

    table: TableId
    rounds: tuple[RoundRecord, ...]
    more: bool


class WalletShown(Struct, frozen=True):
    """A wallet and its recent operations, newest first."""

    player: PlayerId
    wallet: Wallet
    operations: tuple[Operation, ...]


class Adjusted(Struct, frozen=True):
    """What was issued or retired, and what the wallet held then."""

    player: PlayerId
    op: str
    amount: int
    balance: int


class CodeMade(Struct, frozen=True):
    """A code, for the browser table's address behind `#code=`: good once, and until this time."""

    player: PlayerId
    code: str
    expires_ms: int


class Revoked(Struct, frozen=True):
    """Tokens that were issued before this time are void."""

    player: PlayerId
    until_ms: int


class PlayersLimits(Struct, frozen=True):
    """What a player has limited, as it is in force: cents and minutes, null for no limit.

    `waiting` are looser ones that come into force later; `excluded_until_ms` is null for who is not excluded;
    `played_minutes` are this day's at the tables.
    """

    player: PlayerId
    round_stake: int | None
    day_stake: int | None
    day_minutes: int | None
    reality_minutes: int | None
    waiting: tuple[WaitingLimit, ...]
    excluded_until_ms: int | None
    played_minutes: int

    @classmethod
    def of(cls, player: PlayerId, record: OwnRecord) -> "PlayersLimits":
        """The same as stored."""
        return cls(
            player=player,
            round_stake=record.round_stake,
            day_stake=record.day_stake,
            day_minutes=record.day_minutes,
            reality_minutes=record.reality_minutes,
            waiting=record.waiting,
            excluded_until_ms=record.running_exclusion_ms,
            played_minutes=record.played_minutes,
        )


class PlayersRoundsPage(Struct, frozen=True):
    """A player's settled rounds at all tables, newest first; `next` is the next page's `before`, if any."""

    player: PlayerId
    rounds: tuple[OwnRound, ...]
    next: str | None


class EventsPage(Struct, frozen=True):
    """Significant events, newest first; `next` is the next page's `before`, if there is one."""

    events: tuple[Significant, ...]
    next: str | None


class Audited(Struct, frozen=True):
    """What an audit has found.

    `difference` is by how many cents there is more than was issued and not retired; null when something could
    not be read at a moment of its own, and `unpinned` says what. `mismatches` and `unpinned` have a hundred
    at most, `mismatch_count` counts all.
    """

    clean: bool
    difference: int | None
    figures: Figures
    mismatch_count: int
    mismatches: tuple[Mismatch, ...]
    unpinned: tuple[str, ...]
