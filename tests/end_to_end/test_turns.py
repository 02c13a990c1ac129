"""How long one turn of the event loop takes in a process that deals and serves."""

import asyncio
import itertools
import logging
import time

import pytest
from msgspec.structs import replace

from croupier_client.connection import connect
from croupier_protocol.messages.events import RoundSettled
from croupier_server.table.pace import Pace
from support.gateways import gateway_on
from support.playing import played
from support.silent import silent_watchers
from support.stores import turbo

logger = logging.getLogger(__name__)

RUSH = Pace("rush", shuffling_ms=1, betting_ms=10, closing_ms=1, card_ms=1, result_ms=1)
MOST_S = 0.05
"""A turn may take so much of the processor: a sixth of what would be missed by somebody's keepalive."""


ROUNDS = 500


@pytest.mark.long
async def test_no_turn_of_the_loop_takes_long_through_whole_shoes(store, monkeypatch):
    """H9: shuffles, commitments, settlements and joins; by the processor's time, whatever else it does."""
    run, turns, longest = asyncio.Handle._run, itertools.count(), (0.0, "")

    def timed(handle):
        nonlocal longest
        next(turns)
        began = time.thread_time()
        run(handle)
        if (took_s := time.thread_time() - began) > longest[0]:
            longest = (took_s, repr(handle))

    monkeypatch.setattr(asyncio.Handle, "_run", timed)
    async with (
        played(store.url, replace(turbo("standard"), pace=RUSH)),
        gateway_on(store.url) as running,
        silent_watchers(running.port, 100, ["standard"]),
        connect(running.url) as client,
    ):
        settled = 0
        async for message in client.watch("standard"):
            settled += isinstance(message, RoundSettled)
            if settled == ROUNDS:
                break
    monkeypatch.undo()
    count = next(turns)
    logger.info("%d turns, %.1f ms at most: %s", count, 1000 * longest[0], longest[1])
    assert count > 1_000
    assert longest[0] < MOST_S, longest[1]
