"""Rule sets: the five, their digests, and rules that cannot be played."""

import hashlib
from fractions import Fraction

import msgspec
import pytest

from croupier_protocol.game.bets import BANKER, CATALOGUE, MAIN_BETS, PLAYER, TIE, Bet, BetName, Line, When
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.rules import (
    ANY,
    ONE_HAND,
    RULE_SETS,
    Combination,
    Commission,
    Cut,
    Rounding,
    RulesError,
    RuleSet,
    Series,
    at_most,
)


def test_the_five_rule_sets():
    five_percent, to_the_quarter = Commission(Fraction(1, 20), 1), Commission(Fraction(1, 20), 25)
    assert {
        name: (rules.decks, rules.commission, rules.offered["tie"].pays[0], rules.combination, rules.shoe)
        for name, rules in RULE_SETS.items()
    } == {
        "standard": (8, five_percent, 8, ANY, Cut(16)),
        "single-deck": (1, five_percent, 8, ANY, Series(60)),
        "eight-deck": (8, None, 8, ONE_HAND, Cut(16)),
        "two-field": (8, None, 8, at_most(2), Cut(16)),
        "vegas": (8, to_the_quarter, 9, ANY, Cut(16)),
    }
    assert all(name == rules.name for name, rules in RULE_SETS.items())


def test_what_each_rule_set_offers():
    assert {name: [*rules.offered] for name, rules in RULE_SETS.items()} == {
        "standard": [
            "player",
            "banker",
            "tie",
            "player_pair",
            "banker_pair",
            "either_pair",
            "player_bonus",
            "banker_bonus",
        ],
        "single-deck": ["player", "banker", "tie"],
        "eight-deck": ["player", "banker", "tie"],
        "two-field": ["player", "banker", "tie"],
        "vegas": ["player", "banker", "tie"],
    }


@pytest.mark.parametrize(
    ("win", "commission"),
    [(0, 0), (1, 1), (10, 10), (24, 24), (25, 25), (500, 25), (501, 50), (600, 50), (1000, 50), (1100, 75)],
)
def test_commission_in_quarters(win, commission):
    """Seed 004: "rounded up to the next quarter"; and never more than the win."""
    assert Commission(Fraction(5, 100), 25).on(win) == commission


def test_commission_rounded_down():
    assert [Commission(Fraction(5, 100), 1, Rounding.DOWN).on(win) for win in (19, 20, 39, 40)] == [
        0,
        1,
        1,
        2,
    ]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": ""}, "it needs a name"),
        ({"decks": 0}, "decks must be 1 to 8, not 0"),
        ({"decks": 9}, "decks must be 1 to 8, not 9"),
        ({"bets": ()}, "it offers no bet"),
        ({"bets": (PLAYER, PLAYER)}, "player is offered twice"),
        ({"bets": (Bet(BetName("dragon"), TIE.lines),)}, "there is no bet called 'dragon'"),
        ({"bets": (TIE.paying(-1),)}, "tie pays -1, which is below zero"),
        ({"bets": (Bet(TIE.name, ()),)}, "tie never pays"),
        (
            {"decks": 1, "bets": (CATALOGUE["perfect_pair"],)},
            "perfect_pair needs two decks: in one no two cards have the same rank and suit",
        ),
        ({"commission": Commission(Fraction(-1, 100))}, "a commission rate must be 0 to 1, not -1/100"),
        ({"commission": Commission(Fraction(3, 2))}, "a commission rate must be 0 to 1, not 3/2"),
        ({"commission": Commission(Fraction(1, 20), 0)}, "a commission step must be a cent or more, not 0"),
        ({"combination": Combination((BetName("dragon"),), 1)}, "there is no bet called 'dragon'"),
        ({"combination": at_most(0)}, "a combination must allow at least one bet"),
        ({"shoe": Series(0)}, "a series needs at least one coup, not 0"),
        ({"shoe": Cut(10)}, "the cut card needs 11 cards behind it for one more coup, not 10"),
        ({"decks": 1, "shoe": Cut(41)}, "the cut card may have at most 40 cards behind it, not 41"),
    ],
)
def test_rules_that_cannot_be_played(changes, reason):
    """B1: among them a cut card so near the end that the coup after it could run out of cards."""
    with pytest.raises(RulesError, match="rule set") as refusal:
        RuleSet(**{"name": "home", **changes})
    assert reason in str(refusal.value)


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(RulesError, match="rule set 'home': decks must be 1 to 8, not 9; it offers no bet"):
        RuleSet(name="home", decks=9, bets=())


