"""Keys at a terminal table."""

import pytest

from croupier_client.terminal.keys import act_of, moved
from croupier_client.terminal.languages import WORDS
from croupier_protocol.language import Language

ROWS = [("player", "tie", "banker"), ("a", "b", "c", "d", "e")]


@pytest.mark.parametrize(
    ("language", "key", "act"),
    [
        ("en", "g", ("deal", "", 0)),
        ("en", "G", ("deal", "", 0)),
        ("en", "u", ("undo", "", 0)),
        ("en", "b", ("choose", "banker", 0)),
        ("en", "s", ("sit", "", 0)),
        ("en", "5", ("put", "", 4)),
        ("en", "0", None),
        ("en", "z", None),
        ("en", "é", None),
        ("fr", "v", ("deal", "", 0)),
        ("fr", "a", ("undo", "", 0)),
        ("fr", "j", ("choose", "player", 0)),
        ("fr", "e", ("choose", "tie", 0)),
        ("fr", "p", ("choose", "player", 0)),
    ],
)
def test_letters_are_those_of_the_language(language, key, act):
    assert act_of(key, key, WORDS[Language(language)]) == act


def test_a_key_with_control_asks_for_nothing():
    assert act_of("ctrl+g", "\x07", WORDS[Language.ENGLISH]) is None


def test_no_letter_means_two_things():
    for words in WORDS.values():
        letters = [*words.keys.values(), "s", "l", "h", "f", "i", "q"]
        assert len(letters) == len(set(letters))


@pytest.mark.parametrize(
    ("bet", "way", "to"),
    [
        ("player", "right", "tie"),
        ("player", "left", "player"),
        ("banker", "right", "banker"),
        ("player", "down", "a"),
        ("tie", "down", "c"),
        ("banker", "down", "e"),
        ("e", "up", "banker"),
        ("c", "down", "c"),
        ("player", "up", "player"),
        ("gone", "up", "player"),
    ],
)
def test_arrows_lead_from_area_to_area(bet, way, to):
    assert moved(ROWS, bet, way) == to
