"""Reports: for people, as a page, beside an earlier one, with thresholds and an audit."""

import json
import re
import sys
from html.parser import HTMLParser

import msgspec
import pytest
from msgspec.structs import replace

from croupier_client.load.audit import AuditOutcome, audit_command, run_audit
from croupier_client.load.command import load
from croupier_client.load.compare import difference_lines
from croupier_client.load.errors import AuditError
from croupier_client.load.html import html_page
from croupier_client.load.part import Second
from croupier_client.load.report import Report, make_report
from croupier_client.load.scenario import Plan, Scenario
from croupier_client.load.tally import Count, Tally
from croupier_client.load.thresholds import parse_threshold
from croupier_client.load.times import Measure, Times
from croupier_client.load.totals import Totals
from croupier_client.load.words import report_lines

PLAN = Plan(Scenario.STEADY, 4, 1, 0.0, 3.0, 0.0)
CLEAN = AuditOutcome(made=True, clean=True, text="clean: 1 player")


def second(number: int, *push_ms: float, lag_ms: float = 0.5, busy: float = 0.2, **counts: int) -> Second:
    """A second of a test that began at 0 and had everybody in from 1,000 ms on; its times are of the hold."""
    tally, times = Tally(), Times()
    for duration_ms in push_ms:
        times.at("hold", number + 1, Measure.PUSH).add(duration_ms)
    times.at("hold", number + 1, Measure.LAG).add(lag_ms)
    for name, count in counts.items():
        tally.add(Count(name), count)
    return Second(
        number,
        tally,
        times,
        began_ms=0.0,
        at_ms=1000.0 * (number + 2),
        ready_ms=1_000.0,
        watching=2,
        playing=0,
        busy=busy,
        error_ms=1.5,
        stage="hold",
    )


def report_of(*told: tuple[int, Second], audit: AuditOutcome = CLEAN, thresholds=()) -> Report:
    totals = Totals(PLAN, parts=len({part for part, _ in told}))
    for part, one in told:
        totals.take(part, one)
    return make_report(
        totals, PLAN, url="localhost:1", tables=2, processes=2, thresholds=thresholds, audit=audit
    )


def good() -> Report:
    return report_of(
        (0, second(0, 10.0, 20.0, joined=2, seated=1, events=2)),
        (1, second(0, 30.0, 0.2, joined=2, events=2)),
    )


def test_what_all_parts_told_adds_up():
    report = good()
    assert (report.passed, report.reasons) == (True, ())
    assert (report.counts["joined"], report.counts["events"], report.counts["gaps"]) == (4, 4, 0)
    push = report.measures["push"]
    assert (push.count, push.max, push.error_ms, push.p50) == (4, 30.0, 1.5, pytest.approx(10.0, rel=0.01))
    assert (len(report.seconds), report.seconds[0].watching, report.seconds[0].events) == (1, 4, 4)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ({"gaps": 2}, "events were missed (gaps: 2)"),
        ({"duplicates": 1}, "events came twice (duplicates: 1)"),
        ({"disorder": 1}, "events came out of order (disorder: 1)"),
        ({"late_accepted": 1}, "slips were accepted after their window had closed (late_accepted: 1)"),
        ({"wrong_payouts": 1}, "payouts are not what the table's rules make of the cards (wrong_payouts: 1)"),
        ({"joined": -1}, "1 of 4 spectators never saw their table"),
        ({"seated": -1}, "1 of 1 players never got a seat"),
    ],
)
def test_everything_that_must_not_be_is_a_reason_against_a_run(counts, reason):
    report = report_of(
        (0, second(0, 10.0, joined=4, seated=1)),
        (1, second(0, 10.0, **counts)),
    )
    assert (report.passed, report.reasons) == (False, (reason,))


def test_an_audit_that_finds_something_fails_the_run_and_one_that_was_not_made_does_not():
    told = (0, second(0, 10.0, joined=4, seated=1))
    found = AuditOutcome(made=True, clean=False, text="MISMATCH")
    assert report_of(told, audit=found).reasons == ("the audit found something: MISMATCH",)
    none = AuditOutcome(made=False, clean=True, text="not made")
    assert report_of(told, audit=none).passed


def test_the_holds_figures_stand_below_those_of_the_whole_run():
    """An event that was 500 ms late in the ramp, and two in the hold."""
    ramp = second(0, 10.0, 20.0, joined=4, seated=1)
    ramp.times.at("ramp", 0, Measure.PUSH).add(500.0)
    report = report_of((0, ramp))
    assert (report.measures["push"].max, report.measures["hold_push"].max) == (500.0, 20.0)
    assert (report.hold.from_s, report.hold.seconds) == (1.0, 2.0)
    lines = [re.sub(" +", " ", line).strip() for line in report_lines(report)]
    first = next(index for index, line in enumerate(lines) if line.startswith("push 3 "))
    assert lines[first + 1].startswith("hold_push 2 15.0 ms")
    assert any(line.startswith("ramp_push 1 500 ms") for line in lines)
    assert "the hold's figures are of 2 s, from 1 s after the beginning on, when everybody was in" in lines
    page = html_page(report, report)
    assert "<td>hold_push</td><td>2</td><td>15.0 ms</td>" in page
    assert "The hold&#x27;s figures are of 2 s" in page
    assert "<td>hold_push max</td><td>20.0 ms</td><td>20.0 ms</td><td>1.00</td>" in page
    assert msgspec.json.decode(msgspec.json.encode(report))["measures"]["hold_push"]["count"] == 2


