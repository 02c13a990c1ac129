"""A worker process: a dealer and a gateway on one event loop, under a supervisor.

The supervisor writes one line to its standard input, the worker's orders, and keeps the pipe open; when the
pipe closes, the supervisor is gone and the worker ends at once, and an embedded store with it. One line on
standard output says that it takes connections. SIGTERM drains it.
"""

import asyncio
import base64
import contextlib
import logging
import os
import signal
import socket
import sys
from typing import Final

import msgspec
from msgspec import Struct

from croupier_server.config import Config
from croupier_server.dealer.dealer import Dealer
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.gateway.listener import Gateway
from croupier_server.players.closing import keep_closing
from croupier_server.players.guests import Guests
from croupier_server.store.errors import StoreError
from croupier_server.store.pit import Pit
from croupier_server.store.scripts import run

logger = logging.getLogger(__name__)

ORPHAN_S: Final = 8.0
"""How long a worker without a supervisor may take to end, whatever the store does; then it is cut short."""

READY_LINE: Final = b"ready\n"
"""What a worker writes when it takes connections."""


class WorkerOrders(Struct, frozen=True):
    """What a supervisor tells a worker. The key travels through the pipe, never on a command line."""

    config: Config
    redis: str
    embedded: bool
    shoe_keys: tuple[bytes, ...]
    listening_descriptor: int

    def encode(self) -> bytes:
        """One line for the worker's standard input."""
        return base64.b64encode(msgspec.msgpack.encode(self)) + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> "WorkerOrders":
        """The orders in one line."""
        return msgspec.msgpack.decode(base64.b64decode(line), type=cls)


async def work(orders: WorkerOrders, supervisor_gone: asyncio.Event) -> None:
    """Deals and serves until SIGTERM, or until the supervisor is gone."""
    draining = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, draining.set)
    pit = Pit.at(orders.redis, orders.config.wallet.terms())
    settings = orders.config.table_settings()
    dealer = Dealer(pit, settings, ShoeKey(*orders.shoe_keys))
    gateway = Gateway(pit, [one.rules for one in settings], orders.config.arrivals())
    async with asyncio.TaskGroup() as group:
        running = [
            group.create_task(dealer.run(), name="dealer"),
            group.create_task(dealer.hear_notes(), name="notes"),
            group.create_task(gateway.run(), name="gateway"),
            group.create_task(keep_closing(Guests(pit.store), pit.bank), name="unused guests"),
        ]
        await _first(gateway.feed.ready, draining, supervisor_gone)
        if gateway.feed.ready.is_set():
            await gateway.open(socket.socket(fileno=orders.listening_descriptor))
            sys.stdout.buffer.write(READY_LINE)
            sys.stdout.buffer.flush()
        await _first(draining, supervisor_gone)
        if not supervisor_gone.is_set():
            await dealer.release()
            await gateway.close()
        for task in running:
            task.cancel()
    if supervisor_gone.is_set() and orders.embedded:
        # Nobody is left to stop the store that the supervisor had started.
        with contextlib.suppress(StoreError):
            await run(pit.store.client.shutdown())
    await pit.close()


async def _first(*events: asyncio.Event) -> None:
    """Returns when one of the events is set."""
    waiting = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()


async def _main() -> None:
    loop = asyncio.get_running_loop()
    pipe = asyncio.StreamReader(limit=1024 * 1024)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(pipe), sys.stdin)
    orders = WorkerOrders.decode(await pipe.readline())
    supervisor_gone = asyncio.Event()

    async def watch_supervisor() -> None:
        await pipe.read()
        supervisor_gone.set()
        loop.call_later(ORPHAN_S, os._exit, 1)

    watching = asyncio.create_task(watch_supervisor())
    try:
        await work(orders, supervisor_gone)
    finally:
        watching.cancel()


def main() -> None:
    """Runs a worker; see the module."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s worker %(levelname)s %(message)s")
    asyncio.run(_main())


if __name__ == "__main__":
    main()
