"""How a cost grows with a number: the power of it that fits best, with its error. No I/O.

What is there at rest is taken off first. The cost less that is a straight line on two logarithmic axes if it
is a power of the number, and the line's slope is the power: 1 is linear, less is better. Points count by how
well they are known, which their windows tell; on top of that no point is taken to be known better than
`KNOWN_AT_BEST`, so that one with windows that happened to agree does not decide alone.
"""

import math
from collections.abc import Sequence
from statistics import median, stdev
from typing import NamedTuple

KNOWN_AT_BEST = 0.02
"""As a share of the cost: what one run differs from the next on a machine that does nothing else."""

KNOWN_AT_WORST = 0.5
"""A point whose cost is known no better than that tells nothing of growth."""

MEDIAN_ERROR = 1.25
"""The standard error of a median in that of a mean, of normal deviations."""

ENOUGH = 0.1
"""A power that is not known better than that decides nothing."""


class Windows(NamedTuple):
    """What was measured at one point: how many there were, and one value for each window."""

    many: int
    values: Sequence[float]

    @property
    def middle(self) -> float:
        return median(self.values)

    @property
    def error(self) -> float:
        """The standard error of the median."""
        return (
            MEDIAN_ERROR * stdev(self.values) / math.sqrt(len(self.values)) if len(self.values) > 1 else 0.0
        )

    @property
    def spread(self) -> str:
        """Lowest and highest, for people."""
        return f"{min(self.values):.3g} to {max(self.values):.3g}"


class Cost(NamedTuple):
    """The cost of so many, less what is there at rest, and its standard error."""

    many: int
    much: float
    error: float

    @property
    def told(self) -> bool:
        """Whether it is known well enough to count."""
        return self.much > 0 and self.error < KNOWN_AT_WORST * self.much

    @property
    def each(self) -> float:
        return self.much / self.many


class Fit(NamedTuple):
    """`factor` times the number to the power of `power`, which is right to within `error`, one deviation."""

    factor: float
    power: float
    error: float

    def at(self, many: float) -> float:
        return self.factor * many**self.power

    @property
    def told(self) -> str:
        """The power, in words."""
        return f"grows as the power {self.power:.3f} ± {self.error:.3f}"

    @property
    def verdict(self) -> str:
        """Whether that is linear or better, in words."""
        if self.error > ENOUGH:
            return "too coarse to judge"
        return "linear or better" if self.power <= 1 + 2 * self.error else "MORE THAN LINEAR"


def costs(rest: Windows, points: Sequence[Windows], grain: float = 0.0) -> list[Cost]:
    """The points less what is there at rest; what is measured comes in grains of that size."""
    return [
        Cost(point.many, point.middle - rest.middle, math.hypot(point.error, rest.error, grain))
        for point in points
    ]


def fit(points: Sequence[Cost]) -> Fit | None:
    """The power that fits best, by least squares of logarithms; None when fewer than three points count.

    >>> found = fit([Cost(many, 3.0 * many**0.9, 0.0) for many in (1, 10, 100, 1000)])
    >>> round(found.factor, 6), round(found.power, 6), round(found.error, 3)
    (3.0, 0.9, 0.004)
    """
    known = [point for point in points if point.told]
    if len(known) < 3:
        return None
    weights = [1 / (KNOWN_AT_BEST**2 + (point.error / point.much) ** 2) for point in known]
    across = [math.log(point.many) for point in known]
    up = [math.log(point.much) for point in known]
    total = sum(weights)
    mean_across = sum(weight * x for weight, x in zip(weights, across, strict=True)) / total
    mean_up = sum(weight * y for weight, y in zip(weights, up, strict=True)) / total
    width = sum(weight * (x - mean_across) ** 2 for weight, x in zip(weights, across, strict=True))
    power = (
        sum(
            weight * (x - mean_across) * (y - mean_up)
            for weight, x, y in zip(weights, across, up, strict=True)
        )
        / width
    )
    factor = math.exp(mean_up - power * mean_across)
    misfit = sum(
        weight * (y - math.log(factor) - power * x) ** 2
        for weight, x, y in zip(weights, across, up, strict=True)
    )
    # Points that lie further off the line than their windows explain make its slope less certain.
    error = math.sqrt(max(1.0, misfit / (len(known) - 2)) / width)
    return Fit(factor, power, error)
