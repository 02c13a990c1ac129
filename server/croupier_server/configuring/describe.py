"""Writes `docs/configuration.md` from the structs of the configuration themselves.

Run as ``python -m croupier_server.configuring.describe docs``; a test fails when the file is out of date.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import NODEFAULT

from croupier_protocol.generating import write_into_named_folder
from croupier_server.configuring.default_file import toml
from croupier_server.configuring.environment import OTHERS, OTHERS_BEGIN
from croupier_server.configuring.keys import Key, Section, sections
from croupier_server.configuring.sections import SHOE_KEY_VARIABLE

_OTHERS: Final = ", ".join(
    f"`{one}`" for one in (*sorted(OTHERS - {SHOE_KEY_VARIABLE}), *(f"{one}…" for one in OTHERS_BEGIN))
)

INTRODUCTION: Final = f"""\
# Configuration

This page is written by `python -m croupier_server.configuring.describe docs` from the sections of
`server/croupier_server/configuring/`; do not edit it.

`croupier serve --config FILE` reads one TOML file, in which everything may be left out:

    croupier defaultconfig > croupier.toml
    croupier checkconfig croupier.toml
    croupier serve --config croupier.toml

`croupier defaultconfig` prints a file with every key at its default and what it is for. `croupier
checkconfig [FILE]` reads a file as `serve` would, with the environment, and says what it comes to, or names
every fault and ends with status 1; with `--json` the whole configuration is one JSON object. It does not try
whether ports are free and whether the store answers.

## The environment and the command line

An environment variable goes before the file, an option of the command line before both. The variable of a
key is `CROUPIER_`, its section and its name in capitals, with `_` between them: `CROUPIER_SERVER_PORT=9000`.
A value is written as in the file, but text takes no quotes, and a list may be its items with commas between:
`CROUPIER_GATEWAY_EXEMPT=192.0.2.0/24,198.51.100.7`. A variable without a value counts as not set.
What there may be several of, as `[[tables]]` and `[rules.NAME]`, is set in the file alone.

A variable that begins with `CROUPIER_` and is no key stops the start, with the nearest name. Kubernetes
makes such variables by itself for a service called `croupier` or, say, `croupier-store`: set
`enableServiceLinks: false` for the pod. `{SHOE_KEY_VARIABLE}` is no key of the file: it holds the shoe key
itself. Left alone are those of `deploy/compose.yaml` and of Croupier's own tests:
{_OTHERS}.

The commands of an operator (`croupier tables`, `wallet`, `audit`, `players`) read file and environment
alike.

## While it serves

On SIGHUP (`kill -HUP` to the first process, `systemctl reload croupier`) `serve` reads its file again. Tables
that are new are opened; rules and beacon of a table change with its next shoe, its limits, pace and
`early_close` with its next round, `auto_rebet` for pages that come to the table after it. A table that the
file has no longer goes on until `croupier tables close`; one that was closed stays closed unless its settings
changed. Everything else needs a new start: the log names its keys. A file with a fault changes nothing, and
the log says why. When it is the terminal that has gone, the server stops in order.

## Units

Money is in units, such as `20`, `0.25` or `"0.25"`, and never finer than a cent.
"""


def main() -> None:
    """Writes the page into the folder named on the command line."""
    write_into_named_folder({"configuration.md": page()}, __doc__)


def page() -> str:
    """The page that describes the configuration, in Markdown."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield INTRODUCTION
    for section in sections():
        yield f"## `{section.header}`\n"
        yield f"{section.about[:1].upper()}{section.about[1:]}\n"
        yield from _table(section)


def _table(section: Section) -> Iterator[str]:
    """A row for each key; sections of the file alone have no column for the variable."""
    columns = ["key", "environment variable", "default", "unit and bounds", "meaning"]
    settable = any(key.variable for key in section.keys)
    if not settable:
        del columns[1]
    yield f"| {' | '.join(columns)} |"
    yield "|" + "---|" * len(columns)
    for key in section.keys:
        variable = (f"`{key.variable}`",) if settable else ()
        cells = (f"`{key.name}`", *variable, _default(key), key.bounds, key.description)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""


def _default(key: Key) -> str:
    if key.default is NODEFAULT:
        return "must be given"
    return "not set" if key.default is None else f"`{toml(key.default)}`"


if __name__ == "__main__":
    main()
