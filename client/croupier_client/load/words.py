"""A report for people: lines for the terminal, while a test runs and when it is over."""

from collections.abc import Iterator
from typing import Final

from croupier_client.load.figures import STATISTICS
from croupier_client.load.report import Report
from croupier_client.load.scenario import Plan
from croupier_client.load.tally import Count
from croupier_client.load.totals import SecondRow

HEAD_EVERY: Final = 20
"""Lines between two repetitions of the head of the live table."""

_COLUMNS: Final = (
    "s",
    "stage",
    "watching",
    "playing",
    "events",
    "push p50",
    "p99",
    "max",
    "ack p99",
    "own lag",
)

_WIDTHS: Final = (5, 6, 9, 8, 8, 10, 10, 10, 10, 10)


def live_lines(row: SecondRow, printed: int) -> Iterator[str]:
    """A second of a running test; `printed` seconds were printed before."""
    if printed % HEAD_EVERY == 0:
        yield _columns(_COLUMNS)
    yield _columns(
        (
            str(row.number + 1),
            row.stage,
            str(row.watching),
            str(row.playing),
            str(row.events),
            row.push.shown("p50"),
            row.push.shown("p99"),
            row.push.shown("max"),
            row.ack.shown("p99"),
            row.lag.shown("p99"),
        )
    ) + _troubles(row)


def _columns(cells: tuple[str, ...]) -> str:
    return " ".join(cell.rjust(width) for cell, width in zip(cells, _WIDTHS, strict=True))


def _troubles(row: SecondRow) -> str:
    told = (("faults", row.faults), ("cuts", row.cuts), ("errors", row.errors))
    return "".join(f"  {number} {what}" for what, number in told if number)


def report_lines(report: Report) -> Iterator[str]:
    """A finished test."""
    yield from _numbers(report)
    yield from _oddities(report)
    yield from _judgements(report)


def _numbers(report: Report) -> Iterator[str]:
    counts, plan = report.counts, report.plan
    yield f"{report.url}: {plan_line(plan)}; tables: {report.tables}, processes: {report.processes}"
    yield (
        f"{counts[Count.JOINED]} of {plan.spectators} spectators watched, "
        f"{counts[Count.SEATED]} of {plan.players} players sat"
    )
    yield f"{counts[Count.EVENTS]} events, {counts[Count.SNAPSHOTS]} snapshots, {counts[Count.SLIPS]} slips"
    yield ""
    yield from measure_lines(report)
    yield ""
    yield hold_line(report)
    yield f"times of events are right to {report.clock_error_ms} ms, by the shortest round trip"


def _oddities(report: Report) -> Iterator[str]:
    """What was counted beside, and what went wrong."""
    counts = report.counts
    if counts[Count.OMITTED]:
        yield (
            f"{counts[Count.OMITTED]} of the events timed are those that a table in time would have had "
            "while it was late: they count from when they would have been due"
        )
    if counts[Count.TOO_EARLY]:
        yield f"{counts[Count.TOO_EARLY]} events came before they were due: the clocks differ, distrust push"
    if report.generator is not None:
        yield report.generator
    shown = [what for what in Count if counts[what] and what not in _TOLD_ABOVE]
    if shown:
        yield "counted: " + ", ".join(f"{what.value} {counts[what]}" for what in shown)
    for what, text in report.examples.items():
        yield f"first of {what}: {text}"
    for reason, number in report.errors.items():
        yield f"{number} times: {reason}"
    for reason, number in report.local_errors.items():
        yield f"{number} times for lack of resources here: {reason}"


def _judgements(report: Report) -> Iterator[str]:
    """What had to hold, and whether it did."""
    counts = report.counts
    yield (
        f"gaps {counts[Count.GAPS]}, duplicates {counts[Count.DUPLICATES]}, "
        f"out of order {counts[Count.DISORDER]}"
    )
    if report.plan.players:
        yield payouts_line(report)
    for one in report.thresholds:
        yield f"{'kept' if one.kept else 'NOT KEPT'}: {one.text} ({one.found})"
    yield f"audit: {audit_line(report)}"
    for reason in report.reasons:
        yield f"failed: {reason}"
    yield "passed" if report.passed else "failed"


_TOLD_ABOVE: Final = frozenset(
    {Count.JOINED, Count.SEATED, Count.EVENTS, Count.SNAPSHOTS, Count.SLIPS, Count.OMITTED, Count.TOO_EARLY}
    | {Count.GAPS, Count.DUPLICATES, Count.DISORDER, Count.PAYOUTS, Count.WRONG_PAYOUTS, Count.UNCHECKED}
)


def plan_line(plan: Plan) -> str:
    """What was planned."""
    return (
        f"{plan.scenario.value}, {plan.spectators} spectators and {plan.players} players, "
        f"{plan.ramp_s:g} s of ramp, {plan.duration_s:g} s, {plan.leave_s:g} s to leave"
    )


def hold_line(report: Report) -> str:
    """From when to when the hold's figures count."""
    if report.hold is None:
        return (
            "the ramp had not ended, with everybody in, a whole second before people left: "
            "there are no figures of the hold"
        )
    return (
        f"the hold's figures are of {report.hold.seconds:g} s, from {report.hold.from_s:g} s after the "
        "beginning on, when everybody was in"
    )


def measure_lines(report: Report) -> Iterator[str]:
    """The table of times; measures without any are left out."""
    yield " ".join(("".rjust(14), "count".rjust(9), *(name.rjust(10) for name in STATISTICS)))
    for name, meaning, found in report.shown_measures():
        if found.count:
            cells = (found.shown(statistic).rjust(10) for statistic in STATISTICS)
            yield " ".join((name.rjust(14), str(found.count).rjust(9), *cells, f" {meaning}"))


def payouts_line(report: Report) -> str:
    """What players recomputed."""
    counts = report.counts
    unchecked = counts[Count.UNCHECKED]
    return (
        f"payouts {counts[Count.PAYOUTS]}, recomputed by the rules {counts[Count.PAYOUTS] - unchecked}, "
        f"wrong {counts[Count.WRONG_PAYOUTS]}, cards or rules not known {unchecked}"
    )


def audit_line(report: Report) -> str:
    """What the audit said."""
    if not report.audit.made:
        return report.audit.text
    return f"{'clean' if report.audit.clean else 'NOT CLEAN'}\n{report.audit.text}"
