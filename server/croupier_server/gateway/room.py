"""Everyone who watches one table here: each event is one write per connection, in slices.

Messages of the table that come together leave together. A large room is served in slices, so that players'
commands are answered in between, and each time begins with another connection, so that nobody is always last.
A reader that does not keep up loses no single event: it gets nothing at all until it has read what waits for
it, and then the present.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

from croupier_protocol.codec import Codec
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.outlet import Bound, Outlet, write_all

SLICE: Final = 100
"""Connections that are written to without a turn of the event loop: about a millisecond."""

MOST_WAITING: Final = Bound(64 * 1024, 2.0)
"""What may wait for a connection until it falls behind: minutes of a table, and the kernel has more."""


class Room:
    """The watchers of one table, and what is on its way to them."""

    def __init__(self) -> None:
        self.lagging: dict[Outlet, float] = {}
        self._members: dict[Outlet, int] = {}
        self._queue: list[Encoded] = []
        self._said = 0
        self._speaking: asyncio.Handle | None = None
        self._telling: Iterator[tuple[Sequence[Outlet], bytes]] | None = None
        self._listening: dict[Codec, list[Outlet]] | None = None
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
        self._members[outlet] = self._said
        self.lagging.pop(outlet, None)
        self._listening = None
        self.recount()

    def leave(self, outlet: Outlet) -> None:
        """Ends what `enter` began, also for what is on its way."""
        self._members.pop(outlet, None)
        self.lagging.pop(outlet, None)
        self._listening = None
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
        for outlets, frames in self._telling:
            self._tell(outlets, frames)
            told += len(outlets)
            if told >= SLICE:
                break
        else:
            self._telling = None
        if self._telling is not None or self._queue:
            self._speaking = asyncio.get_running_loop().call_soon(self._speak)

    def _round(self) -> Iterator[tuple[Sequence[Outlet], bytes]]:
        """Takes what waits to be said and yields what to write to whom; others may have turns in between."""
        messages, self._queue = self._queue, []
        first = self._said - len(messages)
        alike = self._listening is not None
        if self._listening is None:
            self._listening = self._listeners()
            alike = all(known <= first for known in self._members.values())
        listening = self._listening
        self._turn += SLICE
        for codec, whole in listening.items():
            together = b"".join(message.frame(codec) for message in messages)
            for part in _slices(whole, self._turn % len(whole)):
                if alike and self._listening is listening:
                    yield part, together
                else:  # somebody has come or gone: each gets what it does not know
                    yield from self._each(part, first, messages)

    def _each(
        self, outlets: Sequence[Outlet], first: int, messages: Sequence[Encoded]
    ) -> Iterator[tuple[Sequence[Outlet], bytes]]:
        for outlet in outlets:
            known = self._members.get(outlet)
            if known is not None and outlet not in self.lagging:
                unknown = messages[max(known - first, 0) :]
                if unknown:
                    yield [outlet], b"".join(message.frame(outlet.codec) for message in unknown)

    def _listeners(self) -> dict[Codec, list[Outlet]]:
        listening: dict[Codec, list[Outlet]] = {}
        for outlet in self._members:
            if outlet not in self.lagging:
                listening.setdefault(outlet.codec, []).append(outlet)
        return listening

    def _tell(self, outlets: Sequence[Outlet], frames: bytes) -> None:
        now = asyncio.get_running_loop().time()
        for outlet in write_all(outlets, frames, now):
            if not outlet.put(frames, now, MOST_WAITING):
                self.lagging[outlet] = now
                self._listening = None


def _slices(whole: Sequence[Outlet], begin: int) -> Iterator[Sequence[Outlet]]:
    """All of them in slices, from `begin` on and around."""
    for start in range(begin, len(whole), SLICE):
        yield whole[start : start + SLICE]
    for start in range(0, begin, SLICE):
        yield whole[start : min(start + SLICE, begin)]
