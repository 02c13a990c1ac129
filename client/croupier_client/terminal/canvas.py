"""The one widget that shows a picture and tells what was clicked in it."""

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from croupier_client.terminal.draw.picture import Act, Block
from croupier_client.terminal.palette import Palette

RIGHT_BUTTON = 3


class Canvas(Widget, can_focus=False):
    """Draws what `draw` returns for its size, and only the lines that have changed."""

    DEFAULT_CSS: ClassVar[str] = "Canvas { width: 1fr; height: 1fr; }"

    class Clicked(Message):
        """Something that does something was clicked, with the right button or another."""

        def __init__(self, act: Act, *, right: bool) -> None:
            super().__init__()
            self.act = act
            self.right = right

    def __init__(self, draw: Callable[[int, int], Block], palette: Palette) -> None:
        super().__init__()
        self._draw = draw
        self._palette = palette
        self.picture = Block(0, ())

    def redraw(self) -> None:
        """Draws anew; lines that stayed the same cost the terminal nothing."""
        if self.size.width == 0 or self.size.height == 0:
            return
        before, self.picture = self.picture, self._draw(self.size.width, self.size.height)
        if before.width != self.picture.width or before.height != self.picture.height:
            self.refresh()
            return
        pairs = enumerate(zip(before.lines, self.picture.lines, strict=True))
        changed = [Region(0, row, self.size.width, 1) for row, (old, new) in pairs if old != new]
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        if y >= self.picture.height:
            return Strip.blank(self.size.width)
        return self._palette.strip(self.picture.lines[y])

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's
        return container.height

    def on_resize(self) -> None:
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        act = self.picture.act_at(event.x, event.y)
        if act is not None:
            self.post_message(self.Clicked(act, right=event.button == RIGHT_BUTTON))
