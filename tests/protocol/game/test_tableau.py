"""The tableau, all of it, against a table typed from the house rules."""

import pytest

from croupier_protocol.game.coup import Coup, Side
from croupier_protocol.game.tableau import banker_draws, player_draws

# Typed from seeds 000 (0 to 9) and 004 (its first column: no card drawn). One row for each total of Banker.
PRINTED = {
    #    -    0    1    2    3    4    5    6    7    8    9
    7: ["S", "S", "S", "S", "S", "S", "S", "S", "S", "S", "S"],
    6: ["S", "S", "S", "S", "S", "S", "S", "D", "D", "S", "S"],
    5: ["D", "S", "S", "S", "S", "D", "D", "D", "D", "S", "S"],
    4: ["D", "S", "S", "D", "D", "D", "D", "D", "D", "S", "S"],
    3: ["D", "D", "D", "D", "D", "D", "D", "D", "D", "S", "D"],
    2: ["D", "D", "D", "D", "D", "D", "D", "D", "D", "D", "D"],
    1: ["D", "D", "D", "D", "D", "D", "D", "D", "D", "D", "D"],
    0: ["D", "D", "D", "D", "D", "D", "D", "D", "D", "D", "D"],
}
THIRDS = [None, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
CELLS = [
    (banker, third, mark == "D")
    for banker, row in PRINTED.items()
    for third, mark in zip(THIRDS, row, strict=True)
]
NAMES = "TA23456789"


@pytest.mark.parametrize(("banker", "third", "draws"), CELLS)
def test_every_cell_of_the_banker_table(banker, third, draws):
    """A3."""
    assert banker_draws(banker, third) is draws


def test_the_table_has_88_cells():
    assert len(CELLS) == 88


def test_the_player_column():
    """A5."""
    assert [player_draws(total) for total in range(8)] == [True] * 6 + [False] * 2


@pytest.mark.parametrize(("banker", "third", "draws"), CELLS)
def test_every_cell_is_dealt_so(banker, third, draws):
    """A3: the same table, seen in the cards: Player stands on 6 or draws `third` to 0."""
    player = "6" if third is None else "K"
    coup = Coup.of(f"{player}s Kh Ks {NAMES[banker]}h")
    if third is not None:
        assert coup.next_side is Side.PLAYER
        coup = coup.add(f"{NAMES[third]}d")
    assert coup.next_side is (Side.BANKER if draws else None)


@pytest.mark.parametrize("ten", ["Td", "Jd", "Qd", "Kd"])
@pytest.mark.parametrize(("banker", "draws"), [("3", True), ("4", False), ("5", False), ("6", False)])
def test_a_third_card_that_counts_nothing(ten, banker, draws):
    """A1; for Banker 3 also the misprint of seed 002, which forgets the 0."""
    coup = Coup.of(f"2s {banker}h 3s Kh {ten}")
    assert coup.player_total == 5
    assert coup.complete is not draws
