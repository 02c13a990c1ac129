"""The process that a person starts: it owns the data directory, the ports, the store and the worker.

Its children run in sessions of their own, so a Ctrl-C on the terminal reaches the supervisor alone; it
drains the worker first and stops the store last. A second signal stops at once. A worker that ends by itself
is started again, and so is an embedded store.
"""

import asyncio
import contextlib
import json
import logging
import signal
import socket
import sys
import time
from asyncio.subprocess import Process
from pathlib import Path
from typing import Final

from croupier_protocol.game.odds import odds
from croupier_protocol.game.rules import RuleSet
from croupier_protocol.messages.values import TableId
from croupier_server.admin import open_admin
from croupier_server.config import SHOE_KEY_VARIABLE, Config, configured_shoe_keys
from croupier_server.data_directory import DataDirectory, default_path
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.errors import SetupError
from croupier_server.ports import bind_port, url_of
from croupier_server.store.connection import check_server, connect
from croupier_server.store.embedded import EmbeddedStore
from croupier_server.store.errors import StoreError, UnsuitableStoreError
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.scripts import Store, run
from croupier_server.store.stream import Stream
from croupier_server.store.tables import Tables
from croupier_server.table.listing import encode_listing
from croupier_server.worker import READY_LINE, WorkerOrders

logger = logging.getLogger(__name__)

DRAIN_S: Final = 20.0
"""How long a worker may take to release its tables and close its sockets."""

FIRST_BACKOFF_S: Final = 0.1
LONGEST_BACKOFF_S: Final = 5.0
STEADY_S: Final = 10.0
"""A child that ran this long before it ended is started again at once, with the first backoff."""

SHOE_KEY_FILE: Final = "shoe.key"


