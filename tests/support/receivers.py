"""A receiver of webhooks on a port of this machine, which takes them, refuses them, hangs or dies."""

import asyncio
import base64
import hashlib
import hmac
import json
from contextlib import asynccontextmanager

from aiohttp import web

SECRET = bytes(range(32))
SECRET_TEXT = f"whsec_{base64.b64encode(SECRET).decode()}"


def verify(headers, body: bytes, secret: bytes = SECRET) -> bool:
    """As the guide says, from the specification alone."""
    signed = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
    expected = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    return f"v1,{expected}" in headers["webhook-signature"].split()


class Receiver:
    """What came, in order: `attempts` are all, `taken` those that were answered with 204.

    `requests` are the methods and paths of all.

    `answers` are the statuses of the next attempts, each once; "hang" never answers, "cut" ends the
    connection.
    """

    def __init__(self):
        self.requests = set()
        self.attempts = []
        self.taken = []
        self.answers = []
        self.port = 0
        self._runner = None
        self._never = asyncio.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/hook?token=very-secret"

    async def start(self):
        """Listens, on the same port as before if there was one."""
        application = web.Application()
        application.add_routes([web.route("*", "/{path:.*}", self._take)])
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def die(self):
        """Nobody listens any more."""
        await self._runner.cleanup()

    async def _take(self, request):
        self.requests.add((request.method, request.path_qs))
        body = await request.read()
        told = json.loads(body)
        assert request.headers["Content-Type"] == "application/json"
        assert request.headers["webhook-id"] == told["id"]
        self.attempts.append((told, dict(request.headers), body))
        answer = self.answers.pop(0) if self.answers else 204
        if answer == "hang":
            await self._never.wait()
        if answer == "cut":
            request.transport.abort()
            return web.Response(status=500)
        if answer == 302:
            return web.Response(status=302, headers={"Location": "/elsewhere"})
        if answer == 204:
            self.taken.append(told)
        return web.Response(status=answer)


@asynccontextmanager
async def receiving(count=1):
    """So many receivers."""
    receivers = [Receiver() for _ in range(count)]
    for one in receivers:
        await one.start()
    try:
        yield receivers
    finally:
        for one in receivers:
            await one.die()
