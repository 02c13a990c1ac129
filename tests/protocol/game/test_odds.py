"""Exact odds against counts and edges that others have published."""

from collections import Counter
from fractions import Fraction
from math import perm

import pytest

from croupier_protocol.game.bets import BANKER, Bet, Line, When
from croupier_protocol.game.coup import Outcome, reckon
from croupier_protocol.game.odds import odds, score_counts
from croupier_protocol.game.rules import RULE_SETS, Commission, RuleSet

STANDARD, VEGAS = RULE_SETS["standard"], RULE_SETS["vegas"]


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
    assert {bet: percent(each.edge) for bet, each in found.items()} == {
        "player": player,
        "banker": banker,
        "tie": tie,
    }


def test_a_bet_that_favours_the_bettor_is_marked():
    marked = {
        (name, bet)
        for name, rules in RULE_SETS.items()
        for bet, each in odds(rules).bets.items()
        if each.favours_bettor
    }
    assert marked == {("eight-deck", "banker"), ("two-field", "banker")}


SIX_PAYS_HALF = (Line(When(outcome=Outcome.BANKER, banker_total=6), Fraction(1, 2)), *BANKER.lines)
THREE_CARD_SEVEN_PUSHES = (
    Line(When(outcome=Outcome.BANKER, banker_total=7, banker_cards=3), None),
    *BANKER.lines,
)


@pytest.mark.parametrize(
    ("lines", "edge"), [(SIX_PAYS_HALF, 1.4581), (BANKER.lines, -1.2351), (THREE_CARD_SEVEN_PUSHES, 1.0183)]
)
def test_published_edges_of_other_banker_pays(lines, edge):
    """D3."""
    rules = RuleSet(name="other", bets=(Bet(BANKER.name, lines),))
    assert percent(odds(rules).bets["banker"].edge) == edge


def test_results_of_a_bet():
    banker, tie = odds(STANDARD).bets["banker"], odds(STANDARD).bets["tie"]
    assert banker.win == Fraction(2292252566437888, 4998398275503360)
    assert banker.push == Fraction(475627426473216, 4998398275503360)
    assert banker.lose == Fraction(2230518282592256, 4998398275503360)
    assert (tie.win, tie.push) == (banker.push, 0)


@pytest.mark.parametrize("decks", range(1, 9))
def test_every_draw_of_six_cards_is_counted_once(decks):
    found = odds(STANDARD, decks)
    assert found.total == perm(52 * decks, 6) == found.banker + found.player + found.tie
    for bet in found.bets.values():
        assert bet.win + bet.push + bet.lose == 1


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


@pytest.mark.slow
def test_one_deck_counted_another_way():
    """All six-value draws from one deck, one card after the other, dealt by the coup's own rule."""
    names = ("Ks", "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s")
    counts = Counter()

    def draw(cards, left, ways):
        try:
            score = reckon(cards)
        except IndexError:
            for value, remaining in enumerate(left):
                if remaining:
                    rest = (*left[:value], remaining - 1, *left[value + 1 :])
                    draw((*cards, names[value]), rest, ways * remaining)
        else:
            counts[score] += ways * perm(52 - score.cards, 6 - score.cards)

    draw((), (16, *[4] * 9), 1)
    assert counts == score_counts(1)