def test_small_shoes_for_tests():
    assert RuleSet(name="small", decks=1, shoe=Cut(11)).cards == 52
    assert RuleSet(name="smallest", decks=1, shoe=Cut(40)).cards == 52


CANONICAL_EIGHT_DECK = (
    '{"bets":['
    '{"commission":true,"lines":[[{"outcome":"banker"},"1"],[{"outcome":"tie"},null]],"name":"banker"},'
    '{"commission":false,"lines":[[{"outcome":"player"},"1"],[{"outcome":"tie"},null]],"name":"player"},'
    '{"commission":false,"lines":[[{"outcome":"tie"},"8"]],"name":"tie"}],'
    '"combination":{"bets":["banker","player"],"most":1},'
    '"commission":null,"decks":8,"format":"croupier rules 1","shoe":{"behind":16,"type":"cut"}}'
)


def test_the_digest_is_that_of_the_documented_form():
    assert RULE_SETS["eight-deck"].digest == hashlib.sha256(CANONICAL_EIGHT_DECK.encode()).hexdigest()


def test_digests_are_stable():
    """A change here means that rules changed: old transcripts then name rules that are no longer there."""
    kept = {
        "standard": "0b5f253c5f9b55fc11b457e85b7fc981111b425ff59539f513633c2d8d8c05f9",
        "single-deck": "8c9def92e68afa6decec2445a051d941bd2f9287ad9bbd09bed78961c0f6995b",
        "eight-deck": "b7daa31257cd0fed16c392fb7b52b48349483b6294fbed57be30aa3e86f1234a",
        "two-field": "7a0891a07168112c6caec86e27cbdd6677531090f4e962bdf6b10a0c08371bca",
        "vegas": "1098d5e9806b6bdc4cc69a8e645f48b9b2a80e555d172a903cd862d30e7120f7",
    }
    remedy = "if rules that ship are meant to change, say so in CHANGELOG.md, and keep the new digest here"
    assert {name: rules.digest for name, rules in RULE_SETS.items()} == kept, remedy


@pytest.mark.parametrize(
    "changes",
    [
        {"decks": 6},
        {"bets": (PLAYER, BANKER)},
        {"bets": (PLAYER, BANKER, TIE.paying(9))},
        {"bets": (PLAYER, Bet(BANKER.name, BANKER.lines), TIE)},
        {
            "bets": (
                PLAYER,
                BANKER,
                Bet(TIE.name, (Line(When(outcome=Outcome.TIE, banker_total=6), Fraction(8)),)),
            )
        },
        {"bets": (PLAYER, BANKER.except_when(When(banker_total=6), Fraction(1, 2)), TIE)},
        {"bets": (*MAIN_BETS, CATALOGUE["small"])},
        {"bets": (*MAIN_BETS, CATALOGUE["lucky_6"].paying(12, 23))},
        {"commission": None},
        {"commission": Commission(Fraction(4, 100))},
        {"commission": Commission(Fraction(5, 100), 25)},
        {"commission": Commission(Fraction(5, 100), 1, Rounding.DOWN)},
        {"combination": ONE_HAND},
        {"shoe": Cut(17)},
        {"shoe": Series(60)},
    ],
)
def test_whatever_decides_about_cards_or_money_changes_the_digest(changes):
    standard = RULE_SETS["standard"]
    assert msgspec.structs.replace(standard, **changes).digest != standard.digest


def test_name_and_order_do_not_change_the_digest():
    standard = RULE_SETS["standard"]
    same = msgspec.structs.replace(standard, name="home", bets=standard.bets[::-1])
    assert same.digest == standard.digest
