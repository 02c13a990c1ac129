"""`croupier load`: how a server serves many spectators and players."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from croupier_client.address import parse_address
from croupier_client.cli import DONE, FAILED, USAGE
from croupier_client.load.audit import audit_command, run_audit
from croupier_client.load.compare import difference_lines, read_report
from croupier_client.load.crew import meet_machines, run_here, run_members, start_processes, take_part
from croupier_client.load.errors import LoadUsageError
from croupier_client.load.files import SPARE_FILES, raise_file_limit
from croupier_client.load.html import html_page
from croupier_client.load.part import Assignment, Second
from croupier_client.load.report import Report, make_report
from croupier_client.load.scenario import Plan, Scenario
from croupier_client.load.sources import parse_sources
from croupier_client.load.strategy import find_strategy
from croupier_client.load.thresholds import parse_threshold
from croupier_client.load.tokens import read_tokens, write_tokens
from croupier_client.load.totals import Totals
from croupier_client.load.words import live_lines, report_lines

PER_SECOND: Final = 100
"""How many come in a second when nothing else was said: a crowd, but no stampede."""

LAST_PORT: Final = 65_535

STANDARD_OUTPUT: Final = Path("-")

Whole = Annotated[int, Parameter(validator=Number(gte=0))]
Positive = Annotated[int, Parameter(validator=Number(gte=1))]
Seconds = Annotated[float | None, Parameter(validator=Number(gte=0))]


@dataclass(frozen=True)
class _Test:
    """What a command line asks for, checked."""

    assignment: Assignment
    processes: int
    listen: tuple[str, int] | None
    machines: int


async def load(
    url: str | None = None,
    /,
    *,
    spectators: Whole = 100,
    players: Whole = 0,
    tables: str = "*",
    scenario: Scenario = Scenario.STEADY,
    duration: Annotated[float, Parameter(validator=Number(gt=0))] = 30.0,
    ramp: Seconds = None,
    ramp_down: Seconds = None,
    processes: Positive = 1,
    from_: Annotated[tuple[str, ...], Parameter(name="--from", negative="")] = (),
    player: str | None = None,
    tokens: Path | None = None,
    threshold: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    json: Path | None = None,
    html: Path | None = None,
    compare: Path | None = None,
    data: Path | None = None,
    audit: str | None = None,
    listen: str | None = None,
    machines: Positive = 1,
    join: str | None = None,
) -> int:
    """Measure how a server serves many spectators and players.

    They come over a ramp, stay, and leave. The status is 1 when anything was wrong: an event missed, twice or
    out of order, a slip accepted late, a payout that the rules do not give, somebody who never got in, a
    threshold not kept, an audit that found something.

    Args:
        url: Where the server is: ws://host:port, http://host:port or host:port.
        spectators: How many watch, spread over the tables.
        players: How many sit as guests and bet on every round, spread over the tables.
        tables: Which tables, as a pattern: vip-*.
        scenario: steady; join-storm: nine in ten come at once; reconnect-storm: all are cut at once;
            slow-readers: one in twenty stops reading for a while; bet-rush: all slips in the last second.
        duration: For how many seconds, after all have come.
        ramp: Over how many seconds they come; 100 a second when left out.
        ramp_down: Over how many seconds they leave; as long as the ramp when left out.
        processes: In how many processes of this machine; one is busy with some 25,000 events a second.
        from_: Addresses or networks of this machine to connect from in turn, such as 127.0.0.0/24: one
            address has about 28,000 ports.
        player: How players bet: module:function, an async function that is given a Seat.
        tokens: File of guests' resume tokens, one a line, for the players to be the same as before; it is
            written anew at the end, and made where there is none.
        threshold: What must hold, such as push_p99<100ms, hold_ack_p99<25ms (of the hold alone) or cuts==0;
            may be given several times.
        json: Write the report as one JSON object to this file; --json=- writes it to standard output, and
            the lines to standard error.
        html: Write the report as a page with charts to this file.
        compare: A file with the JSON of an earlier run to compare with.
        data: Data directory of the server, on its own machine: the test ends with an audit.
        audit: Command to audit with instead, such as 'ssh tables croupier audit'.
        listen: Wait at host:port for other machines that join this test.
        machines: How many other machines to wait for with --listen.
        join: Join the test that another machine leads at host:port; of the rest only --processes, --from and
            --player count.
    """
    try:
        sources = parse_sources(from_)
        if player is not None:
            find_strategy(player)
        if join is not None:
            raise_file_limit()
            await take_part(*_endpoint(join), processes, sources, player)
            return DONE
        plan = _plan(scenario, spectators, players, duration, ramp, ramp_down)
        known = None if tokens is None else read_tokens(tokens)
        test = _Test(
            assignment=Assignment(_checked(url), tables, plan, sources, player, known),
            processes=processes,
            listen=None if listen is None else _endpoint(listen),
            machines=machines,
        )
        thresholds = tuple(parse_threshold(text, plan) for text in threshold)
        auditing = audit_command(data, audit)
        then = None if compare is None else read_report(compare)
    except LoadUsageError as error:
        sys.stderr.write(f"croupier: {error}\n")
        return USAGE
    _check_files(test)
    run = await _run(test, _tell)
    if tokens is not None:
        await asyncio.to_thread(write_tokens, tokens, known or (), run.totals.tokens)
    report = make_report(
        run.totals,
        plan,
        url=test.assignment.url,
        tables=run.tables,
        processes=run.processes,
        thresholds=thresholds,
        audit=await run_audit(auditing),
    )
    await _publish(report, then, html, json)
    return DONE if report.passed else FAILED


async def _publish(report: Report, then: Report | None, html: Path | None, json: Path | None) -> None:
    """Writes the report where it was asked for, and its lines beside an earlier one's."""
    if html is not None:
        await asyncio.to_thread(html.write_text, html_page(report, then), encoding="utf-8")
    lines = [*report_lines(report), *(() if then is None else difference_lines(then, report))]
    where = sys.stdout
    if json is not None:
        encoded = msgspec.json.encode(report) + b"\n"
        if json == STANDARD_OUTPUT:
            sys.stdout.write(encoded.decode())
            where = sys.stderr
        else:
            await asyncio.to_thread(json.write_bytes, encoded)
    where.writelines(f"{line}\n" for line in lines)


