"""Cards: names, points, pips and the score of a hand."""

from collections import Counter

import pytest

from croupier_protocol.game.cards import (
    DECK,
    PIPS,
    POINTS,
    RANKS,
    BadCardError,
    parse_card,
    parse_cards,
    rank,
    suit,
    total,
)


def test_a_deck_lies_in_the_published_order():
    assert " ".join(DECK) == (
        "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks "
        "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh "
        "Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd "
        "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
    )


def test_points_are_those_of_the_house_rules():
    """Seed 000: faces and tens count 0, aces 1, the others their face value."""
    literal = {
        "A": 1,
        "2": 2,
        "3": 3,
        "4": 4,
        "5": 5,
        "6": 6,
        "7": 7,
        "8": 8,
        "9": 9,
        "T": 0,
        "J": 0,
        "Q": 0,
        "K": 0,
    }
    assert {card: literal[card[0]] for card in DECK} == POINTS
    assert Counter(POINTS.values()) == {0: 16, 1: 4, 2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: 4, 8: 4, 9: 4}


def test_pips_are_points_but_ten_for_ten_and_faces():
    """B3: what a card burns is not what it counts."""
    assert [PIPS[parse_card(each + "h")] for each in RANKS] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


@pytest.mark.parametrize(
    ("hand", "score"),
    [
        ("8s 9h", 7),  # seed 000: 8 + 9 = 17
        ("9s Kh", 9),  # seed 000, example 1: 9 + 0
        ("4s Th 9d", 3),  # seed 000, example 2: 4 + 0 + 9
        ("9s 8h", 7),  # seed 002
        ("5s 5h 5d", 5),  # seed 002
        ("Ts 9h", 9),  # seed 002
        ("2s 3h Kd", 5),  # seed 002: 2+3+R
        ("Js 3h Kd", 3),  # seed 002 prints V+3+R = 3
        ("Ks Qh Qd", 0),  # seed 002 prints R+D+D = 0
        ("Ks Qh Kd", 0),
        ("7h 7s", 4),  # seed 004
        ("7h 7s 7d", 1),  # seed 004
        ("", 0),
    ],
)
def test_sums_printed_in_the_house_rules(hand, score):
    assert total(parse_cards(hand)) == score


def test_rank_and_suit():
    assert [(rank(card), suit(card)) for card in parse_cards("Td As")] == [("T", "d"), ("A", "s")]


def test_all_names_are_read():
    assert parse_cards(" ".join(DECK)) == DECK


@pytest.mark.parametrize(
    "text", ["", "A", "as", "AS", "10d", "1s", "Ax", "sA", "A s", "As ", "\u2660A", "\u0410s"]
)
def test_other_texts_are_no_cards(text):
    with pytest.raises(BadCardError, match="no such card"):
        parse_card(text)


def test_one_bad_word_spoils_a_list():
    with pytest.raises(BadCardError, match="'Xd'"):
        parse_cards("As Xd 9h")
