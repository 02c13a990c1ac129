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

PARTS = 5

MOST_GROWN_KB = 12_000
"""Between the third part and the last. What connections leave behind is collected when a thousand have
ended, so the most that a worker has held comes late on a busy machine; from then on it has stayed the same
to a megabyte. 100 bytes lost with each frame would be 40."""


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
            came, sizes_kb = [], []
            for part in range(PARTS):
                came += [
                    await fuzz(server.port, "frames", frames // PARTS, seed=3 * part),
                    await fuzz(server.port, "requests", requests // (2 * PARTS), seed=3 * part + 1),
                    await fuzz(admin, "requests", requests // (2 * PARTS), seed=3 * part + 2),
                ]
                sizes_kb.append(resident_kb(worker))
                logger.info("%s; the worker has %d kB", came[-3:], sizes_kb[-1])
            assert sum(one.sent for one in came) == frames + requests
            assert all(one.answered > one.sent // 20 for one in came), came
            assert sizes_kb[-1] - sizes_kb[2] < MOST_GROWN_KB, sizes_kb
            assert server.worker_id == worker
            async with connect(server.url) as client:
                async for message in client.watch("standard"):
                    if isinstance(message, RoundResult):
                        break
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {line["process"] for line in lines} == {"serve", "worker"}
    assert not [line for line in lines if "error" in line or line["level"] == "error"]
