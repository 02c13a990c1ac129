"""How everything of a shoe is made: the constructions of `docs/fairness.md`, a function for each."""

import hashlib
import hmac
from typing import Final

from croupier_client.verifier.drawing import LONGEST_COUP, RANKS

DECK: Final = [rank + suit for suit in "shdc" for rank in RANKS]


def seed_commitment(table: str, shoe: int, rules_digest: str, beacon: str | None, seed: bytes) -> bytes:
    """What the house publishes of `seed` before the cut; `beacon` is the name of the one it waits for."""
    bound = f"{table}\n{shoe}\n{rules_digest}\n"
    named = "" if beacon is None else f"{beacon}\n"
    return _hash(b"croupier shoe commitment 1\n", f"{bound}{named}".encode(), seed)


def beacon_hash(name: str, value: bytes) -> bytes:
    """What the value of a beacon counts as."""
    return _hash(b"croupier beacon 1\n", f"{name}\n".encode(), value)


def rebuild(
    seed: bytes, values: list[bytes], drawn: bytes | None, packs: int, coups: int | None
) -> tuple[bytes, list[list[str]]]:
    """The list of commitments that a seed and the values of the cut make, and the order of each deck.

    `drawn` is the `beacon_hash`, where one was named and has come; `packs` is how many packs of cards are in
    a deck, `coups` the length of a series.
    """
    label = b"croupier cut 1\n" if drawn is None else b"croupier cut with beacon 1\n"
    mixed = len(values).to_bytes(4, "big") + b"".join(values) + (drawn or b"")
    order_seed = hmac.digest(seed, label + mixed, "sha256")
    commitments, orders = [], []
    for deck in range(coups or 1):
        cards = order(order_seed, packs, deck)
        orders.append(cards)
        for position, card in enumerate(cards if coups is None else cards[:LONGEST_COUP]):
            place = _place(deck, position)
            salt = hmac.digest(order_seed, b"croupier card salt 1\n" + place, "sha256")[:16]
            commitments.append(card_commitment(deck, position, card, salt))
    return b"".join(commitments), orders


def order(seed: bytes, packs: int, deck: int) -> list[str]:
    """The shuffled cards of a deck; `seed` is that of the order."""
    cards, numbers, block = DECK * packs, list[int](), 0
    for last in range(len(cards) - 1, 0, -1):
        while True:
            if not numbers:
                message = b"croupier shoe order 1" + deck.to_bytes(4, "big") + block.to_bytes(4, "big")
                stream, block = hmac.digest(seed, message, "sha256"), block + 1
                numbers = [int.from_bytes(stream[at : at + 4], "big") for at in range(28, -1, -4)]
            number = numbers.pop()
            if number < 2**32 - 2**32 % (last + 1):
                break
        drawn = number % (last + 1)
        cards[last], cards[drawn] = cards[drawn], cards[last]
    return cards


def card_commitment(deck: int, position: int, card: str, salt: bytes) -> bytes:
    """One entry of the list."""
    return _hash(b"croupier card 1\n", _place(deck, position), card.encode(), salt)


def begin_chain(previous: bytes | None, commitment: bytes, digest: bytes | None, cut_at: int | None) -> bytes:
    """The hash that a shoe begins with; `digest` is None for one that was never opened."""
    where = f"{'' if cut_at is None else cut_at}\n".encode()
    return _hash(b"croupier shoe begins 1\n", previous or bytes(32), commitment, digest or b"", where)


def add_round(
    chain: bytes, round_: int, coup: int, outcome: str, player: list[str], banker: list[str]
) -> bytes:
    """The hash over one round more; a voided one has the outcome `void`."""
    told = f"{round_} {coup} {outcome} {''.join(player)} {''.join(banker)}\n"
    return _hash(b"croupier round 1\n", chain, told.encode())


def end_chain(chain: bytes, seed: bytes, reason: str | None) -> bytes:
    """The hash that a shoe ends with, for `reason` where it was abandoned."""
    return _hash(b"croupier shoe ends 1\n", chain, seed, f"{reason or ''}\n".encode())


def _place(deck: int, position: int) -> bytes:
    return deck.to_bytes(4, "big") + position.to_bytes(4, "big")


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()
