"""Text from elsewhere, made safe to show in a terminal. No I/O.

Names, reasons and messages come from other people. What could move the cursor, turn the direction of writing,
take no room or pile up over other lines is shown as `STRANGE`, or left out where it only changes the look of
the sign before it. Everything that is drawn goes through `clean` (see `draw.picture`).
"""

import unicodedata
from functools import lru_cache
from typing import Final

STRANGE: Final = "\N{REPLACEMENT CHARACTER}"
"""Stands for a character that must not reach a terminal."""

MOST_MARKS: Final = 2
"""Marks on one letter: what any language writes, once composed; more only pile up."""

_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, formats (what turns direction is among them), surrogates, private, unassigned, line ends."""

_SPACES: Final = frozenset("\t\n\v\f\r\x85\u2028\u2029")


def clean(text: str) -> str:
    r"""`text` as one line that takes the room that it seems to take, in the order in which it is written.

    >>> clean("Ana\N{RIGHT-TO-LEFT OVERRIDE}\x1b[2J"), clean("a\tb")
    ('Ana��[2J', 'a b')
    """
    return text if text.isascii() and text.isprintable() else _cleaned(text)


@lru_cache(maxsize=4096)
def _cleaned(text: str) -> str:
    shown: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text):
        category = unicodedata.category(sign)
        if sign in _SPACES:
            shown.append(" ")
        elif category in _INVISIBLE:
            shown.append(STRANGE)
        elif category in {"Mn", "Me"}:
            marks += 1
            if shown and marks <= MOST_MARKS and not _varies(sign):
                shown.append(sign)
            continue
        else:
            shown.append(sign)
        marks = 0
    return "".join(shown)


def _varies(sign: str) -> bool:
    """Whether it only chooses a variant of the sign before it, and perhaps its width."""
    return "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef"
