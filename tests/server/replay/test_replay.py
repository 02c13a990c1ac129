"""A recording served over the normal wire, by the real command in a process of its own."""

import asyncio
import json
import signal
import sys
from contextlib import asynccontextmanager
from fractions import Fraction
from pathlib import Path

import pytest

from croupier_server.replay.recording import Retimed
from croupier_server.replay.transcript import read_transcript
from support.frames import in_json
from support.gateways import bare

FOLDER = Path(__file__).parents[2] / "transcripts"


@asynccontextmanager
async def replaying(name, *options):
    """A running `croupier replay`; yields its address."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", "replay", str(FOLDER / f"{name}.jsonl")),
        *("--port", "0", *options),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(30):
            line = await process.stdout.readline()
        ready = json.loads(line)
        assert ready["ready"] is True
        yield ready["url"].replace("http", "ws") + "/ws"
    finally:
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(30):
            assert await process.wait() == 0


def recorded(name):
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def untimed(message):
    return {key: value for key, value in message.items() if not key.endswith("_ms")}


@pytest.mark.parametrize("subprotocol", ["croupier.v1.json", "croupier.v1.msgpack"])
@pytest.mark.parametrize("name", ["new-epoch", "void"])
async def test_a_watcher_gets_what_was_recorded(name, subprotocol):
    expected = recorded(name)
    async with replaying(name, "--speed", "200") as url, bare(url, subprotocol) as client:
        assert (await client.ask(type="watch", table="standard"))["resumed"] is False
        told = [await client.receive() for _ in expected]
    assert [untimed(in_json(message)) for message in told] == [untimed(message) for message in expected]


async def test_times_are_those_of_the_present_at_the_chosen_speed():
    async with replaying("shoe-change", "--speed", "50") as url, bare(url) as client:
        before = (await client.ask(type="ping"))["server_ms"]
        await client.ask(type="watch", table="standard")
        await client.receive()
        events = [await client.receive() for _ in range(8)]
        after = (await client.ask(type="ping"))["server_ms"]
    times = [event["at_ms"] for event in events]
    assert before <= times[0] <= times[-1] <= after
    expected = [line["at_ms"] for line in recorded("shoe-change")[1:9]]
    for time, original in zip(times, expected, strict=True):
        assert time - times[0] == pytest.approx((original - expected[0]) / 50, abs=1)


async def test_one_who_comes_later_gets_the_present_and_one_who_returns_resumes():
    expected = recorded("tie-with-both-pairs")
    last = expected[-1]["seq"]
    async with replaying("tie-with-both-pairs", "--speed", "500") as url:
        async with bare(url) as first:
            await first.send(type="watch", table="standard")
            while (await first.receive()).get("seq") != last:
                pass
        async with bare(url) as later:
            await later.ask(type="watch", table="standard")
            snapshot = await later.receive()
            assert (snapshot["type"], snapshot["seq"]) == ("snapshot", last)
        async with bare(url) as returning:
            since = {"epoch": "first", "seq": last - 5}
            assert (await returning.ask(type="watch", table="standard", since=since))["resumed"] is True
            told = [await returning.receive() for _ in range(5)]
            assert [untimed(one) for one in told] == [untimed(one) for one in expected[-5:]]
            ahead = {"epoch": "first", "seq": last + 1}
            again = await returning.ask(type="watch", table="standard", since=ahead)
            assert again["code"] == "since_ahead"


async def test_lobby_rules_and_history_answer():
    async with replaying("cut-card") as url, bare(url) as client:
        lobby = await client.ask(type="lobby")
        assert [(row["table"], row["pace"]) for row in lobby["tables"]] == [("standard", "replay")]
        assert (await client.ask(type="rules", table="standard", language="fr"))["title"]
        assert (await client.ask(type="history", table="standard"))["rounds"] == []


@pytest.mark.parametrize("options", [("nothing.jsonl",), ("nothing.jsonl", "--speed", "0")])
async def test_what_cannot_be_replayed_is_status_2_without_a_traceback(options):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", "replay", *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert (out, process.returncode) == (b"", 2)
    assert err
    assert b"Traceback" not in err


def test_every_time_in_a_message_is_moved():
    moments = read_transcript(FOLDER / "void.jsonl")
    clock = Retimed(moments[1].at_ms, 5_000, Fraction(2))
    window = clock.message(moments[1].message)
    length = moments[1].message.closes_at_ms - moments[1].message.at_ms
    assert (window.at_ms, window.closes_at_ms) == (5_000, 5_000 + length // 2)
