"""Pay tables as data."""

from fractions import Fraction

import msgspec
import pytest

from croupier_protocol.game.bets import BANKER, CATALOGUE, PLAYER, TIE, Bet, Line, When
from croupier_protocol.game.coup import NO_PAIRS, Alike, Coup, Outcome, Pairs, Score


def test_the_catalogue():
    """The pays of every bet, from the top of its table."""
    assert {name: [float(pay) for pay in bet.pays] for name, bet in CATALOGUE.items()} == {
        "player": [1],
        "banker": [1],
        "tie": [8],
        "player_pair": [11],
        "banker_pair": [11],
        "either_pair": [5],
        "perfect_pair": [25, 200],
        "player_bonus": [30, 10, 6, 4, 2, 1, 1],
        "banker_bonus": [30, 10, 6, 4, 2, 1, 1],
        "tie_0": [150],
        "tie_1": [215],
        "tie_2": [225],
        "tie_3": [200],
        "tie_4": [120],
        "tie_5": [110],
        "tie_6": [45],
        "tie_7": [45],
        "tie_8": [80],
        "tie_9": [80],
        "super_6": [12],
        "lucky_6": [12, 20],
        "small": [1.5],
        "big": [0.54],
        "dragon_7": [40],
        "panda_8": [25],
    }
    assert CATALOGUE["big"].pays == (Fraction(27, 50),)
    assert [bet.name for bet in CATALOGUE.values() if bet.commission] == ["banker"]


PUSH = "push"
COUPS = {  # all bets that each coup does not lose, and what they pay
    # naturals
    "9s Kh Ks Qh": {"player": 1, "player_bonus": 1, "small": 1.5},
    "9s 2h Ks 5h": {"player": 1, "player_bonus": 1, "small": 1.5},
    "Ks 8h 4d Qh": {"banker": 1, "banker_bonus": 1, "small": 1.5},
    "8s 8h Ks Kh": {
        "player": PUSH,
        "banker": PUSH,
        "tie": 8,
        "player_bonus": PUSH,
        "banker_bonus": PUSH,
        "tie_8": 80,
        "small": 1.5,
    },
    "9s 9h Ks Kh": {
        "player": PUSH,
        "banker": PUSH,
        "tie": 8,
        "player_bonus": PUSH,
        "banker_bonus": PUSH,
        "tie_9": 80,
        "small": 1.5,
    },
    # Player by 9, 8, 7, 6, 5, 4 and 3 points
    "2s Kh 2d Qh 5s Jc": {"player": 1, "player_pair": 11, "either_pair": 5, "player_bonus": 30, "big": 0.54},
    "2s Kh 3d Qh 4s Ac": {"player": 1, "player_bonus": 10, "big": 0.54},
    "2s Kh 3d Qh 4s 2c": {"player": 1, "player_bonus": 6, "big": 0.54},
    "2s Kh 3d Qh 4s 3c": {"player": 1, "player_bonus": 4, "big": 0.54},
    "2s 4h 3d Kh 4s Kd": {"player": 1, "player_bonus": 2, "big": 0.54},
    "As 4h 2d Kh 5s Jc": {"player": 1, "player_bonus": 1, "panda_8": 25, "big": 0.54},
    "2s 6h 3d Kh 4s": {"player": 1, "big": 0.54},
    # Player 8 of three cards against 7, and Player 6 of two cards against 5
    "As 7h 2d Kh 5s": {"player": 1, "panda_8": 25, "big": 0.54},
    "6s 2h Kd Kh 3s": {"player": 1, "big": 0.54},
    "7s 6h Kd Kh": {"player": 1, "small": 1.5},
    # Banker by 7 points
    "Ks 2h 2d Ah Td 6c": {"banker": 1, "banker_bonus": 6, "big": 0.54},
    # Banker 7 of three cards and of two
    "6s 3h Kd 2c 2d": {"banker": 1, "dragon_7": 40, "big": 0.54},
    "Ks 3h 6d 4h": {"banker": 1, "small": 1.5},
    # Banker 6 of two cards and of three
    "As 6h 3d Kh Ac": {"banker": 1, "super_6": 12, "lucky_6": 12, "big": 0.54},
    "As 2h 3d Kh Ac 4c": {"banker": 1, "super_6": 12, "lucky_6": 20, "big": 0.54},
    # ties that are no naturals; the bonus loses
    "6s 6h Ks Kh": {"player": PUSH, "banker": PUSH, "tie": 8, "tie_6": 45, "small": 1.5},
    "7s 7h Ks Kh": {"player": PUSH, "banker": PUSH, "tie": 8, "tie_7": 45, "small": 1.5},
    "Ks Qh Td Jh Td Tc": {"player": PUSH, "banker": PUSH, "tie": 8, "tie_0": 150, "big": 0.54},
    "Ks Qh Td Jh Ad Ac": {"player": PUSH, "banker": PUSH, "tie": 8, "tie_1": 215, "big": 0.54},
    "Ks Qh Td Jh 2d 2c": {"player": PUSH, "banker": PUSH, "tie": 8, "tie_2": 225, "big": 0.54},
    "Ks Qh Td Jh 3d 3c": {"player": PUSH, "banker": PUSH, "tie": 8, "tie_3": 200, "big": 0.54},
    "Ks Qh Td Jh 4d 4c": {"player": PUSH, "banker": PUSH, "tie": 8, "tie_4": 120, "big": 0.54},
    "Ks Qh Td Jh 5d 5c": {"player": PUSH, "banker": PUSH, "tie": 8, "tie_5": 110, "big": 0.54},
    "Ks Qh Td Jh 8d 8c": {"player": PUSH, "banker": PUSH, "tie": 8, "tie_8": 80, "big": 0.54},
    "Ks Qh Td Jh 9d 9c": {"player": PUSH, "banker": PUSH, "tie": 8, "tie_9": 80, "big": 0.54},
    # pairs: of Banker; of both, one perfect; of both, both perfect; K and Q are none
    "Ks 4h 9d 4d": {
        "player": 1,
        "banker_pair": 11,
        "either_pair": 5,
        "player_bonus": 1,
        "small": 1.5,
    },
    "Ks 4h Kd 4h": {
        "banker": 1,
        "player_pair": 11,
        "banker_pair": 11,
        "either_pair": 5,
        "perfect_pair": 25,
        "banker_bonus": 1,
        "small": 1.5,
    },
    "4s 4h 4s 4h": {
        "player": PUSH,
        "banker": PUSH,
        "tie": 8,
        "player_pair": 11,
        "banker_pair": 11,
        "either_pair": 5,
        "perfect_pair": 200,
        "player_bonus": PUSH,
        "banker_bonus": PUSH,
        "tie_8": 80,
        "small": 1.5,
    },
    "Ks Kh Qs Jh 5s 4c": {"player": 1, "big": 0.54},
}


