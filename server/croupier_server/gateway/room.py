"""Everyone who watches one table here: each event is one write per connection, in slices.

Messages of the table that come together leave together. A large room is served in slices, so that players'
commands are answered in between, and each time begins with another connection, so that nobody is always last.
A reader that does not keep up loses no single event: it gets nothing at all until it has read what waits for
it, and then the present.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

from croupier_protocol.codec import Codec
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.outlet import Outlet

SLICE: Final = 250
"""Connections that are written to without a turn of the event loop: about 2 ms."""

MOST_WAITING: Final = 64 * 1024
"""Bytes that may wait for a connection until it falls behind: minutes of a table, and the kernel has more."""


class Room:
    """The watchers of one table, and what is on its way to them."""

    def __init__(self) -> None:
        self.lagging: dict[Outlet, float] = {}
        self._members: dict[Outlet, int] = {}
        self._queue: list[Encoded] = []
        self._said = 0
        self._speaking: asyncio.Handle | asyncio.Task[None] | None = None
        self._turn = 0

    def __len__(self) -> int:
        return len(self._members)

    def enter(self, outlet: Outlet) -> None:
        """From now on `outlet` gets what is said; it knows everything so far."""
        self._members[outlet] = self._said
        self.lagging.pop(outlet, None)

    def leave(self, outlet: Outlet) -> None:
        """Ends what `enter` began, also for what is on its way."""
        self._members.pop(outlet, None)
        self.lagging.pop(outlet, None)

    def say(self, message: Encoded) -> None:
        """Tells everyone, in this turn of the event loop or, in a large room, over the next ones."""
        self._queue.append(message)
        self._said += 1
        if self._speaking is None:
            self._speaking = asyncio.get_running_loop().call_soon(self._speak)

    def _speak(self) -> None:
        if len(self._members) <= SLICE:
            self._tell(list(self._members), *self._take())
            self._speaking = None
        else:
            self._speaking = asyncio.create_task(self._speak_in_slices())

    async def _speak_in_slices(self) -> None:
        while self._queue:
            first, messages = self._take()
            self._turn += SLICE
            members = list(self._members)
            start = self._turn % max(len(members), 1)
            members = members[start:] + members[:start]
            for begin in range(0, len(members), SLICE):
                self._tell(members[begin : begin + SLICE], first, messages)
                await asyncio.sleep(0)
        self._speaking = None

    def _take(self) -> tuple[int, Sequence[Encoded]]:
        """What waits to be said, and how much had been said before it."""
        messages, self._queue = self._queue, []
        return self._said - len(messages), messages

    def _tell(self, outlets: Sequence[Outlet], first: int, messages: Sequence[Encoded]) -> None:
        now = asyncio.get_running_loop().time()
        frames: dict[tuple[Codec, int], bytes] = {}
        for outlet in outlets:
            known = self._members.get(outlet)
            if known is None or outlet in self.lagging:
                continue
            begin = max(known - first, 0)
            together = frames.get((outlet.codec, begin))
            if together is None:
                together = b"".join(message.frame(outlet.codec) for message in messages[begin:])
                frames[outlet.codec, begin] = together
            if together and not outlet.put(together, now, MOST_WAITING):
                self.lagging[outlet] = now
