"""The languages of texts for people, and how each writes numbers, amounts and plurals."""

import re
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"


class Language(StrEnum):
    """The languages of every text that people read."""

    ENGLISH = "en"
    FRENCH = "fr"


class Noun(NamedTuple):
    """A noun for one and for many."""

    one: str
    many: str


class _Marks(NamedTuple):
    decimal: str
    thousands: str
    percent: str


_MARKS: Final = {
    Language.ENGLISH: _Marks(".", ",", "%"),
    Language.FRENCH: _Marks(",", NO_BREAK_SPACE, f"{NO_BREAK_SPACE}%"),
}


def counted(language: Language, number: int, noun: Noun) -> str:
    """A number of things. In French nought takes the singular, in English the plural.

    >>> main = Noun("main", "mains")
    >>> [counted(Language.FRENCH, number, main) for number in (0, 1, 2)]
    ['0 main', '1 main', '2 mains']
    >>> [counted(Language.ENGLISH, number, Noun("hand", "hands")) for number in (0, 1, 2)]
    ['0 hands', '1 hand', '2 hands']
    """
    single = number < 2 if language is Language.FRENCH else number == 1
    return f"{grouped(language, number)} {noun.one if single else noun.many}"


def grouped(language: Language, number: int) -> str:
    """A whole number with its thousands apart.

    >>> grouped(Language.ENGLISH, 4_998_398_275_503_360)
    '4,998,398,275,503,360'
    """
    return f"{number:,}".replace(",", _MARKS[language].thousands)


def money(language: Language, cents: int) -> str:
    """An amount of cents in units, with both digits.

    >>> money(Language.ENGLISH, 1_000_005)
    '10,000.05'
    """
    return f"{grouped(language, cents // 100)}{_MARKS[language].decimal}{cents % 100:02}"


def parse_money(language: Language, text: str) -> int:
    """The cents that a person wrote in units: digits, and at most two more after the decimal mark.

    >>> parse_money(Language.ENGLISH, "0.25"), parse_money(Language.FRENCH, "1000,5")
    (25, 100050)

    Raises:
        ValueError: anything else, be it a sign, an exponent, a space, a third decimal or thousands set apart.
    """
    mark = _MARKS[language].decimal
    found = re.fullmatch(rf"([0-9]{{1,14}})(?:{re.escape(mark)}([0-9]{{1,2}}))?", text)
    if found is None:
        raise ValueError(f"{text!r} is no amount; write units such as 5 or 0{mark}25")
    whole, rest = found.groups()
    return int(whole) * 100 + int((rest or "0").ljust(2, "0"))


def percent(language: Language, part: Fraction, digits: int = 4) -> str:
    """An exact fraction as a percentage, rounded half to even to so many digits; trailing noughts stay.

    >>> percent(Language.ENGLISH, Fraction(-1, 80)), percent(Language.ENGLISH, Fraction(1, 20), digits=0)
    ('−1.2500%', '5%')
    """
    return decimal(language, part * 100, digits) + _MARKS[language].percent


def shortest_percent(language: Language, part: Fraction) -> str:
    """An exact fraction as a percentage with no more digits than it needs.

    >>> [shortest_percent(Language.ENGLISH, Fraction(1, parts)) for parts in (20, 40)]
    ['5%', '2.5%']
    """
    return shortest(language, part * 100) + _MARKS[language].percent


def decimal(language: Language, number: Fraction, digits: int) -> str:
    """An exact fraction with so many digits after the decimal mark, rounded half to even.

    >>> decimal(Language.FRENCH, Fraction(3, 2), digits=2)
    '1,50'
    """
    scaled = round(number * 10**digits)
    whole, rest = divmod(abs(scaled), 10**digits)
    fraction = f"{_MARKS[language].decimal}{rest:0{digits}}" if digits else ""
    return f"{'−' if scaled < 0 else ''}{grouped(language, whole)}{fraction}"


def shortest(language: Language, number: Fraction) -> str:
    """A number with the fewest digits that say it exactly, such as pays: 8, 1.5, 0.54.

    >>> shortest(Language.ENGLISH, Fraction(54, 100)), shortest(Language.FRENCH, Fraction(3, 2))
    ('0.54', '1,5')

    A number that no digits say exactly stays a fraction.

    >>> shortest(Language.ENGLISH, Fraction(1, 3))
    '1/3'
    """
    for digits in range(7):
        if (number * 10**digits).denominator == 1:
            return decimal(language, number, digits)
    return str(number)


def typeset(language: Language, text: str) -> str:
    r"""`text` with the spaces that may not break a line, where the language has such.

    >>> typeset(Language.FRENCH, "Mises : 5 %").split(" ")
    ['Mises\xa0:', '5\xa0%']
    """
    if language is Language.FRENCH:
        text = re.sub(r" (?=[:;?!%»])", NO_BREAK_SPACE, text)
        text = text.replace("« ", f"«{NO_BREAK_SPACE}")
    return text
