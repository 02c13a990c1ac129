"""Thresholds: what they say, what they are held against, and what is no threshold."""

import pytest

from croupier_client.load.errors import ThresholdError
from croupier_client.load.figures import Durations
from croupier_client.load.histogram import Histogram
from croupier_client.load.scenario import Plan, Scenario
from croupier_client.load.tally import Count
from croupier_client.load.thresholds import parse_threshold
from croupier_client.load.times import Measure

PLAN = Plan(Scenario.JOIN_STORM, 100, 10, 1.0, 30.0, 1.0)


def judged(text: str, *, push_ms: float = 80.0, error_ms: float = 0.0) -> tuple[bool, str]:
    histogram = Histogram()
    histogram.add(push_ms)

    def durations(measure: Measure, part: str | None) -> Durations:
        found = histogram if measure is Measure.PUSH and part in {None, "hold", "storm"} else Histogram()
        return Durations.of(found, error_ms)

    found = parse_threshold(text, PLAN).judge({Count.GAPS: 0, Count.CUTS: 3}, durations)
    return found.kept, found.found


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("push_p99<100ms", True),
        ("push_p99<80ms", False),
        ("push_max <= 0.08 s", True),
        ("storm_push_p50<100000us", True),
        ("hold_push_p99<100ms", True),
        ("hold_push_p99<80ms", False),
        ("gaps==0", True),
        ("cuts<3", False),
        ("cuts>=3", True),
    ],
)
def test_a_threshold_is_held_against_what_was_found(text, kept):
    assert judged(text)[0] is kept


def test_what_was_not_measured_keeps_no_threshold():
    assert judged("ack_p99<100ms") == (False, "nothing was measured")
    assert judged("hold_ack_p99<100ms") == (False, "nothing was measured")
    assert judged("quiet_push_p99<100ms") == (False, "nothing was measured")


def test_a_time_below_the_clocks_error_may_have_been_as_long_as_that():
    assert judged("push_p99<1ms", push_ms=0.5, error_ms=1.5) == (False, "< 1.5 ms")
    assert judged("push_p99<2ms", push_ms=0.5, error_ms=1.5) == (True, "< 1.5 ms")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("push_p99", "write a measure"),
        ("push_p99<", "write a measure"),
        ("push_p99<fast", "write a measure"),
        ("pull_p99<100ms", "there is no measure 'pull_p99'"),
        ("push_p98<100ms", "there is no measure 'push_p98'"),
        ("push_hold_p99<100ms", "with hold_, ramp_, quiet_, storm_, leave_ before them"),
        ("slow_push_p99<100ms", "there is no measure 'slow_push_p99'"),
        ("hold_p99<100ms", "there is no measure 'hold_p99'"),
        ("push_p99<100", "write its unit"),
        ("gaps<1ms", "has no unit"),
    ],
)
def test_what_is_no_threshold_is_said(text, said):
    with pytest.raises(ThresholdError, match=r"push|gaps") as refused:
        parse_threshold(text, PLAN)
    assert said in str(refused.value)
