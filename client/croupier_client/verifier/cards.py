"""Holds each card of a shoe against the list of commitments that was published before it was dealt."""

import hashlib
from typing import Final

from croupier_client.verifier.constructions import card_commitment
from croupier_client.verifier.drawing import LONGEST_COUP
from croupier_client.verifier.report import Report
from croupier_client.verifier.shoe import Shoe

ENTRY_BYTES: Final = 32


def check_cards(report: Report, shoe: Shoe, commitments: bytes | None, reason: str) -> None:
    """Checks the cards that were dealt; without a list they are unchecked, for this reason."""
    if commitments is not None and hashlib.sha256(commitments).digest() != shoe.digest:
        where = shoe.line if shoe.opened is None else shoe.opened[0]
        report.judge(where, "list", False, "the list is not the one of this digest")
        commitments, reason = None, "the list is another"
    if commitments is None:
        report.unchecked["card", reason] += len(shoe.cards)
        return
    for line, deck, position, card, salt in shoe.cards:
        at = ENTRY_BYTES * (position if shoe.coups is None else LONGEST_COUP * deck + position)
        good = commitments[at : at + ENTRY_BYTES] == card_commitment(deck, position, card, salt)
        report.judge(line, "card", good, f"{card} is not the card that lay at {position}")
