"""A table's record in the store: its lease, its steps, its rounds. One typed method per script."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec

from croupier_protocol.messages.values import Epoch, RoundRecord, TableId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import (
    DamagedRecordError,
    EpochChangedError,
    LeaseLostError,
    NewerRecordError,
    NotReadyError,
    OutOfStepError,
    TooEarlyError,
    TooLateError,
)
from croupier_server.store.keys import PitId
from croupier_server.store.records import Closing, Commit, Lease, LeaseSeen, Position, Record, Sealed
from croupier_server.store.scripts import Store, run
from croupier_server.store.stream import EVENTS_KEPT, NOTES_KEPT

PRESENT_MS: Final = 15_000
"""A player not seen by a gateway for longer than this is absent; gateways tell every 5 s."""

ROUNDS_KEPT: Final = 2_000
"""Finished rounds a table, about: half a day at standard pace."""

SHOES_KEPT: Final = 8
"""Shoes a table, beside the running one, of which everything is kept: about 100 kB each, and three hours of
play at standard pace."""

LISTED: Final = "listed"
FREE: Final = "free"
LEFT: Final = "left"
"""Kinds of notes: a change of the list of tables; a table that its dealer has given up; the same by a dealer
that takes no more. The last two name the dealer instead of a player."""

_ROUND_ENCODER: Final = msgspec.msgpack.Encoder()
_ROUND_DECODER: Final = msgspec.msgpack.Decoder(RoundRecord)

_REFUSALS: Final = {
    b"lost": LeaseLostError,
    b"seq": OutOfStepError,
    b"epoch": EpochChangedError,
    b"early": TooEarlyError,
    b"late": TooLateError,
    b"unready": NotReadyError,
}


class Tables:
    """The table records of one pit; `archived` is whether finished rounds go to an archive."""

    def __init__(self, store: Store, pit: PitId, *, archived: bool = False) -> None:
        self.store = store
        self.pit = pit
        self._archived = archived

    async def register(self, listings: Mapping[TableId, bytes], *, missed: bool = False) -> list[TableId]:
        """Puts tables on the list with their settings, encoded as JSON; a closed one is open again.

        Returns those that are on the list now: all, but for closed ones if they were `missed` there.
        """
        if not listings:
            return []
        reply = await self.store.call(
            scripts.LIST_TABLES,
            [
                keys.tables_key(self.pit),
                keys.notes_key(self.pit),
                *(keys.table_key(self.pit, table) for table in listings),
            ],
            [NOTES_KEPT, "1" if missed else "", *(part for one in listings.items() for part in one)],
        )
        return [table for table, listed in zip(listings, reply[1:], strict=True) if listed]

    async def take_off(self, tables: Collection[TableId]) -> None:
        """Takes tables off the list that nobody deals; their records stay."""
        if tables:
            await run(self.store.client.hdel(keys.tables_key(self.pit), *tables))

    async def listing(self, table: TableId) -> bytes | None:
        """The settings of a table on the list."""
        found: bytes | None = await run(self.store.client.hget(keys.tables_key(self.pit), table))
        return found

    async def registered(self) -> dict[TableId, bytes]:
        """Every table of the pit with its settings."""
        found = await run(self.store.client.hgetall(keys.tables_key(self.pit)))
        return {TableId(table.decode()): settings for table, settings in found.items()}

    async def acquire(
        self, table: TableId, owner: str, lease_ms: int, schema: int, still: LeaseSeen | None = None
    ) -> tuple[Lease, Record] | LeaseSeen:
        """Takes the lease of `table` and returns it with the record, or says who holds it.

        `still` is a lease of another owner that has not moved for longer than a lease by the caller's steady
        clock: it is taken although the store's clock says that it holds.

        Raises:
            NewerRecordError: the record is of a newer schema.
            StoreError: it cannot be read.
        """
        still = still or LeaseSeen(owner="", until_ms=0)
        reply = await self.store.call(
            scripts.ACQUIRE,
            [keys.table_key(self.pit, table)],
            [owner, lease_ms, schema, still.owner, still.until_ms],
        )
        match reply:
            case [b"held", _, bytes(holder), int(until_ms)]:
                return LeaseSeen(owner=_text(holder), until_ms=until_ms)
            case [
                b"ok",
                _,
                int(fence),
                int(seq),
                bytes(state),
                bytes(sealed),
                bytes(key_id),
                bytes(rules),
                int(wrote),
            ]:
                lease = Lease(table=table, owner=owner, fence=fence)
                return lease, Record(
                    seq=seq,
                    state=state,
                    sealed=_sealed(sealed, key_id, rules),
                    owner=owner,
                    fence=fence,
                    schema=wrote,
                )
        raise NewerRecordError(
            f"{table} was written by a newer release of Croupier (schema {reply[2]}, ours {schema})"
        )

    async def renew(self, leases: Sequence[Lease], owner: str, lease_ms: int) -> list[Lease]:
        """Extends the leases and returns those that are no longer the caller's."""
        if not leases:
            return []
        reply = await self.store.call(
            scripts.RENEW,
            [keys.table_key(self.pit, lease.table) for lease in leases],
            [owner, lease_ms, *(lease.fence for lease in leases)],
        )
        return [lease for lease, held in zip(leases, reply[1:], strict=True) if not held]

    async def release(self, lease: Lease, *, leaving: bool = False) -> bool:
        """Gives the lease back and tells the other dealers, also whether the owner takes no more tables.

        False when it was not the caller's any more.
        """
        reply = await self.store.call(
            scripts.RELEASE,
            [keys.table_key(self.pit, lease.table), keys.notes_key(self.pit)],
            [lease.owner, lease.fence, lease.table, NOTES_KEPT, "1" if leaving else ""],
        )
        return bool(reply[1])

    async def close(self, lease: Lease, op: str) -> Closing:
        """Takes a table that has ended off the list, answers the order `op` and gives the lease back.

        Raises:
            LeaseLostError: the table is somebody else's by now, or has not ended.
        """
        reply = await self.store.call(
            scripts.CLOSE_TABLE,
            [
                keys.table_key(self.pit, lease.table),
                keys.tables_key(self.pit),
                keys.seats_key(self.pit, lease.table),
                keys.transfers_key(self.pit),
                keys.orders_key(self.pit),
                keys.notes_key(self.pit),
            ],
            [lease.owner, lease.fence, lease.table, op, NOTES_KEPT],
        )
        if reply[0] == b"lost":
            raise LeaseLostError(lease.table)
        return Closing(reply[0].decode())

    async def leases(self, tables: Sequence[TableId]) -> tuple[int, dict[TableId, LeaseSeen]]:
        """The leases of `tables` as they are now, and the store's time."""
        if not tables:
            return self.store.clock.now_ms(), {}
        now_ms, *found = await self.store.call(
            scripts.LEASES, [keys.table_key(self.pit, table) for table in tables], []
        )
        seen = {
            table: LeaseSeen(owner=owner.decode(errors="replace"), until_ms=until_ms, schema=schema)
            for table, owner, until_ms, schema in zip(
                tables, found[::3], found[1::3], found[2::3], strict=True
            )
        }
        return now_ms, seen

    async def commit(self, lease: Lease, step: Commit, lease_ms: int, schema: int) -> int:
        """Writes one step: state and event together, or neither; returns the store's time of it.

        Raises:
            CommitRefusedError: nothing was written, and its class says why.
            StoreUnavailableError: no answer; whether it was written only the record tells.
        """
        sealed = step.sealed or Sealed(ciphertext=b"", key_id="")
        reply = await self.store.call(
            scripts.COMMIT,
            [
                keys.table_key(self.pit, lease.table),
                keys.events_key(self.pit),
                keys.epoch_key(self.pit),
                keys.rounds_key(self.pit, lease.table),
                keys.totals_key(self.pit, lease.table),
                keys.ready_key(self.pit, lease.table),
                keys.seats_key(self.pit, lease.table),
                keys.present_key(self.pit, lease.table),
                keys.cut_key(self.pit, lease.table),
                keys.shoes_key(self.pit, lease.table),
                keys.ledger_key(self.pit),
            ],
            [
                lease.owner,
                lease.fence,
                step.seq,
                step.epoch,
                step.not_before_ms,
                step.not_after_ms,
                lease_ms,
                EVENTS_KEPT,
                ROUNDS_KEPT,
                schema,
                lease.table,
                step.phase.value,
                step.round,
                step.closes_at_ms,
                step.state,
                step.event,
                sealed.ciphertext,
                sealed.key_id,
                b"" if step.record is None else _ROUND_ENCODER.encode(step.record),
                sealed.rules,
                "1" if step.early else "",
                step.listing,
                PRESENT_MS,
                step.cut or "",
                "" if step.cut_rev is None else step.cut_rev,
                step.shoe,
                step.commitments,
                SHOES_KEPT,
                "1" if self._archived else "",
            ],
        )
        refusal = _REFUSALS.get(reply[0])
        if refusal is not None:
            raise refusal(f"{lease.table} at seq {step.seq}: {reply[0].decode()} {reply[2:]}")
        at_ms: int = reply[1]
        return at_ms

    async def read(self, table: TableId) -> Position:
        """The record of `table` with its place in the stream."""
        reply = await self.store.call(
            scripts.READ,
            [keys.table_key(self.pit, table), keys.events_key(self.pit), keys.epoch_key(self.pit)],
            [],
        )
        _, epoch, last_entry, seq, state, owner, fence, until_ms, sealed, key_id, rules, schema = reply
        record = Record(
            seq=seq,
            state=state,
            sealed=_sealed(sealed, key_id, rules),
            owner=_text(owner),
            fence=fence,
            lease_until_ms=until_ms,
            schema=schema,
        )
        return Position(record=record, epoch=Epoch(_text(epoch)), last_entry=last_entry.decode())

    async def rounds(self, table: TableId, before: int | None, limit: int) -> list[RoundRecord]:
        """Up to `limit` finished rounds, newest first; those before round `before` when it is given."""
        if before is not None and before <= 0:
            return []
        newest = "+" if before is None else f"({before}-0"
        entries = await run(
            self.store.client.xrevrange(keys.rounds_key(self.pit, table), newest, "-", count=limit)
        )
        return [_round(entry_id, fields) for entry_id, fields in entries]


def _sealed(ciphertext: bytes, key_id: bytes, rules: bytes) -> Sealed | None:
    return Sealed(ciphertext=ciphertext, key_id=_text(key_id), rules=rules) if ciphertext else None


def _text(stored: bytes) -> str:
    try:
        return stored.decode()
    except UnicodeDecodeError as error:
        raise DamagedRecordError(f"a name in a record is no text: {error}") from error


def _round(entry_id: bytes, fields: Mapping[bytes, bytes]) -> RoundRecord:
    try:
        return _ROUND_DECODER.decode(fields[b"r"])
    except (KeyError, msgspec.MsgspecError) as error:
        raise DamagedRecordError(f"the record of round {entry_id.decode()}: {error}") from error
