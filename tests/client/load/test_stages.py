"""To which part of a test anything belongs that was measured, and where the hold begins."""

import pytest

from croupier_client.load.book import Book
from croupier_client.load.part import Second
from croupier_client.load.rhythm import Rhythm
from croupier_client.load.scenario import Plan, Scenario
from croupier_client.load.stage_times import Hold, StageTimes
from croupier_client.load.stream import Header, Stream
from croupier_client.load.tally import Tally
from croupier_client.load.times import Measure, Times
from croupier_client.load.timetable import Arrivals
from support.load_books import book_of, timetable_of

PLAN = Plan(Scenario.STEADY, 4, 2, ramp_s=10.0, duration_s=60.0, leave_s=10.0)
STORM = Plan(Scenario.JOIN_STORM, 100, 0, ramp_s=0.1, duration_s=3.0, leave_s=0.0)


def counted(book: Book, what: Measure) -> dict[str, int]:
    """How many durations each stage of a book has."""
    return {stage: found for stage in book.times.stages if (found := book.times.histogram(what, stage).count)}


def test_what_is_done_in_the_hold_but_was_due_in_the_ramp_is_the_ramps():
    book = book_of(PLAN)  # begun when this machine's steady clock was at 0: long ago
    for due_s in (9.9, 10.0, 69.9, 70.0):
        book.done(Measure.ACK, due_s)
    assert counted(book, Measure.ACK) == {"ramp": 1, "hold": 2, "leave": 1}


def test_an_event_belongs_to_the_stage_in_which_it_was_due_however_late_it_came():
    book = book_of(PLAN)
    for due_ms in (9_900, 9_999, 10_000, 10_999, 11_000, 9_950, 70_000):
        book.pushed(due_ms, 5_000.0)
    assert counted(book, Measure.PUSH) == {"ramp": 3, "hold": 3, "leave": 1}
    assert sorted(book.times.stages["hold"]) == [10, 11]


def test_events_that_never_came_due_are_late_in_the_stages_in_which_they_would_have_been():
    """One a second; that of 8 s comes at 12 s: 9, 10 and 11 s have none, and two of these are the hold's."""
    book = book_of(PLAN)
    rhythm = Rhythm()
    rhythm.see("e1", 7, 7_000)
    rhythm.spacing_ms = 1_000.0
    stream = Stream(book, rhythm, "standard", lambda: None)
    stream.asked()
    for kind in ("watching", "snapshot"):
        stream.take(Header(kind, "e1", 7), 0.0)
    stream.take(Header("card", "e1", 8, due_ms=8_000, at_ms=12_000), 12_000.0)
    stream.take(Header("card", "e1", 9, due_ms=12_001, at_ms=12_001), 12_001.0)
    assert counted(book, Measure.PUSH) == {"ramp": 2, "hold": 3}
    assert book.times.histogram(Measure.PUSH, "hold").highest == 2_000.0


def test_who_is_to_come_when_a_stage_begins_belongs_to_it_whatever_the_sums_of_seconds_are():
    """1234.567 + (0.1 + 1) - 1234.567 is a little less than 1.1."""
    start_s = 1_234.567
    timetable = timetable_of(STORM, start_s)
    assert timetable.slot(start_s + STORM.joins_s(99)).stage == "storm"
    assert timetable.slot(start_s + STORM.joins_s(99) - 0.001).stage == "quiet"


def test_a_part_is_ready_when_the_last_of_its_ramp_has_come_but_not_before_the_ramps_planned_end():
    arrivals = Arrivals(timetable_of(PLAN), 2)
    arrivals.come(0.0, 0.5)
    assert (arrivals.ready_s, arrivals.stage(30.0)) == (None, "ramp")
    arrivals.come(5.0, 5.5)
    assert (arrivals.ready_s, arrivals.stage(5.5), arrivals.stage(30.0)) == (10.0, "ramp", "hold")


def test_a_part_whose_last_one_comes_late_is_ready_then_and_one_that_comes_at_the_end_is_too_late():
    late, too_late = Arrivals(timetable_of(PLAN), 1), Arrivals(timetable_of(PLAN), 1)
    late.come(5.0, 33.0)
    too_late.come(5.0, 70.5)
    assert (late.ready_s, too_late.ready_s) == (33.0, None)


