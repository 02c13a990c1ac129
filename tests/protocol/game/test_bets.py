"""Pay tables as data."""

from fractions import Fraction

import pytest

from croupier_protocol.game.bets import BANKER, CATALOGUE, PLAYER, TIE, Bet, Line, When
from croupier_protocol.game.coup import Outcome, Score


def test_the_main_bets():
    assert {name: bet.pays for name, bet in CATALOGUE.items()} == {
        "player": (Fraction(1),),
        "banker": (Fraction(1),),
        "tie": (Fraction(8),),
    }
    assert [bet.name for bet in CATALOGUE.values() if bet.commission] == ["banker"]


@pytest.mark.parametrize(
    ("bet", "score", "pays"),
    [
        (PLAYER, Score(9, 8, 2, 2), 1),
        (PLAYER, Score(4, 4, 3, 3), "push"),
        (PLAYER, Score(0, 1, 3, 3), "lose"),
        (BANKER, Score(9, 8, 2, 2), "lose"),
        (BANKER, Score(4, 4, 3, 3), "push"),
        (BANKER, Score(0, 1, 3, 3), 1),
        (TIE, Score(4, 4, 3, 3), 8),
        (TIE, Score(4, 5, 3, 3), "lose"),
    ],
)
def test_what_each_main_bet_does(bet, score, pays):
    line = bet.by_score[score]
    assert pays == ("lose" if line is None else "push" if line.pays is None else line.pays)


def test_the_first_line_that_fits_decides():
    six = Line(When(outcome=Outcome.BANKER, banker_total=6), Fraction(1, 2))
    bet = Bet(BANKER.name, (six, *BANKER.lines))
    assert bet.by_score[Score(0, 6, 2, 2)].pays == Fraction(1, 2)
    assert bet.by_score[Score(0, 7, 2, 2)].pays == 1
    assert bet.by_score[Score(6, 6, 2, 2)].pays is None


def test_every_condition_must_hold():
    three_card_seven = When(outcome=Outcome.BANKER, banker_total=7, banker_cards=3)
    assert three_card_seven.fits(Score(0, 7, 3, 3))
    assert not three_card_seven.fits(Score(0, 7, 2, 2))
    assert not three_card_seven.fits(Score(0, 6, 3, 3))
    assert not three_card_seven.fits(Score(7, 7, 3, 3))


def test_other_pays():
    tie = TIE.paying(9)
    assert tie.pays == (Fraction(9),)
    assert tie.by_score[Score(4, 4, 3, 3)].pays == 9
    assert TIE.pays == (Fraction(8),)
    assert PLAYER.paying(2).lines[1] == PLAYER.lines[1]  # a tie still pushes


@pytest.mark.parametrize("pays", [(), (8, 9)])
def test_as_many_pays_as_winning_lines(pays):
    with pytest.raises(ValueError, match="tie has 1 pays"):
        TIE.paying(*pays)
