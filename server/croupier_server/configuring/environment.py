"""The environment's part of the configuration: `CROUPIER_<SECTION>_<KEY>` sets a key of a section.

A value is written as in the file, but text needs no quotes and a list may be its items with commas between.
A variable without a value counts as not set. One of the name that sets nothing is a fault: a limit whose name
is misspelt would be off in silence.
"""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec import inspect as types

from croupier_server.configuring.keys import NAME, VARIABLE_PREFIX, Key, keys, sections
from croupier_server.configuring.sections import SHOE_KEY_VARIABLE
from croupier_server.configuring.toml_text import read_toml

OTHERS: Final = frozenset({SHOE_KEY_VARIABLE, "CROUPIER_CERTIFICATE", "CROUPIER_HOST"})
"""Variables of the name that are no keys: the shoe key itself, and what `deploy/compose.yaml` is told by."""

OTHERS_BEGIN: Final = tuple(f"{VARIABLE_PREFIX}{of}_" for of in ("TEST", "CI", "BENCH", "CHAOS", "KILLED"))
"""How those of the project's own tests and benchmarks begin."""

ALIKE: Final = 0.7
"""How much alike two names are, from 0 to 1, when one is taken for the other, misspelt."""


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
    settings, faults = [], []
    for name, text in sorted(environment.items()):
        if not name.startswith(VARIABLE_PREFIX) or not text or _is_other(name):
            continue
        if not _is_utf8(text):
            faults.append(f"environment variable {name}: it is not UTF-8")
        elif name in settable:
            key = settable[name]
            settings.append(Setting(key.path, _value(key, text), f"environment variable {name}"))
        else:
            faults.append(f"environment variable {name}: {_why_not(name, list(settable))}")
    return settings, faults


def _is_other(name: str) -> bool:
    return name in OTHERS or name.startswith(OTHERS_BEGIN)


def _is_utf8(text: str) -> bool:
    """Whether it was before it became a text: Python stands surrogates in for other bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _why_not(name: str, settable: list[str]) -> str:
    rest = name.removeprefix(VARIABLE_PREFIX).upper()
    in_the_file = {"_".join(path).upper(): ".".join(path) for path in _set_in_the_file_alone()}
    for beginning, section in in_the_file.items():
        if rest.startswith(f"{beginning}_"):
            return f"{section} is set in the file alone"
    words = [one for one in in_the_file if "_" not in one]
    if near := difflib.get_close_matches(rest.partition("_")[0], words, n=1, cutoff=ALIKE):
        return f"there is no such section; the nearest, {in_the_file[near[0]]}, is set in the file alone"
    known = [one.removeprefix(VARIABLE_PREFIX) for one in (*settable, SHOE_KEY_VARIABLE)]
    [nearest] = difflib.get_close_matches(rest, known, n=1, cutoff=0)
    return f"there is no such key; the nearest is {VARIABLE_PREFIX}{nearest}"


def _set_in_the_file_alone() -> Iterator[list[str]]:
    for section in sections():
        if not any(key.variable for key in section.keys):
            yield [part for part in section.path if part != NAME]


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
