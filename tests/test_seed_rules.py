"""The hand-typed rules give the numbers that the seeds print."""

import pytest

from support.seed_rules import bankrolls, commission, points, read_coup, returned

PLAYER_WINS = ["9s", "4h", "Kd", "4c"]
BANKER_WINS = ["4s", "9h", "4d", "Kc"]
TIE = ["9s", "9h", "Kd", "Kc"]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("8s 9s", 7),
        ("9s Ts", 9),
        ("4s Ts 9s", 3),
        ("5s 5h 5d", 5),
        ("Ts 9s", 9),
        ("2s 3s Ks", 5),
        ("Js 3s Ks", 3),
        ("Ks Qs Qh", 0),
        ("7h 7s", 4),
        ("7h 7s 7c", 1),
    ],
)
def test_sums(cards, expected):
    assert points(cards.split()) == expected


@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("2s 4h 3d Kc Kh", "2s 3d Kh", "4h Kc"),
        ("As 3h 2s Kd 5c Ts", "As 2s 5c", "3h Kd Ts"),
        ("As 3h Ad Kd 8c", "As Ad 8c", "3h Kd"),
        ("6s 5h Ks Kd 2c", "6s Ks", "5h Kd 2c"),
        ("9s 8h Kd Kc", "9s Kd", "8h Kc"),
    ],
)
def test_hands(cards, player, banker):
    assert read_coup(cards.split()) == (player.split(), banker.split())


@pytest.mark.parametrize(
    ("rules", "bet", "stake", "back"),
    [
        ("vegas", "banker", 500, 975),  # "pays back your $5, plus an additional $4.75"
        ("vegas", "banker", 600, 1_150),  # "a minimum bet of $6 would be a commission of 50 cents"
        ("vegas", "banker", 1_100, 2_125),  # "which makes the actual commission 75 cents"
        ("vegas", "banker", 10, 10),  # never more than the win
        ("single-deck", "banker", 60, 117),
        ("single-deck", "banker", 30, 58),
        ("standard", "banker", 10_000, 19_500),
        ("eight-deck", "banker", 600, 1_200),
        ("two-field", "banker", 600, 1_200),
    ],
)
def test_banker_wins(rules, bet, stake, back):
    assert returned(rules, BANKER_WINS, bet, stake) == back
    assert returned(rules, BANKER_WINS, "player", stake) == returned(rules, BANKER_WINS, "tie", stake) == 0


@pytest.mark.parametrize("rules", ["standard", "single-deck", "eight-deck", "two-field", "vegas"])
def test_player_wins_and_ties(rules):
    assert returned(rules, PLAYER_WINS, "player", 500) == 1_000
    assert returned(rules, PLAYER_WINS, "banker", 500) == 0
    assert returned(rules, TIE, "player", 500) == returned(rules, TIE, "banker", 500) == 500
    assert returned(rules, TIE, "tie", 500) == (5_000 if rules == "vegas" else 4_500)


def test_commissions_are_whole_cents_rounded_up():
    assert [commission("standard", stake) for stake in (0, 1, 20, 21, 240)] == [0, 1, 1, 2, 12]
    assert [commission("vegas", stake) for stake in (0, 500, 501, 2**53 - 1)] == [0, 25, 50, 450359962737050]


def test_bankrolls_add_up_and_a_void_round_gives_the_stakes_back():
    slips = {4: {"player": 500, "tie": 100}, 6: {"banker": 600}, 9: {"tie": 100}}
    coups = {4: PLAYER_WINS, 5: TIE, 6: BANKER_WINS, 9: None}
    assert bankrolls("vegas", 10_000, slips, coups) == {4: 10_400, 6: 10_950, 9: 10_950}
