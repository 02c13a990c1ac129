"""What a client tells about its connection, beside the messages of tables and seats."""

from dataclasses import dataclass, field
from typing import NamedTuple

from croupier_protocol.messages.to_client import Live, RealityCheck, SeatNotice, Stalled
from croupier_protocol.messages.values import Player


class Connected(NamedTuple):
    """A connection was made and the server has answered."""

    version: str


class Reconnecting(NamedTuple):
    """A connection was lost, or could not be made; the next try comes in `delay_s`."""

    delay_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The server knows this client as `player`, or has renewed its token.

    `resume_token` is a secret: with it, a later client is the same player. It replaces every earlier one.
    """

    player: Player
    resume_token: str = field(repr=False)


Notice = Connected | Reconnecting | SignedIn | Stalled | Live | SeatNotice | RealityCheck
"""News about the connection and one's seats, told as it happens and not in line with the tables' messages."""
