"""What a player limits for itself: stakes, time, and whether it plays at all."""

from croupier_client.asker import Asker
from croupier_client.slips import new_op
from croupier_protocol.messages.to_client import OwnLimits
from croupier_protocol.messages.to_server import Exclude, GoOn, MyLimits


class PlaySafe:
    """The limits of the player that a client is; `Client.play_safe` has them. Nobody becomes a guest by them.

    Each raises `RefusedError`, with `unknown_type` where the operator has switched this off, and
    `NoAnswerError`, after which the same `op` asks for the same change again.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def limits(self) -> OwnLimits:
        """What this player has limited for itself."""
        return await self._asker.ask(lambda request: MyLimits(id=request), OwnLimits)

    async def limit(
        self,
        *,
        round_stake: int | None = None,
        day_stake: int | None = None,
        day_minutes: int | None = None,
        reality_minutes: int | None = None,
        op: str | None = None,
    ) -> OwnLimits:
        """Sets limits, 0 for none: cents in a round and in a day, minutes in a day and to a reality check.

        A stricter limit is in force at once, a looser one waits for a day, as the answer says.
        """
        limits = MyLimits(
            round_stake=round_stake,
            day_stake=day_stake,
            day_minutes=day_minutes,
            reality_minutes=reality_minutes,
            op=op or new_op(),
        )
        return await self._asker.perform(limits, OwnLimits)

    async def exclude(self, days: int, *, op: str | None = None) -> OwnLimits:
        """Keeps this player from all tables for so many days; there is no way back but the operator's."""
        return await self._asker.perform(Exclude(days=days, op=op or new_op()), OwnLimits)

    async def go_on(self) -> OwnLimits:
        """The player has seen the `RealityCheck` that `on_notice` was told, and plays on."""
        return await self._asker.ask(lambda request: GoOn(id=request), OwnLimits)
