"""F10: the store's clock is set by an hour in the middle of play; no window's length changes.

The clock is a real store's, turned by libfaketime; lengths are measured by the test's own steady clock.
"""

import asyncio
import time

import pytest

from croupier_protocol.codec import MSGPACK
from croupier_protocol.messages.events import BettingClosed, BettingOpened, RoundVoided
from croupier_server.table.pace import Pace
from croupier_server.table.state import TableSettings
from support.clocks import store_with_set_clock
from support.dealing import Way, check_play, dealer_on, last_round, reach, rounds_more, until_round
from support.records import store_ms
from support.stores import open_pit, turbo

pytestmark = pytest.mark.slow

WINDOW_S = 1.0
PACE = Pace("test", 50, 1_000, 15, 15, 50)
HOUR_S = 3_600


def table(name="standard"):
    return TableSettings(table=name, rules=turbo("standard").rules, pace=PACE)


@pytest.fixture
async def stepping(tmp_path):
    """A pit on a store whose clock can be set, and that clock."""
    async with store_with_set_clock(tmp_path) as (store, clock), open_pit(store.url) as pit:
        pit.url = store.url
        yield pit, clock


class Stopwatch:
    """Hears a table's events as they come, with the steady time of each."""

    def __init__(self, pit):
        self.events = []
        self.heard = asyncio.Event()
        self._pit = pit
        self._task = asyncio.create_task(self._listen())

    async def _listen(self):
        position = "0-0"
        while True:
            for entry in await self._pit.tail(position):
                position = entry.id
                if entry.table == "standard":
                    self.events.append((time.monotonic(), MSGPACK.decode_message(entry.message)))
                    self.heard.set()

    async def next(self, kind, round_number):
        """The first event of `kind` in that round and when it came."""
        async with asyncio.timeout(20):
            while True:
                for at, event in self.events:
                    if isinstance(event, kind) and event.round == round_number:
                        return at, event
                self.heard.clear()
                await self.heard.wait()

    async def stop(self):
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


@pytest.fixture
async def stopwatch(stepping):
    pit, _ = stepping
    watch = Stopwatch(pit)
    yield watch
    await watch.stop()


async def test_the_set_clock_is_the_stores_alone(stepping):
    pit, clock = stepping

    async def is_off_by(seconds):
        return abs(await store_ms(pit.client) - time.time() * 1000 - seconds * 1000) < 1_000

    assert await is_off_by(0)
    for seconds in (HOUR_S, -HOUR_S, 0):
        clock.set(seconds)
        await reach(lambda seconds=seconds: is_off_by(seconds))


def is_a_window(seconds: float) -> bool:
    """Whether it is the length of one: a busy machine sees its beginning or its end late, while a
    fault cuts it off at once or lasts a window more.
    """
    return WINDOW_S / 2 < seconds < 2 * WINDOW_S


@pytest.mark.parametrize("step_s", [HOUR_S, -HOUR_S])
async def test_a_clock_set_in_a_window_does_not_change_its_length(stepping, stopwatch, step_s):
    pit, clock = stepping
    async with dealer_on(pit, table()) as dealer:
        opened, _ = await stopwatch.next(BettingOpened, 1)
        await asyncio.sleep(WINDOW_S / 3)
        clock.set(step_s)
        closed, _ = await stopwatch.next(BettingClosed, 1)
        again, _ = await stopwatch.next(BettingOpened, 2)
        closed_again, _ = await stopwatch.next(BettingClosed, 2)
        await dealer.release()
    assert is_a_window(closed - opened)
    assert is_a_window(closed_again - again)
    windows = [
        event for _, event in stopwatch.events if isinstance(event, BettingOpened) and event.round == 1
    ]
    first, *issued_again = windows
    for window in issued_again:
        # The step is known as well as an answer of the store tells the time: half of its way there and back.
        assert window.closes_at_ms - first.closes_at_ms == pytest.approx(step_s * 1000, abs=WINDOW_S * 500)
    await check_play(pit)


async def test_a_clock_set_in_every_phase_loses_no_round(stepping):
    pit, clock = stepping
    async with dealer_on(pit, "standard") as dealer:
        await until_round(pit, 1)
        for turn in range(12):
            clock.set((turn % 3 - 1) * HOUR_S)
            await asyncio.sleep(0.07)
        await rounds_more(pit, 2)
        await dealer.release()
    assert not [event for event in await check_play(pit) if isinstance(event, RoundVoided)]


@pytest.mark.parametrize("step_s", [HOUR_S, -HOUR_S])
async def test_a_clock_set_while_the_store_is_away_changes_no_window(stepping, stopwatch, step_s):
    """The runner reads its record again, and its times are of the clock of before."""
    pit, clock = stepping
    way = Way(pit.store)

    def set_and_lose(name, number):
        if number != 3:
            return None
        clock.set(step_s)
        return "before"

    way.fate = set_and_lose  # the third commit closes the first window
    async with dealer_on(pit, table(), way=way) as dealer:
        opened, _ = await stopwatch.next(BettingOpened, 1)
        closed, _ = await stopwatch.next(BettingClosed, 1)
        await dealer.release()
    assert is_a_window(closed - opened)
    assert not [event for _, event in stopwatch.events if isinstance(event, RoundVoided)]


async def test_a_dead_dealers_lease_is_not_immortal_when_the_clock_goes_back(stepping, quick):
    pit, clock = stepping
    async with dealer_on(pit, "standard"):
        await until_round(pit, 1)
    last, clock_s = await last_round(pit), time.monotonic()
    clock.set(-HOUR_S)
    async with open_pit(pit.url) as other, dealer_on(other, "standard") as second:
        await rounds_more(other, 2, seconds=20)
        assert (await other.tables.read("standard")).record.owner == second.owner
        await second.release()
    assert time.monotonic() - clock_s < 25
    assert await last_round(pit) >= last + 2
    await check_play(pit)


@pytest.mark.parametrize("step_s", [HOUR_S, -HOUR_S])
async def test_a_living_dealer_keeps_its_table_or_hands_it_over_whole(stepping, quick, step_s):
    """A clock set forward makes every lease run out at once: whoever deals on deals the same game."""
    pit, clock = stepping
    async with (
        open_pit(pit.url) as other,
        dealer_on(pit, "standard") as first,
        dealer_on(other, "standard") as second,
    ):
        await until_round(pit, 1)
        clock.set(step_s)
        await rounds_more(pit, 5)
        await reach(lambda: _one_deals(first, second))
        await first.release()
        await second.release()
    await check_play(pit)


async def _one_deals(first, second):
    return len(first.dealing) + len(second.dealing) == 1
