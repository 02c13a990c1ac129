"""The colours of the terminal table, or none: where what texts mean meets how a terminal shows it.

The roles and their values are those of the browser table (`web/css/tokens.css`), so that both look alike.
Without colour there are bold, faint and reversed text only; letters and shapes say all that colours do.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.strip import Strip
from textual.theme import Theme

from croupier_client.terminal.draw.picture import Line, Role, Span, Surface
from croupier_client.terminal.safe import clean

ROLES: Final[Mapping[Role, str]] = {
    Role.INK: "#f0eadb",
    Role.QUIET: "#a9b5ac",
    Role.LINE: "#3f514b",
    Role.GRID: "#26362f",
    Role.BRASS: "#d3b063",
    Role.PLAYER: "#7db4f0",
    Role.BANKER: "#f58d80",
    Role.TIE: "#79cb97",
    Role.REPEATS: "#e8786b",
    Role.BREAKS: "#6ea6e6",
    Role.BLACK: "#15191b",
    Role.RED: "#b4231c",
    Role.WON: "#8fd6a8",
    Role.WARN: "#f0b35e",
    Role.WRONG: "#ff9d90",
}

SURFACES: Final[Mapping[Surface, str]] = {
    Surface.GROUND: "#091412",
    Surface.FELT: "#0e211c",
    Surface.PANEL: "#13231f",
    Surface.LIFTED: "#182b26",
    Surface.CHOSEN: "#21392f",
    Surface.CARD: "#fdf9ef",
    Surface.NEXT: "#d3b063",
}

FEW_COLOURS: Final[Mapping[Surface, str]] = {
    **SURFACES,
    Surface.GROUND: "#000000",
    Surface.FELT: "#1c1c1c",
    Surface.PANEL: "#262626",
    Surface.LIFTED: "#303030",
    Surface.CHOSEN: "#3a3a3a",
}
"""Surfaces of a terminal with 256 colours or fewer, where the dark greens would all be one black."""

NEXT_INK: Final = "#1a1407"
"""Text on `Surface.NEXT`."""

DARK: Final = Theme(
    name="croupier",
    primary=ROLES[Role.BRASS],
    secondary=ROLES[Role.QUIET],
    accent=ROLES[Role.BRASS],
    foreground=ROLES[Role.INK],
    background=SURFACES[Surface.GROUND],
    surface=SURFACES[Surface.PANEL],
    panel=SURFACES[Surface.LIFTED],
    success=ROLES[Role.WON],
    warning=ROLES[Role.WARN],
    error=ROLES[Role.WRONG],
    dark=True,
)

PLAIN: Final = "ansi-dark"
"""Textual's own theme for a terminal's own colours; a filter takes those away too."""


class Palette:
    """Turns lines into strips, in colour or without; `deep` where a terminal knows 16 million colours."""

    def __init__(self, *, colour: bool, deep: bool = True) -> None:
        self.colour = colour
        self._surfaces = SURFACES if deep else FEW_COLOURS
        self.strip = lru_cache(maxsize=512)(self._strip)
        self._styles: dict[tuple[Role, bool, Surface], Style] = {}

    def _strip(self, line: Line) -> Strip:
        return Strip([Segment(span.text, self._style(span)) for span in line])

    def content(self, line: Line) -> Content:
        """A line for a dialog, which has a ground of its own."""
        parts = []
        for span in line:
            style = self._style(span)
            colour = style.color.name if self.colour and style.color is not None else ""
            parts.append((clean(span.text), " ".join(filter(None, ("bold" if span.strong else "", colour)))))
        return Content.assemble(*parts)

    def _style(self, span: Span) -> Style:
        key = (span.role, span.strong, span.surface or Surface.GROUND)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._coloured(*key) if self.colour else _plain(*key)
        return style

    def _coloured(self, role: Role, strong: bool, surface: Surface) -> Style:
        colour = NEXT_INK if surface is Surface.NEXT else ROLES[role]
        return Style(color=colour, bgcolor=self._surfaces[surface], bold=strong)


def _plain(role: Role, strong: bool, surface: Surface) -> Style:
    return Style(bold=strong, dim=role in {Role.LINE, Role.GRID}, reverse=surface is Surface.NEXT)
