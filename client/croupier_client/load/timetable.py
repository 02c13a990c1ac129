"""When the stages of a test are, and to which one anything belongs by when it was due. No I/O."""

import math
from bisect import bisect_right
from itertools import accumulate
from typing import Final, Protocol

from msgspec import Struct

from croupier_client.load.scenario import LEAVE, RAMP, Plan

PLACES: Final = 6
"""Times are compared to the microsecond: who is to come when a stage begins belongs to that stage, though
sums of seconds differ in their last bit by the order in which they were added."""


class Clock(Protocol):
    """This machine's steady clock beside the server's."""

    def steady_s(self, server_ms: float) -> float: ...
    def server_ms(self, steady_s: float) -> float: ...


class Slot(Struct, frozen=True):
    """A second of the server's time as far as it is in one stage: from `from_ms` until before `until_ms`."""

    stage: str
    second: int
    from_ms: float
    until_ms: float


class Timetable:
    """The stages of a plan, by the steady clock, once it has begun."""

    def __init__(self, plan: Plan, clock: Clock) -> None:
        self.start_s = math.inf
        self._clock = clock
        self._names = [stage.name for stage in plan.stages]
        ends = accumulate(stage.seconds for stage in plan.stages)
        self._begins_s = [0.0, *(round(end_s, PLACES) for end_s in ends)][:-1]

    def begin(self, start_s: float) -> None:
        """The test begins at `start_s`."""
        self.start_s = start_s

    @property
    def ramp_end_s(self) -> float:
        """When the ramp is to end."""
        return self.start_s + self._begins_s[1]

    @property
    def leave_s(self) -> float:
        """When people begin to leave."""
        return self.start_s + self._begins_s[-1]

    def stage(self, steady_s: float) -> str:
        """The stage that the plan has at a time."""
        return self._names[self._index(steady_s)]

    def slot(self, steady_s: float) -> Slot:
        """Where something belongs that was due at a time of the steady clock."""
        index = self._index(steady_s)
        second = int(self._clock.server_ms(steady_s) // 1000)
        from_ms = self._clock.server_ms(self.start_s + self._begins_s[index]) if index else -math.inf
        last = index + 1 == len(self._names)
        until_ms = math.inf if last else self._clock.server_ms(self.start_s + self._begins_s[index + 1])
        return Slot(
            self._names[index], second, max(from_ms, second * 1000.0), min(until_ms, (second + 1) * 1000.0)
        )

    def server_slot(self, due_ms: float) -> Slot:
        """Where something belongs that was due at a time of the server's."""
        return self.slot(self._clock.steady_s(due_ms))

    def _index(self, steady_s: float) -> int:
        after_s = round(steady_s - self.start_s, PLACES)
        return max(0, bisect_right(self._begins_s, after_s) - 1)


class Arrivals:
    """Whether everybody of a part has come who was to come in the ramp."""

    def __init__(self, timetable: Timetable, awaited: int) -> None:
        self._timetable = timetable
        self._awaited = awaited
        self._all_in_s = -math.inf if awaited == 0 else math.inf

    def come(self, due_s: float, now_s: float) -> None:
        """Somebody is in for the first time, who was to come at `due_s`; both by the steady clock."""
        if due_s <= self._timetable.ramp_end_s:
            self._awaited -= 1
            if self._awaited == 0:
                self._all_in_s = now_s

    @property
    def ready_s(self) -> float | None:
        """Since when all are in; not before the ramp's planned end. None while somebody is missing.

        Who comes when people leave already has not come in time.
        """
        ready_s = max(self._all_in_s, self._timetable.ramp_end_s)
        return ready_s if ready_s < self._timetable.leave_s else None

    def stage(self, now_s: float) -> str:
        """The stage at `now_s` as it is seen: until all are in, the ramp goes on."""
        planned = self._timetable.stage(now_s)
        return RAMP if self.ready_s is None and planned != LEAVE else planned
