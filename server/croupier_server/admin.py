"""The admin port: whether this server is alive, whether it is ready for players, and its metrics.

The operator's API (`operator_api`) is served beside them.
"""

import logging
import socket
from collections.abc import Iterable
from typing import Final, Protocol

from aiohttp import web
from aiohttp.http import HttpProcessingError

from croupier_server.operator_api.server import MOST_BYTES
from croupier_server.sight.exposition import CONTENT_TYPE
from croupier_server.sight.readiness import Readiness

STOP_S: Final = 1.0
"""How long requests that are under way at the end may take to be answered."""


class Overseer(Protocol):
    """Whoever knows how the server is."""

    async def readiness(self) -> Readiness:
        """Whether it is ready for players, and why not."""

    async def metrics(self) -> bytes:
        """Its metrics, as text."""


def is_about_us(record: logging.LogRecord) -> bool:
    """A filter of the library's log: what was no HTTP has been refused, and what it said may hold a key."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError)


async def open_admin(
    listening: socket.socket, overseer: Overseer, more: Iterable[web.RouteDef] = ()
) -> web.AppRunner:
    """Serves the admin port on a bound socket, and there also what is `more`; the caller cleans it up."""

    async def healthz(_request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readyz(_request: web.Request) -> web.Response:
        found = await overseer.readiness()
        return web.Response(text=found.text, status=200 if found.ready else 503)

    async def metrics(_request: web.Request) -> web.Response:
        return web.Response(body=await overseer.metrics(), headers={"Content-Type": CONTENT_TYPE})

    application = web.Application(client_max_size=MOST_BYTES)
    application.add_routes(
        [web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics), *more]
    )
    logging.getLogger("aiohttp.server").addFilter(is_about_us)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=STOP_S)
    await runner.setup()
    await web.SockSite(runner, listening).start()
    return runner
