"""Readers that stop reading: what they cost, what becomes of them, and what they see when they read again."""

import asyncio
import logging
import time
from contextlib import AsyncExitStack

import pytest

from croupier_server.gateway import listener, room
from croupier_server.gateway.outlet import Bound
from support.gateways import bare, dealing, gateway_on
from support.joining import joining
from support.resident import resident_kb
from support.serving import serving, until
from support.silent import PONG, Story, silent_watchers
from support.stores import turbo

logger = logging.getLogger(__name__)

TABLES = ("standard", "eight-deck", "vegas")


async def tell(story: Story, messages, enough) -> None:
    """Reads until `enough()`, given the story so far."""
    try:
        async with asyncio.timeout(60):
            async for message in messages:
                story.tell(message)
                if enough():
                    return
    except TimeoutError:
        raise AssertionError(f"snapshots at {story.snapshots}, now at {story.view.seq}") from None
    raise AssertionError(f"ended at {story.view.seq} after snapshots at {story.snapshots}")


async def test_readers_that_stop_and_read_again_see_what_those_see_who_never_stopped(store, monkeypatch):
    """H2: each is moved to the present, on a busy machine again, and from there on joins up."""
    monkeypatch.setattr(listener, "SEND_BUFFER", 1)
    monkeypatch.setattr(listener, "HOUSEKEEPING_S", 0.02)
    monkeypatch.setattr(room, "MOST_WAITING", Bound(1_000, 0.5))
    async with (
        dealing(store.url, [turbo("standard")]),
        gateway_on(store.url) as running,
        silent_watchers(running.port, 1, ["standard"]) as [quick],
        silent_watchers(running.port, 20, ["standard"], receive_buffer=1) as slow,
    ):
        audience, truth = running.gateway.fanout, Story("standard")
        told = asyncio.create_task(tell(truth, quick.messages(), lambda: False))
        await until(lambda: audience.lagging == 20)
        behind = truth.view.seq
        await until(lambda: truth.view.seq > behind + 10)
        stories = [Story("standard") for _ in slow]
        await asyncio.gather(
            *(
                tell(story, reader.messages(), lambda story=story: _goes_on(story))
                for story, reader in zip(stories, slow, strict=True)
            )
        )
        await until(lambda: all(story.view.seq in truth.views for story in stories))
        told.cancel()
        for story in stories:
            assert story.snapshots[1] - 1 not in story.views
            assert story.view == truth.views[story.view.seq]
        assert len(truth.snapshots) == 1
        assert audience.moved_to_present >= 20


def _goes_on(story: Story) -> bool:
    """Whether ten events have followed the present to which a reader was moved."""
    return len(story.snapshots) > 1 and story.view.seq >= story.snapshots[-1] + 10


SLOW = 500
RETURNING = 10
QUICK = 10
FALLING_BEHIND_S = 40
"""Three tables at turbo pace are 85 events a second; a reader falls behind with about 300 kB before it."""

MOST_GROWTH_KB = 64 * 1024


@pytest.mark.long
async def test_500_readers_that_stop_reading_cost_little_and_nobody_else_notices(tmp_path):
    """H2: with the kernel's usual buffers; seen in the worker's resident memory and in push latencies.

    These are compared with what they are beside as many at each table who read.
    """
    async with serving(tmp_path / "data", "--pace", "turbo", tables=TABLES) as server:
        port = server.port
        async with (
            silent_watchers(port, QUICK, TABLES) as quick,
            bare(server.url.replace("http", "ws") + "/ws") as lobby,
        ):
            truth, latencies = Story("standard"), []
            reading = [
                asyncio.create_task(_follow(reader.messages(), truth if not index else None, latencies))
                for index, reader in enumerate(quick)
            ]
            quiet = await _p99_of(latencies, 15)
            async with AsyncExitStack() as stack:
                for table in TABLES:
                    await stack.enter_async_context(joining(port, SLOW, table, SLOW))
                beside = await _p99_of(latencies, 15)
            await until(lambda: server.connections == QUICK + 1)
            before_kb = resident_kb(server.worker_id)
            async with silent_watchers(port, SLOW, TABLES) as slow:
                began = time.monotonic()
                filling = await _p99_of(latencies, FALLING_BEHIND_S / 2)
                for reader in slow:
                    await reader.send(PONG)  # as if asked: who is taken for dead is ended for that alone
                stopped = await _p99_of(latencies, FALLING_BEHIND_S / 2)
                stories = [Story("standard") for _ in range(RETURNING)]
                await asyncio.gather(
                    *(
                        tell(story, reader.messages(), lambda story=story: _goes_on(story))
                        for story, reader in zip(stories, slow[:RETURNING], strict=True)
                    )
                )
                back = [
                    asyncio.create_task(_follow(reader.messages(), None, [])) for reader in slow[:RETURNING]
                ]
                grown_kb = resident_kb(server.worker_id) - before_kb
                while await _watchers(lobby) > QUICK + RETURNING:
                    assert time.monotonic() - began < 120
                    grown_kb = max(grown_kb, resident_kb(server.worker_id) - before_kb)
                    await asyncio.sleep(0.5)
                all_cut_s = time.monotonic() - began
                later = await _p99_of(latencies, 15)
                logger.info(
                    "push p99 %.1f ms alone, %.1f ms beside %d that read, %.1f ms while the buffers of as"
                    " many others filled, %.1f ms from then on, %.1f ms after; memory grew by %d kB; the last"
                    " was cut after %.0f s",
                    *(quiet, beside, SLOW, filling, stopped, later, grown_kb, all_cut_s),
                )
                assert grown_kb < MOST_GROWTH_KB
                assert max(filling, stopped) < max(2 * beside, beside + 20)
                for story in stories:
                    assert story.view == truth.views[story.view.seq]
                assert len(truth.snapshots) == 1
                for task in [*reading, *back]:
                    task.cancel()


async def _follow(messages, story: Story | None, latencies: list[float]) -> None:
    """Reads on, and keeps how late each event came by this machine's clock, which is the store's too."""
    async for message in messages:
        at_ms = getattr(message, "at_ms", None)
        if at_ms is not None:
            latencies.append(time.time() * 1000 - at_ms)
        if story is not None:
            story.tell(message)


async def _p99_of(latencies: list[float], seconds: float) -> float:
    """The 99th percentile of what comes in so many seconds, in ms."""
    latencies.clear()
    await asyncio.sleep(seconds)
    taken = sorted(latencies)
    assert len(taken) > 1_000
    return taken[len(taken) * 99 // 100]


async def _watchers(lobby) -> int:
    """How many watch the table, as the server counts them."""
    answer = await lobby.ask(type="lobby")
    return next(row["spectators"] for row in answer["tables"] if row["table"] == "standard")
