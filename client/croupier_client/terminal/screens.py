"""The two screens: all tables, and one table."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from croupier_client.errors import CroupierError
from croupier_client.notices import Notice
from croupier_client.terminal import reading
from croupier_client.terminal.canvas import Canvas
from croupier_client.terminal.dialogs import AmountDialog, AskDialog, ReadDialog
from croupier_client.terminal.draw.bars import countdown_cells
from croupier_client.terminal.draw.felt import felt_rows
from croupier_client.terminal.draw.lobby import Lobby, lobby, order
from croupier_client.terminal.draw.picture import Act, Block, Line
from croupier_client.terminal.draw.table import table
from croupier_client.terminal.keys import act_of, moved
from croupier_client.terminal.reasons import Reason, reason_in_words
from croupier_client.terminal.session import TableSession
from croupier_protocol.messages.to_client import TableInfo

if TYPE_CHECKING:
    from croupier_client.terminal.app import PlayApp

TICK_S: Final = 0.1
"""How often a countdown is looked at; what has not changed is not drawn."""

LOBBY_MS: Final = 250
"""How often countdowns in the lobby are drawn."""

USUAL_BUY_IN: Final = 100_00


class PictureScreen(Screen[None]):
    """A screen that is one picture."""

    app: "PlayApp"
    AUTO_FOCUS: ClassVar[str | None] = ""
    BINDINGS: ClassVar[list[BindingType]] = []
    _canvas: Canvas | None = None
    _moment: Hashable = None

    def compose(self) -> ComposeResult:
        self._canvas = Canvas(self.draw, self.app.palette)
        yield self._canvas

    def on_mount(self) -> None:
        self.set_interval(TICK_S, self._tick)

    def _tick(self) -> None:
        moment = self.moment()
        if moment != self._moment:
            self._moment = moment
            self.redraw()

    def moment(self) -> Hashable:
        """What passing time alone changes in the picture: it is drawn anew when this differs."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draws what is known now; costs the terminal only what has changed."""
        if self._canvas is not None and self._canvas.is_attached and self.is_current:
            self._canvas.redraw()

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self.redraw)

    def draw(self, width: int, height: int) -> Block:
        raise NotImplementedError

    def notice(self, notice: Notice) -> None:
        """News about the connection or a seat."""

    def read(self, title: str, lines: Sequence[Line | str]) -> None:
        """Shows something to read."""
        self.app.push_screen(ReadDialog(self.app.words, title, lines, self.app.palette))

    def show_help(self) -> None:
        self.read(self.app.words.help_title, reading.keys(self.app.words))


