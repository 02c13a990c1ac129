"""A real gateway and a real dealer in the test's process, and a bare client that speaks to it."""

import asyncio
import contextlib
import json
import socket
from contextlib import asynccontextmanager

import msgpack
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from croupier_server.dealer.dealer import Dealer
from croupier_server.gateway.limits import GatewayLimits
from croupier_server.gateway.listener import Gateway
from croupier_server.play_safe.terms import PlaySafeTerms
from croupier_server.players.arrivals import ArrivalRate
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.table.listing import encode_listing
from support.stores import KEY, open_pit, turbo
from support.tasks import beside

ANSWER_S = 10.0

EVERYBODY = ArrivalRate(burst=10_000, a_minute=10_000)
"""Guests without a limit that a test could meet."""


@asynccontextmanager
async def dealing(url, settings=None):
    """A dealer of `settings` (one turbo table by default) on the store at `url`."""
    settings = [turbo("standard")] if settings is None else settings
    async with open_pit(url) as pit:
        await pit.tables.register({one.table: encode_listing(one) for one in settings})
        dealer = Dealer(pit, KEY)
        async with beside(dealer.run()):
            try:
                yield dealer
            finally:
                await dealer.release()


class GatewayRunning:
    """A gateway on a port of its own."""

    def __init__(self, gateway: Gateway, port: int, store: str) -> None:
        self.gateway = gateway
        self.port = port
        self.store = store
        self.url = f"ws://127.0.0.1:{port}/ws"


@asynccontextmanager
async def gateway_on(
    url, arrivals=EVERYBODY, name=DEFAULT_PIT, site=None, tokens=None, play_safe=None, **limits
):
    """A gateway on the store at `url`, with its feed loaded; guests may come as `arrivals` says.

    `tokens` reads those of players with an account; with `play_safe` they may limit themselves. `limits` are
    those of its `GatewayLimits` that are not the usual ones.
    """
    play_safe = play_safe or PlaySafeTerms(enabled=False)
    async with open_pit(url, name, play_safe=play_safe.enabled) as pit:
        gateway = Gateway([pit], arrivals, site, GatewayLimits(**limits), tokens, play_safe=play_safe)
        async with beside(gateway.run()):
            async with asyncio.timeout(ANSWER_S):
                await gateway.feed.ready.wait()
            listening = socket.create_server(("127.0.0.1", 0))
            listening.setblocking(False)
            port = listening.getsockname()[1]
            await gateway.open(listening)
            try:
                yield GatewayRunning(gateway, port, url)
            finally:
                await gateway.close()


class Bare:
    """A client without our client: dicts in, dicts out, in either subprotocol."""

    def __init__(self, connection, subprotocol: str) -> None:
        self.connection = connection
        self.json = subprotocol.endswith("json")

    async def send(self, **command) -> None:
        await self.connection.send(json.dumps(command) if self.json else msgpack.packb(command))

    async def receive(self) -> dict:
        async with asyncio.timeout(ANSWER_S):
            frame = await self.connection.recv()
        assert isinstance(frame, str) is self.json
        return json.loads(frame) if self.json else msgpack.unpackb(frame)

    async def until(self, *kinds: str) -> dict:
        """The next message of one of the types."""
        while (message := await self.receive())["type"] not in kinds:
            pass
        return message

    async def ask(self, **command) -> dict:
        """Sends a command with an id and returns the message that echoes it."""
        await self.send(**command, id=77)
        while (message := await self.receive()).get("id") != 77:
            pass
        return message


async def closed(client: Bare) -> int:
    """The code with which the server ends a connection."""
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(ANSWER_S):
            while True:
                await client.connection.recv()
    return client.connection.close_code


@asynccontextmanager
async def bare(url, subprotocol="croupier.v1.json", **options):
    """A bare connection."""
    async with connect(
        url, subprotocols=[subprotocol], proxy=None, compression=None, max_size=None, **options
    ) as connection:
        yield Bare(connection, subprotocol)
