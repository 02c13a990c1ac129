"""Many durations in little memory: counts in buckets that are narrow where durations are short (HDR).

A duration is kept in whole microseconds. Up to `HALF * 2` each has a bucket of its own; above, each doubling
is cut into `HALF` equal buckets, so a figure is never off by more than one part in `HALF`.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

HALF: Final = 128
"""Buckets in each doubling: figures are right to 0.8 percent. Twice as many would double what a process tells
in a second and show nothing more."""

_PRECISE_BITS: Final = 8
"""Values below `HALF * 2` have that many bits."""


class Histogram(Struct):
    """Durations in milliseconds; see the module. Histograms of several processes add up with `add_all`.

    >>> histogram = Histogram()
    >>> for duration_ms in range(1, 101):
    ...     histogram.add(duration_ms)
    >>> round(histogram.percentile(50)), round(histogram.percentile(100)), histogram.count
    (50, 100, 100)
    """

    buckets: dict[int, int] = field(default_factory=dict)
    count: int = 0
    total_us: int = 0
    highest_us: int = 0

    def add(self, duration_ms: float) -> None:
        """Counts a duration; one below zero counts as zero."""
        value = int(duration_ms * 1000) if duration_ms > 0 else 0
        bucket = bucket_of(value)
        buckets = self.buckets
        buckets[bucket] = buckets.get(bucket, 0) + 1
        self.count += 1
        self.total_us += value
        if value > self.highest_us:  # noqa: PLR1730 - max() takes as long as all the rest
            self.highest_us = value

    def add_all(self, other: "Histogram") -> None:
        """Counts what `other` has counted."""
        for bucket, count in other.buckets.items():
            self.buckets[bucket] = self.buckets.get(bucket, 0) + count
        self.count += other.count
        self.total_us += other.total_us
        self.highest_us = max(self.highest_us, other.highest_us)

    @property
    def highest(self) -> float:
        """The longest, to the microsecond; 0 when there are none."""
        return self.highest_us / 1000

    @property
    def mean(self) -> float:
        return self.total_us / self.count / 1000 if self.count else 0.0

    def percentile(self, percent: float) -> float:
        """The duration in milliseconds that so many percent do not exceed; 0 when there are none."""
        wanted = self.count * percent / 100
        seen = 0
        for bucket in sorted(self.buckets):
            seen += self.buckets[bucket]
            if seen >= wanted:
                return min(last_of(bucket), self.highest_us) / 1000
        return 0.0

    def curve(self) -> Iterator[tuple[float, float]]:
        """The whole distribution: (share not above, milliseconds), shortest first; the share ends at 1."""
        seen = 0
        for bucket in sorted(self.buckets):
            seen += self.buckets[bucket]
            yield seen / self.count, min(last_of(bucket), self.highest_us) / 1000


def bucket_of(value: int) -> int:
    """The bucket of a whole number of microseconds.

    >>> [bucket_of(value) for value in (0, 255, 256, 257, 258, 511, 512)]
    [0, 255, 256, 256, 257, 383, 384]
    """
    shift = value.bit_length() - _PRECISE_BITS
    return value if shift <= 0 else shift * HALF + (value >> shift)


def last_of(bucket: int) -> int:
    """The largest value in a bucket.

    >>> [last_of(bucket_of(value)) for value in (255, 256, 512, 1_000_000)]
    [255, 257, 515, 1003519]
    """
    if bucket < 2 * HALF:
        return bucket
    shift = bucket // HALF - 1
    return ((bucket - shift * HALF + 1) << shift) - 1
