"""Operators' orders at one table, as the dealer carries them out: it passes on, does, and answers."""

from typing import NamedTuple

from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import Phase
from croupier_server.dealer.seatkeeping import SeatKeeper
from croupier_server.dealer.watching import PlayersWatch
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.pit import Pit
from croupier_server.store.records import Closing, Lease
from croupier_server.store.seats import BUYING
from croupier_server.table.orders import Answer, Standing, Wish, meet
from croupier_server.table.state import Order


class Asked(NamedTuple):
    """What is asked of the machine now, and why."""

    order: Order
    reason: str


class StandingOrders:
    """The orders that stand at one table. `over` once one has taken the table off the list."""

    def __init__(self, pit: Pit, lease: Lease, watch: PlayersWatch, seats: SeatKeeper) -> None:
        self.over = False
        self._pit = pit
        self._lease = lease
        self._watch = watch
        self._seats = seats
        self._to_look = True
        self._standing: list[Standing] = []

    def look_again(self) -> None:
        """There may be an order, or one may have been taken back."""
        self._to_look = True

    async def asked(self, view: TableView) -> Asked | None:
        """What they ask of the table now, if anything; answers those that are done.

        Raises:
            LeaseLostError: the table is somebody else's by now.
            StoreUnavailableError: some may have been answered; calling again goes on.
        """
        if self._to_look:
            self._to_look = False
            try:
                self._standing = await self._pit.orders.standing(self._lease.table)
                await self.remove_players()
            except StoreUnavailableError:
                self._to_look = True
                raise
        asked = None
        for standing in list(self._standing):
            met = meet(view, standing)
            if isinstance(met, Answer):
                await self._pit.orders.answer(self._lease, standing, met.text)
                self._standing.remove(standing)
            elif met is not None and asked is None:
                asked = Asked(met, standing.reason)
                if met is Order.CLOSE:
                    await self._make_way(view, standing.op)
        if asked is None and view.phase is Phase.ENDED:
            return Asked(Order.REOPEN, "")  # it is on the list again
        return asked

    async def remove_players(self) -> None:
        """Carries out the orders to remove players, as far as nothing is at stake.

        Raises:
            LeaseLostError, StoreUnavailableError: as `asked`.
        """
        for standing in [one for one in self._standing if one.wish is Wish.REMOVE]:
            answer = await self._seats.remove(standing)
            if answer is not None:
                await self._pit.orders.answer(self._lease, standing, answer)
                self._standing.remove(standing)

    async def _make_way(self, view: TableView, op: str) -> None:
        """Cashes everybody out of a table that is to be closed; one that has ended is taken off the list."""
        table = self._lease.table
        look = await self._watch.look(view.round)
        await self._pit.bank.finish(table, older_than_ms=0)
        for player, seat in look.seats.items():
            if seat.state != BUYING:
                await self._seats.cash_out(player)
        if look.seats:
            look = await self._watch.look(view.round)
        self._to_look = True  # it may be taken back
        if view.phase is Phase.ENDED and not look.seats:
            self.over = await self._pit.tables.close(self._lease, op) is Closing.DONE
