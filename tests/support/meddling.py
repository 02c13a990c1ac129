"""A proxy between clients and a gateway that changes what is sent, message by message, as a test says."""

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress

import msgpack
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

SUBPROTOCOL = "croupier.v1.msgpack"

Meddle = Callable[[dict], list[dict]]
"""What is sent in place of a message, in its order."""


def honest(message: dict) -> list[dict]:
    """Changes nothing."""
    return [message]


class EveryConnection:
    """Does `change` to the events of each connection, from its third card on, until it has done it once."""

    def __init__(self, change: Callable[[dict, dict], list[dict]]) -> None:
        self._change = change

    def __call__(self) -> Meddle:
        """A meddler for one connection: `change` gets two events that follow each other."""
        cards, held, done = 0, [], False

        def meddle(message: dict) -> list[dict]:
            nonlocal cards, done
            if done or "seq" not in message or "due_ms" not in message:
                return [message]
            if held:
                done = True
                return self._change(held.pop(), message)
            cards += message["type"] == "card"
            if cards < 3:
                return [message]
            held.append(message)
            return []

        return meddle


drop = EveryConnection(lambda _first, second: [second])
double = EveryConnection(lambda first, second: [first, first, second])
reorder = EveryConnection(lambda first, second: [second, first])


def a_cent_less() -> Meddle:
    """A meddler that takes a cent off each payout that returns anything, bankroll and all."""

    def meddle(message: dict) -> list[dict]:
        if message["type"] == "payout" and message["payout"]["returned"]:
            payout = message["payout"]
            winner = next(bet for bet in payout["bets"] if bet["returned"])
            for told, name in ((winner, "returned"), (payout, "returned"), (payout, "bankroll")):
                told[name] -= 1
        return [message]

    return meddle


@asynccontextmanager
async def meddling(url: str, meddler: Callable[[], Meddle]):
    """Yields the address of a proxy to `url`; each connection gets a meddler of its own."""

    async def relay(client) -> None:
        meddle = meddler()
        with suppress(ConnectionClosed):
            async with connect(
                url, subprotocols=[SUBPROTOCOL], compression=None, proxy=None, max_size=None
            ) as gateway:

                async def forth() -> None:
                    async for frame in client:
                        await gateway.send(frame)
                    await gateway.close()

                forwarding = asyncio.create_task(forth())
                try:
                    async for frame in gateway:
                        for message in meddle(msgpack.unpackb(frame)):
                            await client.send(msgpack.packb(message))
                finally:
                    forwarding.cancel()

    async with serve(relay, "127.0.0.1", 0, subprotocols=[SUBPROTOCOL], compression=None) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
