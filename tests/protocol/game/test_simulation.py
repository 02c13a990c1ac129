"""Coups that are played confirm those that are counted."""

from fractions import Fraction

import pytest

from croupier_protocol.game.bets import CATALOGUE
from croupier_protocol.game.cards import DECK
from croupier_protocol.game.odds import odds
from croupier_protocol.game.rules import Commission, RuleSet
from croupier_protocol.game.simulation import Simulation

EVERY_BET = RuleSet(name="every bet", bets=tuple(CATALOGUE.values()), commission=Commission(Fraction(1, 20)))


def in_standard_errors(simulation, exact, coups):
    """How far each bet's edge lies from the exact one."""
    played = simulation.odds()
    assert played.total == coups
    return {
        name: abs(float(played.bets[name].edge - bet.edge)) / bet.standard_error(coups)
        for name, bet in exact.bets.items()
    }


@pytest.mark.parametrize(
    "coups",
    [pytest.param(40_000, id="40 thousand"), pytest.param(10**7, marks=pytest.mark.long, id="10 million")],
)
def test_played_coups_confirm_the_odds_of_every_bet(coups):
    simulation = Simulation(EVERY_BET, seed=1)
    simulation.play(coups)
    far = in_standard_errors(simulation, odds(EVERY_BET), coups)
    assert len(far) == 25
    assert max(far.values()) < 4, far


def test_cards_that_are_gone_are_not_dealt():
    removed = [card for card in DECK * 2 if card[0] in "6789"]
    simulation = Simulation(EVERY_BET, seed=1, decks=2, removed=removed)
    simulation.play(20_000)
    far = in_standard_errors(simulation, odds(EVERY_BET, 2, removed), 20_000)
    assert max(far.values()) < 4, far


def test_a_seed_gives_the_same_coups_however_they_are_split():
    whole, parts = Simulation(EVERY_BET, seed=7), Simulation(EVERY_BET, seed=7)
    whole.play(300)
    for _ in range(3):
        parts.play(100)
    assert whole.odds() == parts.odds()
    other = Simulation(EVERY_BET, seed=8)
    other.play(300)
    assert other.odds() != whole.odds()


def test_what_cannot_be_removed_is_refused():
    with pytest.raises(ValueError, match="As is removed 2 times"):
        Simulation(EVERY_BET, seed=1, decks=1, removed=["As", "As"])
