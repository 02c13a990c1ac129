"""What is due when a step comes late, a clock is set, or another worker takes a table over."""

import pytest

from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    RoundSettled,
    RoundVoided,
    ShoeOpened,
)
from croupier_protocol.messages.values import Phase
from croupier_server.table.machine import ABANDONED_MS
from support.manual_tables import T0, Play


def test_a_late_step_keeps_the_rhythm():
    """F11: being late by a little is not passed on."""
    play = Play()
    play.until(ShoeOpened)
    play.now = play.due() + 20
    play.step()
    first = play.last.event.closes_at_ms
    for _ in range(100):
        play.until(BettingOpened)
    punctual = Play()
    for _ in range(101):
        window = punctual.until(BettingOpened)
    assert play.last.event.closes_at_ms - first == window.closes_at_ms - (T0 + 6_000 + 15_000)


def test_a_window_that_opens_late_still_has_its_full_length():
    play = Play()
    play.until(ShoeOpened)
    play.now = play.due() + 700
    event = play.step()
    assert event.closes_at_ms == play.now + 15_000
    assert play.last.not_after_ms == play.now + 50


def test_after_a_long_pause_steps_do_not_come_in_a_burst():
    play = Play()
    play.until(CardDealt)
    play.now = play.due() + 30_000
    play.step()
    assert play.due() == play.now + 1_000


@pytest.mark.parametrize("hours", [1, -1])
def test_a_stepped_clock_does_not_change_a_windows_length(hours):
    """F10."""
    step_ms = hours * 3_600_000
    play = Play()
    opened = play.until(BettingOpened)
    play.now += 5_000 + step_ms
    again = play.step(stepped_ms=step_ms)
    assert isinstance(again, BettingOpened)
    assert (again.round, again.coup, again.last) == (opened.round, opened.coup, opened.last)
    assert again.closes_at_ms - play.now == 10_000
    play.now = again.closes_at_ms - 1
    assert play.step() is None
    play.now += 1
    assert isinstance(play.step(), BettingClosed)


@pytest.mark.parametrize("hours", [1, -1])
@pytest.mark.parametrize("phase", [Phase.SHUFFLING, Phase.CLOSED, Phase.DEALING, Phase.RESULT])
def test_a_stepped_clock_does_not_move_other_steps(phase, hours):
    step_ms = hours * 3_600_000
    play = Play().reach(phase)
    left_ms = play.due() - play.now
    play.now += step_ms
    assert play.step(stepped_ms=step_ms) is None
    assert play.due() - play.now == left_ms


def test_a_taken_over_window_that_lies_hours_ahead_is_cut_to_its_length():
    """F10: the clock went back while nobody dealt."""
    play = Play().reach(Phase.BETTING)
    play.now -= 3_600_000
    again = play.step()
    assert isinstance(again, BettingOpened)
    assert again.closes_at_ms == play.now + 15_000


@pytest.mark.parametrize("phase", [Phase.SHUFFLING, Phase.CLOSED, Phase.DEALING, Phase.RESULT])
def test_a_taken_over_step_that_lies_hours_ahead_comes_now(phase):
    play = Play().reach(phase)
    play.now -= 3_600_000
    assert play.step() is not None


def test_a_window_that_ended_ten_minutes_ago_is_voided():
    play = Play().reach(Phase.BETTING)
    play.now = play.due() + ABANDONED_MS
    assert isinstance(play.step(), BettingClosed)
    play = Play().reach(Phase.BETTING)
    position = play.state.position
    play.now = play.due() + ABANDONED_MS + 1
    event = play.step()
    assert isinstance(event, RoundVoided)
    assert event.reason == "abandoned"
    assert isinstance(play.step(), RoundSettled)
    assert play.records[-1].outcome is None
    nxt = play.until(BettingOpened)
    assert (nxt.round, nxt.coup, play.state.position) == (event.round + 1, 2, position)
