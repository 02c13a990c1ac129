"""The port: handshakes, the page, and the housekeeping of all connections."""

import asyncio
import contextlib
import functools
import logging
import socket
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, cast

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from croupier_protocol.codec import CODECS, MAX_CLIENT_FRAME, MSGPACK
from croupier_protocol.messages.errors import CloseCode
from croupier_protocol.messages.values import TableId
from croupier_server.descriptors import room_for_connections
from croupier_server.gateway.addresses import Addresses, network
from croupier_server.gateway.admission import Admission
from croupier_server.gateway.connection import Connection
from croupier_server.gateway.desk import Desk, PitDesk
from croupier_server.gateway.door import Door
from croupier_server.gateway.fanout import Fanout
from croupier_server.gateway.feed import Feed
from croupier_server.gateway.floor import Floor
from croupier_server.gateway.http import as_asked, cookie, not_now, plain, refuse_method
from croupier_server.gateway.lag import Lag
from croupier_server.gateway.library import Library
from croupier_server.gateway.limits import GatewayLimits
from croupier_server.gateway.liveness import look_after
from croupier_server.gateway.lobby import Lobby
from croupier_server.gateway.origins import Origins
from croupier_server.gateway.outlet import Outlet, cut
from croupier_server.gateway.parting import part
from croupier_server.gateway.rulebook import Rulebook
from croupier_server.gateway.session import Session
from croupier_server.gateway.site import Site
from croupier_server.gateway.source import Source
from croupier_server.play_safe.terms import PlaySafeTerms
from croupier_server.players.accounts import TokenReader
from croupier_server.players.arrivals import ArrivalRate
from croupier_server.sight.metrics import Metrics
from croupier_server.store.pit import Pit
from croupier_server.store.shoes import Shoes

logger = logging.getLogger(__name__)

HANDSHAKE_S: Final = 10.0
"""How long a connection may take to say what it wants, and to take the answer if that is no websocket."""

CLOSE_S: Final = 5.0
"""How long a closing connection may take to agree."""

SEND_BUFFER: Final = 32 * 1024
"""Bytes that the kernel may hold for a connection, which Linux doubles. By itself it would hold megabytes:
hours of a table that nobody reads."""

SOCKET_PATH: Final = "/ws"

HOUSEKEEPING_S: Final = 1.0
"""Between two lobby updates, and two looks at every connection."""

LOOKED_AT: Final = 250
"""Connections that are looked at without a turn of the event loop: about half a millisecond."""


_USUAL: Final = GatewayLimits()


