"""The cut of the next shoe in the store: what players send for it, and what a dealer finds."""

from typing import Final

from croupier_protocol.fairness.seeds import VALUE_BYTES, value_hash
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import Contribution, PlayerId, TableId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Store, run
from croupier_server.store.stream import NOTES_KEPT

_COUNT: Final = b"#"
"""The field that counts what has been sent; no player is called that."""

_REFUSALS: Final = {
    b"seat": ErrorCode.NOT_SEATED,
    b"closed": ErrorCode.CUT_CLOSED,
    b"differs": ErrorCode.CUT_DIFFERS,
}


class Cuts:
    """The cuts at the tables of one pit."""

    def __init__(self, store: Store, pit: PitId) -> None:
        self.store = store
        self.pit = pit

    async def send_hash(self, table: TableId, player: PlayerId, shoe: int, hash_: bytes) -> ErrorCode | None:
        """Takes a seated player's hash; None when it counts, else why not."""
        return await self._send(table, player, shoe, hash_, b"")

    async def send_value(self, table: TableId, player: PlayerId, shoe: int, value: bytes) -> ErrorCode | None:
        """Takes the value whose hash the player has sent; None when it counts, else why not."""
        return await self._send(table, player, shoe, value_hash(value), value)

    async def look(self, table: TableId) -> tuple[int, tuple[Contribution, ...]]:
        """How many parts have been sent, and what stands, by seat.

        Raises:
            DamagedRecordError: it is not what Croupier wrote.
        """
        found = await run(self.store.client.hgetall(keys.cut_key(self.pit, table)))
        try:
            rev = int(found.pop(_COUNT, b"0"))
            parts = [_contribution(player, part) for player, part in found.items()]
        except ValueError as error:
            raise DamagedRecordError(f"the cut at table {table}: {error}") from error
        return rev, tuple(sorted(parts, key=lambda one: (one.seat, one.player)))

    async def _send(
        self, table: TableId, player: PlayerId, shoe: int, hash_: bytes, value: bytes
    ) -> ErrorCode | None:
        reply = await self.store.call(
            scripts.CUT,
            [
                keys.table_key(self.pit, table),
                keys.seats_key(self.pit, table),
                keys.cut_key(self.pit, table),
                keys.notes_key(self.pit),
            ],
            [table, player, shoe, hash_, value, NOTES_KEPT],
        )
        return _REFUSALS.get(reply[0])


def _contribution(player: bytes, part: bytes) -> Contribution:
    seat, _, stood = part.partition(b"|")
    if len(stood) not in {VALUE_BYTES, 2 * VALUE_BYTES}:
        raise ValueError(f"a part of {len(stood)} bytes")
    return Contribution(
        seat=int(seat),
        player=PlayerId(player.decode()),
        hash=stood[:VALUE_BYTES],
        value=stood[VALUE_BYTES:] or None,
    )
