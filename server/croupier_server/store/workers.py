"""The live workers of all servers that share a store: who deals, who serves, and how much of it."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec import Struct

from croupier_protocol.messages.values import TableId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.scripts import Store, run

BEAT_S: Final = 1.0
"""Between two beats of a worker."""

LIVE_MS: Final = 5_000
"""A worker that has not beaten for this long is not counted on; its tables go when their leases run out."""


class WorkerEntry(Struct, frozen=True):
    """One worker.

    `owner` is the random id of this worker's life, `supervisor` that of the server it belongs to: workers of
    one supervisor take connections from one port. `capacity` is its share of tables relative to other
    workers'; 0 takes none (a gateway, or a worker that is stopping). `door` is whether it takes connections
    from that port: `paused` leaves them to the others for now, `closed` has none or is stopping.
    """

    owner: str
    supervisor: str
    host: str
    process: int
    capacity: int
    tables: int = 0
    connections: int = 0
    watchers: dict[TableId, int] = {}
    door: Literal["open", "paused", "closed"] = "closed"


class Workers:
    """The register of live workers."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def beat(self, entry: WorkerEntry) -> list[WorkerEntry]:
        """Says that this worker lives; returns all that do, itself included.

        Raises:
            StoreUnavailableError: no answer.
            DamagedRecordError: the register is not what Croupier wrote.
        """
        store = await self.store.holding(keys.WORKERS_KEY)
        reply = await store.call(
            scripts.BEAT, [keys.WORKERS_KEY], [entry.owner, msgspec.json.encode(entry), LIVE_MS]
        )
        try:
            return [msgspec.json.decode(one, type=WorkerEntry) for one in reply[1:]]
        except msgspec.MsgspecError as error:
            raise DamagedRecordError(f"{keys.WORKERS_KEY}: {error}") from error

    async def read(self) -> list[WorkerEntry]:
        """All workers of the register, also some that have fallen silent lately.

        Raises:
            DamagedRecordError: the register is not what Croupier wrote.
        """
        store = await self.store.holding(keys.WORKERS_KEY)
        found = await run(store.client.hvals(keys.WORKERS_KEY))
        try:
            return [msgspec.json.decode(one.partition(b"|")[2], type=WorkerEntry) for one in found]
        except msgspec.MsgspecError as error:
            raise DamagedRecordError(f"{keys.WORKERS_KEY}: {error}") from error

    async def leave(self, owner: str) -> None:
        """Says that this worker has stopped."""
        store = await self.store.holding(keys.WORKERS_KEY)
        await run(store.client.hdel(keys.WORKERS_KEY, owner))


def watching(entries: Iterable[WorkerEntry]) -> Counter[TableId]:
    """How many connections watch each table at all of these workers, but for load testers'."""
    found: Counter[TableId] = Counter()
    for entry in entries:
        found.update(entry.watchers)
    return found
