"""`croupier rules`: the rules of a rule set in words."""

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from croupier_client.cli import DONE
from croupier_client.cli.narrator import columns
from croupier_client.cli.terminal import Terminal
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.game.rules_text import Paragraph, RulesText, Table, rules_text
from croupier_protocol.language import Language

LONGEST_LINE: Final = 90
"""Characters of a line that is still easy to read."""

LEAST_ROOM: Final = 16
"""Characters of a column below which it is not broken any further."""

INDENT: Final = "  "
GAP: Final = 2
"""Characters that `columns` leaves between two columns."""


def rules(
    name: Annotated[Literal[tuple(RULE_SETS)], Parameter(negative="")],  # type: ignore[valid-type]  # the names are data
    /,
    *,
    lang: Literal["en", "fr"] = "en",
) -> int:
    """Tell the rules of a rule set.

    Args:
        name: Which rule set.
        lang: The language of the text.
    """
    width = min(LONGEST_LINE, shutil.get_terminal_size().columns)
    for line in lines(rules_text(RULE_SETS[name], Language(lang)), Terminal.of(sys.stdout), width):
        sys.stdout.write(f"{line}\n")
    return DONE


def lines(text: RulesText, terminal: Terminal, width: int) -> Iterator[str]:
    """The text for a terminal: what must not be overlooked stands behind a mark, in the accent's colour."""
    yield text.title
    yield "=" * len(text.title)
    for section in text.sections:
        yield ""
        yield section.heading
        yield "-" * len(section.heading)
        for number, block in enumerate(section.blocks):
            if number and (isinstance(block, Table) or isinstance(section.blocks[number - 1], Table)):
                yield ""
            if isinstance(block, Table):
                yield from _table(block, width)
            else:
                yield from _paragraph(block, terminal, width)


def _table(table: Table, width: int) -> Iterator[str]:
    yield from textwrap.wrap(table.caption, width)
    yield ""
    rows = _fitting([table.columns, *table.rows], width - len(INDENT))
    for line in columns(rows, right=set(table.numbers)):
        yield INDENT + line


def _fitting(rows: Sequence[tuple[str, ...]], width: int) -> list[tuple[str, ...]]:
    """The rows with their widest column broken into lines, if that is what `width` takes."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    widest = widths.index(max(widths))
    room = width - sum(widths) - GAP * (len(widths) - 1) + widths[widest]
    fitting = []
    for row in rows:
        for number, line in enumerate(textwrap.wrap(row[widest], max(room, LEAST_ROOM)) or [""]):
            cells = row if number == 0 else ("",) * len(row)
            fitting.append((*cells[:widest], line, *cells[widest + 1 :]))
    return fitting


def _paragraph(paragraph: Paragraph, terminal: Terminal, width: int) -> Iterator[str]:
    for number, line in enumerate(textwrap.wrap(paragraph.text, width - 2 if paragraph.notable else width)):
        if paragraph.notable:
            yield terminal.paint(f"{'  ' if number else '! '}{line}", "accent")
        else:
            yield line
