"""Exact odds against counts and edges that others have published."""

from fractions import Fraction
from math import perm, sqrt

import pytest

from croupier_protocol.game.bets import BANKER, CATALOGUE, When
from croupier_protocol.game.cards import DECK, BadCardError
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.odds import odds
from croupier_protocol.game.rules import RULE_SETS, Commission, RuleSet

STANDARD, VEGAS = RULE_SETS["standard"], RULE_SETS["vegas"]
EVERY_BET = RuleSet(name="every bet", bets=tuple(CATALOGUE.values()), commission=Commission(Fraction(1, 20)))
DRAWS = 4998398275503360
"""The ordered draws of six cards from eight decks."""


def percent(edge: Fraction) -> float:
    """An edge as it is published: in percent, four digits."""
    return round(float(edge * 100), 4)


@pytest.mark.parametrize(
    ("decks", "total", "banker", "player", "tie"),
    [
        (6, 878869206895680, 403095751234560, 392220492728832, 83552962932288),
        (8, 4998398275503360, 2292252566437888, 2230518282592256, 475627426473216),
    ],
)
def test_published_counts(decks, total, banker, player, tie):
    found = odds(STANDARD, decks)
    assert (found.total, found.banker, found.player, found.tie) == (total, banker, player, tie)


@pytest.mark.parametrize(
    ("name", "decks", "player", "banker", "tie"),
    [
        ("standard", 6, 1.2374, 1.0558, 14.4382),
        ("standard", 8, 1.2351, 1.0579, 14.3596),
        ("vegas", 6, 1.2374, 1.0558, 4.9313),
        ("vegas", 8, 1.2351, 1.0579, 4.8440),
        ("eight-deck", 8, 1.2351, -1.2351, 14.3596),
        ("two-field", 8, 1.2351, -1.2351, 14.3596),
    ],
)
def test_published_edges(name, decks, player, banker, tie):
    found = odds(RULE_SETS[name], decks).bets
    assert {bet: percent(found[bet].edge) for bet in ("player", "banker", "tie")} == {
        "player": player,
        "banker": banker,
        "tie": tie,
    }


@pytest.mark.parametrize(
    ("bet", "wins", "edge"),
    [
        ("player_pair", [Fraction(6448, 86320)], 10.3614),
        ("banker_pair", [Fraction(6448, 86320)], 10.3614),
        ("perfect_pair", [Fraction(244747776, 7379583120), Fraction(2101008, 7379583120)], 8.047),
        ("dragon_7", [Fraction(112633011329024, DRAWS)], 7.6113),
        ("panda_8", [Fraction(172660763262976, DRAWS)], 10.1876),
        ("super_6", [Fraction(269232304455680, DRAWS)], 29.9772),
        ("tie_6", [Fraction(96170001308416, DRAWS)], 11.4952),
        ("tie_0", [Fraction(28979901420544, DRAWS)], 12.4527),
    ],
)
def test_published_odds_of_side_bets(bet, wins, edge):
    found = odds(EVERY_BET).bets[bet]
    assert [line.chance for line in found.lines] == wins
    assert percent(found.edge) == edge


def test_published_odds_of_the_bonus():
    found = odds(EVERY_BET).bets["player_bonus"]
    by_points = [
        18409431764992,
        34097645543424,
        89590261473280,
        141238897317888,
        166169165987840,
        186780352174080,
    ]
    natural_win, natural_tie, loss = 812685054124032, 89325908267520, 3460101558850304
    assert [line.chance * DRAWS for line in found.lines] == [*by_points, natural_win, natural_tie]
    assert found.lose * DRAWS == loss
    assert found.push * DRAWS == natural_tie
    assert percent(found.edge) == 2.6517


def test_a_perfect_pair_cannot_come_from_one_deck():
    found = odds(EVERY_BET, 1).bets["perfect_pair"]
    assert (found.win, found.lose, found.edge) == (0, 1, 1)


def test_a_bet_that_favours_the_bettor_is_marked():
    marked = {
        (name, bet)
        for name, rules in RULE_SETS.items()
        for bet, each in odds(rules).bets.items()
        if each.favours_bettor
    }
    assert marked == {("eight-deck", "banker"), ("two-field", "banker")}


SIX = When(outcome=Outcome.BANKER, banker_total=6)
THREE_CARD_SEVEN = When(outcome=Outcome.BANKER, banker_total=7, banker_cards=3)


@pytest.mark.parametrize(
    ("banker", "edge"),
    [
        (BANKER, -1.2351),
        (BANKER.except_when(SIX, Fraction(1, 2)), 1.4581),
        (BANKER.except_when(THREE_CARD_SEVEN, None), 1.0183),
    ],
)
def test_published_edges_of_banker_without_commission(banker, edge):
    """D3."""
    rules = RuleSet(name="other", bets=(banker,))
    assert percent(odds(rules).bets["banker"].edge) == edge


