"""The rules of drawing: what a hand counts, who draws the next card, and who has won."""

from typing import Final

RANKS: Final = "A23456789TJQK"
VALUES: Final = {rank: min(pips, 10) % 10 for pips, rank in enumerate(RANKS, 1)}
LONGEST_COUP: Final = 6


def total(hand: list[str]) -> int:
    """What a hand counts.

    >>> total(["7h", "8s"]), total(["Kd", "9c"])
    (5, 9)
    """
    return sum(VALUES[card[0]] for card in hand) % 10


def next_side(player: list[str], banker: list[str]) -> str | None:
    """Who draws the next card; None when the coup is complete.

    >>> next_side(["2h", "3s"], ["Kd", "6c"])
    'player'
    >>> next_side(["2h", "3s", "8d"], ["Kd", "3c"]) is None  # three against an eight stands
    True
    """
    dealt = len(player) + len(banker)
    if dealt < 4:
        return "player" if len(player) == len(banker) else "banker"
    first, second = total(player[:2]), total(banker[:2])
    if first >= 8 or second >= 8 or len(banker) > 2:
        return None
    if len(player) == 2:
        if first <= 5:
            return "player"
        return "banker" if second <= 5 else None
    third = VALUES[player[2][0]]
    draws = {3: third != 8, 4: 2 <= third <= 7, 5: 4 <= third <= 7, 6: 6 <= third <= 7}
    return "banker" if second <= 2 or draws.get(second, False) else None


def outcome_of(player: list[str], banker: list[str]) -> str:
    """Who has won with these hands."""
    first, second = total(player), total(banker)
    return "tie" if first == second else "player" if first > second else "banker"


def is_natural(player: list[str], banker: list[str]) -> bool:
    """Whether the coup ended with its first four cards, since a hand had eight or nine."""
    return len(player) == len(banker) == 2 and max(total(player), total(banker)) >= 8


def burnt_by(shown: str) -> int:
    """How many cards the first card of a shoe burns: its pips, ten for faces."""
    return min(RANKS.index(shown[0]) + 1, 10)
