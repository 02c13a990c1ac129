"""Coups that are played confirm those that are counted."""

from fractions import Fraction

import msgspec
import pytest

from croupier_protocol.game.bets import CATALOGUE
from croupier_protocol.game.cards import DECK
from croupier_protocol.game.odds import odds
from croupier_protocol.game.rules import Commission, RuleSet
from croupier_protocol.game.simulation import Played, Simulation

EVERY_BET = RuleSet(name="every bet", bets=tuple(CATALOGUE.values()), commission=Commission(Fraction(1, 20)))


def farthest(simulation, exact):
    """By how many standard errors the bet that is farthest from its exact edge is off, and which it is."""
    played = simulation.played()
    return max((abs(played.errors_off(bet)), name) for name, bet in exact.bets.items())


@pytest.mark.parametrize(
    "coups",
    [pytest.param(40_000, id="40 thousand"), pytest.param(10**7, marks=pytest.mark.long, id="10 million")],
)
def test_played_coups_confirm_the_odds_of_every_bet(coups):
    simulation = Simulation(EVERY_BET, seed=1)
    simulation.play(coups)
    assert simulation.played().odds.total == coups
    assert farthest(simulation, odds(EVERY_BET)) < (4,)


def test_cards_that_are_gone_are_not_dealt():
    removed = [card for card in DECK * 2 if card[0] in "6789"]
    simulation = Simulation(EVERY_BET, seed=1, decks=2, removed=removed)
    simulation.play(20_000)
    assert farthest(simulation, odds(EVERY_BET, 2, removed)) < (4,)


def test_how_far_off_an_edge_is():
    """Player won all of four coups: an edge of -1 where 0.0124 is due, with a standard error of 0.95 / 2."""
    exact = odds(EVERY_BET).bets["player"]
    won = msgspec.structs.replace(exact, edge=Fraction(-1))
    rules_odds = msgspec.structs.replace(odds(EVERY_BET), total=4, bets={"player": won})
    assert Played(1, rules_odds).errors_off(exact) == pytest.approx(-1.0124 / 0.4756, abs=0.001)


def test_a_seed_gives_the_same_coups_however_they_are_split():
    whole, parts = Simulation(EVERY_BET, seed=7), Simulation(EVERY_BET, seed=7)
    whole.play(300)
    for _ in range(3):
        parts.play(100)
    assert whole.played() == parts.played()
    other = Simulation(EVERY_BET, seed=8)
    other.play(300)
    assert other.played().odds != whole.played().odds


def test_what_cannot_be_removed_is_refused():
    with pytest.raises(ValueError, match="As is removed 2 times"):
        Simulation(EVERY_BET, seed=1, decks=1, removed=["As", "As"])
