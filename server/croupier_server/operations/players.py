"""What an operator does to players, and what they have played."""

from croupier_protocol.messages.to_client import OwnRound
from croupier_protocol.messages.values import PlayerId
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.revocations import Revocations
from croupier_server.store.settled import Settled
from croupier_server.store.significant import Kind, Significant
from croupier_server.store.stores import Stores


async def revoke(stores: Stores, player: PlayerId) -> int:
    """Voids every token of `player` that has been issued so far; returns until when, in store time."""
    until_ms = await Revocations(stores.pit(DEFAULT_PIT)).revoke(player)
    await stores.significant.note(Significant(Kind.REVOKED, player=player))
    return until_ms


async def own_rounds(
    stores: Stores, player: PlayerId, before: str | None, limit: int
) -> list[tuple[str, OwnRound]]:
    """A player's settled rounds at all tables, newest first, each with the mark that `before` takes."""
    settled = Settled(stores.pit(DEFAULT_PIT), DEFAULT_PIT)  # kept with the wallet, the same from every pit
    return await settled.own_rounds(player, before, limit)
