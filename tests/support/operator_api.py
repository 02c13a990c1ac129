"""The operator's API on a real admin port, and requests to it as any program may make them."""

import json
import time
from contextlib import asynccontextmanager

import aiohttp

from croupier_server.admin import open_admin
from croupier_server.config import Config
from croupier_server.operator_api.handlers import Desk
from croupier_server.operator_api.keys import ApiTerms
from croupier_server.operator_api.server import OperatorApi
from croupier_server.ports import bind_port, url_of
from croupier_server.sight.readiness import Readiness
from croupier_server.store.stores import Stores

KEY = "an-operators-key-of-its-own-site-0123456789"
DIGEST = "4f5b1bd1afd25a6ee88666c59e6c7471354de7204005dfe750d5aa57bc78a45c"


class Ready:
    """An overseer that has nothing to say."""

    async def readiness(self):
        return Readiness(ready=True, reasons=())

    async def metrics(self):
        return b""


class Caller:
    """A program with a key."""

    def __init__(self, session, url, api):
        self.session = session
        self.url = url
        self.api = api

    async def send(self, path, *, method="POST", key=KEY, body=b"{}", kind="application/json", **headers):
        """Status, headers and body of the answer to a request as given; no key with None."""
        given = {"X-API-Key": key, "Content-Type": kind, **headers}
        given = {name: value for name, value in given.items() if value is not None}
        async with self.session.request(method, f"{self.url}{path}", data=body, headers=given) as answer:
            text = await answer.text()
            return answer.status, answer.headers, json.loads(text) if text.startswith("{") else text

    async def call(self, name, /, **asked):
        """Status and body of the answer to a method."""
        status, _, answer = await self.send(f"/api/{name}", body=json.dumps(asked).encode())
        return status, answer


@asynccontextmanager
async def calling(url, terms, config=None):
    """The API on the store at `url`, and a caller."""
    stores = Stores(url, one_off=True)
    api = OperatorApi(Desk(stores, lambda: config or Config()), terms, time.monotonic)
    listening = await bind_port("127.0.0.1", 0)
    runner = await open_admin(listening, Ready(), api.routes())
    try:
        async with aiohttp.ClientSession() as session:
            yield Caller(session, url_of(listening), api)
    finally:
        await runner.cleanup()
        await stores.close()
        listening.close()


def terms_of(*keys):
    """Terms under which these digests count."""
    return ApiTerms(key_digests=keys)
