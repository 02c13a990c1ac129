"""What all parts of a test have told, second by second and altogether."""

from msgspec import Struct

from croupier_client.load.figures import Durations
from croupier_client.load.part import Second
from croupier_client.load.tally import Count, Measure, Tally


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
    """Adds up the parts. `tally` has the counts and durations of the whole test, `tokens` players' own."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.error_ms = 0.0
        self.tokens: dict[int, str] = {}
        self._seconds: dict[int, dict[int, Second]] = {}

    def take(self, part: int, second: Second) -> int:
        """Takes a second of a part; returns how many parts have told that second.

        What a part tells last falls into a second that it may have told already.
        """
        self.tally.add_all(second.tally)
        self.error_ms = max(self.error_ms, second.error_ms)
        self.tokens |= second.tokens
        told = self._seconds.setdefault(second.number, {})
        if part in told:
            second.tally.add_all(told[part].tally)
        told[part] = second
        return len(told)

    @property
    def busiest(self) -> float:
        """The share of a core that the busiest process took over the whole test, on average."""
        shares: dict[int, list[float]] = {}
        for told in self._seconds.values():
            for part, second in told.items():
                shares.setdefault(part, []).append(second.busy)
        return max((sum(found) / len(found) for found in shares.values()), default=0.0)

    def rows(self) -> list[SecondRow]:
        """Every second so far."""
        return [self.row(number) for number in sorted(self._seconds)]

    def row(self, number: int) -> SecondRow:
        """One second, as far as it has been told."""
        told = list(self._seconds[number].values())
        tally = Tally()
        for second in told:
            tally.add_all(second.tally)
        error_ms = max(second.error_ms for second in told)
        return SecondRow(
            number=number,
            stage=told[0].stage,
            watching=sum(second.watching for second in told),
            playing=sum(second.playing for second in told),
            events=tally.count(Count.EVENTS),
            joined=tally.count(Count.JOINED) + tally.count(Count.RESUMED),
            cuts=tally.count(Count.CUTS),
            faults=tally.faults,
            errors=sum(tally.errors.values()) + sum(tally.local_errors.values()),
            push=Durations.of(tally.histogram(Measure.PUSH), error_ms, curve=False),
            ack=Durations.of(tally.histogram(Measure.ACK), curve=False),
            lag=Durations.of(tally.histogram(Measure.LAG), curve=False),
            busy=round(max(second.busy for second in told), 3),
        )
