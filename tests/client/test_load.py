"""The load tester: what a spectator makes of a stream, and whole runs against a scripted server."""

import asyncio
import errno
import json
import subprocess
import sys

import pytest

from croupier_client.address import parse_address
from croupier_client.errors import LinkLostError
from croupier_client.load.command import load
from croupier_client.load.histogram import Histogram
from croupier_client.load.run import run
from croupier_client.load.spectator import Header, Spectator
from croupier_client.load.tally import Tally, local_errno
from croupier_client.timing import Timing
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import TableId
from legal_rounds import Dealer


def header(kind: str, seq: int, epoch: str = "e1", at_ms: int = 0) -> Header:
    return Header(type=kind, epoch=epoch, seq=seq, at_ms=at_ms)


@pytest.fixture
def tally() -> Tally:
    return Tally()


@pytest.fixture
def spectator(tally) -> Spectator:
    """One that has a snapshot at seq 5."""
    address = parse_address("localhost:1")
    found = Spectator(address, TableId("standard"), tally, Timing(), lambda: 0.0)
    found.take(header("watching", 5), 1_000.0)
    found.take(header("snapshot", 5), 1_000.0)
    return found


def see(spectator: Spectator, *seqs: int, epoch: str = "e1") -> None:
    for seq in seqs:
        spectator.take(header("card", seq, epoch, at_ms=1_000), 1_012.0)


@pytest.mark.parametrize(
    ("seqs", "gaps_duplicates_disorder"),
    [
        ([6, 7, 8], (0, 0, 0)),
        ([6, 8, 9], (1, 0, 0)),
        ([6, 6, 7], (0, 1, 0)),
        ([6, 7, 6, 8], (0, 0, 1)),
        ([5, 6], (0, 1, 0)),
        ([7, 6], (1, 0, 1)),
    ],
)
def test_every_kind_of_fault_is_told_apart(spectator, tally, seqs, gaps_duplicates_disorder):
    see(spectator, *seqs)
    assert (tally.gaps, tally.duplicates, tally.disorder) == gaps_duplicates_disorder
    assert tally.events == len(seqs)


def test_another_epoch_without_a_snapshot_is_a_fault(spectator, tally):
    see(spectator, 6, epoch="e2")
    assert tally.disorder == 1


def test_a_snapshot_with_another_epoch_is_none(spectator, tally):
    spectator.take(header("snapshot", 1, epoch="e2"), 0.0)
    see(spectator, 2, 3, epoch="e2")
    assert (tally.faults, tally.later_snapshots) == (0, 1)


def test_a_snapshot_that_goes_back_is_a_fault(spectator, tally):
    see(spectator, 6, 7)
    spectator.take(header("snapshot", 6), 0.0)
    assert tally.disorder == 1


def test_what_was_missed_during_a_cut_has_no_latency(spectator, tally):
    spectator.take(header("watching", 8), 0.0)
    see(spectator, 6, 7, 8)
    assert tally.latency.count == 0
    see(spectator, 9)
    assert tally.latency.percentile(50) == pytest.approx(12.0, rel=0.01)


def test_percentiles_are_right_to_one_percent():
    histogram = Histogram()
    for tenth_ms in range(1, 10_001):
        histogram.add(tenth_ms / 10)
    for percent, expected in ((50, 500.0), (90, 900.0), (99, 990.0), (100, 1000.0)):
        assert histogram.percentile(percent) == pytest.approx(expected, rel=0.011)
    assert Histogram().percentile(99) == 0.0


@pytest.mark.parametrize("number", [errno.EADDRNOTAVAIL, errno.EMFILE])
def test_n5_what_this_machine_lacks_is_not_the_servers_failure(tally, number):
    """N5: used-up ports and file descriptors are counted apart, also behind a host of two addresses."""
    for cause in (
        OSError(number, "no"),
        OSError(f"Multiple exceptions: [Errno {number}] no, [Errno 111] no"),
    ):
        error = LinkLostError("no")
        error.__cause__ = cause
        assert local_errno(error) == number
        tally.failed(error)
    refused = LinkLostError("refused")
    refused.__cause__ = ConnectionRefusedError(errno.ECONNREFUSED, "refused")
    tally.failed(refused)
    assert tally.local_errors == {errno.errorcode[number]: 2}
    assert tally.errors == {"refused": 1}


