"""The last millisecond of a window, and of a ready mark, by a clock that the test sets."""

import pytest

from croupier_server.store import scripts
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.seats import SlipState
from support.players import table_key
from support.seating import LISTING, seat

CLOSES_AT_MS = 1_700_000_015_000
TIME = b"redis.call('TIME')"


class AtTime:
    """A script that takes `now_ms` for the store's time."""

    def __init__(self, script, now_ms: int) -> None:
        fixed = f"{{{now_ms // 1000}, {now_ms % 1000 * 1000}}}".encode()
        assert script.source.count(TIME) == 1
        self.source = script.source.replace(TIME, fixed)


@pytest.fixture
async def at_time(pit, monkeypatch):
    """Sets the time by which slips and ready marks are judged."""
    record = {"phase": "betting", "round": 7, "closes_at_ms": CLOSES_AT_MS, "listing": LISTING}
    await pit.client.hset(table_key(), mapping=record)
    await seat(pit, "standard", "ana", 3, 10_000)

    originals = {"PLACE": scripts.PLACE, "READY": scripts.READY}

    async def set_time(now_ms):
        for name, original in originals.items():
            script = AtTime(original, now_ms)
            await pit.client.script_load(scripts.own(script, DEFAULT_PIT)[0])
            monkeypatch.setattr(scripts, name, script)

    return set_time


@pytest.mark.parametrize(
    ("now_ms", "taken"),
    [
        (CLOSES_AT_MS - 15_000, True),
        (CLOSES_AT_MS - 1, True),
        (CLOSES_AT_MS, False),
        (CLOSES_AT_MS + 1, False),
        (CLOSES_AT_MS + 60_000, False),
    ],
)
async def test_the_window_ends_at_its_millisecond(pit, at_time, now_ms, taken):
    """F1: one before is in time; at the moment itself, and after, nothing is taken and nothing moves."""
    await at_time(now_ms)
    ready = await pit.seats.ready("standard", "ana", 7)
    answer = await pit.seats.place("standard", "ana", 7, 0, "some-name", LISTING, {"player": 500})
    private = await pit.seats.private("standard", "ana")
    assert isinstance(answer, SlipState) is taken
    assert (ready is None) is taken
    assert answer.now_ms == now_ms
    assert (private.bankroll, private.bets) == ((9_500, {"player": 500}) if taken else (10_000, {}))
    if not taken:
        assert (answer.why, answer.phase, ready.why) == ("phase", "betting", "phase")


async def test_an_answer_already_given_is_given_again_after_the_end(pit, at_time):
    """The reply was lost and the client asks again: what was taken in time stands."""
    await at_time(CLOSES_AT_MS - 1)
    first = await pit.seats.place("standard", "ana", 7, 0, "some-name", LISTING, {"player": 500})
    await pit.seats.ready("standard", "ana", 7)
    await at_time(CLOSES_AT_MS + 1)
    again = await pit.seats.place("standard", "ana", 7, 0, "some-name", LISTING, {"player": 500})
    assert (again.accepted, again.rev, again.bankroll, again.bets) == (True, 1, 9_500, {"player": 500})
    assert (first.rev, first.bankroll) == (1, 9_500)
    assert await pit.seats.ready("standard", "ana", 7) is None


async def test_an_alarm_stops_slips_and_marks_until_it_is_lifted(pit, at_time):
    await at_time(CLOSES_AT_MS - 1)
    await pit.seats.alarm("standard", "the first reason")
    await pit.seats.alarm("standard", "another")
    assert await pit.client.hget(table_key(), "alarm") == b"the first reason"
    refused = await pit.seats.place("standard", "ana", 7, 0, "some-name", LISTING, {"player": 500})
    assert (refused.why, (await pit.seats.ready("standard", "ana", 7)).why) == ("alarm", "alarm")
    assert (await pit.seats.private("standard", "ana")).bankroll == 10_000
    assert [note.kind for note in await pit.stream.notes("0-0")] == ["seat", "alarm"]


async def test_a_seat_that_is_being_left_takes_no_slip_and_no_mark(pit, at_time):
    await at_time(CLOSES_AT_MS - 1)
    record = '{"seat":3,"name":"Ana","skeleton":"ana","state":"leaving"}'
    await pit.client.hset(f"{table_key()}:seats", "ana", record)
    refused = await pit.seats.place("standard", "ana", 7, 0, "some-name", LISTING, {})
    assert (refused.why, (await pit.seats.ready("standard", "ana", 7)).why) == ("leaving", "leaving")
