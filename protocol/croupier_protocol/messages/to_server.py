"""Commands: what a client sends.

Each may carry an `id`, echoed in the reply. The server refuses types and fields that are not here.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct

from croupier_protocol.messages.values import (
    Amount,
    Cents,
    Count,
    Language,
    OperationId,
    RequestId,
    SeatNumber,
    TableName,
)

MAX_WATCHED_TABLES: Final = 8
"""How many tables one connection may watch at once."""

MAX_HISTORY: Final = 100
"""How many rounds one `history` answer holds at most."""


MAX_TOKEN: Final = 3_000
"""Characters of an operator's token at most: a frame holds 4,096 bytes."""

MAX_CODE: Final = 64
"""Characters of a one-time code at most; one has half as many."""


MAX_EXCLUDED_DAYS: Final = 3_650
"""Ten years; an operator's login keeps somebody out for longer."""

DayMinutes = Annotated[int, Meta(ge=0, le=1_440)]


BetWord = Annotated[str, Meta(pattern=r"^[a-z0-9_]{1,24}$(?!\n)")]


Digest = Annotated[bytes, Meta(min_length=32, max_length=32)]


class Since(Struct, frozen=True, forbid_unknown_fields=True):
    """How far a watcher has seen a table: the last event it has, in which life of the stream."""

    epoch: Annotated[str, Meta(min_length=1, max_length=64)]
    seq: Count


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What every command has."""

    id: RequestId | None = None


class Hello(Command, frozen=True, tag="hello"):
    """Names the language for texts, and who speaks; answered by `welcome`. Optional for watching.

    `token` is the operator's word for who a player with an account is; a newer one may follow at any time,
    before the time of the one before is over. `code` is the operator's word too, good once and for a minute.
    `resume` is the token of an earlier `welcome`: the same player again. Of these three the first that is
    there counts. `name` is what others see. A connection that says none of these is nobody until its first
    `sit`, and then a new guest. `test` says that a load tester speaks: it is left out of the counts that
    people see, and so is a guest that it becomes.
    """

    language: Language = Language.ENGLISH
    token: Annotated[str, Meta(max_length=MAX_TOKEN)] | None = None
    code: Annotated[str, Meta(max_length=MAX_CODE)] | None = None
    resume: Annotated[str, Meta(max_length=200)] | None = None
    name: Annotated[str, Meta(max_length=200)] | None = None
    test: bool = False


class Lobby(Command, frozen=True, tag="lobby"):
    """Asks for all tables; with `follow`, for a `lobby_update` whenever they change, until false again."""

    follow: bool = False


class Watch(Command, frozen=True, tag="watch"):
    """Starts watching a table: answered by `watching`, then missed events or a snapshot, then live events.

    Whoever is somebody gets `me` as well, seated or not, with the payouts after round `paid_round`.
    """

    table: TableName
    since: Since | None = None
    paid_round: Count | None = None


class Unwatch(Command, frozen=True, tag="unwatch"):
    """Stops watching a table; answered by `unwatched`."""

    table: TableName


class Rules(Command, frozen=True, tag="rules"):
    """Asks for the rules of a table in words; without `language`, in that of `hello`."""

    table: TableName
    language: Language | None = None


class History(Command, frozen=True, tag="history"):
    """Asks for finished rounds, newest first: those before round `before`, or the latest."""

    table: TableName
    before: Count | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_HISTORY)] = 20


class Sit(Command, frozen=True, tag="sit"):
    """Takes a seat, a given one or any, and buys in from the wallet; answered by `me`."""

    table: TableName
    buy_in: Amount
    op: OperationId
    seat: SeatNumber | None = None


class TopUp(Command, frozen=True, tag="top_up"):
    """Buys more chips from the wallet for the seat; answered by `me`."""

    table: TableName
    amount: Amount
    op: OperationId


class Leave(Command, frozen=True, tag="leave"):
    """Gives the seat up and cashes out, at once when nothing is at stake, else after the round."""

    table: TableName
    op: OperationId


class Slip(Command, frozen=True, tag="slip"):
    """All that this seat has on the round: the whole slip, bet to cents; `{}` clears it.

    `rev` is the revision it builds on. Answered by `slip_accepted`, or by `slip_changed` when the slip is at
    another revision by now.
    """

    table: TableName
    round: Count
    rev: Count
    op: OperationId
    bets: Annotated[dict[BetWord, Amount], Meta(max_length=40)]


class Deal(Command, frozen=True, tag="deal"):
    """Ready: with a slip it stands, without one this round is passed. Answered by `me`."""

    table: TableName
    round: Count
    op: OperationId


class Cut(Command, frozen=True, tag="cut"):
    """A part in the cut of a shoe: first the `hash` of 32 bytes of one's own, once it is listed the `value`.

    One of the two. Answered by `cut_taken`, and alike when it is sent again. A seat's first hash counts.
    """

    table: TableName
    shoe: Count
    op: OperationId
    hash: Digest | None = None
    value: Digest | None = None


class MyRounds(Command, frozen=True, tag="my_rounds"):
    """Asks for this player's own settled rounds at all tables, newest first; answered by `my_rounds`."""

    before: Annotated[str, Meta(max_length=40)] | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_HISTORY)] = 20


class MyLimits(Command, frozen=True, tag="limits"):
    """Asks what this player has limited for itself, or limits it; answered by `limits`.

    What is null stays as it is, 0 is no limit. Amounts are cents that may be staked in a round, and in a day
    at all tables; minutes are those at the tables in a day, and from one `reality_check` to the next. Days
    are those of UTC. A stricter limit is in force at once, a looser one a day later. What changes something
    carries an `op`.
    """

    round_stake: Cents | None = None
    day_stake: Cents | None = None
    day_minutes: DayMinutes | None = None
    reality_minutes: DayMinutes | None = None
    op: OperationId | None = None


class Exclude(Command, frozen=True, tag="exclude"):
    """Keeps this player from all tables for so many days; nothing that a player sends ends it.

    A running slip is played out, then every seat is cashed out. Answered by `limits`.
    """

    days: Annotated[int, Meta(ge=1, le=MAX_EXCLUDED_DAYS)]
    op: OperationId


class GoOn(Command, frozen=True, tag="go_on"):
    """The player has seen the last `reality_check` and plays on; answered by `limits`."""


class Wallet(Command, frozen=True, tag="wallet"):
    """Asks what this player has away from the tables; answered by `wallet`."""


class Ping(Command, frozen=True, tag="ping"):
    """Asks for a `pong` with the server's time; `id` pairs the two."""


ClientMessage = (
    Hello
    | Lobby
    | Watch
    | Unwatch
    | Rules
    | History
    | Sit
    | TopUp
    | Leave
    | Slip
    | Deal
    | Cut
    | MyRounds
    | MyLimits
    | Exclude
    | GoOn
    | Wallet
    | Ping
)
