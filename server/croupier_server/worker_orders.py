"""What passes between a supervisor and a worker process.

The supervisor writes one line to the standard input of the worker, its orders, and keeps the pipe open. One
line on standard output says that the worker takes connections, another that it drains. After that the
supervisor may ask, a line each, and gets a line for each in return.

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


HEALTH: Final = b"health"
"""Asks what keeps the worker from being ready: the answer is an encoded list of reasons."""

METRICS: Final = b"metrics"
"""Asks for the worker's metrics: see `sight.exposition`."""

LONGEST_LINE: Final = 1024 * 1024
"""Bytes of one line, in either direction. Metrics are about 30 kB."""


def answer_line(question: bytes, answer: bytes) -> bytes:
    """The line that answers a question."""
    return question + b" " + base64.b64encode(answer) + b"\n"


def read_answer(line: bytes) -> tuple[bytes, bytes] | None:
    """The question and its answer in a line; None when it is no answer, or one that was cut short."""
    question, _, answer = line.partition(b" ")
    if question not in {HEALTH, METRICS} or not line.endswith(b"\n"):
        return None
    return question, base64.b64decode(answer)


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
