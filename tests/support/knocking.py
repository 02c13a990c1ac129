"""Visitors that connect again and again, and what becomes of each."""

import asyncio
import contextlib
from collections import Counter
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: tables\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
KNOCK_S = 10.0


async def knock(url: str) -> str:
    """Asks for a websocket: the HTTP status of the answer, or "refused", "reset", "closed" or "silence"."""
    address = urlsplit(url)
    try:
        async with asyncio.timeout(KNOCK_S):
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            try:
                writer.write(REQUEST)
                line = await reader.readline()
                return line.split(b" ")[1].decode() if line else "closed"
            finally:
                writer.close()
    except ConnectionRefusedError:
        return "refused"
    except ConnectionError:
        return "reset"
    except TimeoutError:
        return "silence"


@asynccontextmanager
async def knocking(url: str, visitors: int):
    """So many visitors at a time; yields the counts of what became of them, so far."""
    seen = Counter()

    async def visit() -> None:
        while True:
            seen[await knock(url)] += 1
            await asyncio.sleep(0.005)

    tasks = [asyncio.create_task(visit()) for _ in range(visitors)]
    try:
        yield seen
    finally:
        for task in tasks:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks)
