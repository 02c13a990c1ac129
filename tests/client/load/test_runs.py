"""Whole runs of the load tester against a scripted server: its spectators, its limits, its command line."""

import asyncio
import errno
import json
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import croupier_client
from croupier_client.address import parse_address
from croupier_client.errors import LinkLostError
from croupier_client.load.book import Book
from croupier_client.load.command import load
from croupier_client.load.crew import run_here
from croupier_client.load.lean_socket import Target
from croupier_client.load.part import Assignment, Second
from croupier_client.load.scenario import Plan, Scenario
from croupier_client.load.spectator import Place, Spectator
from croupier_client.load.tally import Count, Tally, local_errno
from croupier_client.load.timetable import Arrivals
from croupier_client.load.totals import Totals
from croupier_client.timing import Timing
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_server import Sit
from croupier_protocol.messages.values import TableId
from legal_rounds import Dealer
from support.load_books import HOLDING, book_of, timetable_of
from support.tasks import beside


@pytest.fixture
def tally() -> Tally:
    return Tally()


class Seen(Totals):
    """Totals that know in which of the plan's stages anything was due."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan, parts=1)
        self.plan = plan
        self.stages: set[str] = set()

    def take(self, part: int, second: Second) -> bool:
        self.stages |= second.times.stages.keys()
        return super().take(part, second)


def plan_of(scenario: Scenario = Scenario.STEADY, **fields) -> Plan:
    """A plan of spectators who all come at once and all go at once."""
    return Plan(scenario, **{"players": 0, "ramp_s": 0.0, "leave_s": 0.0, **fields})


async def run(url: str, scenario: Scenario = Scenario.STEADY, **fields) -> Seen:
    """A whole run in this process."""
    totals = Seen(plan_of(scenario, **fields))
    await run_here(Assignment(url, "*", totals.plan), totals.take, lambda _tables: None)
    return totals


@asynccontextmanager
async def running(url: str, **fields):
    """A run in this process that goes on until the block has seen enough: what it sees, second by second."""
    totals = Seen(plan_of(duration_s=60.0, **fields))
    async with beside(run_here(Assignment(url, "*", totals.plan), totals.take, lambda _tables: None)):
        yield totals


def lone_spectator(target: Target, book: Book, timing: Timing) -> Spectator:
    """One that is no part of a test."""
    arrivals = Arrivals(timetable_of(HOLDING), 0)
    return Spectator(Place(target, book, lambda: 0.0, arrivals, timing), TableId("standard"), None)


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


@asynccontextmanager
async def loading(url: str, **options):
    """A run of the command that is ended when the block has seen enough."""
    async with beside(load(url, **{"duration": 60.0, "ramp": 0.0, **options})):
        yield


async def dealing(server) -> None:
    """Deals on all tables without end."""
    while True:
        for name, dealer in server.tables.items():
            for event in dealer.steps():
                await server.push(event, table=name)
                await asyncio.sleep(0.001)


async def test_a_run_spreads_spectators_over_all_tables(server):
    server.tables = {name: Dealer(name) for name in ("a", "b", "c")}
    async with beside(dealing(server)):
        totals = await run(server.url, spectators=12, duration_s=1.0, ramp_s=0.1)
    assert {name: len(server.watches(name)) for name in "abc"} == {"a": 4, "b": 4, "c": 4}
    assert totals.tally.count(Count.JOINED) == 12
    assert totals.tally.count(Count.CUTS) == 0
    assert totals.tally.count(Count.EVENTS) >= 12
    assert totals.tally.faults == 0
    assert totals.error_ms < 1_000


async def test_only_the_tables_that_fit_the_pattern_are_watched(server, until):
    server.tables = {name: Dealer(name) for name in ("vip-1", "vip-2", "open")}
    async with loading(server.url, spectators=4, tables="vip-*"):
        await until(lambda: sum(len(server.watches(name)) for name in server.tables) == 4)
    assert {name: len(server.watches(name)) for name in server.tables} == {"vip-1": 2, "vip-2": 2, "open": 0}


async def test_a_part_says_when_all_are_in_and_not_before_the_last_player_sits(server, until):
    """Two spectators are in, and the answer about the player's seat is held back."""
    server.held.add(Sit)
    plan = Plan(Scenario.STEADY, 2, 1, ramp_s=0.0, duration_s=60.0, leave_s=0.0)
    told: list[Second] = []
    part = run_here(Assignment(server.url, "*", plan), lambda _, second: told.append(second), lambda _: None)
    async with beside(part):
        await until(lambda: server.waiting and told and told[-1].watching == 2)
        assert [(second.ready_ms, second.stage) for second in told] == [(None, "ramp")] * len(told)
        await server.release()
        await until(lambda: told[-1].ready_ms is not None)
    assert (told[-1].watching, told[-1].playing, told[-1].stage) == (2, 1, "hold")


