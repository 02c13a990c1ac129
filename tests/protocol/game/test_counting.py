"""Counting coups, against dealing every possible draw."""

from collections import Counter
from itertools import permutations

import pytest

from croupier_protocol.game.cards import DECK, parse_cards
from croupier_protocol.game.counting import composition, count_coups
from croupier_protocol.game.coup import deal


def left_over(cards):
    """The composition of two decks of which only `cards` are left."""
    left = Counter(cards)
    return composition(2, [card for card in DECK for _ in range(2 - left[card])])


@pytest.mark.parametrize(
    "cards",
    [
        "As 2h 3d 4c 5s 6h 7d 8c",
        "9s 8h Ks Ks Kh Qd Qd 9h",  # pairs, perfect pairs, and cards that only count alike
        "4s 4s 4h 4h 5d 5d Tc Tc",
        "Ts Js Qs Ks Ts Js Qs Ks",
        "6s 6h 6d 6c 2s 2s 3h 9d",
        "7s 7s Kh Kh Ad Ad 5c 5c",
    ],
)
def test_every_draw_of_a_few_cards(cards):
    dealt = Counter()
    for draw in permutations(parse_cards(cards), 6):
        coup = deal(draw)
        dealt[coup.score, coup.pairs] += 1
    assert count_coups(left_over(parse_cards(cards))) == dealt


def test_a_composition_says_how_many_of_each_card_are_left():
    assert composition(8) == (8,) * 52
    assert composition(2, ["As", "As", "Kc"]) == (0, *(2,) * 50, 1)
