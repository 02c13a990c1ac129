"""Turns a pit's events into deliveries, whether or not any receiver takes them."""

import asyncio
import logging
from typing import Final

import msgspec
from msgspec import Struct

from croupier_protocol.messages import events
from croupier_protocol.messages.values import PlayerId, RoundRecord
from croupier_server.bank.bank import Bank
from croupier_server.store.deliveries import BEGINNING, Deliveries, Held, PitEvents
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.seats import Seats
from croupier_server.store.settled import Settled
from croupier_server.store.stores import Stores
from croupier_server.store.tables import Tables
from croupier_server.webhooks.events import EventsLost, PlayerBroke, RoundSettled, RoundVoid, Told
from croupier_server.webhooks.tally import Tally

logger = logging.getLogger(__name__)

POLL_S: Final = 0.5
"""Between two looks at the pit's events: nobody waits for a webhook as for a card."""


class _Kind(Struct, frozen=True):
    type: str


_KIND: Final = msgspec.msgpack.Decoder(_Kind)
_SETTLED: Final = msgspec.msgpack.Decoder(events.RoundSettled)


class Collecting:
    """Collects for one pit, from where `held` says on."""

    def __init__(self, stores: Stores, pit: PitId, deliveries: Deliveries, held: Held, tally: Tally) -> None:
        store = stores.pit(pit)
        self._pit = pit
        self._deliveries = deliveries
        self._cursor = held.cursor
        self._tally = tally
        self._tables = Tables(store, pit)
        self._seats = Seats(store, pit)
        self._settled = Settled(store, pit)
        self._bank = Bank(store, pit)
        tally.add(pit, held.number)

    async def run(self) -> None:
        """Collects until cancelled.

        Raises:
            StoreError: this pit's webhooks have to be taken anew: the store is away, or another server has
                them.
        """
        while True:
            found = await self._deliveries.events_after(self._cursor)
            if found.entries or found.lost:
                await self._collect(found)
            else:
                await asyncio.sleep(POLL_S)

    async def _collect(self, found: PitEvents) -> None:
        told: list[Told] = []
        after = found.entries[-1][0] if found.entries else BEGINNING
        if found.lost:
            self._tally.lost += 1
            logger.error(
                "webhooks: events of pit %s after %s were gone before they were read; rounds may be missing",
                self._pit,
                self._cursor,
            )
            told.append(EventsLost(id=f"{self._pit}-lost-{self._cursor}", pit=self._pit))
        for entry, fields in found.entries:
            told += await self._tell(entry, fields)
        number = await self._deliveries.add(self._cursor, after, [msgspec.json.encode(one) for one in told])
        if number is None:
            raise DamagedRecordError(f"the cursor of pit {self._pit}'s webhooks is not where it was left")
        self._cursor = after
        self._tally.add(self._pit, number)

    async def _tell(self, entry: str, fields: dict[bytes, bytes]) -> list[Told]:
        """What there is to tell of one entry of the stream: of a round that is over, nothing of others."""
        try:
            event = _settled(fields)
        except (KeyError, ValueError) as error:
            logger.error("webhooks: entry %s of pit %s is passed over: %r", entry, self._pit, error)  # noqa: TRY400  # it says all
            return []
        if event is None:
            return []
        name = f"{event.table}-{event.epoch}-{event.seq}"
        record = await self._record(event)
        if record is not None and record.reason is not None:
            return [_void(name, self._pit, event, record.reason)]
        broke = await self._broke(event) if event.paid else []
        return [
            _round(name, self._pit, event, record),
            *(_player_broke(name, self._pit, event, player) for player in broke),
        ]

    async def _record(self, event: events.RoundSettled) -> RoundRecord | None:
        """What history says of the round."""
        try:
            found = await self._tables.rounds(event.table, event.round + 1, 1)
        except DamagedRecordError as error:
            logger.error("webhooks: %s", error)  # noqa: TRY400  # it says all
            return None
        return found[0] if found and found[0].round == event.round else None

    async def _broke(self, event: events.RoundSettled) -> list[PlayerId]:
        """Who had bets in the round, and has nothing left, there or in its wallet."""
        try:
            empty = await self._seats.empty(event.table)
            results = await self._settled.newest_results(event.table, empty)
            lost = sorted(player for player, own in results.items() if own.payout.round == event.round)
            statements = [(player, await self._bank.wallet(player)) for player in lost]
        except DamagedRecordError as error:
            logger.error("webhooks: whether %s broke anyone: %s", event.table, error)  # noqa: TRY400  # it says all
            return []
        return [player for player, one in statements if one is not None and one.wallet.balance == 0]


def _settled(fields: dict[bytes, bytes]) -> events.RoundSettled | None:
    if b"t" not in fields or _KIND.decode(fields[b"m"]).type != "settled":
        return None
    return _SETTLED.decode(fields[b"m"])


def _void(name: str, pit: PitId, event: events.RoundSettled, reason: str) -> RoundVoid:
    return RoundVoid(
        id=name,
        pit=pit,
        table=event.table,
        round=event.round,
        at_ms=event.at_ms,
        returned=event.returned,
        paid=event.paid,
        reason=reason,
    )


def _player_broke(name: str, pit: PitId, event: events.RoundSettled, player: PlayerId) -> PlayerBroke:
    return PlayerBroke(
        id=f"{name}-{player}",
        pit=pit,
        table=event.table,
        round=event.round,
        at_ms=event.at_ms,
        player=player,
    )


def _round(name: str, pit: PitId, event: events.RoundSettled, record: RoundRecord | None) -> RoundSettled:
    return RoundSettled(
        id=name,
        pit=pit,
        table=event.table,
        round=event.round,
        at_ms=event.at_ms,
        staked=event.staked,
        returned=event.returned,
        paid=event.paid,
        rules=None if record is None else record.rules,
        player=None if record is None else record.player,
        banker=None if record is None else record.banker,
        outcome=None if record is None else record.outcome,
    )
