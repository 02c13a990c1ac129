"""Who watches what, and one write per connection for each event."""

import asyncio
from collections.abc import Collection
from typing import Final

from websockets.asyncio.connection import broadcast
from websockets.asyncio.server import ServerConnection

from croupier_protocol.codec import Codec
from croupier_protocol.messages.errors import CLOSE_MEANINGS, CloseCode
from croupier_protocol.messages.to_client import Heartbeat, Live, ServerMessage, Stalled
from croupier_protocol.messages.values import Language, TableId
from croupier_server.gateway.encoded import Encoded

MOST_QUEUED: Final = 1024 * 1024
"""Bytes that may wait for a connection besides what the kernel holds; over it the reader is cut."""

QUIET_S: Final = 20.0
"""After this long without a frame a connection gets a heartbeat."""


class Outlet:
    """The writing side of one connection, in its language. Writes never wait: order is that of the calls."""

    def __init__(self, connection: ServerConnection, codec: Codec) -> None:
        self.connection = connection
        self.codec = codec
        self.language = Language.ENGLISH
        self.written_at = asyncio.get_running_loop().time()

    @property
    def behind(self) -> bool:
        """Whether more waits for the connection than may."""
        return self.connection.transport.get_write_buffer_size() > MOST_QUEUED

    def send(self, message: Encoded) -> None:
        """Writes one frame."""
        write([self], message)

    def reply(self, message: ServerMessage) -> None:
        """Writes a message that is for this connection alone."""
        self.send(Encoded(message))


class Fanout:
    """The audience of a feed: passes on to each connection what it watches."""

    def __init__(self) -> None:
        self.outlets: set[Outlet] = set()
        self._watchers: dict[TableId, set[Outlet]] = {}

    def watch(self, table: TableId, outlet: Outlet) -> None:
        """From now on `outlet` gets the table's events."""
        self._watchers.setdefault(table, set()).add(outlet)

    def unwatch(self, table: TableId, outlet: Outlet) -> None:
        """Ends what `watch` began."""
        watchers = self._watchers.get(table, set())
        watchers.discard(outlet)
        if not watchers:
            self._watchers.pop(table, None)

    def watchers(self, table: TableId) -> int:
        """How many connections watch the table here."""
        return len(self._watchers.get(table, ()))

    def audience(self) -> dict[TableId, int]:
        """How many connections watch each table here; none is left out of a table with any."""
        return {table: len(watchers) for table, watchers in self._watchers.items()}

    def event(self, table: TableId, event: Encoded) -> None:
        """See `feed.Audience`."""
        write(self._watchers.get(table, set()), event)

    def snapshot(self, table: TableId, snapshot: Encoded) -> None:
        """See `feed.Audience`."""
        write(self._watchers.get(table, set()), snapshot)

    def stalled(self, table: TableId, since_ms: int) -> None:
        """See `feed.Audience`."""
        write(self._watchers.get(table, set()), Encoded(Stalled(table=table, since_ms=since_ms)))

    def live(self, table: TableId) -> None:
        """See `feed.Audience`."""
        write(self._watchers.get(table, set()), Encoded(Live(table=table)))

    def closed(self, table: TableId) -> None:
        """See `feed.Audience`."""
        self._watchers.pop(table, None)

    def sweep(self, server_ms: int) -> list[Outlet]:
        """Sends heartbeats where nothing else went out; returns the connections that read too slowly."""
        quiet_since = asyncio.get_running_loop().time() - QUIET_S
        quiet = [outlet for outlet in self.outlets if outlet.written_at <= quiet_since]
        write(quiet, Encoded(Heartbeat(server_ms=server_ms)))
        return [outlet for outlet in self.outlets if outlet.behind]


async def cut(outlet: Outlet, code: CloseCode) -> None:
    """Ends a connection with a documented code, whether or not it still reads."""
    await outlet.connection.close(code, CLOSE_MEANINGS[code])


def write(outlets: Collection[Outlet], message: Encoded) -> None:
    """Writes one frame to many connections, encoded once per codec."""
    now = asyncio.get_running_loop().time()
    by_codec: dict[Codec, list[ServerConnection]] = {}
    for outlet in outlets:
        if outlet.connection.transport.is_closing():
            continue
        outlet.written_at = now
        by_codec.setdefault(outlet.codec, []).append(outlet.connection)
    for codec, connections in by_codec.items():
        broadcast(connections, message.payload(codec), text=codec.text)
