"""What messages say, in the values that are checked. What cannot be read raises, as Python does."""

import base64
from collections.abc import Mapping
from typing import Any, Final

from croupier_client.verifier.constructions import beacon_hash

PROOF_BYTES: Final = 18

Message = Mapping[str, Any]


def raw(text: str) -> bytes:
    """Bytes, which JSON has in base64."""
    return base64.b64decode(text, validate=True)


def raw_or_none(text: str | None) -> bytes | None:
    """Bytes, where there are any."""
    return None if text is None else raw(text)


def sender_of(contribution: Message) -> tuple[int, str, str]:
    """What a contribution was before its value was revealed."""
    return contribution["seat"], contribution["player"], contribution["hash"]


def beacon_name(beacon: Message | None) -> str | None:
    """Which round of which beacon."""
    return None if beacon is None else _name(beacon)


def drawn_of(beacon: Message | None) -> bytes | None:
    """What the value of a beacon counts as; None where it did not come, or none was named."""
    if beacon is None or beacon["value"] is None:
        return None
    return beacon_hash(_name(beacon), raw(beacon["value"]))


def _name(beacon: Message) -> str:
    return f"{beacon['source']} {beacon['round']}"


def place_and_salt(proof: str) -> tuple[int, bytes]:
    """Where a card lay and the salt of its commitment."""
    proved = raw(proof)
    if len(proved) != PROOF_BYTES:
        raise ValueError(f"a proof of {len(proved)} bytes")
    return int.from_bytes(proved[:2], "big"), proved[2:]
