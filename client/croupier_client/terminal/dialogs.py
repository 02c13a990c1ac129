"""What is asked and told above a table or the lobby."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from croupier_client.terminal.draw.picture import Line
from croupier_client.terminal.palette import Palette
from croupier_client.terminal.safe import clean
from croupier_client.terminal.words import Words
from croupier_protocol.language import parse_money, typeset

STYLE = """
Dialog { align: center middle; background: $background 60%; }
Dialog:ansi { background: ansi_default; }
Dialog > Vertical {
    width: 66; max-width: 100%; height: auto; max-height: 100%;
    padding: 0 2; background: $surface; border: round $accent;
    border-title-color: $accent; border-title-style: bold;
}
Dialog VerticalScroll { height: auto; max-height: 17; margin: 1 0 0 0; scrollbar-size-vertical: 1; }
Dialog Static { width: 1fr; height: auto; }
Dialog Input {
    margin: 1 0 0 0; border: none; height: 1; padding: 0 1; background: $panel; color: $foreground;
}
Dialog Input:ansi { text-style: underline; }
Dialog .refused { color: $error; text-style: bold; }
Dialog Horizontal { height: 1; margin: 1 0 1 0; }
Dialog Button {
    border: none; height: 1; min-width: 4; width: auto; padding: 0 2; margin: 0 2 0 0;
    background: $panel; color: $foreground; text-style: none;
}
Dialog Button:focus { background: $accent; color: $background; text-style: bold; }
Dialog Button:ansi:focus { text-style: reverse; }
"""


class Dialog(ModalScreen[str]):
    """A box with a title, something to read, and buttons; it ends with the name of one, or "" for Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss('')", show=False),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, words: Words, title: str, buttons: Sequence[str]) -> None:
        super().__init__()
        self.words = words
        self._title = title
        self._buttons = buttons

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = clean(self._title)
        with box:
            yield from self.body()
            with Horizontal():
                for name in self._buttons:
                    yield Button(self.words.buttons[name], id=name)

    def body(self) -> Iterable[Static | Input | VerticalScroll]:
        return ()

    def said(self, text: str) -> Content:
        """A text as it is shown: safe, and set as the language sets it."""
        return Content(typeset(self.words.language, clean(text)))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.pressed(event.button.id or "")

    def pressed(self, name: str) -> None:
        self.dismiss(name)


class AskDialog(Dialog):
    """A question; the last button has the focus, for it does nothing."""

    def __init__(self, words: Words, title: str, text: str, buttons: Sequence[str]) -> None:
        super().__init__(words, title, buttons)
        self._text = text

    def body(self) -> Iterable[Static | Input | VerticalScroll]:
        yield Static(self.said(self._text), classes="first")

    def on_mount(self) -> None:
        self.query(Button).last().focus()


class ReadDialog(Dialog):
    """Something to read, which scrolls."""

    def __init__(self, words: Words, title: str, lines: Sequence[Line | str], palette: Palette) -> None:
        super().__init__(words, title, ("close",))
        self._lines = lines
        self._palette = palette

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = clean(self._title)
        parts = [
            self.said(line) if isinstance(line, str) else self._palette.content(line) for line in self._lines
        ]
        with box:
            with VerticalScroll():
                yield Static(Content("\n").join(parts))
            with Horizontal():
                yield Button(self.words.buttons["close"], id="close")

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def key_enter(self) -> None:
        self.dismiss("")


Submit = Callable[[int], Awaitable[str]]
"""Does something with an amount of cents, and says why it was not done, or nothing."""


class AmountDialog(Dialog):
    """Asks for an amount and has something done with it; stays open, and says why, until that was done."""

    def __init__(
        self, words: Words, title: str, notes: Sequence[str], amount: int, do: str, submit: Submit
    ) -> None:
        super().__init__(words, title, (do, "cancel"))
        self._notes = notes
        self._amount = amount
        self._do = do
        self._submit = submit

    def body(self) -> Iterable[Static | Input | VerticalScroll]:
        for note in self._notes:
            yield Static(self.said(note))
        mark = "," if "," in self.words.money(0) else "."
        written = f"{self._amount // 100}" + (f"{mark}{self._amount % 100:02}" if self._amount % 100 else "")
        yield Input(written, restrict=r"[0-9.,]{0,17}", select_on_focus=True)
        yield Static("", classes="refused")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Submitted)
    async def _submitted(self) -> None:
        await self._try()

    def pressed(self, name: str) -> None:
        if name == self._do:
            self.run_worker(self._try(), exclusive=True)
        else:
            self.dismiss("")

    async def _try(self) -> None:
        """Does it; a person may write either decimal mark."""
        told = self.query_one(".refused", Static)
        text = self.query_one(Input).value.strip()
        mark = "," if "," in self.words.money(0) else "."
        try:
            cents = parse_money(self.words.language, text.replace(".", mark).replace(",", mark))
        except ValueError:
            cents = 0
        if not cents:
            told.update(self.said(self.words.amount_bad))
            return
        why = await self._submit(cents)
        if why:
            told.update(self.said(why))
        else:
            self.dismiss(self._do)
