"""Ends seats for the house: of who asked to leave during a round, of who does not play, and by order."""

import logging
from collections.abc import Collection

from croupier_protocol.messages.notices import NoticeCode
from croupier_protocol.messages.values import PlayerId
from croupier_server.bank.answers import Leaving, Left
from croupier_server.dealer.idleness import Idleness
from croupier_server.store.errors import DamagedRecordError, LeaseLostError, StoreUnavailableError
from croupier_server.store.pit import Pit
from croupier_server.store.records import Lease
from croupier_server.store.seats import LEAVING, TAKEN
from croupier_server.table.orders import DONE, Standing

logger = logging.getLogger(__name__)


class SeatKeeper:
    """Looks after the seats of one table that is dealt here.

    Before seats are ended the lease is extended: a dealer that was frozen meanwhile has counted the wrong
    rounds, and is to find out before it writes. `LeaseLostError` says so.
    """

    def __init__(self, pit: Pit, lease: Lease, lease_ms: int) -> None:
        self._pit = pit
        self._table = lease.table
        self._lease = lease
        self._lease_ms = lease_ms
        self._idleness = Idleness()

    async def after_round(self, round_: int, bettors: Collection[PlayerId]) -> None:
        """Cashes out who asked to leave during the round, and who does not play; warns who may be next.

        What a store that is away keeps from being done is done after the next round.
        """
        try:
            look = await self._pit.seats.look(self._table, round_)
            seen = await self._pit.seats.seen(self._table) if look.seats else {}
            taken = {one: seen.get(one, 0) for one, seat in look.seats.items() if seat.state == TAKEN}
            warned, gone = self._idleness.after_round(taken, bettors, look.now_ms)
            leaving = [one for one, seat in look.seats.items() if seat.state == LEAVING]
            if warned or leaving or gone:
                await self._make_sure()
            for player in warned:
                await self._pit.seats.notice(self._table, NoticeCode.IDLE, player)
            for player in leaving:
                await self.cash_out(player)
            for player in gone:
                if isinstance(await self.cash_out(player), Left):
                    await self._pit.seats.notice(self._table, NoticeCode.CASHED_OUT, player)
        except (StoreUnavailableError, DamagedRecordError) as error:
            logger.warning("table %s: seats are looked after in the next round: %s", self._table, error)

    async def remove(self, order: Standing) -> str | None:
        """Carries out an order to remove a player; returns its answer, None while its slip is played out.

        Whoever carries the order on after this dealer finds the seat as it is by then: gone is done.

        Raises:
            LeaseLostError: the table is somebody else's by now.
            StoreUnavailableError: it may be done or not; calling again goes on.
        """
        if order.player is None:
            return "no player was named"
        await self._make_sure()
        try:
            answer = await self._pit.bank.cash_out(self._table, order.player)
        except DamagedRecordError as error:
            return f"{order.player} cannot be cashed out: {error}"
        if isinstance(answer, Leaving):
            return None
        if answer is not None:
            await self._pit.seats.notice(self._table, NoticeCode.REMOVED, order.player, order.reason)
        return DONE

    async def cash_out(self, player: PlayerId) -> Left | Leaving | None:
        """Ends a seat, or marks it to be ended after the round; None when its record is damaged."""
        try:
            return await self._pit.bank.cash_out(self._table, player)
        except DamagedRecordError as error:
            logger.error("table %s: %s cannot be cashed out: %s", self._table, player, error)  # noqa: TRY400  # the reason is in the message
            return None

    async def _make_sure(self) -> None:
        if await self._pit.tables.renew([self._lease], self._lease.owner, self._lease_ms):
            raise LeaseLostError(self._table)
