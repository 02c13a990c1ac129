"""Panels side by side as one SVG: a cost over a number, on logarithmic axes, with the line that fits. No I/O.

A dashed line is what linear growth from the first point would be: a cost that runs below it grows less.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from benchmarks.growth_fit import Cost, Fit

WIDTH, HEIGHT = 320, 290
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 66, 44

STYLE = """
text { font: 12px system-ui, sans-serif; fill: #4a4a4a } .title { font-weight: 600 }
.axis { stroke: #8a8a8a; fill: none } .line { stroke: #0b6e4f; stroke-width: 2; fill: none }
.linear { stroke: #8a8a8a; stroke-dasharray: 4 3; fill: none }
.error { stroke: #0b6e4f; fill: none } circle { fill: #0b6e4f }
@media (prefers-color-scheme: dark) {
  text { fill: #c8c8c8 } .axis, .linear { stroke: #777 } .line, .error { stroke: #5fc9a0 }
  circle { fill: #5fc9a0 }
}
"""


class Panel(NamedTuple):
    """What was measured, and the line through it where one fits."""

    across: str
    up: str
    points: Sequence[Cost]
    fit: Fit | None


def figure(panels: Sequence[Panel]) -> str:
    """The whole picture."""
    drawn = "".join(
        f'<g transform="translate({index * WIDTH} 0)">{_panel(panel)}</g>'
        for index, panel in enumerate(panels)
    )
    said = "; ".join(
        f"{panel.up} by {panel.across}: "
        + ", ".join(f"{point.many}: {point.much:.3g}" for point in panel.points)
        + ("" if panel.fit is None else f", {panel.fit.told}: {panel.fit.verdict}")
        for panel in panels
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * len(panels)} {HEIGHT}" role="img"'
        f' aria-label="{escape(said)}"><style>{STYLE}</style>{drawn}</svg>\n'
    )


def _panel(panel: Panel) -> str:
    points = [point for point in panel.points if point.much > 0]
    told, verdict = (
        ("too few points to judge", "") if panel.fit is None else (panel.fit.told, panel.fit.verdict)
    )
    head = (
        f'<text class="title" x="{LEFT}" y="16">{escape(panel.up)}</text>'
        f'<text x="{LEFT}" y="34">{escape(told)}</text><text x="{LEFT}" y="51">{escape(verdict)}</text>'
        f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
        f'<text x="{LEFT}" y="{HEIGHT - 6}">{escape(panel.across)}</text>'
    )
    if not points:
        return head
    least, most = points[0].many, points[-1].many
    linear = [points[0].much * many / least for many in (least, most)]
    top = 10 ** math.ceil(math.log10(max(*linear, *(point.much + point.error for point in points))))
    floor = 10 ** math.floor(math.log10(min(point.much for point in points)))

    def x(many: float) -> float:
        return LEFT + _share(many, least, most) * (WIDTH - LEFT - RIGHT)

    def y(much: float) -> float:
        return HEIGHT - BOTTOM - _share(max(much, floor), floor, top) * (HEIGHT - TOP - BOTTOM)

    marks = "".join(
        f'<text x="{LEFT - 6}" y="{y(10.0**power) + 4:.1f}" text-anchor="end">{10.0**power:g}</text>'
        for power in range(round(math.log10(floor)), round(math.log10(top)) + 1)
    )
    ends = (
        f'<text x="{LEFT}" y="{HEIGHT - BOTTOM + 16}">{least:,}</text>'
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - BOTTOM + 16}" text-anchor="end">{most:,}</text>'
    )
    lines = f'<path class="linear" d="M{x(least):.1f} {y(linear[0]):.1f}L{x(most):.1f} {y(linear[1]):.1f}"/>'
    if panel.fit is not None:
        begin, end = (f"{x(many):.1f} {y(panel.fit.at(many)):.1f}" for many in (least, most))
        lines += f'<path class="line" d="M{begin}L{end}"/>'
    dots = "".join(
        f'<path class="error" d="M{x(point.many):.1f} {y(point.much - point.error):.1f}'
        f'V{y(point.much + point.error):.1f}"/>'
        f'<circle cx="{x(point.many):.1f}" cy="{y(point.much):.1f}" r="3"/>'
        for point in points
    )
    return head + marks + ends + lines + dots


def _share(value: float, least: float, most: float) -> float:
    """Where a value is between two, by logarithms."""
    return math.log(value / least) / math.log(most / least) if most > least else 0.5
