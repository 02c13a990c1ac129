"""The admin port: whether this server is alive, whether it is ready for players, and its metrics.

The operator's API (`operator_api`) is served beside them.
"""

import logging
import socket
from collections.abc import Iterable
from typing import Final, Protocol

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from croupier_server.operator_api.server import MOST_BYTES
from croupier_server.sight.exposition import CONTENT_TYPE
from croupier_server.sight.readiness import Readiness

STOP_S: Final = 1.0
"""How long requests that are under way at the end may take to be answered."""


logger = logging.getLogger(__name__)


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a log record is not of a request that is no HTTP: its text has what came, perhaps a key."""
    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


logger.addFilter(_is_ours)


class Overseer(Protocol):
    """Whoever knows how the server is."""

    async def readiness(self) -> Readiness:
        """Whether it is ready for players, and why not."""

    async def metrics(self) -> bytes:
        """Its metrics, as text."""


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
    runner = web.AppRunner(application, access_log=None, logger=logger, shutdown_timeout=STOP_S)
    await runner.setup()
    await web.SockSite(runner, listening).start()
    return runner
