"""When Python's garbage collector looks at everything: as connections have ended, not as they come."""

import gc
import time
from types import SimpleNamespace

import pytest

from croupier_server.collecting import Collecting


@pytest.fixture
def full(monkeypatch):
    """How many full collections there have been."""
    counted = SimpleNamespace(times=0)

    def note(phase, info):
        counted.times += phase == "stop" and info["generation"] == 2

    thresholds = gc.get_threshold()
    gc.callbacks.append(note)
    yield counted
    gc.callbacks.remove(note)
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def connections(*, still_open: int, ended: int):
    return SimpleNamespace(open=still_open, ended=ended)


def test_everything_is_collected_when_as_many_have_ended_as_are_open_and_a_thousand_at_least(full):
    admission = connections(still_open=3_000, ended=0)
    collecting, now = Collecting(admission), time.monotonic()
    for ended, times in [(2_999, 0), (3_000, 1), (5_999, 1), (6_000, 2)]:
        admission.ended = ended
        collecting.look(now)
        assert full.times == times
    admission.open = 5
    for ended, times in [(6_999, 2), (7_000, 3)]:
        admission.ended = ended
        collecting.look(now)
        assert full.times == times


@pytest.mark.parametrize(
    ("admission", "every_s"),
    [(None, 600), (connections(still_open=0, ended=0), 600), (connections(still_open=9_000, ended=0), 6_000)],
)
def test_it_is_due_every_ten_minutes_and_less_often_the_more_are_here(full, admission, every_s):
    collecting, now = Collecting(admission), time.monotonic()
    for later_s, times in [(every_s - 2, 0), (every_s + 1, 1), (2 * every_s - 2, 1), (2 * every_s + 2, 2)]:
        collecting.look(now + later_s)
        assert full.times == times


def test_what_is_loaded_is_not_looked_at_and_what_comes_is_not_collected_as_it_grows(full):
    Collecting(None).begin()
    assert full.times == 1
    assert gc.get_freeze_count() > 10_000
    grown = [[number] for number in range(200_000)]
    assert len(grown) == 200_000
    assert full.times == 1
