"""Rule sets read back from their canonical form."""

import json

import pytest

from croupier_protocol.game.bets import CATALOGUE
from croupier_protocol.game.canonical import rules_from_canonical
from croupier_protocol.game.coup import Coup
from croupier_protocol.game.rules import RULE_SETS, RulesError, RuleSet
from croupier_protocol.game.settlement import settle


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_rule_set_comes_back_from_its_canonical_form(name):
    rules = RULE_SETS[name]
    again = rules_from_canonical(name, json.loads(json.dumps(rules.canonical)))
    assert again.digest == rules.digest
    assert (again.decks, again.shoe, again.commission, again.combination.most) == (
        rules.decks,
        rules.shoe,
        rules.commission,
        rules.combination.most,
    )


def test_every_bet_of_the_catalogue_comes_back_and_settles_alike():
    rules = RuleSet(name="all", bets=tuple(CATALOGUE.values()))
    again = rules_from_canonical("all", rules.canonical)
    slip = dict.fromkeys(CATALOGUE, 700)
    for cards in ("9s 8h Kd Kc", "2s 3h 3d 2c Th", "As 2h 2d Kc 3h 7s", "6s 3h Kd 3c"):
        returned = {bet.bet: bet.returned for bet in settle(again, Coup.of(cards), slip).bets}
        assert returned == {bet.bet: bet.returned for bet in settle(rules, Coup.of(cards), slip).bets}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": "croupier rules 2"}, "format"),
        ({"decks": 9}, "decks must be 1 to 8"),
        ({"decks": "8"}, "decks"),
        ({"commission": {"rate": "1/0", "step": 1, "rounding": "up"}}, "1, 0"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_what_is_no_canonical_form_is_refused(change, reason):
    with pytest.raises(RulesError, match=reason):
        rules_from_canonical("x", {**RULE_SETS["standard"].canonical, **change})


def test_bets_come_back_in_the_order_in_which_people_are_shown_them():
    read = rules_from_canonical("standard", RULE_SETS["standard"].canonical)
    assert [bet.name for bet in read.bets] == [
        "player",
        "banker",
        "tie",
        "player_pair",
        "banker_pair",
        "either_pair",
        "player_bonus",
        "banker_bonus",
    ]
