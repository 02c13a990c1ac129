"""What the processes and machines of one test say to each other: one JSON object a line.

A machine that joins, and each process, has the same conversation with whoever gives it its part:

    → Joined        a machine: for how many processes it has room
    ← Assignment    what to do
    → Ready         the server was found
    ← Go            begin, all at once
    → Second …      what was seen, second after second; one is the last
    → Failed        instead of any of these: it cannot be done, and why
"""

import asyncio
from contextlib import suppress
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from croupier_client.errors import CroupierError
from croupier_client.load.part import Assignment, Second

LONGEST_LINE: Final = 16 * 1024 * 1024
"""Bytes in one line: a second's histograms of a machine have some ten thousand."""


class Joined(Struct, frozen=True, tag=True):
    """A machine has room for so many processes."""

    processes: int


class Share(Struct, frozen=True, tag=True):
    """An assignment on its way; a machine gives `processes` parts from it on to its processes."""

    assignment: Assignment
    processes: int = 1


class Ready(Struct, frozen=True, tag=True):
    """The server was found; it has so many tables to watch."""

    tables: int


class Go(Struct, frozen=True, tag=True):
    """Begin now."""


class Told(Struct, frozen=True, tag=True):
    """A second of part `part`."""

    part: int
    second: Second


class Failed(Struct, frozen=True, tag=True):
    """It cannot be done."""

    reason: str


Line = Joined | Share | Ready | Go | Told | Failed

_Kind = TypeVar("_Kind", bound=Line)

_DECODER: Final = msgspec.json.Decoder(Line)
_ENCODER: Final = msgspec.json.Encoder()


class PartFailedError(CroupierError):
    """Another process or machine of the test has failed, or has gone."""


class Peer:
    """The other end of a conversation."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: str) -> None:
        self.name = name
        self._reader = reader
        self._writer = writer

    def send(self, line: Line) -> None:
        """Sends a line; one to a peer that is gone is lost, and `receive` tells."""
        self._writer.write(_ENCODER.encode(line) + b"\n")

    async def receive(self, kind: type[_Kind]) -> _Kind:
        """The next line, which is to be of a kind.

        Raises:
            PartFailedError: it is not, or there is none.
        """
        try:
            line = await self._reader.readline()
        except (OSError, ValueError) as error:
            raise PartFailedError(f"{self.name}: {error}") from error
        if not line:
            raise PartFailedError(f"{self.name} has gone")
        try:
            found = _DECODER.decode(line)
        except msgspec.MsgspecError as error:
            raise PartFailedError(f"{self.name} does not speak as this version does: {error}") from error
        if isinstance(found, Failed):
            raise PartFailedError(f"{self.name}: {found.reason}")
        if not isinstance(found, kind):
            raise PartFailedError(f"{self.name} said {type(found).__name__}, and not {kind.__name__}")
        return found

    async def gone(self) -> None:
        """Waits until the other end has closed, which has nothing more to say."""
        with suppress(OSError):
            while await self._reader.read(1024):
                pass

    async def flush(self) -> None:
        """Waits until what was sent is on its way."""
        await self._writer.drain()

    def close(self) -> None:
        self._writer.close()
