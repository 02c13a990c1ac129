"""What nobody meant to send: mutated commands in both codecs, and mutated requests at both doors."""

import json
import logging

import pytest

from croupier_client.connection import connect
from croupier_protocol.messages.events import RoundResult
from support.fuzzing import fuzz
from support.resident import resident_kb
from support.serving import serving

logger = logging.getLogger(__name__)

MOST_GROWN_KB = 12_000
"""A worker's arenas move by some megabytes; a hundred bytes lost with each frame would be a hundred."""


@pytest.mark.parametrize(
    ("frames", "requests"),
    [
        pytest.param(1_000, 200, marks=pytest.mark.slow),
        pytest.param(1_000_000, 200_000, marks=pytest.mark.long),
    ],
)
async def test_mutated_frames_and_requests_leave_the_server_as_it_was(tmp_path, frames, requests):
    log = tmp_path / "log"
    with log.open("wb") as stderr:
        in_json = {"CROUPIER_LOG_FORMAT": "json"}
        options = ("--pace", "turbo")
        async with serving(tmp_path / "data", *options, stderr=stderr, environment=in_json) as server:
            worker, admin = server.worker_id, int(server.admin.rpartition(":")[2])
            await fuzz(server.port, "frames", frames // 5, seed=1)
            await fuzz(server.port, "requests", requests // 5, seed=1)
            before_kb = resident_kb(worker)
            came = [
                await fuzz(server.port, "frames", frames - frames // 5, seed=2),
                await fuzz(server.port, "requests", requests // 2, seed=2),
                await fuzz(admin, "requests", requests - requests // 5 - requests // 2, seed=3),
            ]
            grown_kb = resident_kb(worker) - before_kb
            logger.info("%s; %d kB before, %d kB more after", came, before_kb, grown_kb)
            assert sum(one.sent for one in came) == frames - frames // 5 + requests - requests // 5
            assert all(one.answered > one.sent // 20 for one in came), came
            assert grown_kb < MOST_GROWN_KB
            assert server.worker_id == worker
            async with connect(server.url) as client:
                async for message in client.watch("standard"):
                    if isinstance(message, RoundResult):
                        break
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {line["process"] for line in lines} == {"serve", "worker"}
    assert not [line for line in lines if "error" in line or line["level"] == "error"]
