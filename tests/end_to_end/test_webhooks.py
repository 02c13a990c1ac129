"""Webhooks of a running `croupier serve` whose processes are killed while its receiver fails."""

import asyncio
import os
import signal

import aiohttp
import pytest

from support.operator_api import KEY, Caller
from support.receivers import SECRET_TEXT, receiving, verify
from support.serving import start_serving, until

pytestmark = pytest.mark.long

CONFIG = """
[api]
key_files = ["{folder}/api.keys"]

[webhooks]
urls = ["{url}"]
secret_file = "{folder}/webhooks.secret"

[[tables]]
name = "standard"
pace = "turbo"
"""


async def test_no_round_is_lost_and_doubles_have_one_id_whoever_is_killed(tmp_path):
    (tmp_path / "api.keys").write_text(KEY)
    (tmp_path / "webhooks.secret").write_text(SECRET_TEXT)
    data, config = tmp_path / "data", tmp_path / "croupier.toml"
    async with receiving() as [receiver], aiohttp.ClientSession() as session:
        config.write_text(CONFIG.format(folder=tmp_path, url=receiver.url))
        server = await start_serving(data, "--config", str(config))
        try:
            await until(lambda: len(receiver.taken) >= 2, 60)
            receiver.answers = [500, "cut", "hang", 503]
            os.kill(server.worker_id, signal.SIGKILL)
            await until(lambda: len(receiver.taken) >= 4, 120)
            await receiver.die()
            round_ = receiver.taken[-1]["round"]
            operator = Caller(session, server.admin, None)
            async with asyncio.timeout(120):
                while (await operator.call("tables.list"))[1]["tables"][0]["round"] < round_ + 3:
                    await asyncio.sleep(0.1)
            server.process.kill()
            await server.process.wait()
            server = await start_serving(data, "--config", str(config))
            await receiver.start()
            await until(lambda: len(receiver.taken) >= 9, 120)
            operator = Caller(session, server.admin, None)
            _, answer = await operator.call("tables.rounds", table="standard", limit=100)
        finally:
            await server.stop()
    assert all(verify(headers, body) for _, headers, body in receiver.attempts)
    told = {one["id"]: one for one in receiver.taken}
    assert {one["type"] for one in told.values()} == {"round_settled"}
    first = min(one["round"] for one in told.values())
    assert sorted(one["round"] for one in told.values()) == list(range(first, first + len(told)))
    outcomes = {one["round"]: one["outcome"] for one in answer["rounds"]}
    for one in told.values():
        assert one["outcome"] == outcomes.get(one["round"], one["outcome"])
    doubles = [one["id"] for one in receiver.taken]
    print(f"{len(told)} rounds, {len(doubles) - len(told)} doubles, {len(receiver.attempts)} attempts")  # noqa: T201