async def dealing(server) -> None:
    """Deals on all tables without end."""
    while True:
        for name, dealer in server.tables.items():
            for event in dealer.steps():
                await server.push(event, table=name)
                await asyncio.sleep(0.001)


async def test_a_run_spreads_spectators_over_all_tables(server):
    server.tables = {name: Dealer(name) for name in ("a", "b", "c")}
    dealer = asyncio.create_task(dealing(server))
    tally, error_ms = await run(
        server.url, spectators=12, duration_s=0.3, ramp_s=0.1, progress=lambda _tally: None
    )
    dealer.cancel()
    assert (tally.ever_watching, tally.watching, tally.cuts) == (12, 12, 0)
    assert {name: len(server.watches(name)) for name in "abc"} == {"a": 4, "b": 4, "c": 4}
    assert tally.events >= 12
    assert tally.faults == 0
    assert tally.passed
    assert error_ms < 1_000


async def test_a_spectator_that_is_cut_resumes(server, until):
    dealer = asyncio.create_task(dealing(server))
    running = asyncio.create_task(
        run(server.url, spectators=3, duration_s=1.5, ramp_s=0.0, progress=lambda _tally: None)
    )
    await until(lambda: len(server.watches()) == 3)
    server.cut()
    await until(lambda: len(server.watches()) >= 6)
    tally, _ = await running
    dealer.cancel()
    assert (tally.ever_watching, tally.watching) == (3, 3)
    assert tally.cuts >= 3
    assert tally.faults == 0
    assert tally.later_snapshots == 0


async def test_since_ahead_is_believed_in_the_end(server, until, tally):
    timing = Timing(uniform=lambda low, _high: low)
    spectator = Spectator(parse_address(server.url), TableId("standard"), tally, timing, lambda: 0.0)
    running = asyncio.create_task(spectator.run())
    await until(lambda: tally.snapshots == 1)
    server.watch_errors.extend([ErrorCode.SINCE_AHEAD] * 3)
    server.cut()
    await until(lambda: tally.snapshots == 2)
    running.cancel()
    assert [watch.since is None for watch in server.watches()] == [True, False, False, False, True]


async def test_a_fault_makes_the_status_1(server, until, capsys):
    command = asyncio.create_task(load(server.url, spectators=2, duration=0.5, ramp=0.0, json=True))
    await until(lambda: len(server.watches()) == 2)
    events = server.tables["standard"].deal(1)
    await server.push(*events[:3], events[2], *events[3:])
    assert await command == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["passed"], found["duplicates"], found["gaps"], found["disorder"]) == (False, 2, 0, 0)


async def test_a_clean_run_is_status_0_and_tells_its_figures(server, until, capsys):
    command = asyncio.create_task(load(server.url, spectators=2, duration=1.2, ramp=0.0))
    await until(lambda: len(server.watches()) == 2)
    events = await server.deal(1)
    assert await command == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "2 of 2 spectators watched; 2 at the end"
    assert f"{2 * len(events)} events, 2 snapshots" in out
    assert out.splitlines()[-1] == "passed"
    assert "2 of 2 watching" in err


def in_a_process_with_few_files(code: str) -> str:
    """What `code` prints in a process that may open 256 files, and 512 if it asks."""
    limited = f"import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (256, 512))\n{code}"
    return subprocess.run([sys.executable, "-c", limited], capture_output=True, text=True, check=True).stdout


def test_n4_the_limit_of_open_files_is_raised():
    """N4: the soft limit, 1024 on many systems, becomes the hard one."""
    out = in_a_process_with_few_files(
        "from croupier_client.load.files import raise_file_limit\n"
        "print(raise_file_limit(), resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    assert out == "512 (512, 512)\n"


async def test_n4_a_limit_that_is_too_low_is_told(server, capsys, monkeypatch):
    """N4: what cannot be raised enough is said before the start."""
    monkeypatch.setattr("croupier_client.load.command.raise_file_limit", lambda: 65)
    assert await load(server.url, spectators=2, duration=1.0, ramp=0.0) == 0
    assert "may open only 65 files" in capsys.readouterr().err


async def test_n6_the_tester_neither_uses_a_proxy_nor_compresses(server, until, monkeypatch):
    """N6: a proxy of the environment leads nowhere, and no extension is agreed on."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    running = asyncio.create_task(load(server.url, spectators=2, duration=0.2, ramp=0.0))
    await until(lambda: len(server.watches()) == 2)
    assert all(not session.socket.protocol.extensions for session in server.sessions)
    assert await running == 0
