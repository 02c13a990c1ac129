"""A TCP relay between two real endpoints: cuts, freezes and delays what passes."""

import asyncio
import contextlib
import re
from contextlib import asynccontextmanager


class Relay:
    """Relays connections to `port`; `cut` ends those there are, abruptly.

    While `passing` is cleared nothing passes and nothing ends; it comes late, in order, when it is set again.
    """

    def __init__(self, port: int) -> None:
        self.target = port
        self.port = 0
        self.connections = 0
        self.passing = asyncio.Event()
        self.passing.set()
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"ws://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Ends every connection in the middle of whatever was passing."""
        for writer in self._writers:
            writer.transport.abort()

    async def accept(self, reader, writer) -> None:
        """Relays one connection both ways until either end closes."""
        self.connections += 1
        ends = {writer}
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
            ends.add(far_writer)
            self._writers |= ends
            await asyncio.gather(self._pass_on(reader, far_writer), self._pass_on(far_reader, writer))
        except OSError:
            pass
        finally:
            self._writers -= ends
            for end in ends:
                end.close()

    async def _pass_on(self, reader, writer) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                await self.passing.wait()
                writer.write(data)
                await writer.drain()
        await self.passing.wait()
        writer.close()


class Recorder(Relay):
    """A relay that keeps what passes."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.heard = bytearray()

    async def _pass_on(self, reader, writer) -> None:
        while data := await reader.read(65_536):
            self.heard += data
            writer.write(data)
            await writer.drain()
        writer.close()

    def forwarded(self) -> list[str]:
        """What `X-Forwarded-For` says in each request for a websocket that has passed whole."""
        heads = re.findall(rb"GET /ws HTTP/1\.1\r\n.*?\r\n\r\n", bytes(self.heard), re.DOTALL)
        return [
            value.decode().strip()
            for head in heads
            for value in re.findall(rb"(?im)^x-forwarded-for:([^\r]*)\r$", head)
        ]


@asynccontextmanager
async def relay_to(port: int):
    """A relay in front of `port`; change its `target` to lead new connections elsewhere."""
    relay = Relay(port)
    server = await asyncio.start_server(relay.accept, "127.0.0.1", 0)
    relay.port = server.sockets[0].getsockname()[1]
    try:
        yield relay
    finally:
        server.close()
        relay.passing.set()
        relay.cut()
