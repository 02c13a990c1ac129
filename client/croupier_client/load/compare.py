"""A run beside an earlier one: what has become slower, quicker, more or less."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from croupier_client.load.errors import OldReportError
from croupier_client.load.figures import Durations
from croupier_client.load.report import Report

COMPARED: Final = ("p50", "p99", "max")


class Difference(Struct, frozen=True):
    """A figure then and now, both for people; `ratio` is now to then where both are known."""

    name: str
    then: str
    now: str
    ratio: float | None


def read_report(path: Path) -> Report:
    """The report that ``croupier load --json`` printed into a file.

    Raises:
        OldReportError: there is none in it.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Report)
    except OSError as error:
        raise OldReportError(f"{path} cannot be read: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise OldReportError(f"{path} is no report of `croupier load --json`: {error}") from error


def differences(then: Report, now: Report) -> Iterator[Difference]:
    """Every time that is shown of a run and that either has measured, and every count that differs."""
    for name, _, new in now.shown_measures():
        old = then.measures.get(name)
        if old is None or not (old.count or new.count):
            continue
        for statistic in COMPARED:
            ratio = _ratio(old, new, statistic)
            yield Difference(f"{name} {statistic}", old.shown(statistic), new.shown(statistic), ratio)
    for name, number in now.counts.items():
        before = then.counts.get(name, 0)
        if before != number:
            ratio = number / before if before else None
            yield Difference(name, str(before), str(number), ratio)


def difference_lines(then: Report, now: Report) -> Iterator[str]:
    """The differences for people."""
    if then.plan != now.plan:
        yield "the two runs are not of the same plan: differences may come from that"
    yield f"{'':28} {'then':>12} {'now':>12} {'now/then':>9}"
    for one in differences(then, now):
        ratio = "" if one.ratio is None else f"{one.ratio:.2f}"
        yield f"{one.name:28} {one.then:>12} {one.now:>12} {ratio:>9}"


def _ratio(old: Durations, new: Durations, statistic: str) -> float | None:
    before, after = getattr(old, statistic), getattr(new, statistic)
    return after / before if before and after else None
