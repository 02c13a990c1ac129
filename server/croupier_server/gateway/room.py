"""Everyone who watches one table here: each event is one write per connection, in slices.

Messages of the table that come together leave together. A large room is served in slices, so that players'
commands are answered in between, and each time begins with another connection, so that nobody is always last.
A reader that does not keep up loses no single event: it gets nothing at all until it has read what waits for
it, and then the present.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from croupier_protocol.codec import Codec
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.outlet import Bound, Line, Outlet, write_all

SLICE: Final = 250
"""Connections that are written to without a turn of the event loop: about 2 ms."""

MOST_WAITING: Final = Bound(64 * 1024, 2.0)
"""What may wait for a connection until it falls behind: minutes of a table, and the kernel has more."""


class Member(NamedTuple):
    """Somebody who watches: how many messages of the table it knew when it came."""

    known: int
    line: Line


class Room:
    """The watchers of one table, and what is on its way to them."""

    def __init__(self) -> None:
        self.lagging: dict[Outlet, float] = {}
        self._members: dict[Outlet, Member] = {}
        self._queue: list[Encoded] = []
        self._said = 0
        self._speaking: asyncio.Handle | None = None
        self._telling: Iterator[tuple[Sequence[Line], bytes]] | None = None
        self._lines: dict[Codec, list[Line]] | None = None
        self._turn = 0
        self._shown: int | None = 0

    def __len__(self) -> int:
        return len(self._members)

    @property
    def shown(self) -> int:
        """How many watch whom people see counted."""
        if self._shown is None:
            self._shown = sum(outlet.shown for outlet in self._members)
        return self._shown

    def recount(self) -> None:
        """Somebody came or went, or is to be counted otherwise."""
        self._shown = None

    def enter(self, outlet: Outlet) -> None:
        """From now on `outlet` gets what is said; it knows everything so far."""
        self._members[outlet] = Member(self._said, outlet.line())
        self.lagging.pop(outlet, None)
        self._lines = None
        self.recount()

    def leave(self, outlet: Outlet) -> None:
        """Ends what `enter` began, also for what is on its way."""
        self._members.pop(outlet, None)
        self.lagging.pop(outlet, None)
        self._lines = None
        self.recount()

    def say(self, message: Encoded) -> None:
        """Tells everyone, in the next turn of the event loop or, in a large room, over the next ones."""
        self._queue.append(message)
        self._said += 1
        if self._speaking is None:
            self._speaking = asyncio.get_running_loop().call_soon(self._speak)

    def _speak(self) -> None:
        """Writes to a slice of the room, and comes again while there is more to do."""
        self._speaking = None
        if self._telling is None:
            self._telling = self._round()
        told = 0
        for lines, frames in self._telling:
            self._tell(lines, frames)
            told += len(lines)
            if told >= SLICE:
                break
        else:
            self._telling = None
        if self._telling is not None or self._queue:
            self._speaking = asyncio.get_running_loop().call_soon(self._speak)

    def _round(self) -> Iterator[tuple[Sequence[Line], bytes]]:
        """Takes what waits to be said and yields what to write to whom; others may have turns in between."""
        messages, self._queue = self._queue, []
        first = self._said - len(messages)
        alike = self._lines is not None
        if self._lines is None:
            self._lines = self._lines_of_members()
            alike = all(member.known <= first for member in self._members.values())
        lines = self._lines
        self._turn += SLICE
        for codec, whole in lines.items():
            together = b"".join(message.frame(codec) for message in messages)
            begin = self._turn % len(whole)
            rotated = [*whole[begin:], *whole[:begin]]
            for start in range(0, len(rotated), SLICE):
                part = rotated[start : start + SLICE]
                if alike and self._lines is lines:
                    yield part, together
                else:  # somebody has come or gone: each gets what it does not know
                    yield from self._each(part, first, messages)

    def _each(
        self, lines: Sequence[Line], first: int, messages: Sequence[Encoded]
    ) -> Iterator[tuple[Sequence[Line], bytes]]:
        for line in lines:
            outlet = line[0]
            member = self._members.get(outlet)
            if member is not None and outlet not in self.lagging:
                unknown = messages[max(member.known - first, 0) :]
                if unknown:
                    yield [line], b"".join(message.frame(outlet.codec) for message in unknown)

    def _lines_of_members(self) -> dict[Codec, list[Line]]:
        lines: dict[Codec, list[Line]] = {}
        for outlet, member in self._members.items():
            if outlet not in self.lagging:
                lines.setdefault(outlet.codec, []).append(member.line)
        return lines

    def _tell(self, lines: Sequence[Line], frames: bytes) -> None:
        now = asyncio.get_running_loop().time()
        for outlet in write_all(lines, frames, now):
            if not outlet.put(frames, now, MOST_WAITING):
                self.lagging[outlet] = now
                self._lines = None
