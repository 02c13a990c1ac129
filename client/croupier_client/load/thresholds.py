"""Thresholds: what a run must keep to, as the command line writes it. No I/O.

A threshold is a measure, a comparison and a value: ``push_p99<100ms``, ``gaps==0``, ``joined>=10000``. One of
a part of the plan has its name before it: ``hold_ack_p99<25ms``.
"""

import operator
import re
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from croupier_client.load.errors import ThresholdError
from croupier_client.load.figures import STATISTICS, Durations
from croupier_client.load.scenario import Plan
from croupier_client.load.tally import Count
from croupier_client.load.times import Measure

_EXPRESSION: Final = re.compile(r"\s*([a-z0-9_.]+)\s*(<=|>=|==|<|>)\s*([0-9]+(?:\.[0-9]+)?)\s*([a-zµ]*)\s*")

_COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}

_UNITS: Final[Mapping[str, float]] = {"us": 0.001, "µs": 0.001, "ms": 1.0, "s": 1000.0}
"""In milliseconds."""


class Judged(Struct, frozen=True):
    """A threshold after the run: what was found, and whether it was kept. Nothing found keeps nothing."""

    text: str
    kept: bool
    found: str


class Threshold(Struct, frozen=True):
    """One threshold: of a count, or of a statistic in milliseconds, of the whole run or of a `part` of it."""

    text: str
    comparison: str
    value: float
    count: Count | None = None
    measure: Measure | None = None
    part: str | None = None
    statistic: str = ""

    def judge(
        self, counts: Mapping[Count, int], durations: Callable[[Measure, str | None], Durations]
    ) -> Judged:
        """Whether a run kept to it.

        A duration that is too short for the clock to tell may have been as long as the clock's error.
        """
        compare = _COMPARISONS[self.comparison]
        if self.measure is None:
            number = counts.get(self.count, 0) if self.count is not None else 0
            return Judged(self.text, compare(number, self.value), str(number))
        found = durations(self.measure, self.part)
        if not found.count:
            return Judged(self.text, kept=False, found="nothing was measured")
        milliseconds = found.value(self.statistic)
        return Judged(self.text, compare(milliseconds, self.value), found.shown(self.statistic))


def parse_threshold(text: str, plan: Plan) -> Threshold:
    """The threshold that `text` means for a run of `plan`.

    >>> from croupier_client.load.scenario import Scenario
    >>> plan = Plan(Scenario.STEADY, 1, 0, 0.0, 1.0, 0.0)
    >>> found = parse_threshold("push_p99 < 0.1s", plan)
    >>> found.measure.value, found.part, found.statistic, found.comparison, found.value
    ('push', None, 'p99', '<', 100.0)
    >>> found = parse_threshold("hold_ack_max<=25ms", plan)
    >>> found.measure.value, found.part, found.statistic, found.comparison, found.value
    ('ack', 'hold', 'max', '<=', 25.0)

    Raises:
        ThresholdError: it means none; the message says what there is.
    """
    match = _EXPRESSION.fullmatch(text)
    if match is None:
        raise ThresholdError(f"{text!r} is no threshold: write a measure, < <= > >= or ==, and a value")
    name, comparison, number, unit = match.groups()
    if name in set(Count):
        if unit:
            raise ThresholdError(f"{text!r}: {name} is a count and has no unit")
        return Threshold(text, comparison, float(number), count=Count(name))
    first, _, statistic = name.rpartition("_")
    part, _, measure = first.rpartition("_")
    if measure not in set(Measure) or statistic not in STATISTICS or (part and part not in plan.parts):
        raise ThresholdError(f"{text!r}: there is no measure {name!r}; {_what_there_is(plan)}")
    if unit not in _UNITS:
        raise ThresholdError(f"{text!r}: {name} is a time: write its unit, ms, s or us")
    value = float(number) * _UNITS[unit]
    return Threshold(text, comparison, value, None, Measure(measure), part or None, statistic)


def _what_there_is(plan: Plan) -> str:
    return (
        f"times are {', '.join(Measure)} of the whole run, or of a part of it with {'_, '.join(plan.parts)}_ "
        f"before them, and with _{', _'.join(STATISTICS)}; counts are {', '.join(Count)}"
    )
