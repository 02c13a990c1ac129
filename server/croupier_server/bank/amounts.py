"""Amounts as people write them: decimal units on the command line, cents everywhere else."""

import re
from typing import Final

from croupier_protocol.messages.values import MAX_MONEY

_AMOUNT: Final = re.compile(r"(\d{1,16})(?:\.(\d{1,2}))?", re.ASCII)


def read_amount(text: str) -> int:
    """Cents of an amount in decimal units.

    >>> read_amount("5"), read_amount("0.25"), read_amount("0.5")
    (500, 25, 50)

    Raises:
        ValueError: it is none, has a third decimal, or is larger than any amount may be.
    """
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no amount; write it like 5 or 0.25")
    cents = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))
    if cents > MAX_MONEY:
        raise ValueError(f"{text} is more than the largest amount, {write_amount(MAX_MONEY)}")
    return cents


def write_amount(cents: int) -> str:
    """An amount in decimal units.

    >>> write_amount(-5), write_amount(123456)
    ('-0.05', '1234.56')
    """
    units, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{units}.{rest:02}"
