"""Fractions as percentages, exactly rounded."""

from fractions import Fraction


def percent(fraction: Fraction, digits: int) -> str:
    """A fraction as a percentage with so many digits, rounded half to even from the exact value.

    >>> percent(Fraction(-1, 80), 4)
    '-1.2500'
    """
    scaled = round(fraction * 100 * 10**digits)
    sign = "-" if scaled < 0 else ""
    whole, rest = divmod(abs(scaled), 10**digits)
    return f"{sign}{whole}.{rest:0{digits}}"
