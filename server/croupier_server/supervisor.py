"""The process that a person starts: it owns the data directory, the ports, the store and the workers.

Its children run in sessions of their own, so a Ctrl-C on the terminal reaches the supervisor alone; it
drains the workers first and stops the store last. A second signal stops at once. A worker that ends by itself
is started again, and so is an embedded store. SIGHUP has it read its configuration again, or drain when it
comes because the terminal has gone.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from croupier_server.announcing import announce
from croupier_server.children import Crew, Place, Stop
from croupier_server.config import Config
from croupier_server.configuring.shoe_keys import configured_shoe_keys
from croupier_server.data_directory import DataDirectory, default_path
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.descriptors import raise_descriptor_limit
from croupier_server.errors import SetupError
from croupier_server.operator_side import open_operator_side
from croupier_server.ports import bind_port, url_of
from croupier_server.preparing import Prepared, Preparing
from croupier_server.reloading import Reloading, Terminal
from croupier_server.store.durability import Durability
from croupier_server.store.embedded import EmbeddedStore
from croupier_server.store.errors import UnsuitableStoreError
from croupier_server.store.stores import Stores
from croupier_server.store_keeper import keep_store
from croupier_server.turning_away import turning_away
from croupier_server.waiting import cancel
from croupier_server.worker_orders import WorkerOrders

logger = logging.getLogger(__name__)

SHOE_KEY_FILE: Final = "shoe.key"


class Supervisor:
    """One `croupier serve`; `read_again` is asked for its configuration on SIGHUP."""

    def __init__(self, config: Config, read_again: Callable[[], Config]) -> None:
        self._config = config
        self._read_again = read_again
        self._hung_up = asyncio.Event()
        self._terminal = Terminal()
        self._stop = Stop()
        self._crew = Crew()
        self._places: list[Place] = []

    async def serve(self) -> None:
        """Serves until a signal comes.

        Raises:
            SetupError: something the operator has to put right first.
        """
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._stop.press)
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._hang_up)
        raise_descriptor_limit()
        async with contextlib.AsyncExitStack() as stack:
            shoe_keys = configured_shoe_keys(self._config)
            outside = self._config.store.redis
            if outside is None:
                data = Path(self._config.store.data) if self._config.store.data else default_path()
                directory = stack.enter_context(DataDirectory(data))
                shoe_keys = shoe_keys or directory.secrets(SHOE_KEY_FILE)
            listening, admin_listening = await self._bind(stack)
            store_url = await self._own_store(stack, directory) if outside is None else outside
            stores = await self._reach(stack, store_url)
            prepared = await self._prepare(stack, stores, ShoeKey(*shoe_keys))
            await self._follow_operator(stack, stores, store_url, admin_listening)
            orders = WorkerOrders(
                config=self._config,
                redis=store_url,
                pits=prepared.pits,
                confirmation=prepared.confirmation,
                embedded=outside is None,
                shoe_keys=shoe_keys,
                supervisor=secrets.token_hex(8),
                listening_descriptor=None if listening is None else listening.fileno(),
            )
            workers = self._config.server.workers or cores()
            self._places = [Place(orders, self._stop, self._crew) for _ in range(workers)]
            url, admin_url = None if listening is None else url_of(listening), url_of(admin_listening)
            announcing = asyncio.create_task(self._announce(url, admin_url))
            stack.push_async_callback(cancel, announcing)
            await self._keep_places(listening)

    async def _bind(self, stack: contextlib.AsyncExitStack) -> tuple[socket.socket | None, socket.socket]:
        """The port for players, where some worker serves them, and the admin port."""
        server = self._config.server
        listening = None
        if server.role != "dealer":
            listening = stack.enter_context(await bind_port(server.bind, server.port))
        return listening, stack.enter_context(await bind_port(server.admin_bind, server.admin_port))

    async def _own_store(self, stack: contextlib.AsyncExitStack, directory: DataDirectory) -> str:
        """Starts a store in the data directory and keeps it running; returns its address."""
        strict = self._config.store.durability is Durability.STRICT
        embedded = EmbeddedStore(directory.path / "store", fsync="always" if strict else "everysec")
        stack.push_async_callback(embedded.stop)
        await embedded.start()
        stack.push_async_callback(cancel, asyncio.create_task(keep_store(embedded)))
        return embedded.url

    async def _reach(self, stack: contextlib.AsyncExitStack, store_url: str) -> Stores:
        try:
            stores = Stores(store_url)
        except UnsuitableStoreError as error:
            raise SetupError(str(error)) from error
        stack.push_async_callback(stores.close)
        return stores

    async def _prepare(self, stack: contextlib.AsyncExitStack, stores: Stores, shoe_key: ShoeKey) -> Prepared:
        """Lists the tables; pits whose server is away follow when it is back."""
        preparing = Preparing(stores, self._config, shoe_key)
        prepared = await preparing.prepare()
        late = asyncio.create_task(preparing.prepare_late(prepared))
        stack.push_async_callback(cancel, late)
        return prepared

    async def _follow_operator(
        self,
        stack: contextlib.AsyncExitStack,
        stores: Stores,
        store_url: str,
        admin_listening: socket.socket,
    ) -> None:
        """Takes a changed configuration in on SIGHUP, and opens the admin port."""
        reloading = Reloading(self._config, self._read_again, stores)
        stack.push_async_callback(cancel, asyncio.create_task(reloading.run(self._hung_up)))
        await open_operator_side(
            stack,
            admin_listening,
            self._config,
            lambda: reloading.running,
            store_url,
            self._crew,
            self._stop,
        )

    def _hang_up(self) -> None:
        if self._terminal.gone:
            self._stop.draining.set()
        else:
            self._hung_up.set()

    async def _announce(self, url: str | None, admin_url: str) -> None:
        for place in self._places:
            await place.ready.wait()
        await announce(self._config, url, admin_url)

    async def _keep_places(self, listening: socket.socket | None) -> None:
        """Runs the workers until they have drained; whoever connects meanwhile is turned away."""
        async with asyncio.TaskGroup() as group:
            keeping = [group.create_task(place.keep(), name="worker's place") for place in self._places]
            await self._stop.draining.wait()
            async with contextlib.nullcontext() if listening is None else turning_away(listening):
                await asyncio.wait(keeping)


def cores() -> int:
    """How many cores this process may run on."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
