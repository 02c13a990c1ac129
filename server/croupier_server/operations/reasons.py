"""Why an operator does something: kept with it, and told to players where they are concerned."""


def is_reason(text: str) -> bool:
    r"""Whether it is a line of text.

    >>> is_reason("a misdeal"), is_reason(" "), is_reason("two\nlines")
    (True, False, False)
    """
    return bool(text.strip()) and text.isprintable()