def _plan(
    scenario: Scenario,
    spectators: int,
    players: int,
    duration: float,
    ramp: float | None,
    ramp_down: float | None,
) -> Plan:
    if not spectators + players:
        raise LoadUsageError("nobody would come: give --spectators or --players")
    ramp_s = max(spectators, players) / PER_SECOND if ramp is None else ramp
    return Plan(scenario, spectators, players, ramp_s, duration, ramp_s if ramp_down is None else ramp_down)


def _checked(url: str | None) -> str:
    if url is None:
        raise LoadUsageError("which server? Give its URL, or --join host:port")
    parse_address(url)
    return url


class _Run:
    """A test in so many `processes`, over so many `tables`; every second it is said how it stands."""

    def __init__(self, plan: Plan, processes: int, say: Callable[[str], None]) -> None:
        self.totals = Totals(plan, processes)
        self.processes = processes
        self.tables = 0
        self._say = say
        self._printed = 0

    def begun(self, tables: int) -> None:
        self.tables = tables

    def take(self, part: int, second: Second) -> None:
        """Takes what a part tells."""
        complete = self.totals.take(part, second)
        if complete and not second.last:
            for line in live_lines(self.totals.row(second.number), self._printed):
                self._say(line)
            self._printed += 1


async def _run(test: _Test, say: Callable[[str], None]) -> _Run:
    """Runs a test to its end."""
    plan = test.assignment.plan
    if test.processes == 1 and test.listen is None:
        run = _Run(plan, 1, say)
        await run_here(test.assignment, run.take, run.begun)
        return run
    async with AsyncExitStack() as stack:
        members = await stack.enter_async_context(start_processes(test.processes))
        if test.listen is not None:
            joining = meet_machines(
                *test.listen, test.machines, lambda name: say(f"waiting for machines: {name}")
            )
            members = [*members, *await stack.enter_async_context(joining)]
        run = _Run(plan, sum(member.processes for member in members), say)
        await run_members(members, test.assignment, run.take, run.begun)
    return run


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _check_files(test: _Test) -> None:
    """Raises the limit of open files, and says so where it is too low for this plan all the same."""
    limit = raise_file_limit()
    plan, parts = test.assignment.plan, test.processes + (0 if test.listen is None else test.machines)
    needed = -(-(plan.spectators + plan.players) // parts) + SPARE_FILES
    if limit is not None and needed > limit:
        enough = -(-(plan.spectators + plan.players) // max(1, limit - SPARE_FILES))
        sys.stderr.write(
            f"croupier: a process may open only {limit} files, and {needed} are needed: some connections "
            f"will fail. Raise the hard limit (ulimit -Hn), or use --processes {enough}\n"
        )


def _endpoint(text: str) -> tuple[str, int]:
    host, found, port = text.rpartition(":")
    if not found or not port.isdigit() or int(port) > LAST_PORT:
        raise LoadUsageError(f"{text!r} is no place to meet: write host:port")
    return host.strip("[]") or "0.0.0.0", int(port)  # noqa: S104 - asked for by who leaves the host out
