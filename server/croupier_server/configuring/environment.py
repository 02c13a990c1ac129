"""The environment's part of the configuration: `CROUPIER_<SECTION>_<KEY>` sets a key of a section.

A value is written as in the file, but text needs no quotes and a list may be its items with commas between.
A variable without a value counts as not set. Only names that begin with a section's name are looked at.
"""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec import inspect as types

from croupier_server.config import SHOE_KEY_VARIABLE, Config
from croupier_server.configuring.keys import NAME, VARIABLE_PREFIX, Key, keys, sections
from croupier_server.configuring.toml_text import read_toml


class Setting(Struct, frozen=True):
    """A key that is set from outside the file: its path, the value, and where that comes from."""

    path: tuple[str, ...]
    value: Any
    origin: str


def from_environment(environment: Mapping[str, str]) -> tuple[list[Setting], list[str]]:
    """What the environment sets, and a line for each variable that sets nothing there is.

    >>> from_environment({"CROUPIER_SERVER_PORT": "9000", "CROUPIER_TEST_STORE": "redis-server"})
    ([Setting(path=('server', 'port'), value=9000, origin='environment variable CROUPIER_SERVER_PORT')], [])
    """
    settable = {key.variable: key for key in keys() if key.variable is not None}
    prefixes = tuple(_prefix([name]) for name in Config.__struct_fields__)
    settings, faults = [], []
    for name, text in sorted(environment.items()):
        if not name.startswith(prefixes) or name == SHOE_KEY_VARIABLE or not text:
            continue
        if not _is_utf8(text):
            faults.append(f"environment variable {name}: it is not UTF-8")
        elif name in settable:
            key = settable[name]
            settings.append(Setting(key.path, _value(key, text), f"environment variable {name}"))
        else:
            faults.append(f"environment variable {name}: {_why_not(name, list(settable))}")
    return settings, faults


def _is_utf8(text: str) -> bool:
    """Whether it was before it became a text: Python stands surrogates in for other bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _why_not(name: str, settable: list[str]) -> str:
    for section in sections():
        path = [part for part in section.path if part != NAME]
        if not any(key.variable for key in section.keys) and name.startswith(_prefix(path)):
            return f"{'.'.join(path)} is set in the file alone"
    [nearest] = difflib.get_close_matches(name, settable, n=1, cutoff=0)
    return f"there is no such key; the nearest is {nearest}"


def _prefix(path: Sequence[str]) -> str:
    return VARIABLE_PREFIX + "_".join((*path, "")).upper()


def _value(key: Key, text: str) -> Any:
    """The value that `text` stands for; what is none is left to the types, as text."""
    takes = key.takes
    if isinstance(takes, types.VarTupleType) and not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",")]
    if _takes_text(takes):
        return text
    try:
        read = read_toml(f"value = {text}")
    except ValueError:
        return text
    return read["value"] if len(read) == 1 else text


def _takes_text(takes: types.Type) -> bool:
    if isinstance(takes, types.UnionType):
        return any(_takes_text(each) for each in takes.types)
    return isinstance(takes, (types.StrType, types.EnumType, types.LiteralType))
