"""Charts as inline SVG: lines over time, and distributions. No I/O, no script.

Colours come from the page (`--line-1` …), so that a chart is readable in either colour scheme; lines differ
in their dashes too.
"""

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from msgspec import Struct

WIDTH, HEIGHT = 720, 220
LEFT, RIGHT, TOP, BOTTOM = 62, 12, 12, 30
TICKS: Final = 4
DASHES: Final = ("none", "6 3", "2 3", "8 3 2 3")


class Line(Struct, frozen=True):
    """One line of a chart; a gap where a value is None."""

    label: str
    points: tuple[tuple[float, float | None], ...]


class _Axis(Struct, frozen=True):
    """From values to pixels, and where marks stand."""

    place: Callable[[float], float]
    marks: tuple[tuple[float, str], ...]


def time_chart(title: str, unit: str, lines: Sequence[Line]) -> str:
    """Lines over the seconds of a run."""
    end = max((point[0] for line in lines for point in line.points), default=1.0) or 1.0
    marks = tuple((second, f"{second:g} s") for second in _round_marks(end))
    across = _Axis(lambda second: LEFT + second / end * (WIDTH - LEFT - RIGHT), marks)
    return _chart(title, unit, lines, across)


def distribution_chart(title: str, unit: str, lines: Sequence[Line]) -> str:
    """Distributions: points of (share not above, value), drawn so that the last thousandths can be seen."""
    nines = 4
    width = WIDTH - LEFT - RIGHT
    shares = tuple((1 - 10.0**-power, f"{100 * (1 - 10.0**-power):g} %") for power in range(nines + 1))

    def place(share: float) -> float:
        return LEFT + min(-math.log10(max(1 - share, 10.0**-nines)), nines) / nines * width

    return _chart(title, unit, lines, _Axis(place, shares))


def _chart(title: str, unit: str, lines: Sequence[Line], across: _Axis) -> str:
    values = [value for line in lines for _, value in line.points if value is not None]
    if not values:
        return f"<figure><figcaption>{escape(title)}</figcaption><p>Nothing was measured.</p></figure>"
    top = max(values) or 1.0
    height = HEIGHT - TOP - BOTTOM
    up = _Axis(
        lambda value: TOP + height - min(value / top, 1.0) * height,
        tuple((mark, f"{mark:g} {unit}".strip()) for mark in _round_marks(top)),
    )
    parts = [_frame(across, up)]
    for index, line in enumerate(lines):
        parts.append(_path(line, index, across, up))
    names = "".join(
        f'<span><svg width="28" height="8" aria-hidden="true"><path d="M0 4H28" {_stroke(index)}/></svg> '
        f"{escape(line.label)}</span>"
        for index, line in enumerate(lines)
    )
    said = "; ".join(f"{line.label} at most {_most(line):g} {unit}" for line in lines)
    return (
        f"<figure><figcaption>{escape(title)}</figcaption>"
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(f"{title}: {said}")}">'
        f'{"".join(parts)}</svg><p class="legend">{names}</p></figure>'
    )


def _most(line: Line) -> float:
    return max((value for _, value in line.points if value is not None), default=0.0)


def _frame(across: _Axis, up: _Axis) -> str:
    """The marks of both axes."""
    lines = []
    for value, text in up.marks:
        y = up.place(value)
        lines.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(text)}</text>')
    for value, text in across.marks:
        x = across.place(value)
        anchor = "end" if x > WIDTH - RIGHT - 20 else "middle"
        lines.append(f'<path class="grid" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
        lines.append(f'<text x="{x:.1f}" y="{HEIGHT - 10}" text-anchor="{anchor}">{escape(text)}</text>')
    return "".join(lines)


def _path(line: Line, index: int, across: _Axis, up: _Axis) -> str:
    steps = []
    pen = "M"
    for at, value in line.points:
        if value is None:
            pen = "M"
            continue
        steps.append(f"{pen}{across.place(at):.1f} {up.place(value):.1f}")
        pen = "L"
    if len(steps) == 1:  # a line of one point would not be seen
        steps.append("h2")
    return f'<path d="{"".join(steps)}" {_stroke(index)}/>'


def _stroke(index: int) -> str:
    dash = DASHES[index % len(DASHES)]
    return f'class="line" style="stroke:var(--line-{index % len(DASHES) + 1});stroke-dasharray:{dash}"'


def _round_marks(most: float) -> list[float]:
    """Round values from 0 up to `most`, about `TICKS` of them.

    >>> _round_marks(70.0)
    [0.0, 20.0, 40.0, 60.0]
    """
    rough = most / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [round(step * index, 10) for index in range(int(most / step + 1e-9) + 1)]
