"""A pit's webhooks in the store: which server delivers, how far it has read, and what waits for receivers."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from msgspec import Struct

from croupier_server.store import keys, scripts
from croupier_server.store.errors import NotOursError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Store, run

DELIVERIES_KEPT: Final = 50_000
"""Deliveries of a pit that wait, about: 25 MB, three hours of twenty tables at turbo pace. Older ones are
lost to receivers that have not taken them by then."""

EVENTS_READ: Final = 500
"""Entries of the pit's events in one read."""

DELIVERIES_READ: Final = 50
"""Deliveries in one read."""

BEGINNING: Final = "0-0"
"""The cursor before the first entry of a stream."""


class Held(Struct, frozen=True):
    """The pit's webhooks are this server's to deliver.

    `cursor` is the last entry of the pit's events that has been turned into deliveries, `number` the last
    delivery; `sent` has the last number that each receiver has taken.
    """

    cursor: str
    number: int
    sent: dict[str, int]


class PitEvents(Struct, frozen=True):
    """Entries of a pit's stream as stored. `lost`: those between the cursor and the first are gone."""

    entries: list[tuple[str, dict[bytes, bytes]]]
    lost: bool


class Delivery(Struct, frozen=True):
    """One delivery; numbers rise by one."""

    number: int
    body: bytes


class Deliveries:
    """The webhooks of one pit, for the server that calls itself `owner`."""

    def __init__(self, store: Store, pit: PitId, owner: str) -> None:
        self.store = store
        self.pit = pit
        self._owner = owner

    async def hold(self, lease_ms: int, receivers: Sequence[str]) -> Held | None:
        """Takes the pit's webhooks, or keeps them, for `lease_ms`; None while another server has them."""
        word, _, *answer = await self.store.call(
            scripts.HOLD_WEBHOOKS,
            [keys.webhooks_key(self.pit), keys.events_key(self.pit), keys.deliveries_key(self.pit)],
            [self._owner, lease_ms, *receivers],
        )
        if word != b"held":
            return None
        cursor, number, *sent = answer
        return Held(cursor.decode(), number, dict(zip(receivers, sent, strict=True)))

    async def events_after(self, cursor: str) -> PitEvents:
        """The pit's events after the one at `cursor`; from the oldest on, when that is not there any more."""
        if cursor == BEGINNING:
            return PitEvents(await self._events("-"), lost=False)
        found = await self._events(cursor)
        if found and found[0][0] == cursor:
            return PitEvents(found[1:], lost=False)
        return PitEvents(await self._events("-"), lost=True)

    async def _events(self, first: str) -> list[tuple[str, dict[bytes, bytes]]]:
        key = keys.events_key(self.pit)
        found = await run(self.store.client.xrange(key, first, "+", count=EVENTS_READ + 1))
        return [(entry.decode(), fields) for entry, fields in found]

    async def add(self, cursor: str, after: str, bodies: Collection[bytes]) -> int | None:
        """Adds deliveries for the events from `cursor` to `after`; returns the number of the last one of all.

        None when the cursor is elsewhere: this was done before.

        Raises:
            NotOursError: another server delivers.
        """
        word, *answer = await self._write(scripts.ADD_DELIVERIES, [cursor, after, DELIVERIES_KEPT, *bodies])
        return int(answer[1]) if word == b"ok" else None

    async def sent(self, receiver: str, number: int) -> None:
        """Notes that a receiver has taken everything up to delivery `number`; may be repeated.

        Raises:
            NotOursError: another server delivers.
        """
        await self._write(scripts.SENT_DELIVERY, [receiver, number])

    async def after(self, number: int) -> list[Delivery]:
        """The next deliveries after number `number` that are still there."""
        key = keys.deliveries_key(self.pit)
        found = await run(self.store.client.xrange(key, f"({number}-0", "+", count=DELIVERIES_READ))
        return [Delivery(int(entry.partition(b"-")[0]), fields[b"b"]) for entry, fields in found]

    async def _write(self, script: scripts.Script, arguments: Sequence[scripts.Argument]) -> list[Any]:
        both = [keys.webhooks_key(self.pit), keys.deliveries_key(self.pit)]
        reply = await self.store.call(script, both, [self._owner, *arguments])
        if reply[0] == b"lost":
            raise NotOursError(f"another server delivers the webhooks of pit {self.pit}")
        return reply
