"""What passes between a supervisor and a worker process.

The supervisor writes one line to the standard input of the worker, its orders, and keeps the pipe open. One
line on standard output says that the worker takes connections, another that it drains.

This is apart from both, so that a supervisor starts without all that a worker loads.
"""

import base64
from typing import Final

import msgspec
from msgspec import Struct

from croupier_server.config import Config
from croupier_server.store.durability import Confirmation
from croupier_server.store.keys import PitId

READY_LINE: Final = b"ready\n"
"""What a worker writes when it takes connections, or as a dealer alone, tables."""

DRAINING_LINE: Final = b"draining\n"
"""What a worker writes when it takes no more of them and is about to end: another may take its place."""


class WorkerOrders(Struct, frozen=True):
    """What a supervisor tells a worker. The key travels through the pipe, never on a command line.

    `supervisor` is the random id of the supervisor's life; a dealer alone gets no listening socket.
    """

    config: Config
    redis: str
    pits: tuple[PitId, ...]
    confirmation: Confirmation | None
    embedded: bool
    shoe_keys: tuple[bytes, ...]
    supervisor: str
    listening_descriptor: int | None

    def encode(self) -> bytes:
        """One line for the worker's standard input."""
        return base64.b64encode(msgspec.msgpack.encode(self)) + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> "WorkerOrders":
        """The orders in one line."""
        return msgspec.msgpack.decode(base64.b64decode(line), type=cls)
