"""Waits between tries, on a clock and a chance that the test holds."""

import random

import pytest

from croupier_client.link import retry_after_s
from croupier_client.offset import KEPT_SAMPLES, OffsetEstimate, measured
from croupier_client.timing import MAX_RETRY_AFTER_S, Backoff, Timing


def test_the_first_wait_is_random_too_and_each_next_may_be_twice_as_long_up_to_the_cap():
    ceilings = []

    def uniform(low: float, high: float) -> float:
        assert low == 0
        ceilings.append(high)
        return high

    backoff = Backoff(Timing(uniform=uniform))
    waits = [backoff.wait_s() for _ in range(8)]
    assert waits == ceilings == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


def test_waits_use_the_whole_range():
    """N2: thousands of clients that lost the same server do not come back together."""
    timing = Timing(uniform=random.Random(1).uniform)
    waits = sorted(Backoff(timing).wait_s() for _ in range(1000))
    assert waits[0] < 0.01
    assert waits[-1] > 0.24
    assert 0.11 < waits[500] < 0.14


def test_a_good_connection_starts_from_short_waits_again():
    backoff = Backoff(Timing(uniform=lambda _low, high: high))
    for _ in range(5):
        backoff.wait_s()
    backoff.reset()
    assert backoff.wait_s() == 0.25


def test_many_failures_do_not_overflow():
    backoff = Backoff(Timing(uniform=lambda _low, high: high))
    assert [backoff.wait_s() for _ in range(3000)][-1] == 10.0


def test_what_a_server_asks_for_is_waited_for_once_to_twice_up_to_a_bound():
    """N2: it asks everybody for the same."""
    soonest = Backoff(Timing(uniform=lambda low, _high: low))
    assert soonest.wait_s(7.0) == 7.0
    latest = Backoff(Timing(uniform=lambda _low, high: high))
    assert latest.wait_s(7.0) == 14.0
    assert latest.wait_s(0.1) == 0.1 + 0.5
    assert latest.wait_s(1e9) == 2 * MAX_RETRY_AFTER_S


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, 0.0),
        ("0", 0.0),
        (" 120 ", 120.0),
        ("-5", 0.0),
        ("1.5", 0.0),
        ("soon", 0.0),
        ("", 0.0),
        ("²", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 60.0),
        ("Wed, 21 Oct 2015 07:26:00 GMT", 0.0),
        ("Wed, 41 Oct 2015 07:28:00 GMT", 0.0),
    ],
)
def test_retry_after_is_read_in_both_forms(header, seconds):
    """1445412420 is one minute before 07:28:00 on that day."""
    assert retry_after_s(header, 1_445_412_420.0) == seconds


def test_the_shortest_round_trip_knows_the_clock_best():
    estimate = OffsetEstimate()
    assert estimate.best is None
    estimate.add(measured(10.0, 10.200, 1_000_000))
    estimate.add(measured(20.0, 20.004, 1_010_000))
    estimate.add(measured(30.0, 30.100, 1_020_300))
    best = estimate.best
    assert best is not None
    assert best.error_ms == pytest.approx(2.5)
    assert best.server_ms(20.002) == pytest.approx(1_010_000.5)


def test_old_samples_are_forgotten():
    estimate = OffsetEstimate()
    estimate.add(measured(0.0, 0.001, 1_000))
    for _ in range(KEPT_SAMPLES):
        estimate.add(measured(10.0, 10.1, 20_000))
    best = estimate.best
    assert best is not None
    assert best.error_ms == pytest.approx(50.5)
