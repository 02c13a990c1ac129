"""Metrics on their way from workers to the page that Prometheus reads.

A worker sends its families of samples as they are; the supervisor adds the label `worker` and puts families
of the same name together, as the text format wants it.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The text format that every Prometheus reads."""

CREATED: Final = "_created"
"""How the names of samples end that say when a counter began: a restart shows without them."""


class Sample(Struct, frozen=True, array_like=True):
    """One value."""

    name: str
    labels: dict[str, str]
    value: float


class Family(Struct, frozen=True, array_like=True):
    """A metric with all its samples; `kind` is the library's word for what it is."""

    name: str
    kind: str
    text: str
    samples: tuple[Sample, ...]


class _Families(Collector):
    """Families as something that the library writes out."""

    def __init__(self, families: Mapping[str, Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """See `Collector`."""
        return self._families.values()


def families(registry: CollectorRegistry) -> tuple[Family, ...]:
    """Everything in `registry` as it is now."""
    found = []
    for metric in registry.collect():
        samples = tuple(
            Sample(sample.name, dict(sample.labels), sample.value)
            for sample in metric.samples
            if not sample.name.endswith(CREATED)
        )
        found.append(Family(metric.name, metric.type, metric.documentation, samples))
    return tuple(found)


def encode(found: tuple[Family, ...]) -> bytes:
    """Families as they travel."""
    return msgspec.msgpack.encode(found)


def decode(encoded: bytes) -> tuple[Family, ...]:
    """The families in what `encode` made."""
    return msgspec.msgpack.decode(encoded, type=tuple[Family, ...])


def page(of_all: Mapping[str, Iterable[Family]], own: Iterable[Family]) -> bytes:
    """The page: what each worker says, by the value of its label, and `own` as it is."""
    merged: dict[str, Metric] = {}
    for family in own:
        _add(merged, family, {})
    for worker, said in of_all.items():
        for family in said:
            _add(merged, family, {"worker": worker})
    return generate_latest(_Families(merged))


def _add(merged: dict[str, Metric], family: Family, labels: Mapping[str, str]) -> None:
    if not family.samples:
        return
    metric = merged.get(family.name)
    if metric is None:
        metric = merged[family.name] = Metric(family.name, family.text, family.kind)
    for sample in family.samples:
        metric.add_sample(sample.name, {**sample.labels, **labels}, sample.value)
