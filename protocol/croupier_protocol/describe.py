"""Writes `docs/protocol.md`, `protocol.schema.json` and `asyncapi.json` from the message types themselves.

Run as ``python -m croupier_protocol.describe docs``; a test fails when the files are out of date.
"""

import inspect
import json
import types
import typing
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Annotated, Any, Final, Union

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from croupier_protocol.asyncapi import asyncapi
from croupier_protocol.codec import CODECS, MAX_CLIENT_FRAME, MAX_DETAIL, MAX_SERVER_FRAME
from croupier_protocol.game.bets import BetName
from croupier_protocol.game.cards import Card
from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import Combination, Rounding
from croupier_protocol.game.rules_text import Paragraph, Section, Table
from croupier_protocol.game.settlement import BetResult, Result
from croupier_protocol.generating import write_into_named_folder
from croupier_protocol.messages.errors import CLOSE_MEANINGS, ErrorCode, error_text
from croupier_protocol.messages.events import Event, TableEvent
from croupier_protocol.messages.notices import NoticeCode, notice_text
from croupier_protocol.messages.offers import CommissionOffer, Offer, OfferedBet, Ratio
from croupier_protocol.messages.to_client import (
    CutView,
    OwnRound,
    PrivateMessage,
    Reply,
    ServerMessage,
    ShoeView,
    TableInfo,
    TableView,
    WaitingLimit,
)
from croupier_protocol.messages.to_server import (
    MAX_HISTORY,
    MAX_WATCHED_TABLES,
    ClientMessage,
    Command,
    Since,
)
from croupier_protocol.messages.values import (
    MAX_MONEY,
    TABLE_ID_PATTERN,
    Beacon,
    Contribution,
    Epoch,
    HandView,
    Language,
    PastCoup,
    Payout,
    Phase,
    Player,
    PlayerId,
    RoundRecord,
    RulesRef,
    TableId,
    TakenSeat,
)
from croupier_protocol.shoe.shoe import Burn
from croupier_protocol.wire_guide import CONVERSATION, FOLDS, INTRODUCTION

STRUCTS: Final[tuple[type[Struct], ...]] = (
    Since,
    RulesRef,
    HandView,
    ShoeView,
    CutView,
    Contribution,
    Beacon,
    Burn,
    PastCoup,
    RoundRecord,
    TableInfo,
    Limits,
    Player,
    TakenSeat,
    Payout,
    BetResult,
    OwnRound,
    WaitingLimit,
    Section,
    Paragraph,
    Table,
    Offer,
    OfferedBet,
    CommissionOffer,
    Combination,
    Ratio,
)
"""The structs that messages carry, in the order of the page."""

ENUMS: Final[tuple[type[Enum], ...]] = (Phase, Side, Outcome, Result, Rounding, Language)

NAMES: Final[dict[Any, str]] = {
    BetName: "string, a bet's name",
    Card: "a card's name, such as `As` or `Td`",
    ErrorCode: "one of the [error codes](#error-codes)",
    Epoch: "string, the stream's epoch",
    NoticeCode: "one of the [notice codes](#notice-codes)",
    PlayerId: "string, a player's public id",
    TableId: "string, a table's name",
    bool: "true or false",
    bytes: "bytes (in JSON: base64 text)",
    int: "integer",
    str: "string",
    type(None): "null",
}


def main() -> None:
    """Writes the files into the folder named on the command line."""
    files = {"protocol.md": page(), "protocol.schema.json": schema(), "asyncapi.json": asyncapi()}
    write_into_named_folder(files, __doc__)


