"""Taking connections from a listening socket that several workers share."""

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from typing import Any, Final, Literal

from websockets.asyncio.server import Server
from websockets.protocol import State
from websockets.server import ServerProtocol

from croupier_server.gateway.admission import Admission
from croupier_server.gateway.connection import Connection
from croupier_server.ports import BACKLOG

DoorState = Literal["open", "paused", "closed"]
"""Whether connections are taken; left to the other workers for now; or not taken any more, or not yet."""

ARRIVING_S: Final = 0.25
"""How long handshakes under way may take once no new ones are taken; those after it are answered with 503."""

MOST_ARRIVING: Final = 1000
"""Connections that have not become websockets yet, nor been told that they may not. Over it the oldest is
ended: whoever means it asks as soon as it is there, and is through within the same second."""

LOOK_S: Final = 0.005
"""Between two looks at whether they are through."""

GOODBYE_S: Final = 2.0
"""How long clients may take to answer a close, or to say what they connected for; then they are cut."""

CUT_S: Final = 1.0
"""How long it may take to clean up after those that were cut."""


class SharedSocket(socket.socket):
    """A listening socket that gives one connection in every third turn of the event loop.

    asyncio would take all that wait in one turn, and leave none to the other workers. A handshake takes about
    half a millisecond, and a table's step takes several turns: in a storm of joins these are to be short.
    """

    _refusals = 0

    def accept(self) -> tuple[socket.socket, Any]:
        """As in `socket.socket`."""
        if self._refusals > 0:
            self._refusals -= 1
            raise BlockingIOError
        accepted = super().accept()
        self._refusals = 3  # in this turn, where asyncio asks for more at once, and in the two after it
        return accepted


class Door:
    """Lets connections in through `listening` unless paused or closed; owns that socket.

    `serving` makes a server of the socket, backlog and connection class that are given by name. The end of a
    connection that was admitted is told to `admission` and, with its close code, to `ended`.
    """

    def __init__(
        self,
        listening: socket.socket,
        serving: Callable[..., Server],
        admission: Admission,
        ended: Callable[[str], None],
    ) -> None:
        self.state: DoorState = "closed"
        self._listening = listening
        self._serving = serving
        self._admission = admission
        self._ended = ended
        self._servers: list[Server] = []
        self._connections: set[Connection] = set()
        self._arriving: dict[Connection, None] = {}

    async def open(self) -> None:
        """Takes connections; after a pause, again.

        asyncio cannot put back a socket that it was made to leave alone, so this is another server each time.
        """
        shared = SharedSocket(fileno=os.dup(self._listening.fileno()))
        server = await self._serving(sock=shared, backlog=BACKLOG, create_connection=self._connection)
        for before in self._servers:
            before.close(close_connections=False)
        self._servers = [one for one in self._servers if one.handler_tasks]
        self._servers.append(server)
        self.state = "open"

    def pause(self) -> None:
        """Leaves new connections to the other workers; what has been taken goes on, handshakes too."""
        if self.state == "open":
            for listening in self._servers[-1].sockets:
                asyncio.get_running_loop().remove_reader(listening.fileno())
            self.state = "paused"

    async def close(self) -> None:
        """Leaves the socket for good. Handshakes that are not through in a moment are refused with 503."""
        self.pause()
        self.state = "closed"
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ARRIVING_S):
                # At least once: what was taken in this turn is no connection yet.
                await asyncio.sleep(LOOK_S)
                while self._arriving:  # noqa: ASYNC110  # a quarter of a second at most, once
                    await asyncio.sleep(LOOK_S)
        for server in self._servers:
            server.close(close_connections=False)
        self._listening.close()

    async def clear(self) -> None:
        """After `close`: returns when every connection has ended, and ends those that take too long."""
        ended = asyncio.gather(*(server.wait_closed() for server in self._servers))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                await asyncio.shield(ended)
        for connection in list(self._connections):
            if connection.state is State.CONNECTING:
                connection.transport.close()  # it has sent nothing: there is nothing to lose
            elif connection.state is not State.CLOSED:
                connection.transport.abort()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CUT_S):
                await ended

    def arrived(self, connection: Connection) -> None:
        """See `connection.Keeper`."""
        self._connections.add(connection)
        self._arriving[connection] = None
        if len(self._arriving) > MOST_ARRIVING:
            oldest = next(iter(self._arriving))
            self.through(oldest)
            oldest.transport.abort()

    def through(self, connection: Connection) -> None:
        """The connection has become a websocket."""
        self._arriving.pop(connection, None)

    def left(self, connection: Connection) -> None:
        """See `connection.Keeper`."""
        self.through(connection)
        self._connections.discard(connection)
        if connection.admitted:
            self._admission.leave(connection.caller)
            self._ended(connection.ended_with)

    def _connection(self, protocol: ServerProtocol, server: Server, **options: Any) -> Connection:
        return Connection(protocol, server, self, **options)
