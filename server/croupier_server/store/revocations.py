"""Which players' tokens are void: those that were issued before a time."""

from collections.abc import Collection

from croupier_protocol.messages.values import PlayerId
from croupier_server.store import keys
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.scripts import Store, run


class Revocations:
    """The revocations of a store, which all servers on it heed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def revoke(self, player: PlayerId) -> int:
        """Voids every token of `player` that has been issued so far; returns until when, in store time.

        May be repeated: then those issued since are void too.

        Raises:
            StoreUnavailableError: nobody knows whether it was done; it may be done again.
        """
        store = await self._store.holding(keys.REVOKED_KEY)
        until_ms = await store.time_ms()
        await run(store.client.hset(keys.REVOKED_KEY, player, str(until_ms)))
        return until_ms

    async def of(self, players: Collection[PlayerId]) -> dict[PlayerId, int]:
        """Until when tokens are void, of those players who have such, in store milliseconds."""
        if not players:
            return {}
        asked = list(players)
        store = await self._store.holding(keys.REVOKED_KEY)
        found = await run(store.client.hmget(keys.REVOKED_KEY, asked))
        try:
            return {
                player: int(until) for player, until in zip(asked, found, strict=True) if until is not None
            }
        except ValueError as error:
            raise DamagedRecordError(f"{keys.REVOKED_KEY}: {error}") from error