async def test_a_spectator_that_is_cut_resumes(server, until):
    async with beside(dealing(server)), running(server.url, spectators=3) as totals:
        await until(lambda: len(server.watches()) == 3)
        server.cut()
        tally = totals.tally
        await until(lambda: tally.count(Count.RESUMED) == 3)
    assert (tally.count(Count.JOINED), tally.count(Count.CUTS), tally.count(Count.RESUMED)) == (3, 3, 3)
    assert tally.faults == 0
    assert tally.count(Count.SNAPSHOTS) == 3


async def test_a_reconnect_storm_cuts_everybody_once_and_all_resume(server):
    async with beside(dealing(server)):
        totals = await run(server.url, Scenario.RECONNECT_STORM, spectators=6, duration_s=3.0)
    tally = totals.tally
    assert (tally.count(Count.JOINED), tally.count(Count.RESUMED), tally.count(Count.CUTS)) == (6, 6, 0)
    assert (len(server.watches()), tally.faults, tally.errors) == (12, 0, {})
    assert totals.stages >= {"quiet", "storm"}


async def test_a_join_storm_brings_nine_in_ten_at_once(server, until):
    storm = asyncio.create_task(
        run(server.url, Scenario.JOIN_STORM, spectators=20, duration_s=3.0, ramp_s=0.1)
    )
    await until(lambda: len(server.watches()) >= 2)
    assert len(server.watches()) == 2
    await until(lambda: len(server.watches()) == 20)
    assert (await storm).tally.count(Count.JOINED) == 20


async def test_slow_readers_stop_and_come_back_to_the_present(server, until):
    """One in twenty reads nothing for half of the time; what it then reads is in order, and not timed."""
    async with beside(dealing(server)):
        totals = await run(server.url, Scenario.SLOW_READERS, spectators=20, duration_s=2.0)
    assert totals.tally.faults == 0
    assert totals.tally.count(Count.JOINED) == 20
    assert totals.stages >= {"quiet", "slow", "after"}


async def test_since_ahead_is_believed_in_the_end(server, until):
    timing = Timing(uniform=lambda low, _high: low)
    book = book_of()
    target = await Target.find(parse_address(server.url))
    spectator = lone_spectator(target, book, timing)
    async with beside(spectator.run(0.0)):
        await until(lambda: book.tally.count(Count.SNAPSHOTS) == 1)
        server.watch_errors.extend([ErrorCode.SINCE_AHEAD] * 3)
        server.cut()
        await until(lambda: book.tally.count(Count.SNAPSHOTS) == 2)
    assert [watch.since is None for watch in server.watches()] == [True, False, False, False, True]


async def test_who_is_turned_away_waits_as_long_as_the_server_asks_and_comes_back(server, until):
    """The answer 503 is no failure of the server, but its time counts."""
    asked = []

    async def sleep(seconds: float) -> None:
        asked.append(seconds)
        await asyncio.sleep(0)

    book = book_of()
    target = await Target.find(parse_address(server.url))
    server.refusals.append((503, {"Retry-After": "7"}))
    timing = Timing(sleep=sleep, uniform=lambda low, _high: low)
    spectator = lone_spectator(target, book, timing)
    async with beside(spectator.run(0.0)):
        await until(lambda: book.tally.count(Count.JOINED) == 1)
    assert asked[1:] == [7.0]
    assert (book.tally.count(Count.TURNED_AWAY), book.tally.errors) == (1, {})


async def test_a_slip_that_is_accepted_after_its_window_had_closed_is_a_fault(server, until):
    """The table says that it still takes bets a minute after the time that it gave for the end of that."""
    server.tables["standard"].now_ms -= 60_000
    chairs = server.bank.chairs
    async with running(server.url, spectators=0, players=1) as totals:
        await until(lambda: [chair for chair in chairs.values() if chair.seat])
        await server.open_window()
        await until(lambda: [chair for chair in chairs.values() if chair.slip])
        await server.play_out()
        tally = totals.tally
        await until(lambda: tally.count(Count.PAYOUTS) == 1)
    assert (tally.count(Count.SLIPS), tally.count(Count.LATE_ACCEPTED), tally.faults) == (1, 1, 1)
    assert "ms after its window" in tally.examples[Count.LATE_ACCEPTED]


