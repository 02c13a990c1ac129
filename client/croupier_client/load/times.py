"""How long things took: durations by the stage and the second in which they were due. They add up."""

from enum import StrEnum

from msgspec import Struct, field

from croupier_client.load.histogram import Histogram


class Measure(StrEnum):
    """What is timed, in milliseconds, always from when it was due.

    `push` is from the time at which an event was due to its arrival; `connect` and `snapshot` from the time
    at which a spectator was to come; `resume` from the first try to come back; `sit` from the time at which a
    player was to sit; `ack` from the time at which a slip was to be placed; `lag` is how late the tester
    itself was with what it had to do.
    """

    PUSH = "push"
    CONNECT = "connect"
    SNAPSHOT = "snapshot"
    RESUME = "resume"
    SIT = "sit"
    ACK = "ack"
    LAG = "lag"


class Times(Struct):
    """Durations by stage, by second (whole seconds of the server's time) and by `Measure`.

    The second is that in which something was due, however late it was done: an answer that comes in the hold
    to a slip that was to be placed before stays with the ramp.
    """

    stages: dict[str, dict[int, dict[Measure, Histogram]]] = field(default_factory=dict)

    def at(self, stage: str, second: int, what: Measure) -> Histogram:
        """Where a duration is to be counted."""
        measures = self.stages.setdefault(stage, {}).setdefault(second, {})
        found = measures.get(what)
        if found is None:
            found = measures[what] = Histogram()
        return found

    def histogram(self, what: Measure, stage: str | None = None) -> Histogram:
        """All durations of a kind, of one stage or of all; a new one."""
        every = Histogram()
        for name, seconds in self.stages.items():
            if stage in {None, name}:
                for measures in seconds.values():
                    if what in measures:
                        every.add_all(measures[what])
        return every

    def add_all(self, other: "Times") -> None:
        """Adds what another second, process or machine has timed."""
        for stage, seconds in other.stages.items():
            for second, measures in seconds.items():
                self.add(stage, second, measures)

    def add(self, stage: str, second: int, measures: dict[Measure, Histogram]) -> None:
        """Adds durations that all were due in one second of a stage."""
        for what, histogram in measures.items():
            self.at(stage, second, what).add_all(histogram)