def schema() -> str:
    """The JSON Schema of every message, as text."""
    named = {"ClientMessage": ClientMessage, "ServerMessage": ServerMessage}
    roots, definitions = msgspec.json.schema_components(named.values(), ref_template="#/$defs/{name}")
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Croupier, wire version 1",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in named],
        "$defs": {**dict(zip(named, roots, strict=True)), **definitions},
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def page() -> str:
    """The page that describes the wire, in Markdown."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    subprotocols = "\n".join(
        f"- `{codec.subprotocol}`: {'JSON in text' if codec.text else 'MessagePack in binary'} frames"
        for codec in CODECS.values()
    )
    yield INTRODUCTION.format(subprotocols=subprotocols, conversation=CONVERSATION)
    yield from _messages(
        "Commands",
        "What a client sends. Every command may have an `id`:",
        Command,
        typing.get_args(ClientMessage),
    )
    yield from _messages(
        "Events",
        "The steps of a table, the same for everyone, in order. Beside its own fields every event has these:",
        Event,
        typing.get_args(TableEvent),
    )
    yield from _folds()
    yield from _messages(
        "Other messages",
        "What a server sends besides events. Answers have the `id` of the command. In all but `snapshot` and "
        "`payout`, a field that is null, empty, false or 0 may be left out; events, and the values inside "
        "messages, have all their fields:",
        Reply,
        (TableView, *typing.get_args(PrivateMessage)),
    )
    yield from _values()
    yield from _errors()
    yield from _limits()


def _messages(title: str, about: str, base: type[Struct], structs: Iterable[type[Struct]]) -> Iterator[str]:
    """A section; what every message has from `base` is told once, at its top."""
    yield f"## {title}\n"
    yield f"{about}\n"
    yield from _table(base, base.__struct_fields__)
    for struct in structs:
        yield f"### `{struct.__struct_config__.tag}`\n"
        yield from _struct(struct, base.__struct_fields__ if issubclass(struct, base) else ())


def _folds() -> Iterator[str]:
    yield "## What an event changes\n"
    yield (
        "In a view, which has the fields of a [`snapshot`](#snapshot). `seq` becomes the event's; what is "
        "not named stays as it was, and an event of an unknown type changes nothing else.\n"
    )
    yield "| event | the view after it |"
    yield "|---|---|"
    for event, change in FOLDS.items():
        yield f"| `{event.__struct_config__.tag}` | {change} |"
    yield ""


def _values() -> Iterator[str]:
    yield "## Values\n"
    for enum in ENUMS:
        yield f"### {enum.__name__}\n"
        yield f"{_about(enum)}\n"
        yield f"One of {', '.join(f'`{member.value}`' for member in enum)}.\n"
    for struct in STRUCTS:
        yield f"### {struct.__name__}\n"
        yield from _struct(struct)


def _struct(struct: type[Struct], told: tuple[str, ...] = ()) -> Iterator[str]:
    yield f"{_about(struct)}\n"
    own = [name for name in struct.__struct_fields__ if name not in told]
    yield from _table(struct, own)


def _table(struct: type[Struct], names: Sequence[str]) -> Iterator[str]:
    """The fields of `struct` called `names`; what a client may leave out has what it stands for."""
    if not names:
        return
    hints = typing.get_type_hints(struct, include_extras=True)
    optional = struct in {Since, Command} or issubclass(struct, Command)
    yield "| field | value | if left out |" if optional else "| field | value |"
    yield "|---|---|---|" if optional else "|---|---|"
    for field in fields(struct):
        if field.name in names:
            default = f" {_default(field)} |" if optional else ""
            yield f"| `{field.encode_name}` | {_type(hints[field.name])} |{default}"
    yield ""


def _errors() -> Iterator[str]:
    yield "## Error codes\n"
    yield (
        "A refused command is answered by `error` with one of these codes. A code keeps its meaning. "
        "`message` is its text in the language of `hello`; a detail of at most "
        f"{MAX_DETAIL} characters may follow it.\n"
    )
    yield "| code | English | French |"
    yield "|---|---|---|"
    for code in ErrorCode:
        english, french = (error_text(code, language) for language in (Language.ENGLISH, Language.FRENCH))
        yield f"| `{code.value}` | {english} | {french} |"
    yield ""
    yield "## Notice codes\n"
    yield "What a `notice` is about. A code keeps its meaning.\n"
    yield "| code | English | French |"
    yield "|---|---|---|"
    for notice in NoticeCode:
        english, french = (notice_text(notice, language) for language in (Language.ENGLISH, Language.FRENCH))
        yield f"| `{notice.value}` | {english} | {french} |"
    yield ""
    yield "## Close codes\n"
    yield 'From 4000 to 4499 a close code means "reconnect", from 4500 to 4999 "do not: it will not help".\n'
    yield "| code | name | meaning |"
    yield "|---|---|---|"
    for close, meaning in CLOSE_MEANINGS.items():
        yield f"| {close.value} | `{close.name.lower()}` | {meaning} |"
    yield ""
    yield (
        "Of the standard codes, 1001 (going away), 1006 (broken), 1011 (server error), 1012 (restart) and "
        '1013 (try again later) mean "reconnect". A handshake refused with 4xx is final, but for 408 and '
        "429; one refused with 5xx is not.\n"
    )


def _limits() -> Iterator[str]:
    yield "## Limits\n"
    yield f"- A frame from a client has at most {MAX_CLIENT_FRAME} bytes."
    yield f"- A frame from a server has at most {MAX_SERVER_FRAME} bytes."
    yield f"- A connection watches at most {MAX_WATCHED_TABLES} tables."
    yield f"- `history` answers at most {MAX_HISTORY} rounds at a time."
    yield f"- Amounts are whole cents, 0 to 2^53 − 1 ({MAX_MONEY})."
    yield f"- A table's name matches `{TABLE_ID_PATTERN}`."


def _about(thing: type[Any]) -> str:
    return inspect.cleandoc(thing.__doc__ or "")


def _default(field: FieldInfo) -> str:
    return "" if field.required else f"`{json.dumps(msgspec.to_builtins(field.default))}`"


def _type(annotation: Any) -> str:
    """An annotation in words."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in NAMES:
        return NAMES[annotation]
    if origin is Annotated:
        return f"{_type(arguments[0])}{_bounds(arguments[0], arguments[1])}"
    if origin in {Union, types.UnionType}:
        return " or ".join(_type(each) for each in arguments)
    if origin is tuple:
        return f"list of {_type(arguments[0])}"
    if origin is dict:
        return "map from a bet's name to cents"
    return f"[{annotation.__name__}](#{annotation.__name__.lower()})"


def _bounds(bounded: Any, meta: msgspec.Meta) -> str:
    if meta.pattern is not None:
        return f" matching `{meta.pattern}`"
    if meta.max_length is not None:
        least = "at most" if meta.min_length is None else f"{meta.min_length} to"
        if bounded is bytes:
            return f", {meta.max_length} of them"
        return (
            f" of {least} {meta.max_length} characters" if bounded is str else f", {meta.max_length} at most"
        )
    return f", {meta.ge} to {'2^53 − 1' if meta.le == MAX_MONEY else meta.le}"


if __name__ == "__main__":
    main()
