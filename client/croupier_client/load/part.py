"""One process's part of a load test, from the first look at the server to the last goodbye."""

import asyncio
import gc
import itertools
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct, field

from croupier_client.address import Address, parse_address
from croupier_client.connection import Client
from croupier_client.errors import CroupierError
from croupier_client.load import strategy as strategies
from croupier_client.load.book import Book
from croupier_client.load.clock import ServerClock
from croupier_client.load.lateness import CoreShare, watch_lag
from croupier_client.load.lean_socket import Target
from croupier_client.load.player import BUY_INS, LoadClient, Player
from croupier_client.load.scenario import Action, Plan, Scenario
from croupier_client.load.sources import source_for
from croupier_client.load.spectator import Place, Spectator, watch_silence
from croupier_client.load.tally import Tally
from croupier_client.load.times import Times
from croupier_client.load.timetable import Arrivals, Timetable
from croupier_client.timing import Timing
from croupier_protocol.codec import MSGPACK
from croupier_protocol.messages.to_client import TableInfo
from croupier_protocol.messages.to_server import Hello

TELL_EVERY_S: Final = 1.0


class NoTablesError(CroupierError):
    """There is no table to go to."""


class Assignment(Struct, frozen=True):
    """What one process does: part `part` of `parts` of a plan, against the server at `url`.

    `tables` is a pattern of names, `sources` are addresses of this machine, `strategy` names a function.
    `tokens` are those of the first players; where there are none to be kept, it is None.
    """

    url: str
    tables: str
    plan: Plan
    sources: tuple[str, ...] = ()
    strategy: str | None = None
    tokens: tuple[str, ...] | None = None
    part: int = 0
    parts: int = 1


class Second(Struct):
    """What a process saw in second `number` of a test.

    `watching` and `playing` are how many were there at its end, `busy` is the process's share of a core.
    `began_ms` and `at_ms` are the beginning of the test and the end of this second, and `ready_ms` is when
    everybody was in who was to come in the ramp, all by the server's time; it is None until then. The last
    one has the `tokens` of players, by their number, where they are to be kept.
    """

    number: int
    tally: Tally
    times: Times
    began_ms: float
    at_ms: float
    ready_ms: float | None
    watching: int
    playing: int
    busy: float
    error_ms: float
    stage: str
    last: bool = False
    tokens: dict[int, str] = field(default_factory=dict)


Tell = Callable[[Second], None]


@asynccontextmanager
async def prepared(assignment: Assignment) -> AsyncIterator["Part"]:
    """A part whose server was found and whose clock is known.

    Raises:
        CroupierError: the server cannot be reached, or has no such tables.
    """
    address = parse_address(assignment.url)
    near = address._replace(loopback=True)  # no proxy of the environment is to be measured
    async with Client(near, MSGPACK, Hello(test=True), None, Timing()) as client:
        tables = [
            info for info in (await client.lobby()).tables if fnmatchcase(info.table, assignment.tables)
        ]
        if not tables:
            raise NoTablesError(f"there is no table called {assignment.tables!r} at {assignment.url}")
        clock = ServerClock(client)
        await clock.ask_first()
        yield Part(assignment, address, await Target.find(address), clock, tables)


