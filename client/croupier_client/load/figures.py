"""Durations as figures for people and programs, and what a clock's error leaves of them."""

from typing import Final

from msgspec import Struct

from croupier_client.load.histogram import Histogram

STATISTICS: Final = ("mean", "p50", "p90", "p99", "p999", "max")

_PERCENTS: Final = {"p50": 50.0, "p90": 90.0, "p99": 99.0, "p999": 99.9}

CURVE_POINTS: Final = 200
"""Points of a distribution that are kept: more than a chart has room for."""


class Durations(Struct, frozen=True):
    """What a histogram comes to, in milliseconds right to within `error_ms`.

    A figure below the error cannot be told and is null. `curve` has the distribution: pairs of the share of
    all that was not above, and milliseconds.
    """

    count: int
    error_ms: float
    mean: float | None
    p50: float | None
    p90: float | None
    p99: float | None
    p999: float | None
    max: float | None
    curve: tuple[tuple[float, float], ...] = ()

    @classmethod
    def of(cls, histogram: Histogram, error_ms: float = 0.0, *, curve: bool = True) -> "Durations":
        """The figures of durations that are right to within `error_ms`, with their distribution."""
        figures = {"mean": histogram.mean, "max": histogram.highest}
        figures |= {name: histogram.percentile(percent) for name, percent in _PERCENTS.items()}
        told = {
            name: round(figure, 3) if histogram.count and figure >= error_ms else None
            for name, figure in figures.items()
        }
        points = _thinned(histogram) if curve else ()
        return cls(count=histogram.count, error_ms=round(error_ms, 3), curve=points, **told)

    def value(self, statistic: str) -> float:
        """A statistic, or the error where it is below that: it may have been as much."""
        found: float | None = getattr(self, statistic)
        return self.error_ms if found is None else found

    def shown(self, statistic: str) -> str:
        """A statistic for people.

        >>> Durations(9, 0.4, None, None, 1.25, 3.0, 3.0, 1234.5).shown("p50")
        '< 0.4 ms'
        """
        if not self.count:
            return "–"
        found: float | None = getattr(self, statistic)
        if found is None:
            return f"< {self.error_ms:.1f} ms"
        return f"{found:.1f} ms" if found < 100 else f"{found:.0f} ms"


def _thinned(histogram: Histogram) -> tuple[tuple[float, float], ...]:
    points = list(histogram.curve())
    step = max(1, len(points) // CURVE_POINTS)
    kept = [*points[::step], *points[-1:]]
    return tuple((round(share, 6), round(milliseconds, 3)) for share, milliseconds in kept)
