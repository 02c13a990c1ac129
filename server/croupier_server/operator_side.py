"""What the supervisor does for the operator: the admin port with the API, and webhooks."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable

from croupier_server.admin import open_admin
from croupier_server.children import Crew, Stop
from croupier_server.config import Config
from croupier_server.operator_api.handlers import Desk
from croupier_server.operator_api.server import OperatorApi
from croupier_server.sight.overseer import Overseer
from croupier_server.store.stores import Stores
from croupier_server.waiting import cancel
from croupier_server.webhooks.running import Webhooks
from croupier_server.webhooks.tally import Tally


async def open_operator_side(
    stack: contextlib.AsyncExitStack,
    listening: socket.socket,
    config: Config,
    running: Callable[[], Config],
    store_url: str,
    crew: Crew,
    stop: Stop,
) -> None:
    """Begins all of it, the port on a bound socket; `stack` ends it. `running` is the configuration now.

    Raises:
        SetupError: a file with keys or secrets cannot be used.
    """
    # It loads no scripts, which would hide from dealers that the store was replaced.
    stores = Stores(store_url, one_off=True)
    stack.push_async_callback(stores.close)
    tally = Tally()
    if config.webhooks.urls:
        webhooks = Webhooks(stores, config.webhooks, tally, time.monotonic)
        stack.push_async_callback(cancel, asyncio.create_task(webhooks.run()))
    api = OperatorApi(Desk(stores, running), config.api, time.monotonic)
    admin = await open_admin(listening, Overseer(crew, stop, api.wrong_keys, tally), api.routes())
    stack.push_async_callback(admin.cleanup)
