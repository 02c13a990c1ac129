"""Every metric of a worker, a line each; `docs/operating.md` says what each is good for.

Times are in seconds. No label says who somebody is, and each has few values. There are two kinds: histograms
and counters, which the parts are handed and add to, at most once an event; and figures that a part keeps
anyhow, which are read when they are asked for and cost nothing before.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

QUICK_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""The bounds of every histogram: from what nobody notices to what everybody does."""

Observe = Callable[[float], None]
"""Takes in one measurement, in seconds."""

Reading = Callable[[], float | Mapping[str, float]]
"""The figure as it is now; of a metric with a label, one for each of its values."""


def unmeasured(_seconds: float) -> None:
    """For parts that run without metrics."""


class Figure(Collector):
    """A figure that somebody keeps, read from there when the registry is collected."""

    def __init__(
        self,
        registry: CollectorRegistry,
        kind: Literal["gauge", "counter"],
        name: str,
        text: str,
        label: str = "",
    ) -> None:
        self._family = CounterMetricFamily if kind == "counter" else GaugeMetricFamily
        self._name = name
        self._text = text
        self._labels = [label] if label else []
        self._reading: Reading | None = None
        registry.register(self)

    def read(self, reading: Reading) -> None:
        """From now on the figure is what `reading` says; before, there is none."""
        self._reading = reading

    def collect(self) -> Iterable[Metric]:
        """See `Collector`."""
        family = self._family(self._name, self._text, labels=self._labels)
        if self._reading is not None:
            found = self._reading()
            values = found.items() if isinstance(found, Mapping) else [("", found)]
            for value, figure in values:
                family.add_metric([value] if self._labels else [], figure)
        yield family


class Metrics:
    """The metrics of one worker, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = one = CollectorRegistry()

        # Dealing
        self.event_lateness = _histogram(
            one,
            "croupier_event_lateness_seconds",
            "From when an event was due to its commit, by the store's clock.",
        )
        self.settlement = _histogram(
            one,
            "croupier_settlement_seconds",
            "From beginning to settle, or return, a round's bets to saying so.",
        )
        self.rounds_settled = Counter(
            "croupier_rounds_settled", "Rounds whose bets have been settled or returned.", registry=one
        )
        self.rounds_voided = Counter("croupier_rounds_voided", "Rounds that were made void.", registry=one)
        self.tables_dealt = Figure(one, "gauge", "croupier_tables_dealt", "Tables that this worker deals.")
        self.tables_undealt = Figure(
            one, "gauge", "croupier_tables_undealt", "Tables that nobody deals, as this worker sees it."
        )
        self.lease_renewal_age = Figure(
            one,
            "gauge",
            "croupier_lease_renewal_age_seconds",
            "Since this worker's leases in the pit were last renewed.",
            "pit",
        )

        self.archive_behind = Figure(
            one,
            "gauge",
            "croupier_archive_behind_seconds",
            "For how long the pit's oldest posting that is not archived has waited for that.",
            "pit",
        )
        self.archive_lost = Figure(
            one,
            "gauge",
            "croupier_archive_lost_postings",
            "Postings of the pit that were trimmed before the archive had them, ever.",
            "pit",
        )

        # Watching
        self.push = _histogram(
            one,
            "croupier_push_seconds",
            "From hearing of an event to its having been written to everyone who watches.",
        )
        self.spectators = Figure(
            one,
            "gauge",
            "croupier_spectators",
            "Connections that watch a table without a seat there, counted at each table.",
        )
        self.moved_to_present = Figure(
            one,
            "counter",
            "croupier_readers_moved_to_present",
            "Readers that had fallen behind, and have been given the present.",
        )
        self.readers_behind = Figure(
            one, "gauge", "croupier_readers_behind", "Readers that have fallen behind, counted at each table."
        )
        self.tables_stalled = Figure(
            one,
            "gauge",
            "croupier_tables_stalled",
            "Tables of which watchers are told that they stand still.",
        )
        self.feed_silence = Figure(
            one,
            "gauge",
            "croupier_feed_silence_seconds",
            "Since the pit's stream last answered this worker's feed.",
            "pit",
        )

        # Betting
        self.slip_answer = _histogram(
            one, "croupier_slip_answer_seconds", "From taking up a slip to its answer, whatever that is."
        )
        self.slips_answered = Counter(
            "croupier_slips_answered",
            "Slips by their answer: accepted, slip_changed, or an error's code.",
            ["answer"],
            registry=one,
        )

        # Connections
        self.connections_open = Figure(
            one, "gauge", "croupier_connections_open", "Websockets, handshakes under way included."
        )
        self.connections_admitted = Figure(
            one, "counter", "croupier_connections_admitted", "Websockets that were let in."
        )
        self.connections_refused = Figure(
            one, "counter", "croupier_connections_refused", "Websockets that were not let in.", "reason"
        )
        self.connections_ended = Counter(
            "croupier_connections_ended", "Websockets that have ended, by close code.", ["code"], registry=one
        )

        # The process and its store
        self.event_loop_lag = _histogram(
            one,
            "croupier_event_loop_lag_seconds",
            "How late the event loop came to what was due, ten looks a second.",
        )
        self.store_calls_failed = Figure(
            one,
            "counter",
            "croupier_store_calls_failed",
            "Connects and commands that got no answer, or one that refuses for now.",
        )
        self.store_silence = Figure(
            one,
            "gauge",
            "croupier_store_silence_seconds",
            "Since any server of the store last answered this process.",
        )


def _histogram(registry: CollectorRegistry, name: str, text: str) -> Histogram:
    return Histogram(name, text, buckets=QUICK_S, registry=registry)
