"""What a server sends besides events: snapshots, replies to commands, and news about the connection."""

from msgspec import Struct

from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules_text import Section
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.events import TableEvent
from croupier_protocol.messages.notices import NoticeCode
from croupier_protocol.messages.offers import Offer
from croupier_protocol.messages.values import (
    Beacon,
    Contribution,
    Epoch,
    HandView,
    Language,
    PastCoup,
    Payout,
    Phase,
    Player,
    RequestId,
    RoundRecord,
    RulesRef,
    TableId,
    TakenSeat,
)
from croupier_protocol.shoe.shoe import Burn


class ShoeView(Struct, frozen=True):
    """The running shoe as everyone may see it. `dealt` counts the cards out of it, burn included.

    `commitment`, `previous`, `contributions`, `digest` and `beacon` are those of its `commitment` and `shoe`;
    `end` is the `chain` of its `shoe_end`, once it has ended. One that was abandoned before it was opened has
    no cards and an empty digest.
    """

    number: int
    decks: int
    cards: int
    burn: Burn | None
    cut_at: int | None
    coups: int | None
    dealt: int
    commitment: bytes
    previous: bytes | None
    contributions: tuple[Contribution, ...]
    digest: bytes
    end: bytes | None = None
    beacon: Beacon | None = None


class CutView(Struct, frozen=True):
    """The cut of the next shoe, from its commitment until it is opened.

    Hashes are taken until `until_ms` (null where nobody is seated); once they are `listed`, values are.
    """

    shoe: int
    rules: RulesRef
    commitment: bytes
    previous: bytes | None
    until_ms: int | None
    listed: bool = False
    contributions: tuple[Contribution, ...] = ()
    beacon: Beacon | None = None


class TableView(Struct, frozen=True, tag_field="type", tag="snapshot"):
    """A table as everyone sees it; on the wire, a `snapshot`.

    It is the fold of the table's events up to `seq` (`croupier_protocol.view`). `past` holds the finished
    coups of the running shoe, oldest first. `closes_at_ms` stands from the window's opening to the next.
    """

    table: TableId
    epoch: Epoch
    seq: int
    rules: RulesRef
    phase: Phase
    round: int = 0
    shoe: ShoeView | None = None
    cut: CutView | None = None
    coup: int = 0
    last: bool = False
    closes_at_ms: int | None = None
    player: HandView = HandView()
    banker: HandView = HandView()
    outcome: Outcome | None = None
    natural: bool = False
    player_pair: bool = False
    banker_pair: bool = False
    past: tuple[PastCoup, ...] = ()
    reason: str | None = None
    totals: dict[str, int] = {}
    bettors: int = 0
    ready: int = 0
    seats: tuple[TakenSeat, ...] = ()


class TableInfo(Struct, frozen=True):
    """One row of the lobby. `spectators` are all who watch, seated or not, at whatever server; those of other
    workers as these said a second or two ago, and for six seconds after one has died.
    """

    table: TableId
    rules: RulesRef
    pace: str
    phase: Phase
    round: int
    coup: int
    closes_at_ms: int | None
    spectators: int
    seated: int
    limits: Limits
    past: tuple[PastCoup, ...]


