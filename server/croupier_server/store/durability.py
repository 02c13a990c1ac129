"""How durable a settled round is before it counts as settled.

`usual` goes by the store's own settings. `strict` wants every write on the store's disk before it is
answered (`appendfsync always`), and, where a replica may take over, a round's settlement on one before the
round counts as settled: then neither a crash nor a failover to that replica takes a settled round back.
"""

from enum import StrEnum
from typing import Any, Final

from msgspec import Struct
from redis.asyncio import Redis

from croupier_server.store import keys, scripts
from croupier_server.store.errors import (
    LeaseLostError,
    StoreUnavailableError,
    UnsuitableStoreError,
)
from croupier_server.store.keys import PitId
from croupier_server.store.records import Lease
from croupier_server.store.scripts import Store, run

CONFIRM_MS: Final = 1_500
"""How long one command waits for confirmation; well under the socket timeout, which would cut it."""

PROBE_S: Final = 60
"""How long the key is kept by which it is tried whether a replica confirms."""


class Durability(StrEnum):
    """`[store] durability`."""

    USUAL = "usual"
    STRICT = "strict"


class Confirmation(Struct, frozen=True):
    """What a confirmed write has reached: the disk of the primary, and `replicas` replicas.

    `disks` says whether these have to have it on disk too (`WAITAOF`); before Redis 7.2 there is no such
    command, and their memory has to do (`WAIT`).
    """

    replicas: int
    disks: bool

    def command(self, wait_ms: int) -> tuple[str | int, ...]:
        """The command that waits for it."""
        if self.disks:
            return ("WAITAOF", 1, self.replicas, wait_ms)
        return ("WAIT", self.replicas, wait_ms)

    def reached(self, reply: Any) -> bool:
        """Whether the reply to the command says that it has been reached."""
        if self.disks:
            local, remote = reply
            return bool(local >= 1 and remote >= self.replicas)
        return bool(reply >= self.replicas)


async def confirmation(client: Redis, pit: PitId, replicas: int) -> Confirmation:
    """How writes to `pit` are confirmed on `replicas` replicas.

    Raises:
        UnsuitableStoreError: no replica confirms a write.
    """
    pipe = client.pipeline(transaction=False)
    pipe.set(keys.probe_key(pit), 1, ex=PROBE_S)
    pipe.execute_command("WAITAOF", 1, replicas, CONFIRM_MS)
    pipe.execute_command("WAIT", replicas, CONFIRM_MS)
    _, on_disk, in_memory = await run(pipe.execute(raise_on_error=False))
    asked = Confirmation(replicas, disks=not isinstance(on_disk, Exception))
    answer = on_disk if asked.disks else in_memory
    if isinstance(answer, Exception) or not asked.reached(answer):
        raise UnsuitableStoreError(
            "durability strict needs a replica that confirms writes, with an append-only file of its own;"
            f" none did within {CONFIRM_MS} ms ({answer})"
        )
    return asked


class Confirming:
    """Confirms what was written to a pit. Without a `confirmation` there is nothing to wait for."""

    def __init__(self, store: Store, pit: PitId, how: Confirmation | None) -> None:
        self._store = store
        self._pit = pit
        self._how = how

    async def confirm(self, lease: Lease, lease_ms: int) -> None:
        """Returns when everything written to the pit before is confirmed.

        The server waits for what the same connection has written. So the lease is renewed on it first: that
        comes after all that was written before, on whichever connection.

        Raises:
            LeaseLostError: the table is another dealer's.
            StoreUnavailableError: not confirmed in time; calling again goes on waiting.
        """
        if self._how is None:
            return
        pipe = self._store.client.pipeline(transaction=False)
        key = keys.table_key(self._pit, lease.table)
        self._store.queue(pipe, scripts.RENEW, [key], [lease.owner, lease_ms, lease.fence])
        pipe.execute_command(*self._how.command(CONFIRM_MS))
        (_, held), reply = await run(pipe.execute())
        if not held:
            raise LeaseLostError(lease.table)
        if not self._how.reached(reply):
            raise StoreUnavailableError(f"no replica has confirmed the settlement of {lease.table} yet")