class LobbyScreen(PictureScreen):
    """All tables, live while they are looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: tuple[TableInfo, ...] | None = None
        self.said = ""
        self._chosen = ""
        self._following: asyncio.Task[None] | None = None

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow())

    async def on_screen_suspend(self) -> None:
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)

    async def _follow(self) -> None:
        try:
            async with self.app.client.follow_lobby() as follower:
                async for tables in follower:
                    self.tables = order(tables)
                    self.redraw()
        except CroupierError as error:
            self.app.fail(error)

    @property
    def chosen(self) -> int:
        names: list[str] = [info.table for info in self.tables or ()]
        return names.index(self._chosen) if self._chosen in names else 0

    def moment(self) -> Hashable:
        now_ms = self.app.now_ms
        return None if now_ms is None else now_ms // LOBBY_MS

    def draw(self, width: int, height: int) -> Block:
        seats = frozenset(name for name, session in self.app.sessions.items() if session.seated)
        state = Lobby(self.tables, self.chosen, seats, self.app.link, self.app.now_ms, self.said)
        return lobby(state, self.app.words, width, height)

    async def on_key(self, event: events.Key) -> None:
        act = act_of(event.key, event.character, self.app.words)
        if act is None or not self.tables:
            kind = "" if act is None else act.kind
        else:
            kind = act.kind
            step = {"up": -1, "left": -1, "down": 1, "right": 1}.get(act.name, 0)
            if kind == "move":
                self._choose(self.chosen + step)
            elif kind == "more":
                self.app.call_later(self.app.open_table, self.tables[self.chosen].table)
            elif kind == "put":
                self._choose(act.number)
        if kind in {"help", "quit"}:
            await self._do(kind)
        event.stop()

    def _choose(self, number: int) -> None:
        if self.tables:
            self._chosen = self.tables[max(0, min(number, len(self.tables) - 1))].table
            self.redraw()

    @on(Canvas.Clicked)
    async def _clicked(self, event: Canvas.Clicked) -> None:
        if event.act.kind == "open":
            self._chosen = event.act.name
            self.app.call_later(self.app.open_table, event.act.name)
        else:
            await self._do(event.act.kind)

    async def _do(self, kind: str) -> None:
        if kind == "help":
            self.show_help()
        else:
            await self.app.action_leave_program()


class TableScreen(PictureScreen):
    """One table: everything that is shown of it, and what the player does there."""

    def __init__(self, session: TableSession) -> None:
        super().__init__()
        self.session = session

    def moment(self) -> Hashable:
        state = self.session.state
        return state.seconds, countdown_cells(state), state.link.retry_s // 1

    def draw(self, width: int, height: int) -> Block:
        app = self.app
        return table(self.session.state, app.words, width, height, colour=app.palette.colour)

    async def on_key(self, event: events.Key) -> None:
        act = act_of(event.key, event.character, self.app.words)
        if act is not None:
            event.stop()
            await self.do(act)

    @on(Canvas.Clicked)
    async def _clicked(self, event: Canvas.Clicked) -> None:
        act = event.act
        if act.kind == "area":
            self.session.choose(bet=act.name)
            act = Act("less" if event.right else "more")
        await self.do(act)

    async def do(self, act: Act) -> None:
        """Does what a key or a click asks for."""
        betting = self._betting(act)
        if betting is not None:
            betting()
            return
        app, session, state = self.app, self.session, self.session.state
        match act.kind:
            case "sit" | "top_up":
                self._buy()
            case "leave" if session.seated:
                self.run_worker(self._leave(), exclusive=True)
            case "rounds":
                self.read(app.words.my_rounds, reading.rounds(state, app.words))
            case "fair":
                self.read(app.words.fair_title, reading.fairness(state, app.words, app.url))
            case "rules":
                self.read(app.words.rules_title, reading.rules(session.rules, app.words))
            case "help":
                self.show_help()
            case "tables":
                app.call_later(app.to_lobby)  # a screen cannot wait for its own end
            case "quit":
                await app.action_leave_program()

    def _betting(self, act: Act) -> Callable[[], None] | None:
        """What `act` does to chips, areas and the slip; None when it is about something else."""
        session, state = self.session, self.session.state
        bet, chips = session.choice.bet, state.chips
        held = chips[min(session.choice.chip, len(chips) - 1)]
        actions: dict[str, Callable[[], None]] = {
            "choose": lambda: session.choose(bet=act.name if act.name in state.bets else bet),
            "move": lambda: session.choose(bet=moved(felt_rows(state), bet, act.name)),
            "chip": lambda: session.choose(chip=act.number),
            "put": lambda: self._put(act.number, chips),
            "more": lambda: session.betting.add(bet, held),
            "less": lambda: session.betting.take_top(bet),
            "all_in": lambda: session.betting.all_in(bet),
            "double": session.betting.double,
            "undo": session.betting.undo,
            "clear": session.betting.clear,
            "rebet": session.betting.rebet,
            "deal": session.betting.deal,
        }
        return actions.get(act.kind)

    def _put(self, number: int, chips: Sequence[int]) -> None:
        """Puts a chip, by its number, on the chosen area."""
        if number < len(chips):
            self.session.choose(chip=number)
            self.session.betting.add(self.session.choice.bet, chips[number])

    def _buy(self) -> None:
        """Asks for chips to sit down with, or for more of them."""
        words, state = self.app.words, self.session.state
        limits = state.limits
        if limits is None:
            return
        least, most = words.money(limits.buy_in_least), words.money(limits.buy_in_most)
        notes = [words.sit_note.format(least=least, most=most)]
        if state.wallet is not None and not state.seated:
            notes.append(words.sit_wallet.format(wallet=words.money(state.wallet)))
        usual = max(USUAL_BUY_IN, limits.buy_in_least)
        do = "top_up" if state.seated else "sit"
        title = words.top_up_title if state.seated else words.sit_title
        self.app.push_screen(AmountDialog(words, title, notes, usual, do, self._bought))

    async def _bought(self, cents: int) -> str:
        session = self.session
        return self._why(await (session.top_up(cents) if session.seated else session.sit(cents)))

    def _why(self, reason: Reason | None) -> str:
        return "" if reason is None else reason_in_words(reason, self.app.words)

    async def _leave(self) -> None:
        words, state = self.app.words, self.session.state
        text = words.leave_text.format(amount=words.money(self.session.bankroll))
        if state.stake:
            text = f"{text} {words.leave_stake}"
        dialog = AskDialog(words, words.leave_title, text, ("leave", "stay"))
        if await self.app.push_screen_wait(dialog) == "leave":
            await self.session.leave()
