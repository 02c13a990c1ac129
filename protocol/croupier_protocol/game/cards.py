"""Cards: their names, what they count in a hand, and what they burn.

A card is its two-character name, rank then suit: ``As``, ``Td``, ``9h``. It is a plain string at run time, so
it goes over the wire and into a transcript as it is.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NewType

Card = NewType("Card", str)
"""A card's name: one of `RANKS`, then one of `SUITS`."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "shdc"

DECK: Final[tuple[Card, ...]] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The 52 cards: spades, hearts, diamonds, clubs, ace to king in each. Shuffles start from this order."""

PIPS: Final[Mapping[Card, int]] = {card: min(RANKS.index(card[0]) + 1, 10) for card in DECK}
"""How many cards the first card of a shoe burns: ace 1, two to nine as printed, ten and faces 10."""

POINTS: Final[Mapping[Card, int]] = {card: pips % 10 for card, pips in PIPS.items()}
"""What a card counts in a hand (seed 000): ace 1, two to nine as printed, ten and faces 0."""


class BadCardError(ValueError):
    """A text that names no card."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"no such card: {text!r}; a card is a rank of {RANKS} and a suit of {SUITS}, such as As or Td"
        )


def parse_card(text: str) -> Card:
    """The card that `text` names, exactly as written.

    Raises:
        BadCardError: `text` is not one of the 52 names. Case matters.
    """
    if text not in POINTS:
        raise BadCardError(text)
    return Card(text)


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of a text such as ``"As Td 9h"``, separated by white space.

    Raises:
        BadCardError: one of the words is not a card's name.
    """
    return tuple(parse_card(word) for word in text.split())


def rank(card: Card) -> str:
    """The rank of a card, one of `RANKS`."""
    return card[0]


def suit(card: Card) -> str:
    """The suit of a card, one of `SUITS`."""
    return card[1]


def total(cards: Iterable[Card]) -> int:
    """The score of a hand: the last digit of the sum of its points (seed 000).

    >>> total(parse_cards("8s 9h"))
    7
    >>> total(parse_cards("4s Kh 9d"))
    3
    """
    return sum(POINTS[card] for card in cards) % 10
