"""The program: one client, the tables that it follows, and the screens."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, ClassVar, Final, NamedTuple

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import NoColor

from croupier_client.connection import Client
from croupier_client.errors import CroupierError, RefusedError
from croupier_client.notices import Connected, Notice, Reconnecting
from croupier_client.terminal.clock import ShownClock
from croupier_client.terminal.dialogs import STYLE, AskDialog
from croupier_client.terminal.palette import DARK, PLAIN, Palette
from croupier_client.terminal.screens import LobbyScreen, PictureScreen, TableScreen
from croupier_client.terminal.session import TableSession
from croupier_client.terminal.state import Link
from croupier_client.terminal.words import Words

PINGS: Final = 3
"""Questions for the server's time after each connection: the shortest round trip of several counts."""

LEAVING_S: Final = 10.0
"""How long quitting waits for seats to be cashed out; in the end their tables do it by themselves."""

AS_WRITTEN: Final = "\x1b[8l"
"""Has the terminal show signs in the order in which they come (BDSM of ECMA-48), where it knows how: a name
written from right to left then moves nothing that stands beside it."""

AS_BEFORE: Final = "\x1b[8h"


class News:
    """Takes news of the connection from a client that exists before its program does."""

    def __init__(self) -> None:
        self.listener: Callable[[Notice], None] | None = None

    def tell(self, notice: Notice) -> None:
        if self.listener is not None:
            self.listener(notice)


class Kept(NamedTuple):
    """A seat that was kept at the end, with its chips in cents."""

    table: str
    bankroll: int


class PlayApp(App[int]):
    """`croupier play` on a terminal; see `command`."""

    CSS: ClassVar[str] = STYLE
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False
    ALLOW_SELECT: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave_program", show=False, priority=True),
    ]

    def __init__(
        self,
        client: Client,
        url: str,
        words: Words,
        *,
        colour: bool,
        monotonic: Callable[[], float],
        table: str | None = None,
        said: str = "",
    ) -> None:
        super().__init__()
        self.client = client
        self.url = url
        self.words = words
        self.palette = Palette(colour=colour, deep=self.console.color_system == "truecolor")
        self.sessions: dict[str, TableSession] = {}
        self.kept: list[Kept] = []
        self.failure: Exception | None = None
        self.interrupted = False
        self._first_table = table
        self._monotonic = monotonic
        self._retry_at_s: float | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._handlers: dict[int, Any] = {}
        self._clock = ShownClock()
        self._lobby = LobbyScreen()
        self._lobby.said = said
        if not colour:
            self._filters.append(NoColor())

    async def on_mount(self) -> None:
        self.register_theme(DARK)
        self.theme = DARK.name if self.palette.colour else PLAIN
        if self._driver is not None:
            self._driver.write(AS_WRITTEN)
        self._obey_signals()
        self._spawn_pings()
        await self.push_screen(self._lobby)
        if self._first_table is not None:
            await self.open_table(self._first_table)

    async def on_unmount(self) -> None:
        if self._driver is not None:
            self._driver.write(AS_BEFORE)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for task in self._tasks:
            task.cancel()
        self.kept = [
            Kept(session.table, session.bankroll) for session in self.sessions.values() if session.seated
        ]
        for session in self.sessions.values():
            await session.close()

    def _obey_signals(self) -> None:
        """The first signal ends the program in good order; a second one does what it did before."""
        loop = asyncio.get_running_loop()

        def end(number: int, _frame: FrameType | None) -> None:
            signal.signal(number, self._handlers.pop(number))
            loop.call_soon_threadsafe(self.action_interrupt)

        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has not all of them
            with suppress(ValueError):  # not in the main thread
                if number is not None:
                    self._handlers[number] = signal.signal(number, end)

    # The connection.

    @property
    def link(self) -> Link:
        """Whether there is a connection, and when the next try comes."""
        if self._retry_at_s is None:
            return Link()
        return Link(live=False, retry_s=max(0.0, self._retry_at_s - self._monotonic()))

    @property
    def now_ms(self) -> float | None:
        """The server's time, from the offset of its clock."""
        offset = self.client.offset
        return None if offset is None else self._clock.shown(offset.server_ms(self._monotonic()))

    def notice(self, notice: Notice) -> None:
        """Takes news about the connection or a seat."""
        match notice:
            case Reconnecting(delay_s=delay_s):
                self._retry_at_s = self._monotonic() + delay_s
            case Connected():
                self._retry_at_s = None
                self._spawn_pings()
        for session in self.sessions.values():
            session.notice(notice)
        self.redraw()

    def _spawn_pings(self) -> None:
        task = asyncio.create_task(self._ping())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ping(self) -> None:
        with suppress(CroupierError):  # a better estimate next time
            for _ in range(PINGS):
                await self.client.ping()

    # Screens.

    def redraw(self) -> None:
        """Shows what is known now."""
        screen = self.screen_stack[-1] if self.screen_stack else None
        if isinstance(screen, PictureScreen):
            screen.redraw()

    async def open_table(self, name: str) -> None:
        """Goes to a table; one with a seat has been followed all the time."""
        session = self.sessions.get(name)
        if session is None:
            session = self.sessions[name] = TableSession(
                self.client,
                name,
                link=lambda: self.link,
                now_ms=lambda: self.now_ms,
                changed=self.redraw,
                failed=lambda error: self.table_failed(name, error),
            )
            session.start()
        self._lobby.said = ""
        await self.push_screen(TableScreen(session))

    async def to_lobby(self, said: str = "") -> None:
        """Goes back to all tables; a table with a seat is still followed."""
        while len(self.screen_stack) > 1 and self.screen is not self._lobby:
            await self.pop_screen()
        self._lobby.said = said
        for name, session in list(self.sessions.items()):
            if not session.seated:
                del self.sessions[name]
                await session.close()
        self.redraw()

    def table_failed(self, name: str, error: Exception) -> None:
        """A table cannot be followed: the lobby says why. What ends the client ends the program."""
        if isinstance(error, RefusedError):
            self.sessions.pop(name, None)
            self.call_later(self.to_lobby, str(error))
        else:
            self.fail(error)

    # The end.

    def fail(self, error: Exception) -> None:
        """Ends the program for a reason that is told once the terminal is as it was."""
        self.failure = self.failure or error
        self.exit()

    def action_interrupt(self) -> None:
        """Ends the program at once; seats are kept, and cashed out by their tables in the end."""
        self.interrupted = True
        self.exit()

    async def action_leave_program(self) -> None:
        self.run_worker(self._leave_program(), exclusive=True, group="leaving")

    async def _leave_program(self) -> None:
        seated = [session for session in self.sessions.values() if session.seated]
        if seated:
            dialog = AskDialog(
                self.words, self.words.quit_title, self.words.quit_text, ("cash_out", "keep", "stay")
            )
            answer = await self.push_screen_wait(dialog)
            if answer not in {"cash_out", "keep"}:
                return
            if answer == "cash_out":
                with suppress(TimeoutError):
                    async with asyncio.timeout(LEAVING_S):
                        await asyncio.gather(*(session.leave() for session in seated))
        self.exit()
