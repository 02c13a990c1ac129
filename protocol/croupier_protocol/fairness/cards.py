"""Salted commitments to single cards: each card can be checked when it is dealt, and tells of no other.

A card is named by its deck and its position, both counted from 0. There is one deck in a shoe, however many
packs of cards are shuffled into it, and one deck for each coup in a series.
"""

import hashlib
import hmac
from typing import Final

from croupier_protocol.game.cards import Card

SALT_BYTES: Final = 16
POSITION_BYTES: Final = 2
"""A proof begins with the position in so many bytes, big-endian; the salt follows."""

ENTRY_BYTES: Final = 32
"""The length of one entry of the list."""

SERIES_POSITIONS: Final = 6
"""Of each deck of a series the list has as many positions as a coup can take."""

_SALT: Final = b"croupier card salt 1\n"
_CARD: Final = b"croupier card 1\n"


class Salts:
    """The salts of the cards in the order that `order_seed` makes."""

    __slots__ = ("_start",)

    def __init__(self, order_seed: bytes) -> None:
        self._start = hmac.new(order_seed, _SALT, "sha256")  # copied, it is half the work of a new one

    def salt(self, deck: int, position: int) -> bytes:
        """The salt of one card: the first 16 bytes of HMAC-SHA-256, with the order's seed as key, of its
        label, deck and position.
        """
        salt = self._start.copy()
        salt.update(_place(deck, position))
        return salt.digest()[:SALT_BYTES]


def card_commitment(deck: int, position: int, card: Card, salt: bytes) -> bytes:
    """One entry of the list: SHA-256 of the label, deck, position, the card's two letters and its salt."""
    return hashlib.sha256(_CARD + _place(deck, position) + card.encode() + salt).digest()


def list_digest(commitments: bytes) -> bytes:
    """The digest of a list, its entries one behind the other: plain SHA-256, as `sha256sum` computes it."""
    return hashlib.sha256(commitments).digest()


def proof_of(position: int, salt: bytes) -> bytes:
    """What a dealt card carries to be checked: 18 bytes, 24 letters of base64.

    >>> proof_of(415, bytes(16)).hex()
    '019f00000000000000000000000000000000'
    """
    return position.to_bytes(POSITION_BYTES, "big") + salt


def check_card(commitments: bytes, series: bool, coup: int, position: int, card: Card, salt: bytes) -> bool:
    """Whether a dealt card is the one that the list commits to; `coup` counts from 1."""
    deck = coup - 1 if series else 0
    at = (deck * SERIES_POSITIONS + position if series else position) * ENTRY_BYTES
    return commitments[at : at + ENTRY_BYTES] == card_commitment(deck, position, card, salt)


def _place(deck: int, position: int) -> bytes:
    return deck.to_bytes(4, "big") + position.to_bytes(4, "big")