def test_those_who_come_in_a_storm_are_not_waited_for():
    arrivals = Arrivals(timetable_of(STORM), 1)
    arrivals.come(STORM.joins_s(99), 0.4)
    assert arrivals.ready_s is None
    arrivals.come(STORM.joins_s(0), 0.5)
    assert arrivals.ready_s == 0.5


def told(number: int, ready_ms: float | None, *due_s: int, stage: str = "hold") -> Second:
    """Second `number` of a part that began at 0: an acknowledgement of 1 ms for each second in `due_s`."""
    times = Times()
    for second in due_s:
        times.at(stage, second, Measure.ACK).add(1.0)
    at_ms = 1_000.0 * (number + 1)
    return Second(number, Tally(), times, 0.0, at_ms, ready_ms, 0, 0, 0.1, 1.0, stage)


def acks(times: StageTimes) -> tuple[int, int, int]:
    """How many of the whole run, of the ramp and of the hold."""
    return tuple(times.histogram(Measure.ACK, part).count for part in (None, "ramp", "hold"))


def test_the_hold_begins_with_the_first_whole_second_in_which_the_last_part_had_everybody_in():
    """The first part is ready at 10 s, the other one at 14.2 s: 15 s on are the hold's, of both."""
    times = StageTimes(PLAN, parts=2)
    for number in range(20):
        times.take(0, told(number, 10_000.0 if number >= 9 else None, number))
        times.take(1, told(number, 14_200.0 if number >= 14 else None, number))
    assert times.hold == Hold(from_s=15.0, seconds=55.0)
    assert acks(times) == (40, 30, 10)


def test_an_answer_that_comes_in_the_hold_to_what_was_due_before_it_is_the_ramps():
    times = StageTimes(PLAN, parts=1)
    times.take(0, told(14, 14_200.0, 14))
    times.take(0, told(30, 14_200.0, 12, 30))
    assert acks(times) == (3, 2, 1)


def test_a_part_that_has_told_nothing_yet_keeps_the_hold_from_beginning():
    times = StageTimes(PLAN, parts=2)
    times.take(0, told(20, 10_000.0, 20))
    assert times.hold is None
    times.take(1, told(20, 18_000.0, 19))
    assert times.hold == Hold(from_s=18.0, seconds=52.0)
    assert acks(times) == (2, 0, 2)


def test_a_ramp_that_never_ended_leaves_no_hold_and_nothing_is_lost():
    times = StageTimes(PLAN, parts=2)
    for number in range(70):
        times.take(0, told(number, 10_000.0, number))
        times.take(1, told(number, None, number, number + 1))  # the next second has begun
    assert times.hold is None
    assert acks(times) == (210, 210, 0)


def test_all_that_is_kept_of_a_long_ramp_is_one_histogram_and_the_latest_seconds():
    times = StageTimes(PLAN, parts=2)
    for number in range(1_000):
        times.take(0, told(number, 10_000.0, number))
        times.take(1, told(number, None, number))
        assert times.waiting <= 2
    assert times.histogram(Measure.ACK).count == 2_000


@pytest.mark.parametrize("stage", ["ramp", "leave"])
def test_what_was_due_when_people_came_or_left_is_never_the_holds(stage):
    times = StageTimes(PLAN, parts=1)
    times.take(0, told(40, 14_200.0, 40, stage=stage))
    assert times.histogram(Measure.ACK, stage).count == 1
    assert times.histogram(Measure.ACK, "hold").count == 0


def test_the_hold_is_all_that_a_scenario_does_between_ramp_and_leaving():
    plan = Plan(Scenario.JOIN_STORM, 4, 0, ramp_s=10.0, duration_s=60.0, leave_s=10.0)
    times = StageTimes(plan, parts=1)
    times.take(0, told(20, 10_000.0, 20, stage="quiet"))
    times.take(0, told(40, 10_000.0, 40, 41, stage="storm"))
    found = {part: times.histogram(Measure.ACK, part).count for part in plan.parts}
    assert found == {"hold": 3, "ramp": 0, "quiet": 1, "storm": 2, "leave": 0}
