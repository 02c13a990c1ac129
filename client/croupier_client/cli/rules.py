"""`croupier rules`: the rules of a rule set in words."""

import shutil
import sys
import textwrap
from collections.abc import Iterator
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
    for line in columns([table.columns, *table.rows], right=set(table.numbers)):
        yield f"  {line}"


def _paragraph(paragraph: Paragraph, terminal: Terminal, width: int) -> Iterator[str]:
    for number, line in enumerate(textwrap.wrap(paragraph.text, width - 2 if paragraph.notable else width)):
        if paragraph.notable:
            yield terminal.paint(f"{'  ' if number else '! '}{line}", "accent")
        else:
            yield line
