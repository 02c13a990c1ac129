"""The admin port: whether this server is alive, and whether it is ready for players."""

import socket
from collections.abc import Awaitable, Callable

from aiohttp import web

Check = Callable[[], Awaitable[str | None]]
"""Returns what is wrong, or None."""


async def open_admin(listening: socket.socket, readiness: Check) -> web.AppRunner:
    """Serves the admin port on a bound socket; the caller cleans the runner up."""

    async def healthz(_request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readyz(_request: web.Request) -> web.Response:
        problem = await readiness()
        return web.Response(text=f"{problem or 'ready'}\n", status=503 if problem else 200)

    application = web.Application()
    application.add_routes([web.get("/healthz", healthz), web.get("/readyz", readyz)])
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.SockSite(runner, listening).start()
    return runner
