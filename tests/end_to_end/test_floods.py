"""What nobody should send, beside tables that are watched: watchers and health checks do not notice."""

import asyncio
import logging
import time
import urllib.request

import pytest

from support.flooding import FLOODS, flooding
from support.serving import serving
from support.silent import silent_watchers

logger = logging.getLogger(__name__)

PHASE_S = 15.0
NOISE_MS = 10.0


@pytest.mark.long
@pytest.mark.parametrize("what", FLOODS)
async def test_a_flood_is_cut_and_neither_tables_nor_the_health_check_are_slowed(tmp_path, what):
    """L13: push p99 at most twice what it is without, give or take what a machine does by itself."""
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        port = server.port
        async with silent_watchers(port, 10, ["standard"]) as watchers:
            latencies: list[float] = []
            reading = [asyncio.create_task(_latencies(one.messages(), latencies)) for one in watchers]
            before, _ = await _phase(latencies, server.admin)
            async with flooding(port, what) as flood:
                during, slowest_s = await _phase(latencies, server.admin)
                flood.stdin.close()
                begun = int(await asyncio.wait_for(flood.stdout.readline(), 120))
            after, _ = await _phase(latencies, server.admin)
            logger.info(
                "%s: push p99 %.1f ms before, %.1f ms meanwhile, %.1f ms after; health check at most %.0f ms;"
                " begun anew %d times",
                *(what, before, during, after, slowest_s * 1000, begun),
            )
            assert during < 2 * max(before, after) + NOISE_MS
            assert slowest_s < 1
            for task in reading:
                task.cancel()


async def _latencies(messages, latencies: list[float]) -> None:
    async for message in messages:
        at_ms = getattr(message, "at_ms", None)
        if at_ms is not None:
            latencies.append(time.time() * 1000 - at_ms)


async def _phase(latencies: list[float], admin: str) -> tuple[float, float]:
    """Push p99 in ms over `PHASE_S`, and the slowest of two health checks a second in it in seconds."""
    latencies.clear()
    ends, slowest_s = time.monotonic() + PHASE_S, 0.0
    while time.monotonic() < ends:
        began = time.monotonic()
        await asyncio.to_thread(lambda: urllib.request.urlopen(f"{admin}/healthz", timeout=10).read())
        slowest_s = max(slowest_s, time.monotonic() - began)
        await asyncio.sleep(0.5)
    taken = sorted(latencies)
    assert len(taken) > 1_000
    return taken[len(taken) * 99 // 100], slowest_s
