"""The durations of a whole test by stage, and where in it the hold begins. No I/O.

The ramp goes on until the last part has had everybody in, however long the plan gave it; every part says when
that was. It ends with the whole second of the server's time in which that happened, since parts on several
machines agree on that. Until all parts have said so, what was due in the latest seconds waits for its stage;
what was due before a part was seen without somebody is the ramp's.
"""

import math
from typing import Final

from msgspec import Struct

from croupier_client.load.histogram import Histogram
from croupier_client.load.part import Second
from croupier_client.load.scenario import HOLD, LEAVE, RAMP, Plan
from croupier_client.load.times import Measure, Times

_OUTSIDE: Final = frozenset({RAMP, LEAVE})
_ALL: Final = 0
"""Once it is known to which stage a duration belongs, it does not matter in which second it was due."""


class Hold(Struct, frozen=True):
    """From when on the hold's figures count, in seconds from the beginning, and for how long."""

    from_s: float
    seconds: float


class StageTimes:
    """Adds up what the `parts` of a test by `plan` have timed."""

    def __init__(self, plan: Plan, parts: int) -> None:
        self._plan = plan
        self._parts = parts
        self._settled = Times()
        self._waiting = Times()
        self._began_ms = math.inf
        self._seen_ms: dict[int, float] = {}
        self._ready_ms: dict[int, float] = {}

    def take(self, part: int, second: Second) -> None:
        """Takes a second of a part."""
        self._began_ms = min(self._began_ms, second.began_ms)
        self._seen_ms[part] = second.at_ms
        if second.ready_ms is not None:
            self._ready_ms.setdefault(part, second.ready_ms)
        self._waiting.add_all(second.times)
        self._settle()

    def histogram(self, what: Measure, part: str | None = None) -> Histogram:
        """All durations of a kind, of one of the plan's parts or of all.

        Of a ramp that has not ended, all until people left is ramp.
        """
        if part == HOLD:
            every = Histogram()
            for stage in self._plan.stages:
                if stage.name not in _OUTSIDE:
                    every.add_all(self._settled.histogram(what, stage.name))
            return every
        found = self._settled.histogram(what, part)
        if part in {None, RAMP}:
            found.add_all(self._waiting.histogram(what))
        return found

    @property
    def hold(self) -> Hold | None:
        """The hold; None while the ramp has not ended, and where no second is left of it."""
        begins = self._hold_second
        if begins is None:
            return None
        from_s = begins - self._began_ms / 1000
        seconds = self._plan.ramp_s + self._plan.duration_s - from_s
        return Hold(round(from_s, 1), round(seconds, 1)) if seconds > 0 else None

    @property
    def waiting(self) -> int:
        """How many seconds wait for their stage."""
        return sum(len(seconds) for seconds in self._waiting.stages.values())

    @property
    def _hold_second(self) -> int | None:
        if len(self._ready_ms) < self._parts:
            return None
        return math.ceil(max(self._ready_ms.values()) / 1000)

    def _settle(self) -> None:
        """Gives all durations to their stages of which it is known by now."""
        begins = self._hold_second
        # A part that is not ready was not when it was last seen: the hold begins no earlier than that.
        latest_ms = max(self._ready_ms.get(part, seen_ms) for part, seen_ms in self._seen_ms.items())
        ramp_until = latest_ms // 1000 if begins is None else begins
        for stage, seconds in self._waiting.stages.items():
            for second in list(seconds):
                if stage in _OUTSIDE:
                    self._settled.add(stage, _ALL, seconds.pop(second))
                elif second < ramp_until:
                    self._settled.add(RAMP, _ALL, seconds.pop(second))
                elif begins is not None:
                    self._settled.add(stage, _ALL, seconds.pop(second))
