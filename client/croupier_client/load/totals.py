"""What all parts of a test have told, second by second and altogether."""

from msgspec import Struct

from croupier_client.load.figures import Durations
from croupier_client.load.part import Second
from croupier_client.load.scenario import Plan
from croupier_client.load.stage_times import StageTimes
from croupier_client.load.tally import Count, Tally
from croupier_client.load.times import Measure, Times


class SecondRow(Struct, frozen=True):
    """One second of the whole test. `busy` is the largest share of a core that a process took."""

    number: int
    stage: str
    watching: int
    playing: int
    events: int
    joined: int
    cuts: int
    faults: int
    errors: int
    push: Durations
    ack: Durations
    lag: Durations
    busy: float


class Totals:
    """Adds up the `parts` of a test by `plan`.

    `tally` has the counts of the whole test, `times` its durations, `tokens` players' own. Seconds that all
    parts have told are kept as rows: what a test keeps does not grow with what is measured in it.
    """

    def __init__(self, plan: Plan, parts: int) -> None:
        self.tally = Tally()
        self.times = StageTimes(plan, parts)
        self.error_ms = 0.0
        self.tokens: dict[int, str] = {}
        self._parts = parts
        self._order = [stage.name for stage in plan.stages]
        self._busy: dict[int, list[float]] = {}
        self._seconds: dict[int, dict[int, Second]] = {}
        self._rows: dict[int, SecondRow] = {}

    def take(self, part: int, second: Second) -> bool:
        """Takes a second of a part; returns whether all parts have told that second.

        What a part tells last falls into a second that it may have told already.
        """
        self.tally.add_all(second.tally)
        self.times.take(part, second)
        self.error_ms = max(self.error_ms, second.error_ms)
        self.tokens |= second.tokens
        self._busy.setdefault(part, []).append(second.busy)
        told = self._seconds.setdefault(second.number, {})
        if part in told:
            second.tally.add_all(told[part].tally)
            second.times.add_all(told[part].times)
        told[part] = second
        complete = len(told) == self._parts
        if complete:
            for number in [one for one in self._seconds if one < second.number - 1]:
                self._rows[number] = self.row(number)
                del self._seconds[number]
        return complete

    @property
    def busiest(self) -> float:
        """The share of a core that the busiest process took over the whole test, on average."""
        return max((sum(shares) / len(shares) for shares in self._busy.values()), default=0.0)

    def rows(self) -> list[SecondRow]:
        """Every second so far."""
        return [self.row(number) for number in sorted({*self._rows, *self._seconds})]

    def row(self, number: int) -> SecondRow:
        """One second, as far as it has been told; its stage is that of the part which is furthest behind."""
        if number in self._rows:
            return self._rows[number]
        told = list(self._seconds[number].values())
        tally, times = Tally(), Times()
        for second in told:
            tally.add_all(second.tally)
            times.add_all(second.times)
        error_ms = max(second.error_ms for second in told)
        return SecondRow(
            number=number,
            stage=min((second.stage for second in told), key=self._order.index),
            watching=sum(second.watching for second in told),
            playing=sum(second.playing for second in told),
            events=tally.count(Count.EVENTS),
            joined=tally.count(Count.JOINED) + tally.count(Count.RESUMED),
            cuts=tally.count(Count.CUTS),
            faults=tally.faults,
            errors=sum(tally.errors.values()) + sum(tally.local_errors.values()),
            push=Durations.of(times.histogram(Measure.PUSH), error_ms, curve=False),
            ack=Durations.of(times.histogram(Measure.ACK), curve=False),
            lag=Durations.of(times.histogram(Measure.LAG), curve=False),
            busy=round(max(second.busy for second in told), 3),
        )
