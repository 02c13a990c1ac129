"""What a terminal can show: suit symbols where its encoding has them, colour where someone is looking."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TextIO

SUIT_SYMBOLS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

COLOURS: Final = {
    "player": "34",
    "banker": "31",
    "tie": "32",
    "accent": "33",
    "repeat": "31",
    "break": "34",
}
"""Blue, red, green and brass, as codes of ECMA-48. Colour only repeats what words and signs say: red and blue
of derived roads, `repeat` and `break`, are no sides."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """What may be written: which signs for suits, and whether colour."""

    suits: Mapping[str, str]
    colour: bool

    @classmethod
    def of(cls, stream: TextIO) -> "Terminal":
        """What `stream` can show. NO_COLOR in the environment is obeyed (no-color.org)."""
        try:
            "".join(SUIT_SYMBOLS.values()).encode(stream.encoding)
        except (UnicodeEncodeError, LookupError):
            suits: Mapping[str, str] = {suit: suit for suit in SUIT_SYMBOLS}
        else:
            suits = SUIT_SYMBOLS
        return cls(suits, stream.isatty() and "NO_COLOR" not in os.environ)

    def paint(self, text: str, role: str) -> str:
        """`text` in the colour of its role, or plain."""
        return f"\x1b[{COLOURS[role]}m{text}\x1b[0m" if self.colour else text
