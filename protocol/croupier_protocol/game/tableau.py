"""The tableau: who draws a third card.

Everything that decides about a third card is in this file, as it is printed on a casino's card (seeds 000 and
004). Seed 002 leaves out Player's third card 0 beside Banker 3; that is a misprint, Banker draws. Naturals
are settled before the tableau is asked: with 8 or 9 in either two-card hand nobody draws.
"""

from typing import Final

PLAYER: Final = "DDDDDDSS"
"""D draws, S stands, for each two-card total of Player from 0 to 7."""

BANKER: Final = (
    # Player's third card, "-" where Player stood
    # -  0  1  2  3  4  5  6  7  8  9
    "  D  D  D  D  D  D  D  D  D  D  D",  # Banker 0
    "  D  D  D  D  D  D  D  D  D  D  D",  # Banker 1
    "  D  D  D  D  D  D  D  D  D  D  D",  # Banker 2
    "  D  D  D  D  D  D  D  D  D  S  D",  # Banker 3
    "  D  S  S  D  D  D  D  D  D  S  S",  # Banker 4
    "  D  S  S  S  S  D  D  D  D  S  S",  # Banker 5
    "  S  S  S  S  S  S  S  D  D  S  S",  # Banker 6
    "  S  S  S  S  S  S  S  S  S  S  S",  # Banker 7
)
"""The same for each two-card total of Banker, with a column for each value of Player's third card."""

_PLAYER_DRAWS: Final = tuple(mark == "D" for mark in PLAYER)
_BANKER_DRAWS: Final = {
    (banker_total, third): mark == "D"
    for banker_total, row in enumerate(BANKER)
    for third, mark in zip((None, *range(10)), row.split(), strict=True)
}


def player_draws(player_total: int) -> bool:
    """Whether Player draws a third card on a two-card total of 0 to 7.

    >>> player_draws(5), player_draws(6)
    (True, False)
    """
    return _PLAYER_DRAWS[player_total]


def banker_draws(banker_total: int, player_third: int | None) -> bool:
    """Whether Banker draws a third card on a two-card total of 0 to 7.

    What counts is the value of Player's third card (0 to 9, ten and faces 0), not the total of Player's hand;
    `player_third` is None where Player stood.

    >>> banker_draws(3, 8), banker_draws(3, 0), banker_draws(5, None)
    (False, True, True)
    """
    return _BANKER_DRAWS[banker_total, player_third]