def test_a_threshold_of_the_hold_is_not_held_against_the_ramp():
    ramp = second(0, 10.0, joined=4, seated=1)
    ramp.times.at("ramp", 0, Measure.PUSH).add(500.0)
    thresholds = tuple(parse_threshold(text, PLAN) for text in ("push_p99<25ms", "hold_push_p99<25ms"))
    assert report_of((0, ramp), thresholds=thresholds).reasons == ("push_p99<25ms was not kept: 500 ms",)


def test_a_run_whose_ramp_never_ended_says_so_and_keeps_no_threshold_of_the_hold():
    never = second(0, 10.0, joined=4, seated=1)
    never.ready_ms = None
    report = report_of((0, never), thresholds=(parse_threshold("hold_push_p99<25ms", PLAN),))
    assert report.hold is None
    assert report.measures["push"].count == report.measures["ramp_push"].count == 1
    assert report.reasons == ("hold_push_p99<25ms was not kept: nothing was measured",)
    said = "the ramp had not ended, with everybody in, a whole second before people left"
    assert any(line.startswith(said) for line in report_lines(report))
    assert said[1:] in html_page(report)


def test_a_threshold_that_is_not_kept_fails_the_run_and_says_what_was_found():
    thresholds = (parse_threshold("push_p99<25ms", PLAN), parse_threshold("cuts==0", PLAN))
    report = report_of((0, second(0, 10.0, 30.0, joined=4, seated=1)), thresholds=thresholds)
    assert report.reasons == ("push_p99<25ms was not kept: 30.0 ms",)
    lines = list(report_lines(report))
    assert "NOT KEPT: push_p99<25ms (30.0 ms)" in lines
    assert "kept: cuts==0 (0)" in lines


@pytest.mark.parametrize(
    ("lag_ms", "busy", "said"),
    [
        (0.5, 0.2, None),
        (0.5, 0.95, "the tester itself is the bottleneck: its busiest process took 95% of a core"),
        (8.0, 0.2, "the tester did not get the processor in time: its own work was late by 8.0 ms"),
    ],
)
def test_a_tester_says_when_it_is_what_it_measures(lag_ms, busy, said):
    report = report_of((0, second(0, 10.0, lag_ms=lag_ms, busy=busy, joined=4, seated=1)))
    assert (report.generator or "")[: len(said or "")] == (said or "")
    assert (report.generator is None) == (said is None)


def test_a_run_beside_an_earlier_one():
    then = good()
    now = report_of((0, second(0, 20.0, 40.0, joined=4, seated=1, events=8, cuts=3)))
    lines = [re.sub(" +", " ", line).strip() for line in difference_lines(then, now)]
    assert "push max 30.0 ms 40.0 ms 1.33" in lines
    assert "events 4 8 2.00" in lines
    assert "cuts 0 3" in lines
    assert not any(line.startswith("gaps") for line in lines)


class Page(HTMLParser):
    """Checks that what is opened is closed, and notes what would be fetched or run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.outside += [value for name, value in attrs if name in {"src", "href", "srcset"}]
        if tag not in {"meta", "path"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_one_file_with_charts_and_without_scripts():
    report = replace(good(), errors={"<script>alert(1)</script>": 2})
    text = html_page(report, good())
    page = Page()
    page.feed(text)
    assert (page.open, page.outside) == ([], [])
    assert "script" not in page.seen
    assert page.seen.count("figure") >= 5
    assert "prefers-color-scheme: dark" in text
    assert "http" not in text
    assert "push max" in text


async def test_a_report_that_was_written_can_be_compared_with_and_a_page_be_made(server, tmp_path, capsys):
    old, page = tmp_path / "old.json", tmp_path / "page.html"
    options = {"spectators": 1, "duration": 3.0, "ramp": 0.0}
    assert await load(server.url, json=old, **options) == 0
    assert "tables: 1, processes: 1" in capsys.readouterr().out
    assert old.read_text().count("\n") == 1
    assert await load(server.url, compare=old, html=page, **options) == 0
    assert "now/then" in capsys.readouterr().out
    assert "Then and now" in page.read_text()
    old.write_text(json.dumps({"passed": True}))
    assert await load(server.url, compare=old, **options) == 2
    assert "is no report of `croupier load --json`" in capsys.readouterr().err


async def test_the_audit_is_the_command_that_was_given_and_its_status_decides():
    for status in (0, 1):
        code = f"print('books'); raise SystemExit({status})"
        outcome = await run_audit([sys.executable, "-c", code])
        assert outcome == AuditOutcome(made=True, clean=status == 0, text="books")
    missing = await run_audit(["/nowhere/croupier"])
    assert (missing.made, missing.clean) == (False, False)


async def test_without_the_store_at_hand_no_audit_is_claimed():
    outcome = await run_audit(audit_command(None, None))
    assert (outcome.made, outcome.clean) == (False, True)
    assert outcome.text.startswith("not made: a server's books cannot be seen through its address.")


def test_one_audit_is_enough(tmp_path):
    with pytest.raises(AuditError, match="not both"):
        audit_command(tmp_path, "croupier audit")