@pytest.mark.parametrize(("cards", "not_lost"), COUPS.items())
def test_what_each_bet_does_after_a_coup(cards, not_lost):
    """D1, D4."""
    coup = Coup.of(cards)
    lines = {name: bet.line(coup.score, coup.pairs) for name, bet in CATALOGUE.items()}
    found = {name: PUSH if line.pays is None else float(line.pays) for name, line in lines.items() if line}
    assert found == not_lost


def test_the_first_line_that_fits_decides():
    six = Line(When(outcome=Outcome.BANKER, banker_total=6), Fraction(1, 2))
    bet = Bet(BANKER.name, (six, *BANKER.lines))
    assert bet.line(Score(0, 6, 2, 2), NO_PAIRS).pays == Fraction(1, 2)
    assert bet.line(Score(0, 7, 2, 2), NO_PAIRS).pays == 1
    assert bet.line(Score(6, 6, 2, 2), NO_PAIRS).pays is None


def test_every_condition_must_hold():
    three_card_seven = When(outcome=Outcome.BANKER, banker_total=7, banker_cards=3)
    assert three_card_seven.fits(Score(0, 7, 3, 3), NO_PAIRS)
    assert not three_card_seven.fits(Score(0, 7, 2, 2), NO_PAIRS)
    assert not three_card_seven.fits(Score(0, 6, 3, 3), NO_PAIRS)
    assert not three_card_seven.fits(Score(7, 7, 3, 3), NO_PAIRS)


def test_of_several_numbers_any_will_do():
    long = When(cards=(5, 6))
    assert [long.fits(Score(0, 7, *cards), NO_PAIRS) for cards in [(2, 2), (2, 3), (3, 3)]] == [
        False,
        True,
        True,
    ]


def test_score_and_pairs_may_be_asked_for_together():
    both = When(outcome=Outcome.PLAYER, banker_pair=True)
    wins, loses = Score(9, 8, 2, 2), Score(0, 8, 2, 2)
    banker_pair = Pairs(Alike.NO, Alike.RANK)
    assert both.fits(wins, banker_pair)
    assert not both.fits(loses, banker_pair)
    assert not both.fits(wins, NO_PAIRS)


def test_what_is_not_a_condition_is_refused():
    with pytest.raises(msgspec.ValidationError, match="unknown field `total`"):
        msgspec.convert({"total": 6}, When)


def test_other_pays():
    tie = TIE.paying(9)
    assert tie.pays == (Fraction(9),)
    assert tie.line(Score(4, 4, 3, 3), NO_PAIRS).pays == 9
    assert TIE.pays == (Fraction(8),)
    assert PLAYER.paying(2).lines[1] == PLAYER.lines[1]  # a tie still pushes


@pytest.mark.parametrize("pays", [(), (8, 9)])
def test_as_many_pays_as_winning_lines(pays):
    with pytest.raises(ValueError, match="tie has 1 pays"):
        TIE.paying(*pays)


def test_an_exception_comes_before_the_bets_own_lines():
    seven = When(outcome=Outcome.BANKER, banker_total=7, banker_cards=3)
    bet = BANKER.except_when(seven, None)
    assert bet.lines == (Line(seven, None), *BANKER.lines)
    assert bet.commission
