"""Everyone who watches one table here: each event is one write per connection, row by row.

Watchers stand in rows, and the rows in the order of how long ago they were told something. The first row is
told all that it does not know, in one write each, and becomes the last, until the first row knows everything.
So what is said while a large room is being told costs no second write to those whose turn is still to come,
players' commands are answered between two rows, and nobody is always last.
A reader that does not keep up loses no single event: it gets nothing at all until it has read what waits for
it, and then the present.
"""

import asyncio
import itertools
import math
from collections import deque
from collections.abc import Callable
from typing import Final

from croupier_protocol.codec import CODECS, Codec
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.outlet import Bound, Outlet, write_all
from croupier_server.sight.metrics import Observe, unmeasured

ROW: Final = 50
"""Connections that are written to without a turn of the event loop, at most: about half a millisecond."""

STRIDE: Final = 0.382
"""How far on among the rows, as a share of all, the next message begins: the golden section, so that who was
among the last is soon among the first, and stays in neither place for long."""

LARGE: Final = 2_000
"""Watchers whom it takes longer to tell something than a round needs to be settled."""

TOGETHER_S: Final = 0.05
"""In a large room a message that another one follows at once waits for it, but no longer than this."""

MOST_WAITING: Final = Bound(64 * 1024, 2.0)
"""What may wait for a connection until it falls behind: minutes of a table, and the kernel has more."""


def _stride(rows: int) -> int:
    """About that share of so many rows, by which each comes first once before any does again.

    >>> [_stride(rows) for rows in (0, 1, 2, 10, 200)]
    [1, 1, 1, 3, 77]
    """
    return next(
        step for step in itertools.count(max(1, int(STRIDE * rows))) if math.gcd(step, rows or 1) == 1
    )


class _Row:
    """Watchers with the same codec who have been told the same: the first `known` messages of the room."""

    __slots__ = ("codec", "known", "outlets")

    def __init__(self, codec: Codec, known: int) -> None:
        self.codec = codec
        self.known = known
        self.outlets: list[Outlet] = []

    def takes(self, outlets: int, codec: Codec, known: int) -> bool:
        """Whether there is room for so many more, of that codec and who know so much."""
        return self.codec is codec and self.known == known and len(self.outlets) + outlets <= ROW


class Room:
    """The watchers of one table, and what is on its way to them."""

    def __init__(self, told: Observe = unmeasured) -> None:
        """`told` takes in how long it took to tell everyone a message."""
        self.lagging: dict[Outlet, float] = {}
        self._rows: deque[_Row] = deque()
        self._members: dict[Outlet, _Row | None] = {}
        self._messages: deque[Encoded] = deque()
        self._said = 0
        self._untold: deque[tuple[int, float]] = deque()
        self._afterwards: deque[tuple[int, Callable[[], None]]] = deque()
        self._told = told
        self._together: dict[tuple[Codec, int], bytes] = {}
        self._speaking: asyncio.Handle | None = None
        self._holding: asyncio.TimerHandle | None = None
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
        self.leave(outlet)
        for row in itertools.islice(reversed(self._rows), len(CODECS)):
            if row.takes(1, outlet.codec, self._said):
                break
        else:
            row = _Row(outlet.codec, self._said)
            self._rows.append(row)
        row.outlets.append(outlet)
        self._members[outlet] = row

    def leave(self, outlet: Outlet) -> None:
        """Ends what `enter` began, also for what is on its way."""
        row = self._members.pop(outlet, None)
        if row is not None:
            row.outlets.remove(outlet)
        self.lagging.pop(outlet, None)
        self.recount()

    def say(self, message: Encoded, *, followed: bool = False) -> None:
        """Tells everyone, in the next turn of the event loop or, in a large room, over the next ones.

        `followed`: another message comes within moments. A large room waits for it, so that both are one
        write: told apart, the second would have to wait until the first has been told.
        """
        loop = asyncio.get_running_loop()
        self._messages.append(message)
        self._said += 1
        self._untold.append((self._said, loop.time()))
        self._together.clear()
        if self._holding is not None:
            self._holding.cancel()
            self._begin()
        elif self._speaking is None and followed and len(self._members) >= LARGE:
            self._holding = loop.call_later(TOGETHER_S, self._begin)
        elif self._speaking is None:
            self._begin()

    def _begin(self) -> None:
        """Has everyone told what they do not know, each time another row first."""
        self._holding = None
        self._rows.rotate(-_stride(len(self._rows)))
        self._speaking = asyncio.get_running_loop().call_soon(self._speak)

    def afterwards(self, call: Callable[[], None]) -> None:
        """Calls `call` when everyone has been told all that was said so far."""
        if self._untold:
            self._afterwards.append((self._said, call))
        else:
            call()

    def _speak(self) -> None:
        """Tells the first row, and comes again until there is nobody to tell."""
        self._speaking = None
        if self._rows and self._rows[0].known < self._said:
            row = self._first_row()
            if row.outlets:
                self._tell(row)
                self._rows.append(row)
            self._speaking = asyncio.get_running_loop().call_soon(self._speak)
        else:
            self._messages.clear()
            self._together.clear()
        self._conclude()

    def _conclude(self) -> None:
        """Says of each message that everyone knows by now how long it took, and does what comes after it."""
        known = self._rows[0].known if self._rows else self._said  # the first row knows least
        while self._untold and self._untold[0][0] <= known:
            self._told(asyncio.get_running_loop().time() - self._untold.popleft()[1])
        while self._afterwards and self._afterwards[0][0] <= known:
            self._afterwards.popleft()[1]()

    def _first_row(self) -> _Row:
        """Takes the first row out, and rows that follow into it as far as they are as good as one."""
        row = self._rows.popleft()
        while self._rows:
            following = self._rows[0]
            if not row.takes(len(following.outlets), following.codec, following.known):
                break
            row.outlets += following.outlets
            self._members.update(dict.fromkeys(following.outlets, row))
            self._rows.popleft()
        return row

    def _tell(self, row: _Row) -> None:
        now = asyncio.get_running_loop().time()
        frames = self._unknown(row)
        row.known = self._said
        for outlet in write_all(row.outlets, frames, now):
            if not outlet.put(frames, now, MOST_WAITING):
                row.outlets.remove(outlet)
                self._members[outlet] = None
                self.lagging[outlet] = now

    def _unknown(self, row: _Row) -> bytes:
        """The frames of all messages that the row does not know."""
        frames = self._together.get((row.codec, row.known))
        if frames is None:
            while len(self._messages) > self._said - row.known:
                self._messages.popleft()  # the first row knows least
            frames = b"".join(message.frame(row.codec) for message in self._messages)
            self._together[row.codec, row.known] = frames
        return frames
