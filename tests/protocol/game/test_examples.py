"""The examples in the docstrings of game and shoe are true."""

import doctest
from importlib import import_module

import pytest

MODULES = [
    "game.cards",
    "game.tableau",
    "game.coup",
    "game.bets",
    "game.rules",
    "game.rules_config",
    "game.settlement",
    "game.counting",
    "game.odds",
    "game.simulation",
    "game.roads.bead",
    "game.roads.derived",
    "game.roads.layout",
    "game.roads.roads",
    "game.statistics",
    "game.rules_text.conditions",
    "game.rules_text.sections",
]
MODULES += ["language", "game.glossary"]
MODULES += ["shoe.order", "shoe.shoe"]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    found = doctest.testmod(import_module(f"croupier_protocol.{name}"))
    assert found.attempted > 0
    assert found.failed == 0