class Reply(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """What every answer to one client has: the `id` of the command it answers, where there was one.

    Fields that are null are left out of the frame.
    """

    id: RequestId | None = None


class Welcome(Reply, frozen=True, tag="welcome"):
    """Answers `hello`: the server's version, its time, and after how much silence it can be given up.

    `player` comes once the connection is somebody. `resume` is its secret, for the next `hello`: a guest's,
    which replaces every earlier one, or with `expires_ms` the answer to a code, which stays as it is.
    `expires_ms` is when what it showed will be over, by the server's time.
    """

    version: str
    server_ms: int
    silence_ms: int
    player: Player | None = None
    resume: str | None = None
    expires_ms: int | None = None


class LobbyState(Reply, frozen=True, tag="lobby"):
    """Answers `lobby`: every table."""

    server_ms: int
    tables: tuple[TableInfo, ...]


class LobbyUpdate(Struct, frozen=True, tag_field="type", tag="lobby_update"):
    """The tables that changed since the last `lobby` or `lobby_update`; at most one a second.

    `closed` are those that there are no longer.
    """

    server_ms: int
    tables: tuple[TableInfo, ...]
    closed: tuple[TableId, ...] = ()


class Watching(Reply, frozen=True, tag="watching"):
    """Answers `watch`. With `resumed`, the events after `since` follow; without it, a snapshot."""

    table: TableId
    epoch: Epoch
    seq: int
    resumed: bool


class Unwatched(Reply, frozen=True, tag="unwatched"):
    """Answers `unwatch`: no further event of this table comes."""

    table: TableId


class TableRules(Reply, frozen=True, tag="rules"):
    """Answers `rules`: what the table plays, in words, for whoever shows it to lay out.

    `offer` is what a program needs of it. `limits` are those in force: they are a table's, and change only
    with a new round. Without `auto_rebet` programs for people are not to repeat bets by themselves.
    """

    table: TableId
    rules: RulesRef
    limits: Limits
    language: Language
    title: str
    sections: tuple[Section, ...]
    offer: Offer
    auto_rebet: bool = True


class HistoryPage(Reply, frozen=True, tag="history"):
    """Answers `history`, newest round first. `more` says that older rounds are kept."""

    table: TableId
    rounds: tuple[RoundRecord, ...]
    more: bool


class Me(Reply, frozen=True, tag="me"):
    """A player's own place at a table, whole: after `watch`, after everything that changes it.

    `rev` is the revision that the next `slip` builds on; `seat` is null without one. `slip` is what stands on
    `round`, `last_slip` what was last settled here. `payouts` are those after the round asked for, oldest
    first. `wallet` is told where it was touched: by one's own command, or when
    a seat that was left during a round, or was taken back, has been cashed out.
    """

    table: TableId
    rev: int
    seat: int | None = None
    bankroll: int = 0
    round: int = 0
    slip: dict[str, int] = {}
    ready: bool = False
    leaving: bool = False
    last_slip: dict[str, int] = {}
    payouts: tuple[Payout, ...] = ()
    wallet: int | None = None


class SlipAccepted(Reply, frozen=True, tag="slip_accepted"):
    """The slip stands, and will when the window closes, unless a later one is accepted."""

    table: TableId
    round: int
    rev: int
    bets: dict[str, int]
    bankroll: int


class SlipChanged(Reply, frozen=True, tag="slip_changed"):
    """The slip was not taken: another is there by now, with this revision."""

    table: TableId
    round: int
    rev: int
    bets: dict[str, int]
    bankroll: int


class CutTaken(Reply, frozen=True, tag="cut_taken"):
    """Answers `cut`: the hash or the value counts for this shoe."""

    table: TableId
    shoe: int


class PaidOut(Struct, frozen=True, tag_field="type", tag="payout"):
    """A settled round of one's own, told once to each of one's connections that watch the table."""

    payout: Payout


class SeatNotice(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="notice"):
    """What has come over one's seat, told to one's connections that watch the table, in their language.

    It is told once and may be lost with a connection; `me` says what is. `reason` is an operator's, if one
    has acted.
    """

    table: TableId
    code: NoticeCode
    message: str
    reason: str | None = None


class OwnRound(Struct, frozen=True):
    """One of a player's own rounds: the cards, what each bet came to, and the bankroll before and after."""

    table: TableId
    rules: RulesRef
    player: HandView
    banker: HandView
    outcome: Outcome | None
    payout: Payout
    bankroll_before: int
    ended_at_ms: int


class OwnRounds(Reply, frozen=True, tag="my_rounds"):
    """Answers `my_rounds`, newest first; `next` is the `before` of the next page, if there is one."""

    rounds: tuple[OwnRound, ...]
    next: str | None = None


class WalletState(Reply, frozen=True, tag="wallet"):
    """Answers `wallet`: what the player has away from the tables, or would begin with at its first `sit`.

    Where wallets are refilled, the first `sit` from `refill_at_ms` on fills it up to `refill_to` cents.
    """

    balance: int
    refill_to: int = 0
    refill_at_ms: int | None = None


class WaitingLimit(Struct, frozen=True):
    """A looser limit that comes into force at `from_ms`: `value` cents or minutes, null for none."""

    limit: str
    value: int | None
    from_ms: int


class OwnLimits(Reply, frozen=True, tag="limits"):
    """Answers `limits`, `exclude` and `go_on`: what the player has limited for itself, as it is in force.

    Null is no limit, and for `reality_minutes` what the house has chosen, `reality_usual`, where 0 is never.
    `excluded_until_ms` is there while the player is kept from the tables. `played_minutes` are this day's.
    """

    round_stake: int | None = None
    day_stake: int | None = None
    day_minutes: int | None = None
    reality_minutes: int | None = None
    reality_usual: int = 0
    waiting: tuple[WaitingLimit, ...] = ()
    excluded_until_ms: int | None = None
    played_minutes: int = 0


class RealityCheck(Struct, frozen=True, tag_field="type", tag="reality_check"):
    """So many minutes at the tables since the last one, what was staked and what it came to, below zero lost.

    It is told to each of the player's connections, and to those that come later, until one answers with
    `go_on`. Until then programs for people repeat no bets by themselves. `message` says it in the
    connection's language.
    """

    minutes: int
    staked: int
    net: int
    message: str


class Pong(Reply, frozen=True, tag="pong"):
    """Answers `ping` with the store's time as this server knows it."""

    server_ms: int


class Heartbeat(Struct, frozen=True, tag_field="type", tag="heartbeat"):
    """Sent when nothing else was, so that silence means a dead connection."""

    server_ms: int


class Stalled(Struct, frozen=True, tag_field="type", tag="stalled"):
    """This table stands still: the server has lost its store, or the table is overdue."""

    table: TableId
    since_ms: int


class Live(Struct, frozen=True, tag_field="type", tag="live"):
    """A stalled table goes on."""

    table: TableId


class Error(Reply, frozen=True, tag="error"):
    """A command that was refused: a fixed `code`, a text in the connection's language, and any limit hit."""

    code: ErrorCode
    message: str
    server_ms: int
    table: TableId | None = None
    bet: str | None = None
    limit: int | None = None


PrivateMessage = (
    Welcome
    | LobbyState
    | LobbyUpdate
    | Watching
    | Unwatched
    | TableRules
    | HistoryPage
    | Me
    | SlipAccepted
    | SlipChanged
    | CutTaken
    | PaidOut
    | SeatNotice
    | OwnRounds
    | WalletState
    | OwnLimits
    | RealityCheck
    | Pong
    | Heartbeat
    | Stalled
    | Live
    | Error
)

ServerMessage = TableEvent | TableView | PrivateMessage
