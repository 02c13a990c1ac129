"""What is made of the messages of one connection: faults, and how late events were."""

import time

import pytest

from croupier_client.load.book import Book
from croupier_client.load.clock import ServerClock
from croupier_client.load.rhythm import Rhythm
from croupier_client.load.stream import Header, Stream
from croupier_client.load.tally import Count
from croupier_client.load.times import Measure
from croupier_client.offset import ClockOffset
from support.load_books import book_of


def test_a_short_round_trip_stays_the_best_one_while_later_ones_are_slow():
    """A quick answer says that the server is 5,000 ms ahead; slow ones of a busy server change nothing."""
    clock = ServerClock(None)
    clock.take(ClockOffset(5_000.0, 0.6))
    clock.take(ClockOffset(5_030.0, 40.0))
    assert clock.now_ms() - time.monotonic() * 1000 == pytest.approx(5_000.0, abs=1.0)
    assert 1.6 <= clock.error_ms < 2.0
    clock.take(ClockOffset(4_999.9, 0.5))
    assert clock.steady_s(4_999.9) == pytest.approx(0.0)


def header(kind: str, seq: int, epoch: str = "e1", due_ms: int = 0, *, resumed: bool = False) -> Header:
    return Header(type=kind, epoch=epoch, seq=seq, due_ms=due_ms, at_ms=due_ms, resumed=resumed)


@pytest.fixture
def book() -> Book:
    return book_of()


@pytest.fixture
def stream(book) -> Stream:
    """One that has a snapshot at seq 5."""
    found = Stream(book, Rhythm(), "standard", lambda: None)
    found.asked()
    found.take(header("watching", 5), 1_000.0)
    found.take(header("snapshot", 5), 1_000.0)
    return found


def see(stream: Stream, *seqs: int, epoch: str = "e1") -> None:
    for seq in seqs:
        stream.take(header("card", seq, epoch, due_ms=1_000), 1_012.0)


def faults(book: Book) -> tuple[int, int, int]:
    return tuple(book.tally.count(what) for what in (Count.GAPS, Count.DUPLICATES, Count.DISORDER))


@pytest.mark.parametrize(
    ("seqs", "gaps_duplicates_disorder"),
    [
        ([6, 7, 8], (0, 0, 0)),
        ([6, 8, 9], (1, 0, 0)),
        ([6, 6, 7], (0, 1, 0)),
        ([6, 7, 6, 8], (0, 0, 1)),
        ([5, 6], (0, 1, 0)),
        ([7, 6], (1, 0, 1)),
    ],
)
def test_every_kind_of_fault_is_told_apart(stream, book, seqs, gaps_duplicates_disorder):
    see(stream, *seqs)
    assert faults(book) == gaps_duplicates_disorder
    assert book.tally.count(Count.EVENTS) == len(seqs)


def test_another_epoch_without_a_snapshot_is_a_fault(stream, book):
    see(stream, 6, epoch="e2")
    assert faults(book) == (0, 0, 1)


def test_a_snapshot_that_nobody_asked_for_is_counted_and_no_fault(stream, book):
    stream.take(header("snapshot", 1, epoch="e2"), 0.0)
    see(stream, 2, 3, epoch="e2")
    assert faults(book) == (0, 0, 0)
    assert (book.tally.count(Count.SNAPSHOTS), book.tally.count(Count.MOVED)) == (2, 1)


def test_a_snapshot_that_goes_back_is_a_fault(stream, book):
    see(stream, 6, 7)
    stream.take(header("snapshot", 6), 0.0)
    assert faults(book) == (0, 0, 1)


def test_the_first_of_each_fault_is_kept_to_look_at(stream, book):
    see(stream, 6, 9, 12)
    assert book.tally.examples == {
        Count.GAPS: "standard: events are missing before: card 9 of e1 after 6 of e1"
    }


def test_latency_counts_from_when_an_event_was_due(stream, book):
    stream.take(Header("card", "e1", 6, due_ms=1_000, at_ms=1_300), 1_312.0)
    assert book.times.histogram(Measure.PUSH).highest == pytest.approx(312.0)


def test_what_was_missed_during_a_cut_has_no_latency(stream, book):
    stream.asked()
    stream.take(header("watching", 8, resumed=True), 0.0)
    see(stream, 6, 7, 8)
    assert book.times.histogram(Measure.PUSH).count == 0
    see(stream, 9)
    assert book.times.histogram(Measure.PUSH).percentile(50) == pytest.approx(12.0, rel=0.01)
    assert faults(book) == (0, 0, 0)


def test_a_server_that_stands_still_for_two_seconds_makes_all_that_it_omits_late(stream, book):
    """An event every 50 ms, in time; then one that is two seconds late, with nothing due meanwhile."""
    due_ms = 10_000
    for seq in range(6, 106):
        stream.take(header("card", seq, due_ms=due_ms), due_ms + 2.0)
        due_ms += 50
    stream.take(header("card", 106, due_ms=due_ms), due_ms + 2_000.0)
    stream.take(header("card", 107, due_ms=due_ms + 2_050), due_ms + 2_052.0)
    push = book.times.histogram(Measure.PUSH, "hold")
    assert push.highest == pytest.approx(2_000.0)
    assert push.count == 100 + 1 + 39 + 1  # 39 that would have been due, 50 ms apart
    assert push.percentile(99) > 1_900
    assert push.percentile(50) < 3


def test_a_gateway_that_stands_still_while_the_table_goes_on_omits_nothing(stream, book):
    """All events were due at their time and came together, late: each counts once."""
    for seq in range(6, 106):
        stream.take(header("card", seq, due_ms=seq * 50), seq * 50 + 2.0)
    for seq in range(106, 146):
        stream.take(header("card", seq, due_ms=seq * 50), 146 * 50.0)
    assert book.times.histogram(Measure.PUSH).count == 140
    assert book.tally.count(Count.OMITTED) == 0
