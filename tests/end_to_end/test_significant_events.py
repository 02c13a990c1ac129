"""The log of a real server in JSON, and each kind of significant event caused there."""

import asyncio
import json
import os
import signal
import sys

import pytest

from support.playing import connected, sit_down
from support.serving import serving, until
from support.standstill import stopped
from support.tokens import SECRET

pytestmark = pytest.mark.long

CONFIG = """
[log]
format = "json"
large_win = 1
[identity]
keys = [{{file = "{folder}/login.key"}}]
[guests]
enabled = true
[[tables]]
name = "standard"
pace = "turbo"
limits = {{main_most = {most}}}
"""


async def test_each_kind_is_in_the_stream_and_in_the_log_whose_every_line_is_an_object(tmp_path):
    (tmp_path / "login.key").write_bytes(SECRET)
    config, log = tmp_path / "croupier.toml", tmp_path / "log"
    config.write_text(CONFIG.format(folder=tmp_path, most=200))
    here = ("--data", str(tmp_path / "data"))

    async def croupier(*arguments: str) -> str:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier_client.cli", *arguments, *here),
            stdout=asyncio.subprocess.PIPE,
        )
        output, _ = await process.communicate()
        assert process.returncode == 0, arguments
        return output.decode()

    with log.open("wb") as errors:
        options = ("--config", str(config), "--workers", "2")
        async with serving(tmp_path / "data", *options, stderr=errors) as server:
            url = f"ws://127.0.0.1:{server.port}/ws"
            async with connected(url) as player:
                refused = await player.ask(type="hello", token="no.good.token")
                assert refused["code"] == "bad_token"
            async with connected(url) as player:
                await sit_down(player)
                await bet_until_it_wins(player)
                await croupier("wallet", "credit", player.id, "5", "--reason", "goodwill")
                await croupier("wallet", "debit", player.id, "2", "--reason", "a mistake")
                await croupier("players", "limits", player.id, "--day-stake", "200", "--reason", "by letter")
                await croupier("players", "revoke", "ana")
            for _ in range(50):
                try:
                    await croupier("tables", "void", "standard", "--reason", "a misdeal")
                    break
                except AssertionError:
                    continue  # its round was over
            config.write_text(CONFIG.format(folder=tmp_path, most=300))
            server.process.send_signal(signal.SIGHUP)
            await until(lambda: b"settings_changed" in log.read_bytes())
            with stopped(server.store_id):
                await until(lambda: b"the store is away" in log.read_bytes(), 30)
            os.kill(server.worker_id, signal.SIGKILL)
            await until(lambda: b"ended by itself" in log.read_bytes(), 30)
            await until(lambda: len(server.worker_ids) == 2, 30)
            stream = [json.loads(line) for line in (await croupier("significant", "--json")).splitlines()]
    lines = [json.loads(line) for line in log.read_bytes().splitlines()]
    assert all({"at", "level", "process", "pid", "logger", "message"} <= line.keys() for line in lines)
    assert {line["process"] for line in lines} == {"serve", "worker"}
    assert "__main__" not in {line["logger"] for line in lines}
    logged = [line for line in lines if line["message"].startswith("significant: ")]
    told = [{**json.loads(line["message"].removeprefix("significant: "))} for line in logged]
    for event in stream:
        del event["at_ms"]
    by_command = {"adjusted", "ordered", "revoked", "limited"}  # whose own log is on their terminal
    assert [one for one in stream if one["kind"] not in by_command] == told
    kinds = {"login_failed", "large_win", "round_void", "settings_changed", *by_command}
    assert {event["kind"] for event in stream} == kinds
    for line, event in zip(logged, told, strict=True):
        if event["kind"] in {"large_win", "round_void"}:
            assert (line["table"], line["round"]) == (event["table"], event["round"])
    adjusted = [(event["amount"], event["reason"]) for event in stream if event["kind"] == "adjusted"]
    assert adjusted == [(500, "goodwill"), (-200, "a mistake")]


async def bet_until_it_wins(player) -> None:
    """At least the amount that is large here."""
    last = 0
    while not any(one["returned"] > 500 for one in player.payouts.values()):
        last = (await player.next_window(last))["round"]
        slip = {"type": "slip", "table": "standard", "round": last, "rev": player.me[1]}
        await player.ask(**slip, op=f"slip-{last:08}", bets={"player": 500})
