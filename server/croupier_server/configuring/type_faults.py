"""Every value of a raw configuration that its type does not take: msgspec itself stops at the first."""

import difflib
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec import inspect as types

from croupier_server.errors import Fault


def type_faults(raw: Any, cls: type[Struct], path: str = "") -> Iterator[Fault]:
    """The faults of `raw`, which is to become a `cls`, in its order; none if it can."""
    if not isinstance(raw, dict):
        yield from _own_faults(raw, cls, path)
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(cls)}
    for name, value in raw.items():
        if name in fields:
            yield from _field_faults(value, fields[name].type, _below(path, name))
        else:
            near = difflib.get_close_matches(name, fields, n=1)
            hint = f"; there is `{near[0]}`" if near else ""
            yield Fault(path or "top level", f"Object contains unknown field `{name}`{hint}")
    for name, field in fields.items():
        if field.required and name not in raw:
            yield Fault(path or "top level", f"Object missing required field `{name}`")


def _field_faults(value: Any, takes: Any, path: str) -> Iterator[Fault]:
    """As `type_faults`, for a value of whichever type; parts that are structs are looked into."""
    match types.type_info(takes):
        case (
            types.StructType(cls=cls) | types.UnionType(types=(types.StructType(cls=cls), types.NoneType()))
        ) if isinstance(value, dict) and cls.__struct_config__.tag is None:
            yield from type_faults(value, cls, path)
        case types.VarTupleType(item_type=types.StructType(cls=cls)) if isinstance(value, list):
            for index, item in enumerate(value):
                yield from type_faults(item, cls, f"{path}[{index}]")
        case types.DictType(value_type=types.StructType(cls=cls)) if isinstance(value, dict):
            for name, item in value.items():
                yield from type_faults(item, cls, _below(path, name))
        case _:
            yield from _own_faults(value, takes, path)


def _own_faults(value: Any, takes: Any, path: str) -> Iterator[Fault]:
    try:
        msgspec.convert(value, takes)
    except msgspec.ValidationError as error:
        reason, _, inside = str(error).partition(" - at ")
        yield Fault(path + inside.strip("`").removeprefix("$"), reason)
    else:
        if _has_nul(value):
            yield Fault(path, "it has the character NUL in it, which no name or address may have")


def _has_nul(value: Any) -> bool:
    """Whether a text, or one of a list, has it; the system would end such a name there, or refuse it."""
    return any(map(_has_nul, value)) if isinstance(value, list) else isinstance(value, str) and "\0" in value


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