class Listener:
    """Serves connections from a source, whose audience is `fanout`.

    Players are served only where there is a `desk`, and what shoes dealt only where there is a `library`.
    `foreign` counts websockets that pages of other sites did not get.
    What else is asked of the port is answered from `site`. Networks in `limits` are valid ones.
    """

    def __init__(
        self,
        feed: Source,
        fanout: Fanout,
        site: Site,
        desk: Desk | None = None,
        library: Library | None = None,
        limits: GatewayLimits = _USUAL,
        metrics: Metrics | None = None,
    ) -> None:
        self._metrics = metrics or Metrics()
        self.feed = feed
        self.fanout = fanout
        self.lobby = Lobby(feed, fanout)
        self._rulebook = Rulebook()
        self._site = site
        self._desk = desk
        self._library = library
        self.lag = Lag(self._metrics.event_loop_lag.observe)
        self.foreign = 0
        self._origins = Origins(limits.origins)
        self._cookie: str | None = None
        self._addresses = Addresses(map(network, limits.trusted_proxies), map(network, limits.exempt))
        self.admission = Admission(
            min(limits.connections, room_for_connections()), limits.per_address, self.lag
        )
        self.door: Door | None = None
        self._cutting: dict[Outlet, asyncio.Task[None]] = {}

    async def open(self, listening: socket.socket) -> None:
        """Takes connections on an already bound socket, whose options they inherit."""
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        serving = functools.partial(
            serve,
            self._serve,
            process_request=self._process_request,
            select_subprotocol=_select_subprotocol,
            compression=None,
            max_size=MAX_CLIENT_FRAME,
            max_queue=4,
            open_timeout=HANDSHAKE_S,
            close_timeout=CLOSE_S,
            ping_interval=None,
            server_header=None,
            logger=_connection_logger(),
        )
        self.door = Door(listening, serving, self.admission, self._ended)
        await self.door.open()

    async def run(self) -> None:
        """Lets the source go on and keeps house until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.feed.run(), name="feed")
            group.create_task(self._keep_house(), name="housekeeping")
            group.create_task(self.lag.run(), name="lag")
            if self._desk is not None:
                group.create_task(self._desk.run(), name="players")

    async def close(self) -> None:
        """Stops taking connections and ends those there are with a code that says: reconnect."""
        if self.door is not None:
            await self.door.close()
            goodbyes = await part(self.fanout.outlets)
            await self.door.clear()
            await asyncio.gather(*goodbyes)

    async def _serve(self, served: ServerConnection) -> None:
        connection = cast(Connection, served)
        if self.door is not None:
            self.door.through(connection)
        codec = CODECS[connection.subprotocol or MSGPACK.subprotocol]
        _forget_headers(connection)
        session = Session(
            connection,
            codec,
            self.feed,
            self.fanout,
            self.lobby,
            self._rulebook,
            self._desk,
            connection.caller,
            connection.cookie_token,
        )
        connection.cookie_token = None
        try:
            await session.run()
        except ConnectionClosed:
            pass  # ended without a goodbye, as clients on trains do
        except Exception:
            logger.exception("connection %s failed", connection.id)
            await cut(session.outlet, CloseCode.INTERNAL)

    def _ended(self, code: str) -> None:
        self._metrics.connections_ended.labels(code).inc()

    async def _process_request(self, asking: ServerConnection, request: Request) -> Response | None:
        if request.path.partition("?")[0] == SOCKET_PATH:
            return self._admit(cast(Connection, asking), request)
        answer = refuse_method(request)
        if answer is None and self._library is not None:
            answer = await self._library.respond(request)
        return as_asked(request, answer or self._site.respond(request))

    def _admit(self, connection: Connection, request: Request) -> Response | None:
        if not self._origins.admits(request.headers):
            self.foreign += 1
            return plain(HTTPStatus.FORBIDDEN, "Pages of this site may not connect here.\n")
        peer = str((connection.remote_address or ("",))[0])
        caller = self._addresses.caller(peer, request.headers.get_all("X-Forwarded-For"))
        refusal = self.admission.admit(caller, connection.heard_at)
        if refusal is not None:
            return not_now(refusal)
        connection.caller, connection.admitted = caller, True
        if self._cookie is not None and self._origins.is_page(request.headers):
            connection.cookie_token = cookie(request.headers, self._cookie)
        return None

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(HOUSEKEEPING_S)
            now_ms = self.feed.now_ms()
            self.lobby.update(now_ms)
            for table, outlet in self.fanout.caught_up():
                self._show_present(table, outlet)
            slow = self.fanout.stuck()
            everyone = tuple(self.fanout.outlets)
            for first in range(0, len(everyone), LOOKED_AT):
                some = everyone[first : first + LOOKED_AT]
                for outlet in look_after(some, asyncio.get_running_loop().time()):
                    outlet.connection.transport.abort()  # there is nobody to say goodbye to
                slow.update(self.fanout.sweep(some, now_ms))
                await asyncio.sleep(0)
            for outlet in slow:
                if outlet not in self._cutting:
                    self._cutting[outlet] = asyncio.create_task(self._cut_slow(outlet))

    def _show_present(self, table: TableId, outlet: Outlet) -> None:
        """Lets a reader that had fallen behind go on with the table as it is now."""
        feed = self.feed.tables.get(table)
        if feed is not None:
            outlet.send(*feed.present())
            self.fanout.rejoin(table, outlet)

    async def _cut_slow(self, outlet: Outlet) -> None:
        logger.info("connection %s reads too slowly", outlet.connection.id)
        with contextlib.suppress(Exception):
            await cut(outlet, CloseCode.SLOW_READER)
        del self._cutting[outlet]


_NOT_SAFE: Final = PlaySafeTerms(enabled=False)


class Gateway(Listener):
    """The serving half of a worker: a listener on the live copies of all pits."""

    def __init__(
        self,
        pits: Sequence[Pit],
        arrivals: ArrivalRate | None = None,
        site: Site | None = None,
        limits: GatewayLimits = _USUAL,
        tokens: TokenReader | None = None,
        metrics: Metrics | None = None,
        play_safe: PlaySafeTerms = _NOT_SAFE,
    ) -> None:
        """`arrivals` is how many guests may come; None for none. `tokens` reads those of players with an
        account; None where there are none. `play_safe` is as the pits were opened.
        """
        self.floor = Floor()
        metrics = metrics or Metrics()
        self._players = Desk(pits[0], arrivals, tokens, metrics, play_safe, limits.tables_per_player)
        library = Library(self._shoes)
        fanout = Fanout(metrics.push.observe)
        super().__init__(self.floor, fanout, site or Site(), self._players, library, limits, metrics)
        self._cookie = None if tokens is None else tokens.cookie
        for pit in pits:
            self.add(pit)

    def add(self, pit: Pit) -> None:
        """Serves one more pit, also while running."""
        desk = PitDesk(pit)
        feed = Feed(pit.tables, pit.stream, self.fanout, desk.private)
        self._players.add(desk, lambda: feed.tables)
        self.floor.add(feed)

    @property
    def spectators(self) -> int:
        """Connections that watch a table without a seat there, counted at each table."""
        return max(self.fanout.watching - self._players.watching_seated, 0)

    def _shoes(self, table: TableId) -> Shoes | None:
        desk = self._players.at(table)
        return None if desk is None else desk.shoes


def _select_subprotocol(_connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The first one offered that we speak; without an offer the default is spoken."""
    for subprotocol in offered:
        if subprotocol in CODECS:
            return subprotocol
    if offered:
        raise NegotiationError(f"the subprotocols here are {', '.join(CODECS)}")
    return None


def _forget_headers(connection: ServerConnection) -> None:
    """Empties the headers of the handshake, which have been read: a browser's take kilobytes."""
    for message in (connection.request, connection.response):
        if message is not None:
            message.headers.clear()


def _connection_logger() -> logging.Logger:
    """The library's log of single connections: scanners and health checks would fill ours with it."""
    connection_logger = logging.getLogger("croupier_server.gateway.connections")
    connection_logger.setLevel(logging.CRITICAL)
    return connection_logger
