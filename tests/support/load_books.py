"""Books and timetables of load tests that are not run: time is what a test says it is."""

from croupier_client.load.book import Book
from croupier_client.load.scenario import Plan, Scenario
from croupier_client.load.timetable import Timetable

HOLDING = Plan(Scenario.STEADY, 1, 0, ramp_s=0.0, duration_s=1e9, leave_s=0.0)
"""Nothing but hold from the beginning of all clocks on."""


class SameClock:
    """The server's time is this machine's."""

    def steady_s(self, server_ms: float) -> float:
        return server_ms / 1000

    def server_ms(self, steady_s: float) -> float:
        return steady_s * 1000


def timetable_of(plan: Plan, start_s: float = 0.0) -> Timetable:
    """The timetable of a test by `plan` that has begun at `start_s`."""
    timetable = Timetable(plan, SameClock())
    timetable.begin(start_s)
    return timetable


def book_of(plan: Plan = HOLDING) -> Book:
    """The book of such a test, begun at 0."""
    return Book(timetable_of(plan))
