"""A pit's event stream: its epochs, its tail, and its most recent entries."""

import contextlib
import secrets
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from redis.asyncio import Redis
from redis.typing import KeyT, StreamIdT

from croupier_protocol.messages.values import Epoch, PlayerId, TableId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Store, run

BLOCK_MS: Final = 1_000
"""How long a read of the tail waits at most; well under the socket timeout, which would cut it."""

TAIL_COUNT: Final = 500
"""Entries in one read of the tail."""

EVENTS_KEPT: Final = 20_000
"""Entries in a pit's stream, about: a quarter of an hour of twenty tables at turbo pace."""

NOTES_KEPT: Final = 20_000
"""Notes in a pit's stream, about."""

_Raw = tuple[bytes, dict[bytes, bytes]]
"""An entry as the client gives it: its id and its fields."""


class Entry(Struct, frozen=True):
    """One entry of the stream: an event, already encoded, or (without a table) the mark of a new epoch."""

    id: str
    epoch: Epoch
    table: TableId | None = None
    seq: int = 0
    message: bytes = b""


class Note(Struct, frozen=True):
    """What somebody other than a dealer changed: of which table, what kind of thing, whose.

    `rev` is the revision that a slip has brought; 0 of anything else. `reason` is an operator's. `wallet` is
    what the player's wallet held when a cash-out had come there.
    """

    id: str
    table: TableId
    kind: str
    player: PlayerId
    rev: int = 0
    reason: str = ""
    wallet: int | None = None


class Stream:
    """The stream of one pit. `reader` is a client of its own, because its reads block."""

    def __init__(self, store: Store, pit: PitId, reader: Redis | None = None) -> None:
        self.store = store
        self.pit = pit
        self._reader = reader

    async def open(self, broken: Epoch | None = None) -> Epoch:
        """Settles which life the stream is in, beginning a new one if need be, and loads the scripts.

        `broken` is an epoch in which the caller has found the stream not to be what it was; it ends, unless
        somebody else has ended it already.
        """
        keys_ = [keys.epoch_key(self.pit), keys.events_key(self.pit)]
        arguments = [secrets.token_hex(8), broken or "", EVENTS_KEPT]
        sent = self.store.clock.steady()
        command = self.store.client.eval(scripts.OPEN_STREAM.source, len(keys_), *keys_, *arguments)  # type: ignore[arg-type]  # bytes are taken too
        reply = await run(command)
        self.store.clock.observe(sent, self.store.clock.steady(), reply[0])
        await self.store.load_scripts()
        return Epoch(reply[1].decode())

    async def epoch(self) -> Epoch | None:
        """The epoch that the store holds now; None when it holds none."""
        found = await run(self.store.client.hget(keys.epoch_key(self.pit), "epoch"))
        return None if found is None else Epoch(found.decode())

    async def has_lost(self, entry_id: str) -> bool:
        """Whether the entry `entry_id`, and perhaps more after it, has been trimmed away."""
        return not await run(self.store.client.xrange(keys.events_key(self.pit), entry_id, entry_id))

    async def tail_with_notes(self, after: str, after_note: str) -> tuple[list[Entry], list[Note]]:
        """Entries after the one with id `after`, and notes after the one with id `after_note`.

        Waits up to `BLOCK_MS` for the first of either.
        """
        events, notes = keys.events_key(self.pit), keys.notes_key(self.pit)
        found = await self._read({events: after, notes: after_note})
        return [_entry(raw) for raw in found.get(events, [])], [_note(raw) for raw in found.get(notes, [])]

    async def last_note(self) -> str:
        """The id of the newest note, from which on `notes` and `tail_with_notes` can go on."""
        newest = await run(self.store.client.xrevrange(keys.notes_key(self.pit), count=1))
        return newest[0][0].decode() if newest else "0-0"

    async def notes(self, after: str) -> list[Note]:
        """Notes after the one with id `after`; waits up to `BLOCK_MS` for the first."""
        key = keys.notes_key(self.pit)
        return [_note(raw) for raw in (await self._read({key: after})).get(key, [])]

    async def _read(self, after: Mapping[str, str]) -> dict[str, list[_Raw]]:
        """Reads several streams in one blocking call."""
        reader = self._reader or self.store.client
        streams: dict[KeyT, StreamIdT] = dict(after.items())
        reply = await run(reader.xread(streams, count=TAIL_COUNT, block=BLOCK_MS))
        return {key.decode(): entries for key, entries in reply or []}

    async def recent(self, count: int) -> list[Entry]:
        """The newest `count` entries, oldest first; only those after a damaged one, where there is one."""
        reply = await run(self.store.client.xrevrange(keys.events_key(self.pit), count=count))
        entries: list[Entry] = []
        with contextlib.suppress(DamagedRecordError):
            for entry in reply:
                entries.append(_entry(entry))  # noqa: PERF401  # those before the damaged one count
        return entries[::-1]


def _entry(raw: _Raw) -> Entry:
    entry_id, fields = raw
    try:
        epoch = Epoch(fields[b"e"].decode())
        if b"t" not in fields:
            return Entry(id=entry_id.decode(), epoch=epoch)
        return Entry(
            id=entry_id.decode(),
            epoch=epoch,
            table=TableId(fields[b"t"].decode()),
            seq=int(fields[b"s"]),
            message=fields[b"m"],
        )
    except (KeyError, ValueError) as error:
        raise DamagedRecordError(f"stream entry {entry_id.decode()}: {error}") from error


def _note(raw: _Raw) -> Note:
    note_id, fields = raw
    try:
        return Note(
            id=note_id.decode(),
            table=TableId(fields[b"t"].decode()),
            kind=fields[b"k"].decode(),
            player=PlayerId(fields[b"p"].decode()),
            rev=int(fields.get(b"r", 0)),
            reason=fields.get(b"x", b"").decode(),
            wallet=int(fields[b"w"]) if b"w" in fields else None,
        )
    except (KeyError, ValueError) as error:
        raise DamagedRecordError(f"note {note_id.decode()}: {error}") from error
