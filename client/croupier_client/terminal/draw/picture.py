"""Pictures made of characters: lines of spans, with zones that can be clicked.

A span says what its text means (a `Role`) and what it lies on (a `Surface`); which colours those are, and
whether there are any, is decided where pictures meet a terminal (`terminal.palette`). Every picture goes
through `block`, which makes text safe and every line exactly as wide as the picture.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from croupier_client.terminal.safe import clean


class Role(StrEnum):
    """What a text means."""

    INK = "ink"
    QUIET = "quiet"
    LINE = "line"
    GRID = "grid"
    BRASS = "brass"
    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    REPEATS = "repeats"
    BREAKS = "breaks"
    BLACK = "black"
    RED = "red"
    WON = "won"
    WARN = "warn"
    WRONG = "wrong"


class Surface(StrEnum):
    """What a text lies on. `NEXT` is for the one thing that can be done next."""

    GROUND = "ground"
    FELT = "felt"
    PANEL = "panel"
    LIFTED = "lifted"
    CHOSEN = "chosen"
    CARD = "card"
    NEXT = "next"


class Span(NamedTuple):
    """A text of one meaning; without a surface it lies on what its picture lies on."""

    text: str
    role: Role = Role.INK
    strong: bool = False
    surface: Surface | None = None


Line = tuple[Span, ...]


class Act(NamedTuple):
    """What a click on a zone, or a key, asks for: `kind` with a bet, a table, or the number of a chip."""

    kind: str
    name: str = ""
    number: int = 0


class Zone(NamedTuple):
    """A part of a picture that does something when it is clicked."""

    column: int
    row: int
    width: int
    height: int
    act: Act

    def moved(self, columns: int, rows: int) -> "Zone":
        return self._replace(column=self.column + columns, row=self.row + rows)

    def holds(self, column: int, row: int) -> bool:
        """Whether a place is in it."""
        return self.column <= column < self.column + self.width and self.row <= row < self.row + self.height


class Block(NamedTuple):
    """A picture: so many columns, its lines, and what can be clicked. `block` makes one."""

    width: int
    lines: tuple[Line, ...]
    zones: tuple[Zone, ...] = ()

    @property
    def height(self) -> int:
        return len(self.lines)

    @property
    def text(self) -> list[str]:
        """The characters alone, without spaces at the ends of lines."""
        return ["".join(span.text for span in line).rstrip() for line in self.lines]

    def on(self, surface: Surface) -> "Block":
        """The same on a surface, except for what has one of its own."""
        lines = tuple(
            tuple(
                span if span.surface is not None else Span(span.text, span.role, span.strong, surface)
                for span in line
            )
            for line in self.lines
        )
        return self._replace(lines=lines)

    def clicked(self, act: Act) -> "Block":
        """The same, as a whole a zone that does `act`."""
        return self._replace(zones=(*self.zones, Zone(0, 0, self.width, self.height, act)))

    def tall(self, height: int) -> "Block":
        """The same with so many lines: cut at the end, or filled up with empty ones."""
        blank = (Span(" " * self.width),)
        lines = (*self.lines[:height], *([blank] * (height - self.height)))
        zones = tuple(zone for zone in self.zones if zone.row < height)
        return Block(self.width, lines, zones)

    def act_at(self, column: int, row: int) -> Act | None:
        """What a click there asks for; the innermost zone counts."""
        return next((zone.act for zone in self.zones if zone.holds(column, row)), None)


def block(width: int, lines: Iterable[Sequence[Span]]) -> Block:
    """A picture of `width` columns from lines of any width: longer ones are cut, shorter ones filled."""
    return Block(width, tuple(fitted(line, width) for line in lines))


def fitted(line: Iterable[Span], width: int) -> Line:
    """A line made safe, and exactly so wide; what does not fit ends in "…"."""
    spans: list[Span] = []
    left = width
    for span in line:
        text = clean(span.text)
        cells = len(text) if text.isascii() else cell_len(text)
        if cells > left:
            _end_early(spans, span, text, left)
            return tuple(spans)
        left -= cells
        last = spans[-1] if spans else None
        if last is not None and last[1:] == span[1:]:
            spans[-1] = Span(last.text + text, *span[1:])
        elif text:
            spans.append(span if text is span.text else Span(text, *span[1:]))
    if left > 0:
        spans.append(Span(" " * left))
    return tuple(spans)


def _end_early(spans: list[Span], span: Span, text: str, left: int) -> None:
    """Puts as much of `text` as fits into `left` columns at the end of `spans`, and "…"."""
    if left > 0:
        spans.append(span._replace(text=set_cell_size(text, left - 1) + "…"))
    elif spans and text.strip():
        last = spans[-1]
        spans[-1] = last._replace(text=set_cell_size(last.text, cell_len(last.text) - 1) + "…")


def width_of(line: Iterable[Span]) -> int:
    """How many columns a line takes."""
    return sum(cell_len(clean(span.text)) for span in line)


def clipped(text: str, width: int) -> str:
    """A text in at most `width` columns, made safe; "…" where something is missing."""
    safe = clean(text)
    return safe if cell_len(safe) <= width else set_cell_size(safe, max(width - 1, 0)) + "…"


def centred(line: Sequence[Span], width: int) -> Line:
    """A line with as much room before it as after it."""
    return (Span(" " * max((width - width_of(line)) // 2, 0)), *line)


def apart(left: Sequence[Span], right: Sequence[Span], width: int) -> Line:
    """One part at each end of a line; when both do not fit, the left one is cut."""
    room = width - width_of(right)
    return (*fitted(left, max(room, 0)), *right)


def beside(*blocks: Block, gap: int = 0) -> Block:
    """Pictures side by side, as high as the highest."""
    height = max(each.height for each in blocks)
    lines: list[Line] = [()] * height
    zones: list[Zone] = []
    column = 0
    for number, each in enumerate(blocks):
        if number and gap:
            lines = [(*line, Span(" " * gap)) for line in lines]
            column += gap
        whole = each.tall(height)
        lines = [(*line, *more) for line, more in zip(lines, whole.lines, strict=True)]
        zones += [zone.moved(column, 0) for zone in each.zones]
        column += each.width
    return Block(column, tuple(lines), tuple(zones))


def stack(width: int, *blocks: Block) -> Block:
    """Pictures one below the other, each brought to `width` columns."""
    lines: list[Line] = []
    zones: list[Zone] = []
    for each in blocks:
        zones += [zone.moved(0, len(lines)) for zone in each.zones]
        lines += each.lines if each.width == width else [fitted(line, width) for line in each.lines]
    return Block(width, tuple(lines), tuple(zones))


def blank(width: int, height: int = 1) -> Block:
    """Nothing, so high."""
    return Block(width, ((Span(" " * width),),) * height)
