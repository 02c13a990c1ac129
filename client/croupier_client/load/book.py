"""Where everybody in a process writes what they see."""

import time
from typing import Final

from croupier_client.load.histogram import Histogram
from croupier_client.load.tally import Tally
from croupier_client.load.times import Measure, Times
from croupier_client.load.timetable import Timetable

_NOWHERE: Final = (0.0, 0.0)


class Book:
    """The tally and the times of this second, and what holds for all.

    `error_ms` is the clock's; `watching` and `playing` are how many are there. Tally and times are handed
    over every second, so nobody keeps them. `pushes` takes events due from `from_ms` until before `until_ms`.
    """

    def __init__(self, timetable: Timetable) -> None:
        self.tally = Tally()
        self.times = Times()
        self.error_ms = 0.0
        self.watching = 0
        self.playing = 0
        self._timetable = timetable
        self.pushes = Histogram()
        self.from_ms, self.until_ms = _NOWHERE

    def pushed(self, due_ms: float, late_ms: float) -> None:
        """An event that was due at a time of the server's came so late."""
        if not self.from_ms <= due_ms < self.until_ms:
            self.turn(due_ms)
        self.pushes.add(late_ms)

    def turn(self, due_ms: float) -> None:
        """Turns to the page for events that were due at `due_ms`, and others of the same second and stage."""
        slot = self._timetable.server_slot(due_ms)
        self.from_ms, self.until_ms = slot.from_ms, slot.until_ms
        self.pushes = self.times.at(slot.stage, slot.second, Measure.PUSH)

    def done(self, what: Measure, due_s: float) -> None:
        """Something that was due at `due_s`, steady time, is done now."""
        now_s = time.monotonic()
        slot = self._timetable.slot(due_s)
        self.times.at(slot.stage, slot.second, what).add((now_s - due_s) * 1000)

    def hand_over(self) -> tuple[Tally, Times]:
        """What was seen so far; a new second begins."""
        told = self.tally, self.times
        self.tally, self.times = Tally(), Times()
        self.from_ms, self.until_ms = _NOWHERE
        return told
