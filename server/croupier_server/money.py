"""Amounts in the configuration: decimal units as people write them, cents everywhere else."""

from decimal import Decimal, InvalidOperation
from typing import Final

from croupier_protocol.messages.values import MAX_MONEY

Units = int | float | str
"""An amount as TOML has it: ``20``, ``0.25`` or ``"0.25"``; taken by its digits."""

_CENTS: Final = 100


def cents(units: Units) -> int:
    """The amount in cents.

    >>> cents(0.25), cents("20"), cents(1000.00)
    (25, 2000, 100000)

    Raises:
        ValueError: below zero, finer than a cent, beyond 2^53 - 1 cents, or no number.
    """
    try:
        exact = Decimal(str(units)) * _CENTS
    except InvalidOperation:
        raise ValueError(f"{units!r} is no amount") from None
    if not exact.is_finite() or exact != exact.to_integral_value() or not 0 <= exact <= MAX_MONEY:
        raise ValueError(f"{units!r} is no amount of whole cents from 0 to {MAX_MONEY} cents")
    return int(exact)


def units(amount: int) -> Units:
    """So many cents as TOML has them.

    >>> units(100), units(25)
    (1, 0.25)
    """
    whole, rest = divmod(amount, _CENTS)
    return amount / _CENTS if rest else whole