def test_results_of_a_bet():
    banker, tie = odds(STANDARD).bets["banker"], odds(STANDARD).bets["tie"]
    assert banker.win == Fraction(2292252566437888, 4998398275503360)
    assert banker.push == Fraction(475627426473216, 4998398275503360)
    assert banker.lose == Fraction(2230518282592256, 4998398275503360)
    assert (tie.win, tie.push) == (banker.push, 0)


@pytest.mark.parametrize("decks", range(1, 9))
def test_every_draw_of_six_cards_is_counted_once(decks):
    found = odds(EVERY_BET, decks)
    assert found.total == perm(52 * decks, 6) == found.banker + found.player + found.tie
    for bet in found.bets.values():
        assert bet.win + bet.push + bet.lose == 1
        assert sum(line.chance for line in bet.lines) == 1 - bet.lose


def test_the_rule_set_says_how_many_decks():
    assert odds(RULE_SETS["single-deck"]).total == 52 * 51 * 50 * 49 * 48 * 47


@pytest.mark.parametrize("decks", [0, 9])
def test_no_odds_beyond_the_decks_there_are(decks):
    with pytest.raises(ValueError, match="decks must be 1 to 8"):
        odds(STANDARD, decks)


@pytest.mark.parametrize(
    ("rules", "stake", "returned"),
    [(VEGAS, 500, 975), (VEGAS, 600, 1150), (VEGAS, 10, 10), (STANDARD, 30, 58), (STANDARD, 100, 195)],
)
def test_the_edge_at_a_stake_counts_every_rounding(rules, stake, returned):
    """On a winning Banker bet `returned` comes back, on a tie the stake."""
    banker, tie, total = 2292252566437888, 475627426473216, 4998398275503360
    assert odds(rules).edge_at("banker", stake) == 1 - Fraction(
        banker * returned + tie * stake, stake * total
    )


def test_the_edge_of_a_stake_that_needs_no_rounding_is_the_headline():
    found = odds(VEGAS)
    assert found.edge_at("banker", 500) == found.bets["banker"].edge
    assert found.edge_at("tie", 1) == found.bets["tie"].edge


def test_an_unfair_step_shows_in_the_edge():
    dear = RuleSet(name="dear", commission=Commission(Fraction(1, 20), 100))
    assert odds(dear).edge_at("banker", 100) > Fraction(44, 100)
    assert percent(odds(dear).bets["banker"].edge) == 1.0579


def test_tens_and_faces_alone_always_tie_at_nothing():
    found = odds(EVERY_BET, removed=[card for card in DECK * 8 if card[0] not in "TJQK"])
    assert (found.player, found.banker) == (0, 0)
    assert found.bets["tie_0"].win == found.bets["big"].win == found.bets["player_bonus"].lose == 1


def test_the_last_six_cards_by_hand():
    """Two nines and four kings. The nines lie at two of six places, 15 ways.

    Both nines in one hand make it a natural 8 against 0 (1 way for each hand), one of them among the first
    four cards a natural 9 against 0 (4 for each hand), one in each hand a natural tie (4), and as third cards
    they tie at 9 too (1).
    """
    last = ["9s", "9h", "Ks", "Kh", "Kd", "Kc"]
    found = odds(EVERY_BET, 1, [card for card in DECK if card not in last])
    assert (found.total, found.player, found.banker, found.tie) == (720, 240, 240, 240)
    bonus = found.bets["player_bonus"]
    assert (bonus.win, bonus.push, bonus.lose) == (Fraction(5, 15), Fraction(4, 15), Fraction(6, 15))
    assert found.bets["tie_9"].win == Fraction(5, 15)
    assert found.bets["tie_9"].edge == -26
    assert found.bets["tie_9"].favours_bettor


def test_odds_with_cards_removed_are_those_of_the_decks_that_are_left():
    found = odds(STANDARD, 8, DECK * 2)
    assert found.bets == odds(STANDARD, 6).bets
    assert (found.total, found.decks, len(found.removed)) == (878869206895680, 8, 104)


@pytest.mark.parametrize(
    ("decks", "removed", "reason"),
    [
        (8, ["As"] * 9, "As is removed 9 times, but there are only 8 of it"),
        (1, DECK[:47], "a coup may take six cards, but only 5 are left"),
        (1, ["1s"], "no such card: '1s'"),
    ],
)
def test_cards_that_cannot_be_removed(decks, removed, reason):
    with pytest.raises(ValueError, match=reason):
        odds(STANDARD, decks, removed)


def test_what_is_no_card_cannot_be_removed():
    with pytest.raises(BadCardError):
        odds(STANDARD, removed=["Zz"])


def test_standard_errors():
    """The published standard deviation of Player is 0.95, of Banker 0.93 and of Tie 2.64."""
    found = odds(STANDARD).bets
    assert [round(found[bet].standard_error(1), 2) for bet in ("player", "banker", "tie")] == [
        0.95,
        0.93,
        2.64,
    ]
    assert found["tie"].standard_error(10_000) == pytest.approx(sqrt(found["tie"].variance) / 100)
