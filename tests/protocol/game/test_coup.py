"""Coups: dealing order, who draws, naturals, pairs and outcomes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier_protocol.game.cards import DECK, BadCardError, parse_cards, total
from croupier_protocol.game.coup import Alike, Coup, CoupError, Outcome, Pairs, Score, Side, deal
from croupier_protocol.shoe.order import order

orders = st.lists(st.sampled_from(DECK * 8), min_size=6, max_size=6).map(tuple)


def test_cards_go_to_player_and_banker_in_turn():
    """A7."""
    coup = Coup.of("As 2h 3s 4h")
    assert (coup.player, coup.banker) == (("As", "3s"), ("2h", "4h"))


@pytest.mark.parametrize(
    ("cards", "sides"),
    [
        ("Ks 9h Ks Kh", "PBPB"),  # a natural
        ("6s 7h Ks Kh", "PBPB"),  # both stand
        ("6s 5h Ks Kh 2d", "PBPBB"),
        ("5s 7h Ks Kh 2d", "PBPBP"),
        ("5s 2h Ks Kh 2d 3c", "PBPBPB"),
    ],
)
def test_whose_card_comes_next(cards, sides):
    coup = Coup()
    dealt = []
    for card in parse_cards(cards):
        assert not coup.complete
        dealt.append(coup.next_side)
        coup = coup.add(card)
    assert [{"P": Side.PLAYER, "B": Side.BANKER}[side] for side in sides] == dealt
    assert coup.next_side is None
    assert coup.complete


@pytest.mark.parametrize(
    ("cards", "outcome", "player", "banker"),
    [
        ("2s 4h 3s Kh Kd", Outcome.PLAYER, 5, 4),  # A1: Banker stands on 4 against a ten
        (
            "As 3h 2s Kh 5d Kc",
            Outcome.PLAYER,
            8,
            3,
        ),  # A2: a third card 5 makes Banker 3 draw, whatever Player holds
        ("As 3h As Kh 8d", Outcome.BANKER, 0, 3),  # A2: a third card 8 lets Banker 3 stand
        ("9s 8h Ks Kh", Outcome.PLAYER, 9, 8),  # A4: a natural 9 beats a natural 8
        ("8s 9h Ks Kh", Outcome.BANKER, 8, 9),
        ("9s 9h Ks Kh", Outcome.TIE, 9, 9),
        ("8s 8h Ks Kh", Outcome.TIE, 8, 8),
        ("Ks 8h Qs Kh", Outcome.BANKER, 0, 8),  # A5: Banker's natural stops a Player of 0
        ("Ks 9h 5s Kh", Outcome.BANKER, 5, 9),
        ("8s Kh Ks Qh", Outcome.PLAYER, 8, 0),
        ("6s Kh Ks 5h Ac", Outcome.TIE, 6, 6),  # A5: Player stands on 6, Banker draws on 5
        ("Ks Kh Ks Kh Kd Kc", Outcome.TIE, 0, 0),
    ],
)
def test_coups_from_start_to_end(cards, outcome, player, banker):
    coup = Coup.of(cards)
    assert coup.complete
    assert coup.outcome is outcome
    assert (coup.player_total, coup.banker_total) == (player, banker)


@pytest.mark.parametrize("cards", ["Ks 8h Qs Kh", "9s 3h Ks Kh", "8s 9h Ks Kh", "4s Kh 4s Kh"])
def test_naturals(cards):
    assert Coup.of(cards).natural


@pytest.mark.parametrize(
    "cards",
    [
        "2s 7h 2s Kh 4d",  # A9: an 8 of three cards against 7
        "2s 3h 2s 4h 5d",  # a 9 of three cards
        "6s 5h Ks Kh 3d",  # Banker 8 of three cards
        "6s 7h Ks Kh",
        "Ks 8h 9s",  # still being dealt
    ],
)
def test_no_naturals(cards):
    """A9: three cards never make a natural."""
    assert not Coup.of(cards).natural


@pytest.mark.parametrize(
    ("cards", "player_pair", "banker_pair"),
    [
        ("Ks Kh Qs Jh", False, False),  # D1: both count 0, yet the ranks differ
        ("Ts Th Js Qh", False, False),
        ("Ks 2h Kd 7h", True, False),
        ("Ks 9h 2s 9c", False, True),
        ("4s 4h 4s 4h", True, True),
        ("As 7h 2s Kh 2d", False, False),  # the third card never counts
        ("Ks 2h Kd", True, False),
        ("Ks 2h", False, False),
    ],
)
def test_pairs_are_two_cards_of_one_rank(cards, player_pair, banker_pair):
    """D1."""
    coup = Coup.of(cards)
    assert (coup.player_pair, coup.banker_pair) == (player_pair, banker_pair)


@pytest.mark.parametrize(
    ("cards", "player", "banker", "perfect"),
    [
        ("Ks Kh Qs Jh", Alike.NO, Alike.NO, 0),
        ("Ks 2h Kd 7h", Alike.RANK, Alike.NO, 0),
        ("Ks 9h Ks 9c", Alike.RANK_AND_SUIT, Alike.RANK, 1),
        ("Ks 9h Qs 9h", Alike.NO, Alike.RANK_AND_SUIT, 1),
        ("4s 4h 4s 4h", Alike.RANK_AND_SUIT, Alike.RANK_AND_SUIT, 2),
        ("5s 7h Kh 9c 5s", Alike.NO, Alike.NO, 0),  # the third card never counts
    ],
)
def test_a_perfect_pair_has_one_suit_too(cards, player, banker, perfect):
    """D1."""
    found = Coup.of(cards).pairs
    assert found == Pairs(player, banker)
    assert found.perfect_pairs == perfect


def test_pairs_show_after_four_cards():
    with pytest.raises(CoupError, match="pairs show after four cards, not after 3"):
        _ = Coup.of("Ks 9h Qs").pairs


@pytest.mark.parametrize(
    "cards",
    [
        "Ks 9h Qs Kh 2d",  # a card after a natural
        "6s 7h Ks Kh 2d",  # both stand
        "5s 7h Ks Kh 2d 3c",  # Banker stands on 7
        "6s 5h Ks Kh 2d 3c",  # Player stood
        "5s 2h Ks Kh 2d 3c 4s",
    ],
)
def test_cards_that_the_tableau_does_not_allow(cards):
    with pytest.raises(CoupError, match="the tableau ends this coup after"):
        Coup.of(cards)
    with pytest.raises(CoupError, match="the tableau ends this coup after"):
        Coup.of(cards.rpartition(" ")[0]).add("As")


@pytest.mark.parametrize("cards", [("As", "Zz"), ("As", "2s", "3s", "4s", "1s")])
def test_things_that_are_no_cards(cards):
    with pytest.raises(BadCardError):
        Coup(cards)


@pytest.mark.parametrize("cards", ["", "9s", "9s Kh Ks", "5s Kh Ks Kh", "5s 2h Ks Kh 2d"])
def test_an_unfinished_coup_has_no_outcome(cards):
    coup = Coup.of(cards)
    for question in ("outcome", "score"):
        with pytest.raises(CoupError, match="not complete"):
            getattr(coup, question)


def test_coups_are_values():
    coup = Coup.of("2s 4h 3s Kh Kd")
    assert coup == deal(coup.cards) == Coup.of("2s 4h 3s Kh").add("Kd")
    assert len({coup, deal(coup.cards)}) == 1
    assert repr(coup) == "Coup.of('2s 4h 3s Kh Kd')"
    assert coup.score == Score(5, 4, 3, 2)
    with pytest.raises(AttributeError):
        coup.cards = ()


def test_dealing_begins_at_the_position():
    """A7: the coup takes what lies there, in order, and not a card more."""
    cards = parse_cards("Kc As 2s 3s 4s 5s 6s 7s 8s 9s")
    assert deal(cards, 1).cards == ("As", "2s", "3s", "4s", "5s")  # 4 draws 5; Banker 6 stands on it


@pytest.mark.parametrize("cards", ["", "As 2s 3s", "5s 7h Ks Kh", "6s 5h Ks Kh", "5s 2h Ks Kh 2d"])
def test_too_few_cards_to_finish(cards):
    """B1: never a coup of which a part is missing."""
    with pytest.raises(CoupError, match="too few to finish a coup"):
        deal(parse_cards(cards))
    with pytest.raises(CoupError, match="too few to finish a coup"):
        deal(parse_cards("Ac Ac " + cards), 2)


@given(orders)
def test_card_by_card_and_all_at_once_are_one_coup(cards):
    """A6: two or three cards a side, four to six in all, the first of the order and no others."""
    dealt = deal(cards)
    coup = Coup()
    taken = {Side.PLAYER: [], Side.BANKER: []}
    while (side := coup.next_side) is not None:
        card = cards[len(coup.cards)]
        taken[side].append(card)
        coup = coup.add(card)
        assert (coup.player, coup.banker) == (tuple(taken[Side.PLAYER]), tuple(taken[Side.BANKER]))
    assert coup == dealt
    assert 2 <= len(coup.player) <= 3
    assert 2 <= len(coup.banker) <= 3
    assert coup.cards == cards[: len(coup.player) + len(coup.banker)]
    assert coup.score == Score(total(coup.player), total(coup.banker), len(coup.player), len(coup.banker))


@given(orders)
def test_the_higher_total_wins(cards):
    coup = deal(cards)
    difference = coup.player_total - coup.banker_total
    assert coup.outcome is (
        Outcome.PLAYER if difference > 0 else Outcome.BANKER if difference < 0 else Outcome.TIE
    )
    if coup.natural:
        assert len(coup.cards) == 4


def frequencies(shoes: int) -> dict[Outcome, float]:
    seen = Counter()
    for number in range(shoes):
        cards, position = order(number.to_bytes(32, "big"), 8), 0
        while position <= 410:
            coup = deal(cards, position)
            seen[coup.outcome] += 1
            position += len(coup.cards)
    return {outcome: seen[outcome] / seen.total() for outcome in Outcome}


@pytest.mark.parametrize(
    ("shoes", "tolerance"),
    [(300, 0.01), pytest.param(12_500, 0.0015, marks=pytest.mark.long)],
)
def test_outcomes_come_as_often_as_they_should(shoes, tolerance):
    """A8: about 82 coups to a shoe; a million of them in the long tier."""
    found = frequencies(shoes)
    assert found[Outcome.BANKER] == pytest.approx(0.4586, abs=tolerance)
    assert found[Outcome.PLAYER] == pytest.approx(0.4462, abs=tolerance)
    assert found[Outcome.TIE] == pytest.approx(0.0952, abs=tolerance)
