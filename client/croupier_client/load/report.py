"""What a run comes to: one structure, for JSON, for people and for comparing with an earlier one."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from croupier_client.load.audit import AuditOutcome
from croupier_client.load.figures import Durations
from croupier_client.load.scenario import HOLD, Plan
from croupier_client.load.stage_times import Hold
from croupier_client.load.tally import FAULTS, Count
from croupier_client.load.thresholds import Judged, Threshold
from croupier_client.load.times import Measure
from croupier_client.load.totals import SecondRow, Totals

BUSY_SHARE: Final = 0.85
"""A process of the tester that takes more of a core than this has no time to be punctual."""

LATE_MS: Final = 5.0
"""A tester that is late by less than this, at the 99th percentile, spoils no figure that matters."""

LATE_SHARE: Final = 0.25
"""Nor one whose own lag is less than this share of what it measures."""

MEANINGS: Final = {
    Measure.PUSH: "an event, from when it was due",
    Measure.CONNECT: "a handshake, from when the spectator was to come",
    Measure.SNAPSHOT: "the table as it is, from when the spectator was to come",
    Measure.RESUME: "back at the table, from the first try to come back",
    Measure.SIT: "a seat, from when the player was to sit down",
    Measure.ACK: "a slip's answer, from when it was to be placed",
    Measure.LAG: "this tester's own lateness, a part of all others",
}


class Report(Struct, frozen=True):
    """A run. It passed if there are no `reasons` against it.

    `measures` are in milliseconds, each from the time at which something was to happen; see `Measure`. Those
    of the whole run have its name, those of a part of the plan that of the part before it: `hold_ack`. `hold`
    is None when the ramp had not ended before people left; then nothing is the hold's. `counts` has all that
    was counted, nought included. `generator` says what the tester itself has to do with the figures, when it
    has. `local_errors` are what its machine lacked, `errors` the server's or the network's, by reason;
    `examples` has the first of each kind of fault.
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
    hold: Hold | None = None

    def shown_measures(self) -> Iterator[tuple[str, str, Durations]]:
        """What is told to people: each measure of the whole run and of the hold below it, and how late events
        came in the other stages. Its name, what it is, and how long it took.
        """
        for measure, meaning in MEANINGS.items():
            yield measure.value, meaning, self.measures[measure.value]
            name = measure_name(measure, HOLD)
            yield name, "of these, what was due in the hold", self.measures[name]
        for part in self.plan.parts:
            if part != HOLD:
                name = measure_name(Measure.PUSH, part)
                yield name, f"events that were due in the stage {part}", self.measures[name]


def measure_name(measure: Measure, part: str | None = None) -> str:
    """What a measure is called in reports and thresholds, of a part of the plan or of the whole run."""
    return measure.value if part is None else f"{part}_{measure}"


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

    def durations(measure: Measure, part: str | None = None) -> Durations:
        error_ms = totals.error_ms if measure is Measure.PUSH else 0.0
        return Durations.of(totals.times.histogram(measure, part), error_ms)

    judged = tuple(threshold.judge(counts, durations) for threshold in thresholds)
    measures = {
        measure_name(measure, part): durations(measure, part)
        for part in (None, *plan.parts)
        for measure in Measure
    }
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
        hold=totals.times.hold,
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
