"""Every section and key of the configuration, as the structs of `Config` describe them.

Rules, for who writes a section:

1. A field with a description in its `Meta` is a key.
2. A field without one is a section of its own: a struct (`[shoe]`), a struct or None (`[shoe.beacon]`), a
   tuple of structs (`[[tables]]`), or a map from names to structs (`[rules.NAME]`).
3. A key that is not set by default, or has no default, has an example that could stand in the file.
"""

import inspect
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec import inspect as types

from croupier_server.config import Config

VARIABLE_PREFIX: Final = "CROUPIER_"

NAME: Final = "NAME"
"""Stands in a section's path for the name that the file gives it."""


class Key(Struct, frozen=True):
    """One key: where it is, what it takes and what it means.

    `default` is what it stands for when left out, or `NODEFAULT` where it must be given; `example` is for
    when that is None. `variable` is the environment variable that sets it, for a key that has one.
    `secret`: its value is shown to nobody.
    """

    path: tuple[str, ...]
    takes: types.Type
    description: str
    unit: str | None
    default: Any
    example: Any
    variable: str | None
    secret: bool

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path[-1]

    @property
    def dotted(self) -> str:
        """The whole path, as faults name it."""
        return ".".join(self.path)

    @property
    def bounds(self) -> str:
        """Unit and bounds in words, such as ``seconds, 0 to 60``."""
        kind, limits = in_words(self.takes)
        if self.unit is not None:
            kind = f"list: {self.unit}" if isinstance(self.takes, types.VarTupleType) else self.unit
        return ", ".join(filter(None, (kind, limits)))


class Section(Struct, frozen=True):
    """One section: `header` as in the file, what it is about, and its keys.

    `given` says whether a configuration without this section has it all the same.
    """

    path: tuple[str, ...]
    header: str
    about: str
    keys: tuple[Key, ...]
    given: bool


def sections() -> tuple[Section, ...]:
    """All sections in the order of the file.

    Raises:
        TypeError: naming a field that has no description and is no section either.
    """
    return tuple(_walk(Config, (), Config(), variables=True, listed=False))


def keys() -> Iterator[Key]:
    """All keys in the order of the file."""
    for section in sections():
        yield from section.keys


def in_words(takes: types.Type) -> tuple[str, str]:
    """What a value is and its bounds, each in words, where there is something to say."""
    kind, limits = "", ""
    takes = _bare(takes)
    match takes:
        case types.BoolType():
            kind = "true or false"
        case types.IntType():
            kind, limits = "whole number", _range(takes.ge, takes.le)
        case types.StrType():
            kind, limits = "text", "" if takes.pattern is None else f"matching `{takes.pattern}`"
        case types.EnumType():
            kind = _one_of(member.value for member in takes.cls)
        case types.LiteralType():
            kind = _one_of(takes.values)
        case types.VarTupleType():
            kind, limits = in_words(takes.item_type)
            kind = f"list: {kind}"
        case types.DateTimeType():
            kind = "date and time"
        case types.DictType() | types.StructType():
            kind = "map"
        case types.UnionType():
            kind, limits = _union_in_words(takes)
    return kind, limits


def _union_in_words(union: types.UnionType) -> tuple[str, str]:
    members = [each for each in union.types if not isinstance(each, types.NoneType)]
    if len(members) == 1:
        return in_words(members[0])
    if any(isinstance(each, types.FloatType) for each in members):
        return "number", ""
    return " or ".join(dict.fromkeys(in_words(each)[0] for each in members)), ""


def _one_of(values: Iterable[object]) -> str:
    return "one of " + ", ".join(f"`{value}`" for value in values)


def _range(least: float | None, most: float | None) -> str:
    if least is None:
        return "" if most is None else f"at most {most}"
    return f"at least {least}" if most is None else f"{least} to {most}"


def _walk(
    cls: type[Struct], path: tuple[str, ...], value: Struct | None, *, variables: bool, listed: bool
) -> Iterator[Section]:
    """The section that `cls` is, and those below it.

    `value` is what a configuration has there by default; `variables` says whether its keys can be set from
    outside the file, `listed` whether there may be several of it.
    """
    fields = types.type_info(cls).fields  # type: ignore[attr-defined]  # of a struct it is a StructType
    described = [field for field in fields if _meta(field).get("description")]
    if path:
        dotted = ".".join(path)
        yield Section(
            path=path,
            header=f"[[{dotted}]]" if listed else f"[{dotted}]",
            about=_about(cls),
            keys=tuple(_key(field, path, variables=variables) for field in described),
            given=value is not None,
        )
    for field in fields:
        if field not in described:
            yield from _below(field, (*path, field.encode_name), value, variables=variables)


def _below(
    field: types.Field, path: tuple[str, ...], above: Struct | None, *, variables: bool
) -> Iterator[Section]:
    """The section that a field without a description is."""
    default = None if above is None else getattr(above, field.name)
    match field.type:
        case types.StructType(cls=cls):
            yield from _walk(cls, path, default, variables=variables, listed=False)
        case types.UnionType(types=(types.StructType(cls=cls), types.NoneType())):
            yield from _walk(cls, path, default, variables=variables, listed=False)
        case types.VarTupleType(item_type=types.StructType(cls=cls)):
            first = default[0] if default else None
            yield from _walk(cls, path, first, variables=False, listed=True)
        case types.DictType(value_type=types.StructType(cls=cls)):
            yield from _walk(cls, (*path, NAME), None, variables=False, listed=False)
        case _:
            raise TypeError(f"the key {'.'.join(path)} has no description")


def _key(field: types.Field, path: tuple[str, ...], *, variables: bool) -> Key:
    meta, extra = _meta(field), _extra(field)
    full = (*path, field.encode_name)
    default = field.default if field.default_factory is NODEFAULT else field.default_factory()
    return Key(
        path=full,
        takes=_bare(field.type),
        description=meta["description"],
        unit=extra.get("unit"),
        default=default if default is NODEFAULT else msgspec.to_builtins(default),
        example=next(iter(meta.get("examples", ())), None),
        variable=VARIABLE_PREFIX + "_".join(full).upper() if variables else None,
        secret=extra.get("secret", False),
    )


def _meta(field: types.Field) -> dict[str, Any]:
    return (field.type.extra_json_schema or {}) if isinstance(field.type, types.Metadata) else {}


def _extra(field: types.Field) -> dict[str, Any]:
    return (field.type.extra or {}) if isinstance(field.type, types.Metadata) else {}


def _bare(takes: types.Type) -> types.Type:
    return takes.type if isinstance(takes, types.Metadata) else takes


def _about(cls: type[Struct]) -> str:
    """The first paragraph of a section's docstring, without its name in front."""
    paragraph = inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
    return paragraph.partition("`: ")[2] if paragraph.startswith("`[") else paragraph
