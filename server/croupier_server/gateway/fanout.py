"""Who watches what, and what becomes of those who do not read."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from croupier_protocol.messages.events import RoundResult
from croupier_protocol.messages.to_client import Heartbeat, Live, Stalled
from croupier_protocol.messages.values import TableId
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.outlet import Outlet, write
from croupier_server.gateway.room import Room
from croupier_server.sight.metrics import Observe, unmeasured

QUIET_S: Final = 20.0
"""After this long without a frame a connection gets a heartbeat."""

LAGGING_S: Final = 60.0
"""A reader that has fallen behind is cut when it has not read what waits for it after this long."""


class Fanout:
    """The audience of a feed: passes on to each connection what it watches.

    `elsewhere` is how many watch each table at other gateways, as these last said.
    """

    def __init__(self, told: Observe = unmeasured) -> None:
        """`told` takes in how long it took to tell everyone at a table something."""
        self.outlets: set[Outlet] = set()
        self.elsewhere: Mapping[TableId, int] = {}
        self.moved_to_present = 0
        self._told = told
        self._rooms: dict[TableId, Room] = {}

    def watch(self, table: TableId, outlet: Outlet) -> None:
        """From now on `outlet` gets the table's events; it knows all that were told so far."""
        room = self._rooms.get(table)
        if room is None:
            room = self._rooms[table] = Room(self._told)
        room.enter(outlet)

    def unwatch(self, table: TableId, outlet: Outlet) -> None:
        """Ends what `watch` began."""
        room = self._rooms.get(table)
        if room is not None:
            room.leave(outlet)
            if not room:
                del self._rooms[table]

    def watchers(self, table: TableId) -> int:
        """How many connections watch the table here."""
        return len(self._rooms.get(table, ()))

    @property
    def watching(self) -> int:
        """How many connections watch, counted at each table."""
        return sum(len(room) for room in self._rooms.values())

    def shown(self, table: TableId) -> int:
        """How many people see counted, here and elsewhere: all but load testers' connections."""
        room = self._rooms.get(table)
        return (0 if room is None else room.shown) + self.elsewhere.get(table, 0)

    def audience(self) -> dict[TableId, int]:
        """The same for every table that is watched here, of those here alone."""
        return {table: room.shown for table, room in self._rooms.items()}

    def show(self, outlet: Outlet, *, shown: bool) -> None:
        """Whether people see `outlet` counted."""
        if outlet.shown != shown:
            outlet.shown = shown
            for room in self._rooms.values():
                room.recount()

    def event(self, table: TableId, event: Encoded) -> None:
        """See `feed.Audience`."""
        self._say(table, event, followed=isinstance(event.message, RoundResult))  # by `settled`

    def snapshot(self, table: TableId, snapshot: Encoded) -> None:
        """See `feed.Audience`."""
        self._say(table, snapshot)

    def stalled(self, table: TableId, since_ms: int) -> None:
        """See `feed.Audience`."""
        self._say(table, Encoded(Stalled(table=table, since_ms=since_ms)))

    def live(self, table: TableId) -> None:
        """See `feed.Audience`."""
        self._say(table, Encoded(Live(table=table)))

    def afterwards(self, table: TableId, call: Callable[[], None]) -> None:
        """See `feed.Audience`."""
        room = self._rooms.get(table)
        if room is None:
            call()
        else:
            room.afterwards(call)

    def closed(self, table: TableId) -> None:
        """See `feed.Audience`: what was told before is still on its way."""
        self._rooms.pop(table, None)

    def sweep(self, outlets: Iterable[Outlet], server_ms: int) -> list[Outlet]:
        """Sends heartbeats to those of `outlets` to which nothing else went out; returns those that read
        too slowly.
        """
        now = asyncio.get_running_loop().time()
        quiet, slow = [], []
        for outlet in outlets:
            if outlet.written_at <= now - QUIET_S:
                quiet.append(outlet)
            if not outlet.clear and outlet.behind:  # to ask a thousand transports takes milliseconds
                slow.append(outlet)
        write(quiet, Encoded(Heartbeat(server_ms=server_ms)))
        return slow

    def stuck(self) -> set[Outlet]:
        """Who has fallen behind at a table, and has not read what waits for too long."""
        since = asyncio.get_running_loop().time() - LAGGING_S
        return {
            outlet
            for room in self._rooms.values()
            for outlet, began in room.lagging.items()
            if began <= since
        }

    @property
    def lagging(self) -> int:
        """How many have fallen behind, counted at each table."""
        return sum(len(room.lagging) for room in self._rooms.values())

    def caught_up(self) -> list[tuple[TableId, Outlet]]:
        """Who had fallen behind at a table, and has read all that waited: due the present, then `rejoin`."""
        return [
            (table, outlet)
            for table, room in self._rooms.items()
            for outlet in room.lagging
            if outlet.queued == 0
        ]

    def rejoin(self, table: TableId, outlet: Outlet) -> None:
        """A reader that had fallen behind has been given the present, and goes on from there."""
        self.moved_to_present += 1
        self.watch(table, outlet)

    def _say(self, table: TableId, message: Encoded, *, followed: bool = False) -> None:
        room = self._rooms.get(table)
        if room is not None:
            room.say(message, followed=followed)
