"""A server of the websocket library alone, in a process of its own: what it takes without anything of ours.

Run as a program: how to compress, `deflate` or `none`. It writes its port, answers each message with one of
`ANSWER_BYTES` bytes, and ends when its standard input does.
"""

import asyncio
import contextlib
import json
import random
import sys

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from croupier_client.load.files import raise_file_limit

ANSWER_BYTES = 2_000
"""About what a table's snapshot has."""


async def _answer(connection) -> None:
    chance = random.Random(1)
    cards = [
        "".join(chance.choice(one) for one in ("A23456789TJQK", "shdc")) for _ in range(ANSWER_BYTES // 6)
    ]
    snapshot = json.dumps(cards)
    with contextlib.suppress(ConnectionClosed):
        async for _ in connection:
            await connection.send(snapshot)


async def _serve(compression: str | None) -> None:
    raise_file_limit()
    async with serve(_answer, "127.0.0.1", 0, compression=compression, ping_interval=None) as server:
        sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve(None if sys.argv[1] == "none" else sys.argv[1]))
