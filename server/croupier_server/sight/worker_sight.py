"""A worker's answers to its supervisor: made when it asks, from what the parts have at hand."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from croupier_protocol.messages.errors import ErrorCode
from croupier_server.dealer.dealers import Dealers
from croupier_server.gateway.admission import Refusal
from croupier_server.gateway.lag import Lag
from croupier_server.gateway.listener import Gateway
from croupier_server.sight.exposition import encode, families
from croupier_server.sight.metrics import Metrics
from croupier_server.sight.readiness import PitSeen, WorkerSeen, problems
from croupier_server.store.contact import Contact
from croupier_server.worker_orders import HEALTH, METRICS

ALARMING: Final = (ErrorCode.ALARM.value, ErrorCode.UNAVAILABLE.value)
"""Answers to slips that are counted from 0 on: an alert sees an increase, and no first time."""


class WorkerSight:
    """What a worker with dealers, a gateway or both looks like from outside."""

    def __init__(
        self, metrics: Metrics, contact: Contact, lag: Lag, dealers: Dealers | None, gateway: Gateway | None
    ) -> None:
        self._metrics = metrics
        self._contact = contact
        self._lag = lag
        self._dealers = dealers
        self._gateway = gateway
        metrics.store_silence.read(lambda: contact.silent_s)
        metrics.store_calls_failed.read(lambda: contact.failed)
        if dealers is not None:
            _show_dealers(metrics, dealers)
        if gateway is not None:
            _show_gateway(metrics, gateway)

    @property
    def answers(self) -> Mapping[bytes, Callable[[], bytes]]:
        """How each question is answered."""
        return {
            HEALTH: lambda: msgspec.msgpack.encode(problems(self.seen())),
            METRICS: lambda: encode(families(self._metrics.registry)),
        }

    def seen(self) -> WorkerSeen:
        """The figures that readiness is judged by."""
        silent = {feed.pit: feed.silent_s for feed in self._gateway.floor.feeds} if self._gateway else {}
        dealers = {one.pit: one for one in self._dealers.each} if self._dealers else {}
        pits = {
            pit: PitSeen(
                feed_silent_s=silent.get(pit),
                unrenewed_s=dealers[pit].unrenewed_s if pit in dealers else None,
                undealt=dealers[pit].neglected if pit in dealers else {},
            )
            for pit in (silent | dealers)
        }
        behind_s = self._lag.least_s if self._lag.behind else None
        return WorkerSeen(store_silent_s=self._contact.silent_s, behind_s=behind_s, pits=pits)


def _show_dealers(metrics: Metrics, dealers: Dealers) -> None:
    metrics.tables_dealt.read(lambda: len(dealers.dealing))
    metrics.tables_undealt.read(lambda: sum(len(one.undealt) for one in dealers.each))
    metrics.lease_renewal_age.read(lambda: {one.pit: one.unrenewed_s for one in dealers.each})
    metrics.archive_behind.read(lambda: {one.pit: one.archive_behind_s for one in dealers.each})
    metrics.archive_lost.read(lambda: {one.pit: one.lost_to_archive for one in dealers.each})


def _show_gateway(metrics: Metrics, gateway: Gateway) -> None:
    admission, fanout, floor = gateway.admission, gateway.fanout, gateway.floor
    for answer in ALARMING:
        metrics.slips_answered.labels(answer)
    metrics.spectators.read(lambda: gateway.spectators)
    metrics.moved_to_present.read(lambda: fanout.moved_to_present)
    metrics.readers_behind.read(lambda: fanout.lagging)
    metrics.tables_stalled.read(lambda: sum(feed.stalled for feed in floor.feeds))
    metrics.feed_silence.read(lambda: {feed.pit: feed.silent_s for feed in floor.feeds})
    metrics.connections_open.read(lambda: admission.open)
    metrics.connections_admitted.read(lambda: admission.open + admission.ended)
    metrics.connections_refused.read(
        lambda: {
            **{refusal.name.lower(): admission.refused[refusal] for refusal in Refusal},
            "origin": gateway.foreign,
        }
    )
