"""The message types as TypeScript declarations, against which the browser table is checked.

What a server leaves out of an answer when it is null or empty is an optional field there.
"""

import types
import typing
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Annotated, Any, Final, NewType, Union

from msgspec import Struct
from msgspec.structs import fields

from croupier_protocol.messages.errors import CloseCode
from croupier_protocol.messages.events import TableEvent
from croupier_protocol.messages.to_client import PrivateMessage, TableView
from croupier_protocol.messages.to_server import ClientMessage, Command

_WORDS: Final[dict[type, str]] = {
    bool: "boolean",
    bytes: "string",  # base64 in JSON
    int: "number",
    str: "string",
    type(None): "null",
}


def declarations() -> str:
    """Every message, and every value that messages carry, as TypeScript."""
    return "\n".join(_declarations()) + "\n"


def _declarations() -> Iterator[str]:
    yield "// Written by `python -m croupier_protocol.browser` from the message types; do not edit it.\n"
    commands = typing.get_args(ClientMessage)
    events = typing.get_args(TableEvent)
    others = (TableView, *typing.get_args(PrivateMessage))
    told: dict[Any, None] = {}
    for message in (*commands, *events, *others):
        _find(message, told)
    for value in told:
        yield _enum(value) if issubclass(value, Enum) else _struct(value)
    yield _union("ClientMessage", commands)
    yield _union("TableEvent", events)
    yield _union("PrivateMessage", others[1:])
    yield "export type ServerMessage = TableEvent | TableView | PrivateMessage;\n"
    codes = " | ".join(str(code.value) for code in CloseCode)
    yield f"export type CloseCode = {codes};"


def _find(annotation: Any, told: dict[Any, None]) -> None:
    """Notes every struct and enumeration that `annotation` leads to, what it needs first."""
    if annotation in told or annotation in _WORDS:
        return
    if isinstance(annotation, NewType):
        return
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        told[annotation] = None
        return
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        for hint in typing.get_type_hints(annotation, include_extras=True).values():
            _find(hint, told)
        told[annotation] = None
        return
    for argument in typing.get_args(annotation):
        _find(argument, told)


def _enum(enum: type[Enum]) -> str:
    words = " | ".join(f'"{member.value}"' for member in enum)
    return f"export type {enum.__name__} = {words};\n"


def _union(name: str, structs: Iterable[type[Struct]]) -> str:
    return f"export type {name} = {' | '.join(struct.__name__ for struct in structs)};\n"


def _struct(struct: type[Struct]) -> str:
    hints = typing.get_type_hints(struct, include_extras=True)
    if struct.__struct_config__.array_like:
        parts = ", ".join(f"{field.encode_name}: {_type(hints[field.name])}" for field in fields(struct))
        return f"export type {struct.__name__} = [{parts}];\n"
    lines = [f"export interface {struct.__name__} {{"]
    if (tag := struct.__struct_config__.tag) is not None:
        lines.append(f'  {struct.__struct_config__.tag_field}: "{tag}";')
    sparse = struct.__struct_config__.omit_defaults or issubclass(struct, Command)
    for field in fields(struct):
        optional = "?" if sparse and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_type(hints[field.name])};")
    return "\n".join([*lines, "}\n"])


def _type(annotation: Any) -> str:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if isinstance(annotation, NewType):
        return _type(annotation.__supertype__)
    if origin is Annotated:
        return _type(arguments[0])
    if origin in {Union, types.UnionType}:
        return " | ".join(_type(each) for each in arguments)
    if origin is tuple:
        return f"readonly ({_type(arguments[0])})[]"
    if origin is dict:
        return f"Record<{_type(arguments[0])}, {_type(arguments[1])}>"
    return _WORDS.get(annotation) or str(annotation.__name__)
