"""Panels side by side as one SVG: a quantity over another, both axes from nought. No I/O."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 300, 240
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 30, 40

STYLE = """
text { font: 12px system-ui, sans-serif; fill: #4a4a4a } .title { font-weight: 600 }
.axis { stroke: #8a8a8a; fill: none } .line { stroke: #0b6e4f; stroke-width: 2; fill: none }
circle { fill: #0b6e4f }
@media (prefers-color-scheme: dark) {
  text { fill: #c8c8c8 } .axis { stroke: #777 } .line { stroke: #5fc9a0 } circle { fill: #5fc9a0 }
}
"""


class Panel(NamedTuple):
    """`points` are (how many, how much), rising in how many."""

    across: str
    up: str
    points: Sequence[tuple[float, float]]


def figure(panels: Sequence[Panel]) -> str:
    """The whole picture."""
    drawn = "".join(
        f'<g transform="translate({index * WIDTH} 0)">{_panel(panel)}</g>'
        for index, panel in enumerate(panels)
    )
    said = "; ".join(
        f"{panel.up} by {panel.across}: " + ", ".join(f"{many:g}: {much:.3g}" for many, much in panel.points)
        for panel in panels
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * len(panels)} {HEIGHT}" role="img"'
        f' aria-label="{escape(said)}"><style>{STYLE}</style>{drawn}</svg>\n'
    )


def _panel(panel: Panel) -> str:
    most_across = max(many for many, _ in panel.points)
    most_up = max(much for _, much in panel.points)
    placed = [
        (
            LEFT + many / most_across * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - much / most_up * (HEIGHT - TOP - BOTTOM),
        )
        for many, much in panel.points
    ]
    path = " ".join(f"{'L' if index else 'M'}{x:.1f} {y:.1f}" for index, (x, y) in enumerate(placed))
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in placed)
    ends = (
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - BOTTOM + 16}" text-anchor="end">{most_across:,g}</text>'
        f'<text x="{LEFT - 6}" y="{TOP + 6}" text-anchor="end">{most_up:.3g}</text>'
        f'<text x="{LEFT - 6}" y="{HEIGHT - BOTTOM + 4}" text-anchor="end">0</text>'
    )
    return (
        f'<text class="title" x="{LEFT}" y="16">{escape(panel.up)}</text>'
        f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
        f'<path class="line" d="{path}"/>{dots}{ends}'
        f'<text x="{LEFT}" y="{HEIGHT - 8}">{escape(panel.across)}</text>'
    )
