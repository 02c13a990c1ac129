"""What a run comes to: as lines for people, and as one JSON object."""

from collections.abc import Iterator

from msgspec import Struct

from croupier_client.load.histogram import Histogram
from croupier_client.load.tally import Tally


class Percentiles(Struct, frozen=True):
    """Durations in milliseconds."""

    p50: float
    p90: float
    p99: float
    p999: float
    highest: float

    @classmethod
    def of(cls, histogram: Histogram) -> "Percentiles":
        return cls(*(round(histogram.percentile(percent), 2) for percent in (50, 90, 99, 99.9, 100)))


class Report(Struct, frozen=True):
    """A run.

    `push_ms` is from the store's commit of an event to its arrival here, right to within `clock_error_ms`;
    `tester_lag_ms` says how late the tester itself was, and is part of it. `gaps`, `duplicates` and
    `disorder` must be zero. `local_errors` are what this machine lacked, `errors` the rest, by reason.
    """

    passed: bool
    spectators: int
    connected: int
    watching: int
    duration_s: float
    events: int
    snapshots: int
    later_snapshots: int
    cuts: int
    gaps: int
    duplicates: int
    disorder: int
    push_ms: Percentiles
    clock_error_ms: float
    tester_lag_ms: Percentiles
    errors: dict[str, int]
    local_errors: dict[str, int]


def report(tally: Tally, *, spectators: int, duration_s: float, clock_error_ms: float) -> Report:
    """The report of a finished run."""
    return Report(
        passed=tally.passed,
        spectators=spectators,
        connected=tally.ever_watching,
        watching=tally.watching,
        duration_s=duration_s,
        events=tally.events,
        snapshots=tally.snapshots,
        later_snapshots=tally.later_snapshots,
        cuts=tally.cuts,
        gaps=tally.gaps,
        duplicates=tally.duplicates,
        disorder=tally.disorder,
        push_ms=Percentiles.of(tally.latency),
        clock_error_ms=round(clock_error_ms, 2),
        tester_lag_ms=Percentiles.of(tally.lag),
        errors=dict(tally.errors),
        local_errors=dict(tally.local_errors),
    )


def progress_line(tally: Tally, spectators: int) -> str:
    """How a run stands."""
    return (
        f"{tally.watching} of {spectators} watching, {tally.events} events, "
        f"p99 {tally.latency.percentile(99):.1f} ms, {tally.faults} faults, {tally.cuts} cuts"
    )


def lines(result: Report) -> Iterator[str]:
    """`result` for people."""
    push, lag = result.push_ms, result.tester_lag_ms
    yield f"{result.connected} of {result.spectators} spectators watched; {result.watching} at the end"
    yield f"{result.events} events, {result.snapshots} snapshots, {result.later_snapshots} of these later"
    yield f"gaps {result.gaps}, duplicates {result.duplicates}, out of order {result.disorder}"
    yield (
        f"push latency in ms: p50 {push.p50}, p90 {push.p90}, p99 {push.p99}, p99.9 {push.p999}, "
        f"highest {push.highest}; the clock is right to {result.clock_error_ms}"
    )
    yield f"this tester's own lag in ms: p50 {lag.p50}, p99 {lag.p99}, highest {lag.highest}"
    yield f"connections lost: {result.cuts}"
    for reason, count in result.errors.items():
        yield f"{count} times: {reason}"
    for reason, count in result.local_errors.items():
        yield f"{count} times for lack of resources here: {reason}"
    yield "passed" if result.passed else "failed"
