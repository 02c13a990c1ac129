"""What a run comes to: one structure, for JSON, for people and for comparing with an earlier one."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from croupier_client.load.audit import AuditOutcome
from croupier_client.load.figures import Durations
from croupier_client.load.scenario import Plan
from croupier_client.load.tally import FAULTS, Count, Measure
from croupier_client.load.thresholds import Judged, Threshold
from croupier_client.load.totals import SecondRow, Totals

BUSY_SHARE: Final = 0.85
"""A process of the tester that takes more of a core than this has no time to be punctual."""

LATE_MS: Final = 5.0
"""A tester that is late by less than this, at the 99th percentile, spoils no figure that matters."""

LATE_SHARE: Final = 0.25
"""Nor one whose own lag is less than this share of what it measures."""

PUSH_STAGES: Final = "push_"


class Report(Struct, frozen=True):
    """A run. It passed if there are no `reasons` against it.

    `measures` are in milliseconds, each from the time at which something was to happen; see `Tally`. `push_…`
    are those of a stage. `counts` has everything that was counted, nought included. `generator` says what the
    tester itself has to do with the figures, when it has. `local_errors` are what its machine lacked,
    `errors` the server's or the network's, by reason; `examples` has the first of each kind of fault.
    """

    passed: bool
    reasons: tuple[str, ...]
    url: str
    tables: int
    processes: int
    plan: Plan
    counts: dict[str, int]
    measures: dict[str, Durations]
    clock_error_ms: float
    generator: str | None
    busiest: float
    thresholds: tuple[Judged, ...]
    audit: AuditOutcome
    errors: dict[str, int]
    local_errors: dict[str, int]
    examples: dict[str, str]
    seconds: tuple[SecondRow, ...]


def make_report(
    totals: Totals,
    plan: Plan,
    *,
    url: str,
    tables: int,
    processes: int,
    thresholds: tuple[Threshold, ...],
    audit: AuditOutcome,
) -> Report:
    """The report of a finished run."""
    tally = totals.tally
    counts = {what: tally.count(what) for what in Count}

    def durations(measure: Measure, stage: str | None = None) -> Durations:
        error_ms = totals.error_ms if measure is Measure.PUSH else 0.0
        return Durations.of(tally.histogram(measure, stage), error_ms)

    judged = tuple(threshold.judge(counts, durations) for threshold in thresholds)
    measures = {measure.value: durations(measure) for measure in Measure}
    for stage in plan.stages:
        measures[f"{PUSH_STAGES}{stage.name}"] = durations(Measure.PUSH, stage.name)
    reasons = tuple(_reasons(counts, plan, judged, audit))
    return Report(
        passed=not reasons,
        reasons=reasons,
        url=url,
        tables=tables,
        processes=processes,
        plan=plan,
        counts={what.value: number for what, number in counts.items()},
        measures=measures,
        clock_error_ms=round(totals.error_ms, 2),
        generator=_generator(measures, totals.busiest),
        busiest=round(totals.busiest, 3),
        thresholds=judged,
        audit=audit,
        errors=dict(tally.errors),
        local_errors=dict(tally.local_errors),
        examples={what.value: text for what, text in tally.examples.items()},
        seconds=tuple(totals.rows()),
    )


def _reasons(
    counts: Mapping[Count, int], plan: Plan, judged: tuple[Judged, ...], audit: AuditOutcome
) -> Iterator[str]:
    """Why a run has not passed."""
    for fault, meaning in FAULTS.items():
        if counts[fault]:
            yield f"{meaning} ({fault.value}: {counts[fault]})"
    if counts[Count.JOINED] < plan.spectators:
        missing = plan.spectators - counts[Count.JOINED]
        yield f"{missing} of {plan.spectators} spectators never saw their table"
    if counts[Count.SEATED] < plan.players:
        yield f"{plan.players - counts[Count.SEATED]} of {plan.players} players never got a seat"
    for one in judged:
        if not one.kept:
            yield f"{one.text} was not kept: {one.found}"
    if not audit.clean:
        yield f"the audit {'found something' if audit.made else 'could not be made'}: {audit.text}"


def _generator(measures: Mapping[str, Durations], busiest: float) -> str | None:
    """What the tester itself spoils, if it does."""
    lag_ms, push = measures[Measure.LAG].p99 or 0.0, measures[Measure.PUSH]
    late = lag_ms > LATE_MS and lag_ms > LATE_SHARE * (push.value("p99") if push.count else 0.0)
    if busiest >= BUSY_SHARE:
        return (
            f"the tester itself is the bottleneck: its busiest process took {busiest:.0%} of a core, and its "
            f"own work was late by {lag_ms:.1f} ms at the 99th percentile, which is part of every time. Use "
            "more --processes, fewer spectators, or more machines (--listen, --join)"
        )
    if late:
        return (
            f"the tester did not get the processor in time: its own work was late by {lag_ms:.1f} ms at the "
            f"99th percentile, which is part of every time, though it took only {busiest:.0%} of a core. "
            "This machine has other work to do"
        )
    return None
