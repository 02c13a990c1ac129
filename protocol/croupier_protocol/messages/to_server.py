"""Commands: what a client sends.

Each may carry an `id`, echoed in the reply. The server refuses types and fields that are not here.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct

from croupier_protocol.messages.values import Count, Language, RequestId, TableName

MAX_WATCHED_TABLES: Final = 8
"""How many tables one connection may watch at once."""

MAX_HISTORY: Final = 100
"""How many rounds one `history` answer holds at most."""


class Since(Struct, frozen=True, forbid_unknown_fields=True):
    """How far a watcher has seen a table: the last event it has, in which life of the stream."""

    epoch: Annotated[str, Meta(min_length=1, max_length=64)]
    seq: Count


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What every command has."""

    id: RequestId | None = None


class Hello(Command, frozen=True, tag="hello"):
    """Names the language for texts; answered by `welcome`. Optional for watching."""

    language: Language = Language.ENGLISH


class Lobby(Command, frozen=True, tag="lobby"):
    """Asks for all tables; with `follow`, for a `lobby_update` whenever they change, until false again."""

    follow: bool = False


class Watch(Command, frozen=True, tag="watch"):
    """Starts watching a table: answered by `watching`, then missed events or a snapshot, then live events."""

    table: TableName
    since: Since | None = None


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


class Ping(Command, frozen=True, tag="ping"):
    """Asks for a `pong` with the server's time; `id` pairs the two."""


ClientMessage = Hello | Lobby | Watch | Unwatch | Rules | History | Ping