class Part:
    """See `prepared`."""

    def __init__(
        self,
        assignment: Assignment,
        address: Address,
        target: Target,
        clock: ServerClock,
        tables: list[TableInfo],
    ) -> None:
        self._assignment = assignment
        self._plan = assignment.plan
        self._address = address
        self._clock = clock
        self._tables = tables
        self._timetable = Timetable(assignment.plan, clock)
        self._arrivals = Arrivals(self._timetable, self._awaited)
        self._book = Book(self._timetable)
        self._strategy = _strategy_of(assignment)
        self._place = Place(target, self._book, clock.now_ms, self._arrivals)
        self._spectators: dict[int, Spectator] = {}
        self._players: dict[int, Player] = {}
        self._watching: dict[int, asyncio.Task[None]] = {}
        self._playing: list[asyncio.Task[None]] = []

    @property
    def tables(self) -> int:
        """How many tables are watched."""
        return len(self._tables)

    async def run(self, tell: Tell) -> None:
        """Runs this part from now on; every second is told, and what was seen after the last whole one."""
        start_s = time.monotonic()
        self._timetable.begin(start_s)
        core = CoreShare()
        with _no_collector():
            async with asyncio.TaskGroup() as group:
                helpers = [
                    group.create_task(self._clock.keep()),
                    group.create_task(watch_lag(self._book)),
                    group.create_task(self._tell(tell, core)),
                    group.create_task(watch_silence(self._spectators)),
                    group.create_task(self._arrive(start_s, group)),
                ]
                await self._go_through_stages(start_s)
                for task in (*helpers, *self._watching.values(), *self._playing):
                    task.cancel()
        last = self._second(int(time.monotonic() - start_s), core)
        last.last = True
        if self._assignment.tokens is not None:
            last.tokens = {
                number: player.token for number, player in self._players.items() if player.token is not None
            }
        tell(last)

    async def _go_through_stages(self, start_s: float) -> None:
        end_s = start_s
        for stage in self._plan.stages:
            begin_s, end_s = end_s, end_s + stage.seconds
            await self._act(stage.action, begin_s)
            await asyncio.sleep(max(0.0, end_s - time.monotonic()))
        if self._playing:
            await asyncio.wait(self._playing)

    async def _act(self, action: Action, begin_s: float) -> None:
        """Does to the spectators what a stage begins with."""
        for number, spectator in list(self._spectators.items()):
            match action:
                case Action.CUT:
                    spectator.cut()
                case Action.STOP_READING if self._plan.is_slow(number):
                    spectator.stop_reading()
                case Action.READ_AGAIN if self._plan.is_slow(number):
                    spectator.read_again()
        if action is Action.LEAVE:
            for player in self._players.values():
                player.stop()
            for number, spectator in list(self._spectators.items()):
                wait_s = begin_s + self._plan.leaves_s(number) - time.monotonic()
                if wait_s > 0:
                    await asyncio.sleep(wait_s)
                spectator.leave()
                self._watching[number].cancel()

    async def _arrive(self, start_s: float, group: asyncio.TaskGroup) -> None:
        """Lets everybody of this part come when it is their time; each one's own time counts from there."""
        due: list[tuple[float, int, bool]] = []
        due += [(self._plan.joins_s(number), number, False) for number in self._share(self._plan.spectators)]
        due += [(self._plan.sits_s(number), number, True) for number in self._share(self._plan.players)]
        for after_s, number, plays in sorted(due):
            due_s = start_s + after_s
            wait_s = due_s - time.monotonic()
            if wait_s > 0:
                await asyncio.sleep(wait_s)
            if plays:
                self._playing.append(group.create_task(self._player(number).run(due_s)))
            else:
                self._watching[number] = group.create_task(self._spectator(number).run(due_s))

    def _share(self, everybody: int) -> range:
        """The numbers of those of so many who are this part's."""
        return range(self._assignment.part, everybody, self._assignment.parts)

    @property
    def _awaited(self) -> int:
        """How many of this part are to come in the ramp."""
        plan = self._plan
        early = [number for number in self._share(plan.spectators) if plan.joins_s(number) <= plan.ramp_s]
        return len(early) + len(self._share(plan.players))

    def _spectator(self, number: int) -> Spectator:
        table = self._tables[number % len(self._tables)].table
        source = source_for(self._assignment.sources, number)
        spectator = self._spectators[number] = Spectator(self._place, table, source)
        return spectator

    def _player(self, number: int) -> Player:
        info = self._tables[number % len(self._tables)]
        source = source_for(self._assignment.sources, number)
        rhythm = self._place.rhythms[info.table]
        tokens = self._assignment.tokens or ()
        hello = Hello(resume=tokens[number] if number < len(tokens) else None, test=True)
        client = LoadClient(self._address, hello, self._book, self._clock, rhythm, info, source)
        buy_in = min(info.limits.buy_in_least * BUY_INS, info.limits.buy_in_most)
        player = Player(client, info, self._strategy, buy_in, self._arrivals)
        self._players[number] = player
        return player

    async def _tell(self, tell: Tell, core: CoreShare) -> None:
        start_s = time.monotonic()
        for number in itertools.count():
            await asyncio.sleep(max(0.0, start_s + (number + 1) * TELL_EVERY_S - time.monotonic()))
            tell(self._second(number, core))

    def _second(self, number: int, core: CoreShare) -> Second:
        book, clock, now_s = self._book, self._clock, time.monotonic()
        book.error_ms = max(book.error_ms, clock.error_ms)
        tally, times = book.hand_over()
        ready_s = self._arrivals.ready_s
        return Second(
            number=number,
            tally=tally,
            times=times,
            began_ms=clock.server_ms(self._timetable.start_s),
            at_ms=clock.server_ms(now_s),
            ready_ms=None if ready_s is None else clock.server_ms(ready_s),
            watching=book.watching,
            playing=book.playing,
            busy=core.look(),
            error_ms=book.error_ms,
            stage=self._arrivals.stage(now_s),
        )


@contextmanager
def _no_collector() -> Iterator[None]:
    """No collection of cycles meanwhile: with ten thousand sockets one takes a third of a second, which would
    be taken for the server's. A test ends before what it leaves behind matters.
    """
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _strategy_of(assignment: Assignment) -> strategies.Strategy:
    if assignment.strategy is not None:
        return strategies.find_strategy(assignment.strategy)
    return strategies.rush if assignment.plan.scenario is Scenario.BET_RUSH else strategies.steady
