"""The shoe: burn, cut card, last coup, and what it keeps to itself."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier_protocol.game.cards import DECK, rank
from croupier_protocol.game.coup import deal
from croupier_protocol.game.rules import RULE_SETS, Cut, RuleSet, Series
from croupier_protocol.shoe.order import order
from croupier_protocol.shoe.shoe import Burn, Shoe, ShoeError

STANDARD = RULE_SETS["standard"]
SINGLE_DECK = RULE_SETS["single-deck"]
seeds = st.binary(min_size=32, max_size=32)


def seed_whose_first_card_is(wanted: str) -> bytes:
    return next(
        seed
        for seed in (number.to_bytes(32, "big") for number in range(10_000))
        if rank(order(seed, 8)[0]) == wanted
    )


@pytest.mark.parametrize(
    ("first", "burnt", "left"),
    [
        ("A", 1, 414),
        ("2", 2, 413),
        ("9", 9, 406),
        ("T", 10, 405),
        ("J", 10, 405),
        ("Q", 10, 405),
        ("K", 10, 405),
    ],
)
def test_the_first_card_burns_its_pips(first, burnt, left):
    """B3: ten and faces burn ten cards, not none; the burnt cards are gone from the shoe."""
    shoe = Shoe.open(STANDARD, seed_whose_first_card_is(first))
    assert rank(shoe.burn.shown) == first
    assert shoe.burn.burnt == burnt
    assert shoe.cards - shoe.start == left


def test_a_standard_shoe():
    shoe = Shoe.open(STANDARD, bytes(32))
    assert (shoe.cards, shoe.cut_at, shoe.coups) == (416, 400, None)


def test_a_series_has_fresh_decks_without_burn_or_cut_card():
    shoe = Shoe.open(SINGLE_DECK, bytes(32))
    assert (shoe.cards, shoe.burn, shoe.start, shoe.cut_at, shoe.coups) == (52, None, 0, None, 60)
    for coup in (1, 2, 60, 1):
        assert [shoe.card(coup, position) for position in range(52)] == list(order(bytes(32), 1, coup - 1))


def test_a_shoe_gives_the_same_card_however_often_it_is_asked():
    shoe, again = Shoe.open(STANDARD, b"\x01" * 32), Shoe.open(STANDARD, b"\x01" * 32)
    assert [shoe.card(1, at) for at in range(shoe.start, 416)] == [
        again.card(9, at) for at in range(again.start, 416)
    ]


@pytest.mark.parametrize(
    ("start", "last"),
    [
        (399, False),  # the cut card comes out during this coup: one more follows
        (400, True),  # instead of this coup's first card, or right after the last card of the one before
        (401, True),  # during the coup before, before its last card
        (405, True),
    ],
)
def test_the_cut_card_announces_the_last_coup(start, last):
    """B2: one more coup when it came out during a coup, none when it came out before the first card."""
    assert Shoe.open(STANDARD, bytes(32)).is_last_coup(start, 70) is last


def test_the_last_coup_of_a_series_is_its_sixtieth():
    shoe = Shoe.open(SINGLE_DECK, bytes(32))
    assert [coup for coup in range(1, 61) if shoe.is_last_coup(0, coup)] == [60]


def test_a_coup_needs_six_cards_to_start():
    """B1: a coup that might run out of cards is not begun."""
    shoe = Shoe.open(STANDARD, bytes(32))
    assert shoe.can_start(410)
    assert not shoe.can_start(411)
    assert not shoe.can_start(416)


def test_burnt_cards_cannot_be_dealt():
    shoe = Shoe.open(STANDARD, seed_whose_first_card_is("A"))
    assert shoe.start == 2
    assert not shoe.can_start(1)
    for position in (-1, 0, 1, 416):
        with pytest.raises(ShoeError, match=f"no card to deal at position {position}"):
            shoe.card(1, position)


@pytest.mark.parametrize("coup", [-1, 0, 61])
def test_a_series_has_no_coup_outside_its_numbers(coup):
    with pytest.raises(ShoeError, match=f"has no coup {coup}"):
        Shoe.open(SINGLE_DECK, bytes(32)).card(coup, 0)


def play(shoe: Shoe) -> list[tuple[int, int]]:
    """Deal the shoe to its end: where each coup began and how many cards it took."""
    position, coups = shoe.start, []
    while True:
        number = len(coups) + 1
        assert shoe.can_start(position)
        coup = deal(shoe.order(number), position)
        coups.append((position, len(coup.cards)))
        if shoe.is_last_coup(position, number):
            return coups
        position = 0 if shoe.coups else position + len(coup.cards)


@given(seeds, st.integers(1, 8), st.integers(11, 40))
def test_no_coup_is_dealt_from_two_shoes(seed, decks, behind):
    """A6, B1, B2: coups follow the burn without a gap, find their cards, and one follows the cut card."""
    shoe = Shoe.open(RuleSet(name="any", decks=decks, shoe=Cut(behind)), seed)
    coups = play(shoe)
    dealt = [at for start, taken in coups for at in range(start, start + taken)]
    assert dealt == list(range(shoe.start, shoe.start + len(dealt)))
    assert max(Counter(shoe.order(1)[at] for at in dealt).values()) <= decks
    assert [start >= shoe.cut_at for start, _ in coups] == [False] * (len(coups) - 1) + [True]


@given(seeds)
def test_a_series_deals_every_coup_from_a_full_deck(seed):
    shoe = Shoe.open(RuleSet(name="any", decks=1, shoe=Series(5)), seed)
    assert len(play(shoe)) == 5
    assert all(set(shoe.order(coup)) == set(DECK) for coup in range(1, 6))


def test_only_the_card_that_is_shown_appears_in_words():
    """B6: neither the seed nor an undealt card is in the representation or in a refusal."""
    seed = b"\xa7" * 32
    shoe = Shoe.open(STANDARD, seed)
    with pytest.raises(ShoeError) as refusal:
        shoe.card(1, 999)
    for text in (repr(shoe), str(shoe), f"{shoe}", str(refusal.value)):
        assert seed.hex() not in text
        assert "xa7" not in text
        assert [card for card in DECK if card in text] == [shoe.burn.shown]
    assert not hasattr(shoe, "__dict__")
    assert isinstance(shoe.burn, Burn)
