"""A network between a client and a store that is slow, loses replies, or goes silent, as the test says."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path


class Proxy:
    """Passes bytes between TCP connections and a store's unix socket.

    `delay_s` holds everything up, in each direction, or `delay()`, asked for each piece, does. With
    `lose_commands` a connection is cut when a command comes, before the store gets it; with `lose_replies`
    when the store has answered, before the client gets that; with `silent` nothing passes and nothing is cut.
    While `passing` is cleared everything waits on its way, and comes in order, late, when it is set again.
    """

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        self.delay_s = 0.0
        self.delay = lambda: self.delay_s
        self.lose_commands = False
        self.lose_replies = False
        self.silent = False
        self.passing = asyncio.Event()
        self.passing.set()
        self.url = ""
        self.connections = 0
        self._tasks: set[asyncio.Task] = set()

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Takes a connection."""
        self.connections += 1
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            store_reader, store_writer = await asyncio.open_unix_connection(str(self.socket))
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._pass(reader, store_writer, commands=True))
                    group.create_task(self._pass(store_reader, writer, commands=False))
            finally:
                store_writer.close()
        except* (_CutError, OSError):
            pass
        finally:
            writer.close()

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, commands: bool) -> None:
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        async def deliver() -> None:
            while True:
                due, data = await queue.get()
                await asyncio.sleep(due - loop.time())
                await self.passing.wait()
                if self.silent:
                    continue
                lost = self.lose_commands if commands else self.lose_replies
                if lost or not data:
                    raise _CutError
                target.write(data)
                await target.drain()

        async with asyncio.TaskGroup() as group:
            group.create_task(deliver())
            while True:
                data = await source.read(65_536)
                queue.put_nowait((loop.time() + self.delay(), data))
                if not data:
                    return

    async def cut(self) -> None:
        """Ends every connection."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _CutError(Exception):
    """The connection ends here."""


@asynccontextmanager
async def proxy_to(url: str):
    """A proxy in front of the store at `url`, a unix socket's."""
    proxy = Proxy(Path(url.removeprefix("unix://")))
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        await proxy.cut()
