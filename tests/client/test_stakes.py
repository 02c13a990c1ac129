"""What the command line says to stake, and what becomes of "all"."""

import pytest

from croupier_client.cli.stakes import Stakes
from croupier_protocol.game.limits import Limits

LIMITS = Limits()


@pytest.mark.parametrize(
    ("text", "bets"),
    [
        ("player=5", {"player": 500}),
        ("player=5,tie=0.25", {"player": 500, "tie": 25}),
        ("player_bonus=1.5,tie_9=1", {"player_bonus": 150, "tie_9": 100}),
        ("player=90071992547409.91", {"player": 2**53 - 1}),
    ],
)
def test_stakes_are_read_to_the_cent(text, bets):
    assert Stakes.parse(text).bets(100_00, LIMITS) == bets


@pytest.mark.parametrize(
    "text",
    [
        *("", "player", "player=", "=5", "player=5,", ",player=5", "Player=5", "player =5", "player= 5"),
        *("player=-5", "player=+5", "player=5e1", "player=0.001", "player=0", "player=0.00", "player=nan"),
        *("player=5,player=1", "player=all,player=5", "player=5,player=all", "player=all,tie=all"),
        *("player=5;tie=1", "player=5,25", "player=ALL"),
    ],
)
def test_what_is_no_stake_is_refused(text):
    with pytest.raises(ValueError, match=r"no stake|no amount|twice|only one|nothing"):
        Stakes.parse(text)


@pytest.mark.parametrize(
    ("text", "bankroll", "bets"),
    [
        ("player=all", 99_99, {"player": 99_00}),
        ("player=all", 100, {"player": 100}),
        ("player=all", 99, {}),
        ("player=all", 0, {}),
        ("player=all", 2_000_00, {"player": 500_00}),
        ("tie=all", 2_000_00, {"tie": 100_00}),
        ("tie=all,player=50", 99_99, {"player": 50_00, "tie": 49_00}),
        ("tie=all,player=50", 50_99, {"player": 50_00}),
        ("tie=all,player=50", 20_00, {"player": 50_00}),
    ],
)
def test_c11_all_is_never_more_than_there_is_nor_than_the_table_takes(text, bankroll, bets):
    assert Stakes.parse(text).bets(bankroll, LIMITS) == bets


def test_all_keeps_to_the_most_of_a_slip_and_to_the_step():
    limits = Limits(main_most=900_00, slip_most=1_000_00, step=5_00, main_least=5_00)
    assert Stakes.parse("player=all,banker=700").bets(5_000_00, limits) == {
        "banker": 700_00,
        "player": 300_00,
    }
    assert Stakes.parse("player=all").bets(13_37, limits) == {"player": 10_00}
