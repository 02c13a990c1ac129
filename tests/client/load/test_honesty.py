"""The tester sees what it is there to see: real tables, real sockets, and something between that cheats."""

import asyncio
import contextlib
import json
import os
import signal
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier_client.load.command import load
from support import meddling
from support.gateways import gateway_on
from support.meddling import honest
from support.players import LIVELY
from support.playing import played
from support.serving import serving
from support.stores import turbo


@contextlib.asynccontextmanager
async def cheating(store, meddler):
    """A table that is dealt for real, behind a proxy that cheats."""
    async with (
        played(store.url, replace(turbo("standard"), pace=LIVELY)),
        gateway_on(store.url) as gateway,
        meddling.meddling(gateway.url, meddler) as url,
    ):
        yield url


async def run(capsys, url: str, **options) -> tuple[int, dict]:
    """The status and the report of a run."""
    status = await load(url, **{"ramp": 0.0, "duration": 5.0, "json": Path("-"), **options})
    return status, json.loads(capsys.readouterr().out)


def faults(report: dict) -> dict[str, int]:
    names = (
        *("gaps", "duplicates", "disorder", "late_accepted"),
        *("wrong_payouts", "wrong_bankrolls", "unpaid", "strategy_failed"),
    )
    return {name: report["counts"][name] for name in names if report["counts"][name]}


@pytest.mark.slow
async def test_a_table_that_is_dealt_honestly_passes_with_every_payout_recomputed(store, capsys):
    async with cheating(store, lambda: honest) as url:
        status, report = await run(capsys, url, spectators=2, players=3)
    assert (status, report["reasons"], faults(report)) == (0, [], {})
    assert report["counts"]["payouts"] >= 3
    assert report["counts"]["unchecked_payouts"] == 0
    assert report["measures"]["ack"]["count"] >= 3
    assert report["audit"]["made"] is False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("meddler", "found"),
    [
        (meddling.drop, {"gaps": 3}),
        (meddling.double, {"duplicates": 3}),
        (meddling.reorder, {"gaps": 3, "disorder": 3}),
    ],
    ids=["dropped", "doubled", "reordered"],
)
async def test_an_event_that_is_meddled_with_is_seen_by_everyone_and_fails_the_run(
    store, capsys, meddler, found
):
    """Two spectators and a player: for each, one event is dropped, doubled or swapped with the next."""
    async with cheating(store, meddler) as url:
        status, report = await run(capsys, url, spectators=2, players=1)
    assert (status, faults(report)) == (1, found)
    assert len(report["reasons"]) == len(found)


@pytest.mark.slow
async def test_payouts_that_are_a_cent_short_fail_the_run(store, capsys):
    async with cheating(store, meddling.a_cent_less) as url:
        status, report = await run(capsys, url, spectators=0, players=4)
    assert status == 1
    assert faults(report).get("wrong_payouts", 0) >= 1
    assert "payouts are not what the table's rules make of the cards" in report["reasons"][0]
    assert "cents; by the rules" in report["examples"]["wrong_payouts"]


async def frozen(capsys, tmp_path, *, run_s: float, frozen_s: float) -> dict:
    """The report of a run of `run_s`, in the middle of which the only worker is frozen."""
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        running = asyncio.create_task(run(capsys, server.url, spectators=3, duration=run_s))
        await asyncio.sleep(run_s / 2)  # that much of the run is the run
        os.kill(server.worker_id, signal.SIGSTOP)
        try:
            await asyncio.sleep(frozen_s)  # this is the freeze
        finally:
            os.kill(server.worker_id, signal.SIGCONT)
        status, report = await running
    assert (status, faults(report)) == (0, {})
    return report


@pytest.mark.slow
async def test_a_server_that_was_frozen_for_a_second_is_seen_in_the_highest_and_in_p90(capsys, tmp_path):
    """A fifth of the time; without the events that never came due, one event in a hundred would tell."""
    push = (await frozen(capsys, tmp_path, run_s=4.0, frozen_s=1.0))["measures"]["push"]
    assert 900 < push["max"] < 2_000
    assert push["p90"] > 200
    assert push["p50"] < 200


@pytest.mark.long
async def test_a_server_frozen_for_two_seconds_of_twenty_is_seen_in_the_highest_and_in_p99(capsys, tmp_path):
    """A tenth of the time; without the events that never came due, one event in four hundred would tell."""
    report = await frozen(capsys, tmp_path, run_s=20.0, frozen_s=2.0)
    push, hold = report["measures"]["push"], report["measures"]["hold_push"]
    assert 1_900 < hold["max"] < 2_600
    assert hold["p99"] > 1_500
    assert 1_900 < push["max"] < 2_600
    assert push["p99"] > 1_500
    assert push["p50"] < 500
