"""Editing a slip at a terminal table: chips on and off, undo, double, all in, and what is refused at once."""

import pytest

from croupier_client.errors import (
    BadCommandError,
    BettingClosedError,
    NoAnswerError,
    RefusedError,
    TableClosedError,
)
from croupier_client.terminal.english import ENGLISH
from croupier_client.terminal.french import FRENCH
from croupier_client.terminal.reasons import Reason, Why, reason_in_words, reason_of
from croupier_client.terminal.slip import Draft, chips_for, fault_of, stacks_of
from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.offers import offer_of
from croupier_protocol.messages.values import Language, Phase, TableId

LIMITS = Limits()
STANDARD = offer_of(RULE_SETS["standard"])


def test_chips_go_on_and_come_off_from_the_top():
    draft = Draft().add("player", 25_00).add("player", 5_00).add("tie", 1_00)
    assert draft.bets == {"player": 30_00, "tie": 1_00}
    assert draft.take_top("player", LIMITS).bets == {"player": 25_00, "tie": 1_00}
    assert draft.take_top("tie", LIMITS).bets == {"player": 30_00}
    assert draft.take_top("banker", LIMITS).bets == {"player": 30_00, "tie": 1_00}


def test_what_would_be_left_below_the_least_comes_off_with_the_top_chip():
    draft = Draft().add("player", 1_00).add("player", 25_00)
    assert draft.take_top("player", Limits(main_least=5_00)).bets == {}


def test_every_edit_can_be_undone_down_to_nothing():
    draft = Draft().add("player", 5_00).double().clear()
    assert [draft.bets, draft.undo().bets, draft.undo().undo().bets] == [
        {},
        {"player": 10_00},
        {"player": 5_00},
    ]
    empty = draft.undo().undo().undo()
    assert (empty.bets, empty.undo().bets, empty.before) == ({}, {}, ())


def test_c11_all_in_is_never_more_than_there_is_nor_than_the_table_takes():
    assert Draft().all_in("player", LIMITS, 99_99).bets == {"player": 99_00}
    assert Draft().all_in("player", LIMITS, 9_000_00).bets == {"player": 500_00}
    assert Draft().add("tie", 10_00).all_in("player", LIMITS, 50_00).bets == {"tie": 10_00, "player": 40_00}
    assert Draft().add("player", 50_00).all_in("player", LIMITS, 50_00).bets == {"player": 50_00}


def test_amounts_without_chips_are_made_of_few_large_ones():
    assert chips_for(131_00, LIMITS.chips) == (100_00, 25_00, 5_00, 1_00)
    assert stacks_of({"player": 6_50, "tie": 0}, LIMITS.chips) == {"player": (5_00, 1_00, 50)}


@pytest.mark.parametrize(
    ("bets", "limits", "available", "reason"),
    [
        ({"player": 25_00}, LIMITS, 25_00, None),
        ({"player": 26_00}, LIMITS, 25_00, Reason(Why.BANKROLL_SHORT, limit=25_00)),
        ({"player": 501_00}, LIMITS, 9_000_00, Reason(Why.MOST, bet="player", limit=500_00)),
        ({"tie": 101_00}, LIMITS, 9_000_00, Reason(Why.MOST, bet="tie", limit=100_00)),
        ({"player": 1_00}, Limits(main_least=5_00), 9_00, Reason(Why.LEAST, bet="player", limit=5_00)),
        ({"player": 1_50}, LIMITS, 9_00, Reason(Why.STEP, bet="player", limit=1_00)),
        ({"player": 9_00}, Limits(slip_most=8_00), 9_00, Reason(Why.SLIP_MOST, limit=8_00)),
        ({"dragon_7": 1_00}, LIMITS, 9_00, Reason(Why.UNKNOWN_BET, bet="dragon_7")),
    ],
)
def test_a_slip_that_the_table_does_not_take_is_known_before_it_is_sent(bets, limits, available, reason):
    assert fault_of(bets, limits, STANDARD, available) == reason


def test_opposite_bets_are_refused_where_the_rules_say_one_hand():
    one_hand = offer_of(RULE_SETS["eight-deck"])
    reason = fault_of({"player": 1_00, "banker": 1_00}, LIMITS, one_hand, 9_00)
    assert reason_in_words(reason, ENGLISH) == "One of Player, Banker only."
    assert reason_in_words(reason, FRENCH) == "Une seule mise parmi Joueur, Banque."


@pytest.mark.parametrize(
    ("reason", "english", "french"),
    [
        (Reason(Why.MOST, "tie", 100_00), "Tie takes 100.00 at most.", "Égalité : 100,00 au plus."),
        (
            Reason(Why.BANKROLL_SHORT, limit=25_00),
            "The chips in front of you are not enough: you have 25.00.",
            "Les jetons devant vous ne suffisent pas : vous avez 25,00.",
        ),
        (Reason(Why.BETTING_CLOSED), "No more bets: the window is closed.", "Les jeux sont faits."),
        (
            Reason(Why.COMBINATION, limit=2, bets=("player", "banker", "tie")),
            "No more than 2 of Player, Banker, Tie.",
            "Pas plus de 2 mises parmi Joueur, Banque, Égalité.",
        ),
    ],
)
def test_a_refusal_names_bet_and_limit_in_both_languages(reason, english, french):
    assert (reason_in_words(reason, ENGLISH), reason_in_words(reason, FRENCH)) == (english, french)


def test_a_refusal_by_the_server_keeps_its_words_with_the_amount_that_they_do_not_have():
    text = "La table n’accepte pas ce montant. (Égalité : 50,00 au plus)"
    refused = RefusedError(ErrorCode.LIMIT, text, None, bet="tie", limit=50_00)
    assert reason_in_words(reason_of(refused), FRENCH) == text
    short = RefusedError(ErrorCode.WALLET_SHORT, "Your wallet does not hold that much.", None, limit=50_00)
    told = reason_in_words(reason_of(short), ENGLISH)
    assert told == "Your wallet does not hold that much. (50.00)"
    busy = RefusedError(ErrorCode.BUSY, "Too many commands.", None, limit=8)
    assert reason_in_words(reason_of(busy), ENGLISH) == "Too many commands."
    told = reason_in_words(reason_of(NoAnswerError("nothing")), ENGLISH)
    assert told == "The server did not answer in time; it may have been done."


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            RefusedError(ErrorCode.INVALID, "Un champ manque, … (Expected `int` >= 1 - at `$.x`)", None),
            "Un champ manque, est inconnu ou hors limites.",
        ),
        (
            BadCommandError("Expected `int` <= 9007199254740991 - at `$.buy_in`"),
            "Un champ manque, est inconnu ou hors limites.",
        ),
        (TableClosedError(TableId("standard"), "nuit calme"), "Cette table est fermée"),
        (
            BettingClosedError(TableId("standard"), Phase.DEALING, 7, Language.FRENCH),
            "Les jeux sont faits.",
        ),
    ],
)
def test_what_the_library_says_in_english_is_told_in_the_players_language(error, told):
    assert reason_in_words(reason_of(error), FRENCH) == told
