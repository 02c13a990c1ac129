"""Many durations in little memory: counts in buckets that grow by one percent."""

import math
from collections import Counter
from typing import Final

GROWTH: Final = 1.01
"""Each bucket is so much wider than the last: a percentile is right to one percent."""

SMALLEST_MS: Final = 0.01


class Histogram:
    """Durations in milliseconds; those under a hundredth count as that.

    >>> histogram = Histogram()
    >>> for duration_ms in range(1, 101):
    ...     histogram.add(duration_ms)
    >>> round(histogram.percentile(50)), round(histogram.percentile(100)), histogram.count
    (50, 100, 100)
    """

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self._highest_ms = 0.0
        self.count = 0

    def add(self, duration_ms: float) -> None:
        self._buckets[int(math.log(max(duration_ms, SMALLEST_MS) / SMALLEST_MS, GROWTH))] += 1
        self._highest_ms = max(self._highest_ms, duration_ms)
        self.count += 1

    def percentile(self, percent: float) -> float:
        """The duration that so many percent do not exceed; 0 when there are none."""
        wanted = self.count * percent / 100
        seen = 0
        for bucket in sorted(self._buckets):
            seen += self._buckets[bucket]
            if seen >= wanted:
                return min(SMALLEST_MS * GROWTH ** (bucket + 1), self._highest_ms)
        return 0.0
