"""Why an operator does something: kept with it, and told to players where they are concerned."""

from typing import Final

MOST_LETTERS: Final = 200
"""Players read it beside the cards, on phones too."""


def is_reason(text: str) -> bool:
    r"""Whether it is a line of text of a length that fits.

    >>> is_reason("a misdeal"), is_reason(" "), is_reason("two\nlines"), is_reason("x" * 201)
    (True, False, False, False)
    """
    return bool(text.strip()) and text.isprintable() and len(text) <= MOST_LETTERS
