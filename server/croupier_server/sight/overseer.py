"""The supervisor's view of its workers: asked all at once, and none waited for longer than the others."""

import asyncio
import functools
import os
from collections.abc import Mapping
from typing import Final

import msgspec
from prometheus_client import CollectorRegistry, Gauge, ProcessCollector

from croupier_server.children import Child, Crew, Stop
from croupier_server.operator_api.guard import WrongKeys
from croupier_server.sight.exposition import Family, decode, families, page
from croupier_server.sight.metrics import Figure
from croupier_server.sight.readiness import Readiness, of_server
from croupier_server.webhooks.tally import Tally
from croupier_server.worker_orders import HEALTH, METRICS

HEALTH_S: Final = 0.5
"""How long a worker may take to say how it is: half of what a probe usually waits."""

METRICS_S: Final = 2.0
"""How long it may take to tell its metrics: a fifth of what Prometheus waits, and far more than a busy one
needs. A worker that stands still costs every scrape this long, and no more."""


class Overseer:
    """Answers for the crew, until `stop` is asked for."""

    def __init__(self, crew: Crew, stop: Stop, wrong_keys: WrongKeys, webhooks: Tally) -> None:
        self._crew = crew
        self._stop = stop
        self._wrong_keys = wrong_keys
        self._webhooks = webhooks

    async def readiness(self) -> Readiness:
        """Whether any worker is ready for players, and what speaks against those that are not."""
        if self._stop.draining.is_set():
            return Readiness(ready=False, reasons=("stopping",))
        serving = {number: child for number, child in self._crew.members.items() if child.serving}
        said = await _ask(serving, HEALTH, HEALTH_S)
        return of_server(
            {
                f"worker {number} (process {child.process.pid})": _reasons(said[number])
                for number, child in serving.items()
            }
        )

    async def metrics(self) -> bytes:
        """The metrics of all workers, each labelled with its number, and the supervisor's own."""
        members = dict(self._crew.members)
        said = await _ask(members, METRICS, METRICS_S)
        told = {str(number): decode(answer) for number, answer in said.items() if answer is not None}
        own = CollectorRegistry()
        show_workers(own, self._crew, members, frozenset(told))
        show_wrong_keys(own, self._wrong_keys)
        show_webhooks(own, self._webhooks)
        processes = {"supervisor": os.getpid()}
        processes |= {str(number): child.process.pid for number, child in members.items()}
        used = await asyncio.to_thread(what_they_use, processes)
        return page({name: (*told.get(name, ()), *used[name]) for name in used}, families(own))


def what_they_use(processes: Mapping[str, int]) -> dict[str, tuple[Family, ...]]:
    """Memory, processor time and descriptors of each process, by name, where the system tells.

    A process could tell its own. But to count a gateway's twenty thousand descriptors takes milliseconds, or
    a tenth of a second in some containers, in which it would push nothing; and one that stands still is told
    of too.
    """
    used = {}
    for name, process in processes.items():
        registry = CollectorRegistry()
        ProcessCollector(pid=functools.partial(int, process), registry=registry)
        used[name] = families(registry)
    return used


def show_workers(
    registry: CollectorRegistry, crew: Crew, members: dict[int, Child], answered: frozenset[str]
) -> None:
    """The supervisor's own metrics."""
    up = Gauge(
        "croupier_worker_answered",
        "Whether the worker has told its metrics in time.",
        ["worker"],
        registry=registry,
    )
    process = Gauge(
        "croupier_worker_process_id",
        "The worker's process, as its log lines name it.",
        ["worker"],
        registry=registry,
    )
    lost = Figure(registry, "counter", "croupier_workers_lost", "Workers that have ended by themselves.")
    lost.read(lambda: crew.lost)
    for number, child in members.items():
        up.labels(str(number)).set(str(number) in answered)
        process.labels(str(number)).set(child.process.pid)


def show_wrong_keys(registry: CollectorRegistry, wrong_keys: WrongKeys) -> None:
    """The metric of the operator's API."""
    refused = Figure(
        registry,
        "counter",
        "croupier_api_wrong_keys",
        "Requests to the operator's API without a good key.",
    )
    refused.read(lambda: wrong_keys.count)


def show_webhooks(registry: CollectorRegistry, tally: Tally) -> None:
    """The metrics of webhooks."""
    delivered = Figure(
        registry, "counter", "croupier_webhooks_delivered", "Events that a receiver has taken."
    )
    delivered.read(lambda: tally.delivered)
    failed = Figure(
        registry, "counter", "croupier_webhooks_failed", "Attempts that a receiver has not taken."
    )
    failed.read(lambda: tally.failed)
    lost = Figure(
        registry, "counter", "croupier_webhooks_lost", "Events that some receiver is never told of."
    )
    lost.read(lambda: tally.lost)
    waiting = Figure(
        registry, "gauge", "croupier_webhooks_waiting", "Events that have yet to be taken, for each receiver."
    )
    waiting.read(lambda: tally.waiting)
    behind = Figure(
        registry,
        "gauge",
        "croupier_webhooks_behind_seconds",
        "For how long some receiver has always had an event to take.",
    )
    behind.read(lambda: tally.behind_s)


async def _ask(children: dict[int, Child], question: bytes, within_s: float) -> dict[int, bytes | None]:
    answers = await asyncio.gather(*(child.ask(question, within_s) for child in children.values()))
    return dict(zip(children, answers, strict=True))


def _reasons(answer: bytes | None) -> list[str] | None:
    return None if answer is None else msgspec.msgpack.decode(answer, type=list[str])
