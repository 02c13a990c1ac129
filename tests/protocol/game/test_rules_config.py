"""Rule sets as configuration files write them."""

import textwrap
import tomllib
from fractions import Fraction

import msgspec
import pytest

from croupier_protocol.game import rules_config
from croupier_protocol.game.bets import BANKER, CATALOGUE, MAIN_BETS, TIE, When
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.rules import (
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
from croupier_protocol.game.rules_config import RulesConfig


def read(toml: str) -> RuleSet:
    """The rule set of a `[rules.home]` section with these lines."""
    return msgspec.convert(tomllib.loads(toml), RulesConfig).rule_set("home")


def test_without_a_key_it_has_the_main_bets_and_five_percent():
    assert read("") == RuleSet(name="home", commission=Commission(Fraction(1, 20)))


def test_every_key_of_the_example():
    example = tomllib.loads(textwrap.dedent(rules_config.__doc__.partition("::")[2]))
    rules = msgspec.convert(example["rules"]["home"], RulesConfig).rule_set("home")
    six = When(outcome=Outcome.BANKER, banker_total=6)
    assert rules == RuleSet(
        name="home",
        decks=6,
        bets=(
            MAIN_BETS[0],
            BANKER.except_when(six, Fraction(1, 2)),
            TIE.paying(9),
            CATALOGUE["lucky_6"].paying(12, 23),
        ),
        commission=Commission(Fraction(1, 20), 25, Rounding.UP),
        combination=at_most(2),
        shoe=Cut(16),
    )


@pytest.mark.parametrize(
    ("name", "toml"),
    [
        (
            "standard",
            """
            bets = [
                "player", "banker", "tie", "player_pair", "banker_pair", "either_pair", "player_bonus",
                "banker_bonus",
            ]
            """,
        ),
        ("single-deck", 'decks = 1\nshoe = {type = "series", coups = 60}'),
        ("eight-deck", 'commission = {rate = 0}\ncombination = "one_hand"'),
        ("two-field", "commission = {rate = 0}\ncombination = {at_most = 2}"),
        ("vegas", "pays = {tie = 9}\ncommission = {rate = 0.05, step = 0.25}"),
    ],
)
def test_the_five_rule_sets_can_be_written(name, toml):
    assert read(toml).digest == RULE_SETS[name].digest


@pytest.mark.parametrize("pays", ["0.54", "'0.54'", "'27/50'", "[0.54]"])
def test_a_number_counts_by_its_digits(pays):
    assert read(f"bets = ['big']\npays = {{big = {pays}}}").bets[0].pays == (Fraction(27, 50),)


def test_variants():
    assert read("commission = {rate = '1/25', rounding = 'down'}").commission == Commission(
        Fraction(4, 100), 1, Rounding.DOWN
    )
    assert read("combination = 'one_hand'").combination == ONE_HAND
    assert read("combination = {at_most = 1, of = ['tie', 'banker']}").combination == Combination(
        ("tie", "banker"), 1
    )
    assert read("shoe = {type = 'series', coups = 7}").shoe == Series(7)


def test_exceptions_are_looked_at_in_their_order():
    rules = read(
        """
        [[exceptions]]
        bet = "banker"
        when = { outcome = "banker", banker_total = 7, banker_cards = 3 }
        pays = "push"

        [[exceptions]]
        bet = "banker"
        when = { outcome = "banker", banker_total = [6, 7] }
        pays = 0.5
        """
    )
    push, half = rules.offered["banker"].lines[:2]
    assert push.pays is None
    assert (half.pays, half.when.banker_total) == (Fraction(1, 2), (6, 7))


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ("bets = ['dragon_8']", "bets: there is no bet called 'dragon_8'; there are player, banker, tie, "),
        ("bets = ['tie', 'tie']", "tie is offered twice"),
        ("bets = []", "it offers no bet"),
        ("decks = 9", "decks must be 1 to 8, not 9"),
        (
            "decks = 1\nshoe = {type = 'cut', behind = 11}\nbets = ['perfect_pair']",
            "perfect_pair needs two decks",
        ),
        ("pays = {tie = -1}", "tie pays -1, which is below zero"),
        ("pays = {tie = [8, 9]}", "pays.tie: it takes 1 pays, such as 8, not 2"),
        ("bets = ['lucky_6']\npays = {lucky_6 = 12}", "pays.lucky_6: it takes 2 pays, such as 12, 20, not 1"),
        ("pays = {small = 2}", "pays.small: 'small' is not among the bets on offer"),
        ("pays = {tie = 'nine'}", "pays.tie: 'nine' is not a number such as 8, 0.54 or '27/50'"),
        ("pays = {tie = nan}", "pays.tie: nan is not a number"),
        ("pays = {tie = inf}", "pays.tie: inf is not a number"),
        ("pays = {tie = '1/0'}", "pays.tie: '1/0' is not a number"),
        ("pays = {tie = '1e9'}", "pays.tie: '1e9' is not a number"),
        ("commission = {rate = 1.5}", "a commission rate must be 0 to 1, not 3/2"),
        ("commission = {rate = 0.05, step = 0.001}", "commission.step: 0.001 is not a whole number of cents"),
        ("commission = {rate = 0.05, step = 0}", "a commission step must be a cent or more, not 0"),
        ("combination = {at_most = 0}", "a combination must allow at least one bet"),
        ("combination = {at_most = 1, of = ['x']}", "there is no bet called 'x'"),
        (
            "shoe = {type = 'cut', behind = 1}",
            "the cut card needs 11 cards behind it for one more coup, not 1",
        ),
        (
            "exceptions = [{bet = 'small', when = {}, pays = 1}]",
            "exceptions[0].bet: 'small' is not among the bets on offer",
        ),
        (
            "exceptions = [{bet = 'tie', when = {cards = 4}, pays = 'pull'}]",
            "exceptions[0].pays: 'pull' is not a number",
        ),
        (
            "exceptions = [{bet = 'banker', when = {banker_total = 12}, pays = 1}]",
            'no coup is decided by the line {"banker_total":12} of banker',
        ),
        (
            "exceptions = [{bet = 'tie', when = {}, pays = 1}]",
            'no coup is decided by the line {"outcome":"tie"} of tie',
        ),
    ],
)
def test_rules_that_are_refused_with_the_reason(toml, reason):
    with pytest.raises(RulesError, match="rule set 'home': ") as refusal:
        read(toml)
    assert reason in str(refusal.value)


def test_all_faults_are_named_at_once():
    with pytest.raises(RulesError) as refusal:
        read("bets = ['tie', 'dragon']\npays = {tie = 'x', small = 2}")
    assert str(refusal.value).count(";") >= 3
    for part in ("bets: ", "pays.tie: ", "pays.small: "):
        assert part in str(refusal.value)


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ("banker = 1", "unknown field `banker`"),
        ("decks = 'six'", "Expected `int`, got `str`"),
        ("combination = 'two'", "Invalid enum value 'two'"),
        ("shoe = {type = 'box'}", "Invalid value 'box'"),
        ("shoe = {type = 'cut', coups = 3}", "unknown field `coups`"),
        ("commission = {rate = 0.05, rounding = 'near'}", "Invalid enum value 'near'"),
        ("exceptions = [{bet = 'banker', when = {total = 6}, pays = 1}]", "unknown field `total`"),
    ],
)
def test_keys_and_kinds_are_checked_when_read(toml, reason):
    with pytest.raises(msgspec.ValidationError, match=reason):
        read(toml)
