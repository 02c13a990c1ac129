"""The estimate of the store's clock, on clocks that the test turns."""

import pytest

from croupier_server.store.clock import StoreClock

T0 = 1_700_000_000_000
HOUR_MS = 3_600_000


class Clocks:
    """A steady clock, a store's clock on top of it, and replies that take as long as the test says."""

    def __init__(self):
        self.steady_s = 1_000.0
        self.ahead_ms = T0
        self.clock = StoreClock(lambda: self.steady_s)

    @property
    def store_ms(self):
        return self.ahead_ms + self.steady_s * 1000

    def reply(self, there_s=0.0005, back_s=0.0005):
        """One command: so long on its way to the store, so long back."""
        sent = self.steady_s
        self.steady_s += there_s
        answered_ms = int(self.store_ms)
        self.steady_s += back_s
        self.clock.observe(sent, self.steady_s, answered_ms)

    def off_ms(self):
        return self.clock.now_ms() - self.store_ms


def test_before_the_first_reply_nothing_is_known():
    clock = StoreClock(lambda: 5.0)
    assert not clock.known
    assert clock.seconds_until(2**53) == 0.0
    assert clock.stepped_ms == 0


def test_one_reply_tells_the_time_to_half_its_travel():
    clocks = Clocks()
    clocks.reply(there_s=0.004, back_s=0.0)
    assert clocks.clock.known
    assert abs(clocks.off_ms()) <= 3.5


def test_it_tells_how_long_to_sleep():
    clocks = Clocks()
    clocks.reply()
    assert clocks.clock.seconds_until(int(clocks.store_ms) + 5_000) == pytest.approx(5.0, abs=0.003)
    assert clocks.clock.seconds_until(int(clocks.store_ms) - 5_000) == 0.0


@pytest.mark.parametrize(("there_s", "back_s"), [(2.0, 0.0), (0.0, 2.0), (1.0, 1.0)])
def test_a_slow_first_reply_is_made_good_by_a_quick_one_and_is_no_step(there_s, back_s):
    """F10: otherwise every table would take a store that was slow to connect for one whose clock stepped."""
    clocks = Clocks()
    clocks.reply(there_s, back_s)
    assert abs(clocks.off_ms()) <= 1_001
    clocks.reply()
    assert abs(clocks.off_ms()) <= 2
    assert clocks.clock.stepped_ms == 0


@pytest.mark.parametrize(("there_s", "back_s"), [(2.4, 0.0), (0.0, 2.4)])
def test_a_slow_reply_leaves_a_good_estimate_alone(there_s, back_s):
    clocks = Clocks()
    clocks.reply()
    clocks.reply(there_s, back_s)
    assert abs(clocks.off_ms()) <= 2
    assert clocks.clock.stepped_ms == 0


@pytest.mark.parametrize("step_ms", [HOUR_MS, -HOUR_MS, 300, -300])
def test_a_stepped_clock_is_followed_at_once_and_told(step_ms):
    """F10."""
    clocks = Clocks()
    clocks.reply()
    clocks.ahead_ms += step_ms
    clocks.reply()
    assert clocks.clock.stepped_ms == pytest.approx(step_ms, abs=2)
    assert abs(clocks.off_ms()) <= 2


def test_steps_add_up():
    clocks = Clocks()
    clocks.reply()
    for step_ms in (HOUR_MS, HOUR_MS, -HOUR_MS, 5_000):
        clocks.ahead_ms += step_ms
        clocks.reply()
        clocks.reply()
    assert clocks.clock.stepped_ms == pytest.approx(HOUR_MS + 5_000, abs=5)


@pytest.mark.parametrize("step_ms", [200, -200])
def test_a_small_step_is_followed_without_being_told(step_ms):
    clocks = Clocks()
    clocks.reply()
    clocks.ahead_ms += step_ms
    clocks.reply()
    assert clocks.clock.stepped_ms == 0
    assert abs(clocks.off_ms()) <= 2


def test_a_step_seen_in_a_slow_reply_is_told_exactly_by_the_next_quick_one():
    """F10: what remains of a window is known to the millisecond again."""
    clocks = Clocks()
    clocks.reply()
    clocks.ahead_ms += HOUR_MS
    clocks.reply(there_s=2.0, back_s=0.0)
    assert clocks.clock.stepped_ms == pytest.approx(HOUR_MS, abs=1_001)
    clocks.reply()
    assert clocks.clock.stepped_ms == pytest.approx(HOUR_MS, abs=2)
    assert abs(clocks.off_ms()) <= 2


@pytest.mark.parametrize("drift", [0.0005, -0.0005])
def test_drift_is_followed_and_is_no_step(drift):
    """Clocks may differ in speed by 500 parts in a million; an hour of it is 1.8 s."""
    clocks = Clocks()
    clocks.reply()
    for _ in range(3_600):
        clocks.steady_s += 1.0
        clocks.ahead_ms += drift * 1000
        clocks.reply()
    assert clocks.clock.stepped_ms == 0
    assert abs(clocks.off_ms()) <= 3


def test_drift_between_slow_replies_is_followed():
    clocks = Clocks()
    for turn in range(5_000):
        clocks.steady_s += 1.0
        clocks.ahead_ms += 0.5
        clocks.reply(there_s=0.1 * (turn % 2), back_s=0.1 * (1 - turn % 2))
    assert clocks.clock.stepped_ms == 0
    assert abs(clocks.off_ms()) <= 101
