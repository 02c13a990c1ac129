"""Numbers, amounts and plurals as each language writes them."""

from fractions import Fraction

import pytest

from croupier_protocol.game.glossary import ENGLISH, FRENCH
from croupier_protocol.language import (
    Language,
    counted,
    decimal,
    money,
    parse_money,
    percent,
    shortest,
    typeset,
)

EN, FR = Language.ENGLISH, Language.FRENCH
NBSP = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 main"), (1, "1 main"), (2, "2 mains"), (1000, f"1{NBSP}000 mains")]
)
def test_nought_is_singular_in_french(number, said):
    """M6."""
    assert counted(FR, number, FRENCH.hand) == said


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 hands"), (1, "1 hand"), (2, "2 hands"), (1000, "1,000 hands")]
)
def test_nought_is_plural_in_english(number, said):
    assert counted(EN, number, ENGLISH.hand) == said


@pytest.mark.parametrize(
    ("cents", "english", "french"),
    [
        (0, "0.00", "0,00"),
        (5, "0.05", "0,05"),
        (475, "4.75", "4,75"),
        (123_456_789, "1,234,567.89", f"1{NBSP}234{NBSP}567,89"),
        (2**53 - 1, "90,071,992,547,409.91", f"90{NBSP}071{NBSP}992{NBSP}547{NBSP}409,91"),
    ],
)
def test_amounts(cents, english, french):
    assert (money(EN, cents), money(FR, cents)) == (english, french)


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("0", 0),
        ("5", 500),
        ("0.25", 25),
        ("0.05", 5),
        ("0.5", 50),
        ("007", 700),
        ("1234567.89", 123_456_789),
        ("90071992547409.91", 2**53 - 1),
    ],
)
def test_amounts_are_read_exactly(text, cents):
    assert parse_money(EN, text) == cents
    assert parse_money(FR, text.replace(".", ",")) == cents


@pytest.mark.parametrize(
    "text",
    [
        *("", ".", "5.", ".5", "0.251", "5,25", "5.2.5", "1,000", "1_000", "1" * 15),
        *("-5", "+5", "5e2", "0x5", "nan", "inf", " 5", "5 ", "5\n", "\N{ARABIC-INDIC DIGIT FIVE}"),
    ],
)
def test_what_is_no_amount_is_refused(text):
    """C7, C8, C9: nothing is rounded, and no float is ever made of it."""
    with pytest.raises(ValueError, match="no amount"):
        parse_money(EN, text)


def test_fractions_are_rounded_from_their_exact_value():
    assert percent(EN, Fraction(1, 3)) == "33.3333%"
    assert percent(FR, Fraction(-12351, 1_000_000)) == f"−1,2351{NBSP}%"
    assert decimal(EN, Fraction(999_999, 1_000_000), 2) == "1.00"
    assert decimal(EN, Fraction(-1, 1_000), 1) == "0.0"
    assert shortest(FR, Fraction(27, 50)) == "0,54"
    assert shortest(EN, Fraction(150)) == "150"


def test_french_signs_stand_behind_a_space_that_does_not_break():
    assert typeset(FR, "Quoi ? « Rien » ; 5 %") == f"Quoi{NBSP}? «{NBSP}Rien{NBSP}»{NBSP}; 5{NBSP}%"
    assert typeset(EN, "What ? 5 %") == "What ? 5 %"
