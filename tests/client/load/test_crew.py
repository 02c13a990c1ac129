"""One test in several processes and on several machines, against a server of its own."""

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier_client.load.command import load
from croupier_client.load.scenario import Scenario
from support.gateways import gateway_on
from support.players import LIVELY
from support.playing import played
from support.stores import turbo

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _strategies(monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


@pytest.fixture
async def table(store):
    """The address of a gateway with two tables that are dealt for real."""
    settings = [replace(turbo(name, name), pace=LIVELY) for name in ("standard", "vegas")]
    async with played(store.url, *settings), gateway_on(store.url) as gateway:
        yield gateway.url


@pytest.mark.long
async def test_a_machine_that_joins_makes_one_report_with_the_one_that_leads(table, croupier):
    """Each has its half, and they begin together."""
    said = []
    leading = await croupier(
        *("load", table, "--spectators", "8", "--players", "4", "--duration", "8", "--ramp", "0"),
        *("--listen", "127.0.0.1:0", "--json=-"),
    )
    async with asyncio.timeout(20):
        while not said or "waiting for machines" not in said[-1]:
            said.append((await leading.process.stderr.readline()).decode())
            assert said[-1], said
    meet = said[-1].split()[-1]
    joining = await croupier("load", "--join", meet)
    out, _, status = await leading.end()
    report = json.loads(out)
    assert (status, report["reasons"]) == (0, [])
    assert (report["processes"], report["tables"]) == (2, 2)
    assert {name: report["counts"][name] for name in ("joined", "seated")} == {"joined": 8, "seated": 4}
    assert report["counts"]["payouts"] >= 4
    assert report["hold"]["seconds"] <= 8
    assert 0 < report["measures"]["hold_push"]["count"] <= report["measures"]["push"]["count"]
    assert max(second["watching"] for second in report["seconds"]) == 8
    assert (await joining.end())[2] == 0


@pytest.mark.long
async def test_a_process_that_is_killed_fails_the_test_and_says_which(table, croupier):
    leading = await croupier("load", table, "--spectators", "4", "--duration", "60", "--processes", "2")
    here = Path(f"/proc/{leading.process.pid}/task/{leading.process.pid}/children")
    async with asyncio.timeout(20):
        while not (await leading.process.stderr.readline()).strip():
            pass
    os.kill(int(here.read_text().split()[0]), signal.SIGKILL)
    _, err, status = await leading.end()
    assert status == 1
    assert "process 1 has gone" in err


async def test_a_rush_of_slips_in_the_last_moment_is_acknowledged_and_none_is_taken_late(table, capsys):
    options = {"spectators": 0, "players": 4, "duration": 4.0, "ramp": 0.0, "json": Path("-")}
    assert await load(table, scenario=Scenario.BET_RUSH, **options) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["counts"]["slips"] >= 4
    assert report["counts"]["late_accepted"] == 0
    assert report["measures"]["ack"]["count"] == report["counts"]["slips"]


async def test_players_with_tokens_are_the_same_guests_in_the_next_test(table, pit, tmp_path, capsys):
    """The first run makes the file; the second knows its guests again, and writes their new tokens."""
    path = tmp_path / "tokens"
    options = {"spectators": 0, "players": 2, "duration": 3.0, "ramp": 0.0, "tokens": path}
    assert await load(table, **options) == 0
    first = path.read_text().splitlines()
    assert await load(table, **options) == 0
    second = path.read_text().splitlines()
    assert len(second) == 2
    assert not set(first) & set(second)
    assert [token.partition(".")[0] for token in second] == [token.partition(".")[0] for token in first]
    assert await pit.client.zcard("croupier:guests") == 2
    assert path.stat().st_mode & 0o077 == 0


async def test_a_strategy_of_ones_own_is_given_a_seat(table, capsys):
    options = {"spectators": 0, "players": 2, "duration": 4.0, "ramp": 0.0, "json": Path("-")}
    assert await load(table, player="strategies:one_chip_on_tie", **options) == 0
    counts = json.loads(capsys.readouterr().out)["counts"]
    assert counts["slips"] >= 2
    assert counts["payouts"] == counts["slips"]


async def test_a_strategy_that_throws_fails_the_run_and_is_told(table, capsys):
    options = {"spectators": 0, "players": 1, "duration": 3.0, "ramp": 0.0}
    assert await load(table, player="strategies:broken", **options) == 1
    out = capsys.readouterr().out
    assert "players' strategies ended with an error (strategy_failed: 1)" in out
    assert "LookupError: no idea what to do at standard" in out
