"""What a load test does when: its stages, who comes at which time, and what befalls the spectators. No I/O.

Every process of a test makes the same plan and takes its part of it, so nobody has to tell the others what to
do.
"""

from enum import StrEnum
from typing import Final

from msgspec import Struct

BASE_SHARE: Final = 10
"""In a storm of joins, one in so many spectators is there before: by them it is seen what the storm does."""

RAMP: Final = "ramp"
HOLD: Final = "hold"
"""All between ramp and leaving; a scenario may have stages of other names in it."""

LEAVE: Final = "leave"

SLOW_SHARE: Final = 20
"""One in so many spectators stops reading: the twentieth."""


class Scenario(StrEnum):
    """A kind of load."""

    STEADY = "steady"
    JOIN_STORM = "join-storm"
    RECONNECT_STORM = "reconnect-storm"
    SLOW_READERS = "slow-readers"
    BET_RUSH = "bet-rush"


class Action(StrEnum):
    """What befalls spectators when a stage begins."""

    NOTHING = "nothing"
    CUT = "cut"
    STOP_READING = "stop reading"
    READ_AGAIN = "read again"
    LEAVE = "leave"


class Stage(Struct, frozen=True):
    """A part of a test with figures of its own."""

    name: str
    seconds: float
    action: Action = Action.NOTHING


class Plan(Struct, frozen=True):
    """A whole test: so many `spectators` and `players` over a ramp, a hold, and a ramp down."""

    scenario: Scenario
    spectators: int
    players: int
    ramp_s: float
    duration_s: float
    leave_s: float

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages in their order.

        >>> plan = Plan(Scenario.RECONNECT_STORM, 100, 0, ramp_s=1.0, duration_s=30.0, leave_s=2.0)
        >>> [(stage.name, stage.seconds) for stage in plan.stages]
        [('ramp', 1.0), ('quiet', 10.0), ('storm', 20.0), ('leave', 2.0)]
        """
        ramp, leave = Stage(RAMP, self.ramp_s), Stage(LEAVE, self.leave_s, Action.LEAVE)
        third = self.duration_s / 3
        match self.scenario:
            case Scenario.JOIN_STORM:
                hold = (Stage("quiet", third), Stage("storm", self.duration_s - third))
            case Scenario.RECONNECT_STORM:
                hold = (Stage("quiet", third), Stage("storm", self.duration_s - third, Action.CUT))
            case Scenario.SLOW_READERS:
                quarter = self.duration_s / 4
                slow = Stage("slow", self.duration_s / 2, Action.STOP_READING)
                return (
                    ramp,
                    Stage("quiet", quarter),
                    slow,
                    Stage("after", quarter, Action.READ_AGAIN),
                    leave,
                )
            case _:
                return (ramp, Stage(HOLD, self.duration_s), leave)
        return (ramp, *hold, leave)

    @property
    def seconds(self) -> float:
        """From the beginning until all have left."""
        return sum(stage.seconds for stage in self.stages)

    @property
    def parts(self) -> tuple[str, ...]:
        """What a test has figures of: its stages, and the hold, which may have several of them in it.

        >>> Plan(Scenario.JOIN_STORM, 100, 0, ramp_s=1.0, duration_s=30.0, leave_s=2.0).parts
        ('hold', 'ramp', 'quiet', 'storm', 'leave')
        """
        return (HOLD, *(stage.name for stage in self.stages if stage.name != HOLD))

    def joins_s(self, number: int) -> float:
        """When spectator `number`, from 0, is to come: in seconds from the beginning.

        >>> plan = Plan(Scenario.JOIN_STORM, 100, 0, ramp_s=1.0, duration_s=30.0, leave_s=2.0)
        >>> plan.joins_s(0), plan.joins_s(5), plan.joins_s(10), plan.joins_s(99)
        (0.0, 0.5, 11.0, 11.0)
        """
        coming = self.spectators
        if self.scenario is Scenario.JOIN_STORM:
            coming = max(1, self.spectators // BASE_SHARE)
            if number >= coming:
                return self.ramp_s + self.duration_s / 3
        return self.ramp_s * number / coming

    def sits_s(self, number: int) -> float:
        """When player `number`, from 0, is to sit down: in seconds from the beginning."""
        return self.ramp_s * number / self.players

    def leaves_s(self, number: int) -> float:
        """When spectator `number` is to leave: in seconds from the beginning of the last stage."""
        return self.leave_s * number / self.spectators

    def is_slow(self, number: int) -> bool:
        """Whether spectator `number` is one of those that stop reading; one always is."""
        return self.scenario is Scenario.SLOW_READERS and number % SLOW_SHARE == 0
