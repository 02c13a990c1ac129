"""Durations in buckets, and the figures that are made of them."""

import msgspec
import pytest

from croupier_client.load.figures import Durations
from croupier_client.load.histogram import Histogram


def histogram_of(*durations_ms: float) -> Histogram:
    made = Histogram()
    for duration_ms in durations_ms:
        made.add(duration_ms)
    return made


def test_percentiles_are_right_to_one_percent():
    histogram = histogram_of(*(tenth_ms / 10 for tenth_ms in range(1, 10_001)))
    for percent, expected in ((50, 500.0), (90, 900.0), (99, 990.0)):
        assert histogram.percentile(percent) == pytest.approx(expected, rel=0.01)
    assert histogram.percentile(100) == 1000.0
    assert histogram.mean == pytest.approx(500.05)


def test_durations_of_every_size_have_their_bucket():
    for duration_ms in (0.001, 0.2, 7.0, 300.0, 9_000.0, 3_600_000.0):
        both = histogram_of(duration_ms, duration_ms * 2)
        assert both.percentile(50) == pytest.approx(duration_ms, rel=0.01)


def test_there_is_nothing_to_tell_of_nothing():
    assert Histogram().percentile(99) == 0.0
    assert Durations.of(Histogram()).shown("p99") == "–"


def test_histograms_of_two_processes_add_up_to_that_of_one():
    together = histogram_of(1.0, 2.0, 30.0, 40.0, 500.0, 600.0)
    one, other = histogram_of(1.0, 30.0, 500.0), histogram_of(2.0, 40.0, 600.0)
    told = msgspec.json.decode(msgspec.json.encode(other), type=Histogram)
    one.add_all(told)
    assert one == together


def test_a_figure_below_the_clocks_error_is_not_told():
    figures = Durations.of(histogram_of(*[0.2] * 90, *[3.0] * 10), error_ms=1.75)
    assert (figures.p50, figures.p90) == (None, None)
    assert figures.p99 == 3.0
    assert (figures.shown("p50"), figures.shown("p99")) == ("< 1.8 ms", "3.0 ms")
    assert figures.value("p50") == 1.75