async def test_a_fault_makes_the_status_1(server, until, capsys):
    command = asyncio.create_task(load(server.url, spectators=2, duration=3.0, ramp=0.0, json=Path("-")))
    await until(lambda: len(server.watches()) == 2)
    events = server.tables["standard"].deal(1)
    await server.push(*events[:3], events[2], *events[3:])
    assert await command == 1
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] is False
    assert found["reasons"] == ["events came twice (duplicates: 2)"]
    assert {name: found["counts"][name] for name in ("duplicates", "gaps", "disorder")} == {
        "duplicates": 2,
        "gaps": 0,
        "disorder": 0,
    }


async def test_a_clean_run_is_status_0_and_tells_its_figures(server, until, capsys):
    command = asyncio.create_task(load(server.url, spectators=2, duration=4.0, ramp=0.0))
    await until(lambda: len(server.watches()) == 2)
    events = await server.deal(1)
    assert await command == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1] == "2 of 2 spectators watched, 0 of 0 players sat"
    assert f"{2 * len(events)} events, 2 snapshots" in out
    assert "audit: not made" in out
    assert out.splitlines()[-1] == "passed"
    head, first = err.splitlines()[:2]
    assert head.split()[:3] == ["s", "stage", "watching"]
    assert first.split()[:3] == ["1", "hold", "2"]


async def test_who_never_gets_in_fails_the_run_whose_ramp_never_ends(server, capsys):
    """Nothing of such a run is the hold's, though the tester's own lag was timed all the while."""
    server.watch_errors.extend([ErrorCode.UNKNOWN_TABLE] * 100)
    options = {"spectators": 3, "duration": 0.3, "ramp": 0.0, "threshold": ("hold_lag_p99<60s",)}
    assert await load(server.url, **options) == 1
    out = capsys.readouterr().out
    assert "failed: 3 of 3 spectators never saw their table" in out
    assert "the ramp had not ended" in out
    assert "failed: hold_lag_p99<60s was not kept: nothing was measured" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"threshold": ("push_p98<1ms",)}, "there is no measure 'push_p98'"),
        ({"threshold": ("quick",)}, "is no threshold"),
        ({"player": "nowhere:bet"}, "cannot be imported"),
        ({"player": "json:nothing"}, "json has no function 'nothing'"),
        ({"from_": ("there",)}, "neither an address nor a network"),
        ({"spectators": 0}, "nobody would come"),
        ({"audit": "'"}, "is no command"),
        ({"tokens": Path(__file__)}, "line 1 is no token"),
        ({"listen": "here"}, "write host:port"),
    ],
)
async def test_what_cannot_be_meant_is_status_2_before_anybody_connects(server, capsys, options, said):
    assert await load(server.url, **options) == 2
    assert said in capsys.readouterr().err
    assert server.handshakes == 0


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


async def test_n4_a_limit_that_is_too_low_is_told(server, until, capsys, monkeypatch):
    """N4: what cannot be raised enough is said before the start."""
    monkeypatch.setattr("croupier_client.load.command.raise_file_limit", lambda: 65)
    async with loading(server.url, spectators=2):
        await until(lambda: len(server.watches()) == 2)
    err = capsys.readouterr().err
    assert "may open only 65 files, and 66 are needed" in err
    assert "use --processes 2" in err


async def test_n5_connections_come_from_several_addresses_in_turn(server, until):
    """N5: one address has 28,000 ports; a loopback network has as many as are wanted."""
    async with loading(server.url, spectators=4, from_=("127.0.0.8/30",)):
        await until(lambda: len(server.watches()) == 4)
    watching = [session for session in server.sessions if session.watched]
    assert sorted(session.socket.remote_address[0] for session in watching) == [
        *["127.0.0.10"] * 2,
        *["127.0.0.9"] * 2,
    ]


async def test_n6_the_tester_neither_uses_a_proxy_nor_compresses(server, until, monkeypatch):
    """N6: a proxy of the environment leads nowhere, and no extension is agreed on."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with loading(server.url, spectators=2):
        await until(lambda: len(server.watches()) == 2)
        assert all(not session.socket.protocol.extensions for session in server.sessions)


def test_n8_nothing_asks_the_event_loop_for_signal_handlers():
    """N8: there are none on Windows; the client and the tester are ended by KeyboardInterrupt everywhere."""
    sources = list(Path(croupier_client.__file__).parent.rglob("*.py"))
    assert len(sources) > 40
    assert [path.name for path in sources if "add_signal_handler" in path.read_text(encoding="utf-8")] == []
