"""The file that `croupier defaultconfig` prints: every key at its default, with what it is."""

import json
import textwrap
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Any, Final

import msgspec

from croupier_server.config import Config
from croupier_server.configuring.keys import Key, Section, sections

WIDTH: Final = 100

HEAD: Final = """\
# The configuration of `croupier serve`, with every key at its default; each may be left out.
# A line with # and no space after it is a key or a section that is not set by default, with an
# example: take the # away to set it.
"""


def default_file() -> str:
    """The whole file, in TOML; it means what no file means."""
    return "\n".join((HEAD, *_lines()))


def toml(value: Any) -> str:
    """A value as TOML has it, on one line.

    >>> toml({"of": ["a"], "half": 0.5, "yes": True})
    '{ of = ["a"], half = 0.5, yes = true }'
    """
    match value:
        case dict():
            inside = ", ".join(f"{name} = {toml(each)}" for name, each in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case list() | tuple():
            return f"[{', '.join(toml(each) for each in value)}]"
        case datetime():
            return value.isoformat()
        case _:
            return json.dumps(value, ensure_ascii=False)


def _lines() -> Iterator[str]:
    usual = msgspec.to_builtins(Config())
    for name, group in groupby(sections(), key=lambda section: section.path[0]):
        first, *below = group
        items = usual[name] if isinstance(usual[name], (list, tuple)) else (usual[name],)
        for section in (first, *below):
            yield from _section(section, items[0] if items else {})
        for item in items[1:]:
            yield first.header
            yield from (_line(key, item[key.name]) for key in first.keys if item[key.name] != key.default)
            yield ""


def _section(section: Section, usual: dict[str, Any]) -> Iterator[str]:
    """A section with its comments; `usual` is what the default configuration has under its first name."""
    yield from _comment(section.about)
    yield section.header if section.given else f"#{section.header}"
    for name in section.path[1:] if section.given else ():
        usual = usual[name]
    for key in section.keys:
        yield from _comment(key.description + _hints(key, given=section.given))
        if section.given and usual[key.name] is not None:
            yield _line(key, usual[key.name])
        else:
            yield f"#{_line(key, key.default if key.example is None else key.example)}"
    yield ""


def _hints(key: Key, *, given: bool) -> str:
    """Unit and bounds, and an example where the line below has none."""
    hint = "" if key.bounds == "text" else f" ({key.bounds})"
    if given and key.example is not None and key.default is not None:
        hint += f" Such as {toml(key.example)}."
    return hint


def _line(key: Key, value: Any) -> str:
    return f"{key.name} = {toml(value)}"


def _comment(text: str) -> list[str]:
    return textwrap.wrap(_capital(text), WIDTH, initial_indent="# ", subsequent_indent="# ")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
