"""A table, dealt and served in a process of its own, so that who sends a storm of slips does not slow it.

Run as a program: the store's URL, the length of a window, and the longest delay, each way, between gateway
and store, in milliseconds; it writes the address of its gateway.
"""

import asyncio
import random
import sys
from contextlib import AsyncExitStack, asynccontextmanager

from msgspec.structs import replace

from croupier_server.dealer import idleness
from croupier_server.table.pace import Pace
from support.beside import program
from support.gateways import gateway_on
from support.playing import played
from support.proxies import proxy_to
from support.stores import turbo

START_S = 30.0


@asynccontextmanager
async def table_process(url: str, betting_ms: int, delay_ms: int = 0):
    """Yields the address of the gateway of such a process."""
    async with program(__file__, url, betting_ms, delay_ms) as process:
        async with asyncio.timeout(START_S):
            address = (await process.stdout.readline()).decode().strip()
        assert address, "the table did not start"
        yield address


async def _serve(url: str, betting_ms: int, delay_ms: int) -> None:
    idleness.UNBET_ROUNDS = 100_000  # a busy machine may keep players from betting for a minute
    chance = random.Random(delay_ms)
    pace = Pace("prompt", shuffling_ms=20, betting_ms=betting_ms, closing_ms=10, card_ms=5, result_ms=20)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(played(url, replace(turbo("standard"), pace=pace)))
        if delay_ms:
            proxy = await stack.enter_async_context(proxy_to(url))
            proxy.delay = lambda: chance.uniform(0, delay_ms / 1000)
            url = proxy.url
        gateway = await stack.enter_async_context(gateway_on(url))
        sys.stdout.write(f"{gateway.url}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
