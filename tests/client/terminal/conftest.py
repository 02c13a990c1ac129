import asyncio
import time
from contextlib import asynccontextmanager

import pytest

from croupier_client.connection import connect
from croupier_client.terminal.app import News, PlayApp
from croupier_client.terminal.canvas import Canvas
from croupier_client.terminal.languages import WORDS
from croupier_client.timing import Timing
from croupier_protocol.language import Language

DEADLINE_S = 30.0


class Sitting:
    """`croupier play` in this process, driven by keys and clicks, read as characters."""

    def __init__(self, app: PlayApp, pilot) -> None:
        self.app = app
        self.pilot = pilot
        self._told = ""

    @property
    def text(self) -> str:
        """What the screen with the picture shows."""
        return "\n".join(self.app.screen._canvas.picture.text)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def sees(self, *parts: str) -> str:
        """Waits until all of these are on the picture together, and returns it."""
        return await self.until(lambda: all(part in self.text for part in parts) and self.text, str(parts))

    async def until(self, condition, what: str = "the condition"):
        deadline = time.monotonic() + DEADLINE_S
        while not (found := condition()):
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not come; there is\n{self.text}")
            await asyncio.sleep(0.03)
        return found

    async def told(self) -> str:
        """Waits until the dialog has another reason why something was not done, and returns it."""

        def reason() -> str:
            found = self.app.screen.query(".refused")
            return str(found.first().render()) if found else ""

        await self.until(lambda: reason() not in {"", self._told}, "a reason")
        self._told = reason()
        return self._told

    async def click(self, text: str, button: int = 1) -> None:
        """Clicks the first place where the picture has this text."""
        lines = self.app.screen._canvas.picture.text
        row = next(number for number, line in enumerate(lines) if text in line)
        await self.pilot.click(Canvas, offset=(lines[row].index(text) + 1, row), button=button)


@asynccontextmanager
async def _at(url, table=None, *, size=(80, 24), language="en", colour=True, **options):
    words = WORDS[Language(language)]
    news = News()
    timing = Timing(base_s=0.05, cap_s=0.2)
    async with connect(url, language=words.language, on_notice=news.tell, timing=timing, **options) as client:
        app = PlayApp(client, url, words, colour=colour, monotonic=time.monotonic, table=table)
        news.listener = app.notice
        async with app.run_test(size=size) as pilot:
            yield Sitting(app, pilot)
    if app.failure is not None:
        raise app.failure


@pytest.fixture
def at():
    """Opens the program at a server, in this process."""
    return _at
