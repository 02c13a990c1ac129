"""A worker process: dealers and a gateway on one event loop, or one of them, under a supervisor.

See `worker_orders` for what passes between the two. When the pipe of the orders closes, the supervisor is
gone, and the worker ends at once and an embedded store with it. SIGTERM makes it drain.
"""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import time
from typing import Final

from croupier_server.beating import Beating
from croupier_server.browser_table import browser_table
from croupier_server.collecting import Collecting
from croupier_server.config import Config
from croupier_server.dealer.dealers import Dealers
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.gateway.lag import Lag
from croupier_server.gateway.listener import Gateway
from croupier_server.gateway.site import Site
from croupier_server.money import cents
from croupier_server.pits import Pits
from croupier_server.players.accounts import open_tokens
from croupier_server.players.closing import keep_closing
from croupier_server.players.guests import Guests
from croupier_server.sight.logs import set_up_log
from croupier_server.sight.metrics import Metrics
from croupier_server.sight.worker_sight import WorkerSight
from croupier_server.store.errors import StoreError
from croupier_server.store.pit import Pit
from croupier_server.store.scripts import run
from croupier_server.store.stores import Stores
from croupier_server.store.workers import Workers
from croupier_server.supervisor_line import SupervisorLine
from croupier_server.waiting import first
from croupier_server.worker_orders import DRAINING_LINE, READY_LINE, WorkerOrders

logger = logging.getLogger("croupier_server.worker")  # which it is run as, and not imported

ORPHAN_S: Final = 8.0
"""How long a worker without a supervisor may take to end, whatever the store does; then it is cut short."""

RELEASE_S: Final = 5.0
"""How long a worker that stops may take to give its tables back: two commands that get no answer."""


async def work(orders: WorkerOrders, line: SupervisorLine) -> None:
    """Deals and serves until SIGTERM, or until the supervisor is gone."""
    draining = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, draining.set)
    config = orders.config
    stores = Stores(orders.redis)
    pits = _open_pits(stores, orders)
    home = pits.opened[0]
    metrics = Metrics()
    dealers = gateway = None
    if config.server.role != "gateway":
        dealers = Dealers(pits.opened, ShoeKey(*orders.shoe_keys), metrics)
    if config.server.role != "dealer":
        gateway = _gateway(config, pits, metrics)
    lag = Lag(metrics.event_loop_lag.observe) if gateway is None else gateway.lag
    line.answers = WorkerSight(metrics, stores.servers.contact, lag, dealers, gateway).answers
    collecting = Collecting(None if gateway is None else gateway.admission)
    beating = Beating(Workers(home.store), orders.supervisor, dealers, gateway)
    async with asyncio.TaskGroup() as group:
        added = [part.add for part in (dealers, gateway) if part is not None]
        running = [
            group.create_task(beating.run(), name="beating"),
            group.create_task(collecting.run(), name="collecting"),
            group.create_task(pits.follow(*added), name="pits"),
        ]
        if dealers is not None:
            running += [
                group.create_task(dealers.run(), name="dealers"),
                group.create_task(
                    keep_closing(Guests(home.store), home.bank, home.stores), name="unused guests"
                ),
            ]
        if gateway is not None:
            running.append(group.create_task(gateway.run(), name="gateway"))
        else:
            running.append(group.create_task(lag.run(), name="lag"))
        ready = beating.begun if gateway is None else gateway.feed.ready
        await first(ready, draining, line.gone)
        if ready.is_set():
            collecting.begin()
            await _begin(gateway, orders.listening_descriptor)
            line.tell(READY_LINE)
        await first(draining, line.gone)
        if not line.gone.is_set():
            line.tell(DRAINING_LINE)
            await _drain(beating, dealers, gateway)
        for task in running:
            task.cancel()
    if not line.gone.is_set():
        await beating.leave()
    elif orders.embedded:
        await _stop_store(home)
    await stores.close()


def _open_pits(stores: Stores, orders: WorkerOrders) -> Pits:
    config = orders.config
    return Pits(
        stores,
        orders.pits,
        config.wallet.terms(),
        orders.confirmation,
        cents(config.log.large_win),
        config.archive.archiving(),
        play_safe=config.play_safe.enabled,
    )


def _gateway(config: Config, pits: Pits, metrics: Metrics) -> Gateway:
    return Gateway(
        pits.opened,
        config.arrivals(),
        Site(browser_table(), config.page()),
        config.gateway,
        open_tokens(config.identity, time.monotonic),
        metrics,
        config.play_safe,
    )


async def _begin(gateway: Gateway | None, listening_descriptor: int | None) -> None:
    if gateway is not None and listening_descriptor is not None:
        await gateway.open(socket.socket(fileno=listening_descriptor))


async def _drain(beating: Beating, dealers: Dealers | None, gateway: Gateway | None) -> None:
    """Gives tables and connections to the other workers."""
    if gateway is not None and gateway.door is not None:
        gateway.door.pause()
    await beating.drain()
    if dealers is not None:
        try:
            async with asyncio.timeout(RELEASE_S):
                await dealers.release()
        except TimeoutError:
            logger.warning("tables that could not be released in time wait for their leases to run out")
    if gateway is not None:
        await gateway.close()
    logger.info("drained")


async def _stop_store(home: Pit) -> None:
    """Nobody else is left to stop the store that the supervisor had started."""
    with contextlib.suppress(StoreError):
        await run(home.store.client.shutdown())


async def _main() -> None:
    line = await SupervisorLine.open()
    orders = await line.orders()
    set_up_log("worker", orders.config.log)

    async def listen() -> None:
        await line.listen()
        asyncio.get_running_loop().call_later(ORPHAN_S, os._exit, 1)

    listening = asyncio.create_task(listen())
    try:
        await work(orders, line)
    finally:
        listening.cancel()


def main() -> None:
    """Runs a worker; see the module."""
    set_up_log("worker")
    asyncio.run(_main())


if __name__ == "__main__":
    main()