class Supervisor:
    """One `croupier serve`."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._stopping = asyncio.Event()
        self._killing = asyncio.Event()
        self._ready = asyncio.Event()
        self._worker: Process | None = None

    async def serve(self) -> None:
        """Serves until a signal comes.

        Raises:
            SetupError: something the operator has to put right first.
        """
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._on_signal)
        outside = self._config.store.redis
        async with contextlib.AsyncExitStack() as stack:
            shoe_keys = configured_shoe_keys(self._config)
            if outside is not None and not shoe_keys:
                raise SetupError(
                    f"with --redis a shoe key is needed: set {SHOE_KEY_VARIABLE}, or key_file under [shoe]"
                )
            if outside is None:
                data = Path(self._config.store.data) if self._config.store.data else default_path()
                directory = stack.enter_context(DataDirectory(data))
                shoe_keys = shoe_keys or directory.secrets(SHOE_KEY_FILE)
            server = self._config.server
            listening = stack.enter_context(await bind_port(server.bind, server.port))
            admin_listening = stack.enter_context(await bind_port(server.admin_bind, server.admin_port))
            if outside is None:
                embedded = EmbeddedStore(directory.path / "store")
                stack.push_async_callback(embedded.stop)
                await embedded.start()
                url = embedded.url
                stack.push_async_callback(_cancel, asyncio.create_task(self._keep_store(embedded)))
            else:
                url = outside
            try:
                store = Store(connect(url))
            except UnsuitableStoreError as error:
                raise SetupError(str(error)) from error
            stack.push_async_callback(store.close)
            await self._prepare(store, ShoeKey(*shoe_keys))
            admin = await open_admin(admin_listening, lambda: self._problem(store))
            stack.push_async_callback(admin.cleanup)
            orders = WorkerOrders(
                config=self._config,
                redis=url,
                embedded=outside is None,
                shoe_keys=shoe_keys,
                listening_descriptor=listening.fileno(),
            )
            keeping = asyncio.create_task(self._keep_worker(orders))
            announcing = asyncio.create_task(self._announce(listening, admin_listening))
            await asyncio.wait(
                [keeping, asyncio.create_task(self._stopping.wait())], return_when=asyncio.FIRST_COMPLETED
            )
            await _cancel(announcing)
            await keeping

    def _on_signal(self) -> None:
        (self._killing if self._stopping.is_set() else self._stopping).set()

    async def _prepare(self, store: Store, key: ShoeKey) -> None:
        """Checks the store and lists the tables in it.

        Raises:
            SetupError: the store cannot be used, or all of its shoes are sealed with other keys.
        """
        try:
            for warning in await check_server(store.client):
                logger.warning("%s", warning)
            await Stream(store, DEFAULT_PIT).open()
            tables = Tables(store, DEFAULT_PIT)
            listings: dict[TableId, bytes] = {}
            opens: dict[TableId, bool] = {}
            for settings in self._config.table_settings():
                position = await tables.read(settings.table)
                sealed = position.record.sealed
                if sealed is not None:
                    opens[settings.table] = key.opens(sealed)
                listings[settings.table] = encode_listing(settings)
            if opens and not any(opens.values()):
                raise SetupError(
                    f"every shoe in this store is sealed with another key than {key.id}: give the one that it"
                    " was begun with"
                )
            for table in (table for table, known in opens.items() if not known):
                logger.error("table %s is not dealt: its shoe is sealed with a key that was not given", table)
            if self._config.store.redis is None:
                await tables.forget_others(listings)
            await tables.register(listings)
        except StoreError as error:
            raise SetupError(f"the store cannot be used: {error}") from error

    async def _problem(self, store: Store) -> str | None:
        """What keeps this server from being ready; None when nothing does."""
        if self._stopping.is_set():
            return "stopping"
        if not self._ready.is_set():
            return "the worker is not ready"
        try:
            await run(store.client.ping())
        except StoreError:
            return "the store does not answer"
        return None

    async def _announce(self, listening: socket.socket, admin: socket.socket) -> None:
        await self._ready.wait()
        url, admin_url = url_of(listening), url_of(admin)
        sys.stdout.write(json.dumps({"ready": True, "url": url, "admin": admin_url}) + "\n")
        sys.stdout.flush()
        logger.info("watch from another terminal: croupier watch %s", url)
        for line in await asyncio.to_thread(_favours, self._config):
            logger.warning("%s", line)

    async def _keep_worker(self, orders: WorkerOrders) -> None:
        """Runs the worker until stopping, starting it again whenever it ends by itself."""
        backoff_s = FIRST_BACKOFF_S
        while not self._stopping.is_set():
            started = time.monotonic()
            await self._run_worker(orders)
            self._ready.clear()
            if self._stopping.is_set():
                return
            backoff_s = FIRST_BACKOFF_S if time.monotonic() - started > STEADY_S else backoff_s
            logger.error("the worker ended by itself; starting it again in %.1f s", backoff_s)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(backoff_s):
                    await self._stopping.wait()
            backoff_s = min(backoff_s * 2, LONGEST_BACKOFF_S)

    async def _run_worker(self, orders: WorkerOrders) -> None:
        """One life of the worker, ended by itself or by our stopping."""
        worker = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "croupier_server.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            pass_fds=[orders.listening_descriptor],
            start_new_session=True,
        )
        if worker.stdin is None or worker.stdout is None:
            raise RuntimeError("the worker has no pipes")
        worker.stdin.write(orders.encode())
        listening = asyncio.create_task(self._hear_worker(worker.stdout))
        ended = asyncio.create_task(worker.wait())
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait([ended, stopping], return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                await self._drain(worker, ended)
        finally:
            worker.stdin.close()
            await _cancel(listening, stopping)

    async def _hear_worker(self, lines: asyncio.StreamReader) -> None:
        async for line in lines:
            if line == READY_LINE:
                self._ready.set()

    async def _drain(self, worker: Process, ended: "asyncio.Task[int]") -> None:
        """Lets the worker finish, for `DRAIN_S` at most, or until a second signal."""
        worker.send_signal(signal.SIGTERM)
        killing = asyncio.create_task(self._killing.wait())
        await asyncio.wait([ended, killing], timeout=DRAIN_S, return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            logger.warning("the worker is stopped at once")
            worker.kill()
        await ended
        await _cancel(killing)

    async def _keep_store(self, embedded: EmbeddedStore) -> None:
        """Starts the embedded store again whenever it ends by itself, until it comes."""
        while True:
            status = await embedded.wait()
            logger.error("the store ended by itself (status %s); starting it again", status)
            backoff_s = FIRST_BACKOFF_S
            while True:
                await asyncio.sleep(backoff_s)
                try:
                    await embedded.start()
                except SetupError as error:
                    backoff_s = min(backoff_s * 2, LONGEST_BACKOFF_S)
                    logger.error("%s; trying again in %.1f s", error, backoff_s)  # noqa: TRY400  # it says all
                else:
                    break


def _favours(config: Config) -> list[str]:
    """What an operator should know of the rules: bets that cost the house money in the long run."""
    tables: dict[RuleSet, list[str]] = {}
    for settings in config.table_settings():
        tables.setdefault(settings.rules, []).append(settings.table)
    return [
        f"table {', '.join(names)}: {bet} favours the bettor by {-100 * float(found.edge):.4f} %"
        for rules, names in tables.items()
        for bet, found in odds(rules).bets.items()
        if found.favours_bettor
    ]


async def _cancel(*tasks: "asyncio.Task[object]") -> None:
    """Cancels tasks and waits for their end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
