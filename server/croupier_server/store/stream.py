"""A pit's event stream: its epochs, its tail, and its most recent entries."""

import contextlib
import secrets
from typing import Final

from msgspec import Struct
from redis.asyncio import Redis

from croupier_protocol.messages.values import Epoch, TableId
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


class Entry(Struct, frozen=True):
    """One entry of the stream: an event, already encoded, or (without a table) the mark of a new epoch."""

    id: str
    epoch: Epoch
    table: TableId | None = None
    seq: int = 0
    message: bytes = b""


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

    async def tail(self, after: str) -> list[Entry]:
        """Entries after the one with id `after`; waits up to `BLOCK_MS` for the first."""
        reader = self._reader or self.store.client
        key = keys.events_key(self.pit)
        reply = await run(reader.xread({key: after}, count=TAIL_COUNT, block=BLOCK_MS))
        if not reply:
            return []
        [(_, entries)] = reply
        return [_entry(entry) for entry in entries]

    async def recent(self, count: int) -> list[Entry]:
        """The newest `count` entries, oldest first; only those after a damaged one, where there is one."""
        reply = await run(self.store.client.xrevrange(keys.events_key(self.pit), count=count))
        entries: list[Entry] = []
        with contextlib.suppress(DamagedRecordError):
            for entry in reply:
                entries.append(_entry(entry))  # noqa: PERF401  # those before the damaged one count
        return entries[::-1]


def _entry(raw: tuple[bytes, dict[bytes, bytes]]) -> Entry:
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
