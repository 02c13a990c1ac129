"""A seat at a table: chips in front of it, one slip a round, and what each round brought."""

import logging
from collections.abc import AsyncIterator, Mapping
from typing import Final

from croupier_client.asker import Asker
from croupier_client.cutting import Cutting
from croupier_client.errors import CroupierError, RefusedError
from croupier_client.seating import Seating
from croupier_client.slips import Slips, Spawn, new_op
from croupier_protocol.messages.to_client import CutTaken, Me, SlipAccepted, TableView
from croupier_protocol.messages.to_server import Cut, Deal, Leave, TopUp
from croupier_protocol.messages.values import Language, Payout, Phase, TableId

_log: Final = logging.getLogger(__name__)


class Seat:
    """One seat; `Client.sit` takes one. All amounts are whole cents.

    What it shows is the server's word as far as it has come here. Operations are sent again through lost
    connections, under one name each, until they are answered, so that nothing is done twice. Each raises:

    - `RefusedError`, with code, bet and limit, when the server says no;
    - `NoAnswerError` when it did not say anything in time;
    - `BadCommandError` for amounts and names that the protocol has no room for, before anything is sent;
    - whatever has ended the client.
    """

    def __init__(self, seating: Seating, asker: Asker, spawn: Spawn, language: Language) -> None:
        self._seating = seating
        self._asker = asker
        self._spawn = spawn
        self._slips = Slips(seating, asker, spawn, language)
        self._cutting = Cutting(seating.table)
        seating.on_view = self._take_part
        if seating.view is not None:
            self._take_part(seating.view)

    def __repr__(self) -> str:
        return f"<Seat {self.number} at {self.table}: {self.bankroll} cents>"

    @property
    def table(self) -> TableId:
        return self._seating.table

    @property
    def me(self) -> Me:
        """Everything private about this seat."""
        return self._seating.place.me

    @property
    def number(self) -> int | None:
        """Which seat it is; None when it has been given up."""
        return self.me.seat

    @property
    def bankroll(self) -> int:
        """Cents in front of the seat, without those on its slip."""
        return self.me.bankroll

    @property
    def slip(self) -> Mapping[str, int]:
        """Cents on each bet that stand on the round; empty once the round has been paid."""
        return dict(self.me.slip)

    @property
    def rev(self) -> int:
        """The revision of the slip."""
        return self.me.rev

    @property
    def view(self) -> TableView | None:
        """The table as everyone sees it."""
        return self._seating.view

    @property
    def round(self) -> int:
        """The table's round."""
        return 0 if self.view is None else self.view.round

    @property
    def paid_round(self) -> int:
        """The last round whose payout has been queued; `Client.seat` goes on from there."""
        return self._seating.place.paid_round or 0

    @property
    def left_out(self) -> tuple[int, ...]:
        """Shoes whose cut took a hash of this seat and did not list it, or a value and did not count it."""
        return tuple(self._cutting.left_out)

    @property
    def missed_payouts(self) -> int:
        """Payouts that were dropped because nobody read them; `Client.my_rounds` still knows them."""
        return self._seating.missed_payouts

    async def window(self, *, after: int | None = None) -> int:
        """Waits until bets are open, in another round than `after`, and returns the round.

        Raises:
            CroupierError: whatever has ended the client.
        """
        await self._seating.until(lambda: self._open_round not in {None, after})
        return self.round

    async def bet(self, **bets: int) -> SlipAccepted:
        """States all that this seat has on the open round, cents by bet; no bets at all clear it.

        Returns the slip that stands. When a newer slip is stated before this one could be sent, this one is
        never sent, and both calls end alike.

        Raises:
            BettingClosedError: the round takes no bets, or not any more.
            SlipChangedError: another connection of this player keeps betting here.
        """
        return await self._slips.state(bets)

    async def clear(self) -> SlipAccepted:
        """Takes every bet off the open round; raises as `bet` does."""
        return await self._slips.state({})

    async def deal(self) -> None:
        """Says that this seat is ready: its slip stands, and without one it passes this round.

        Raises:
            BettingClosedError: the window is closed, which is as good as dealt.
        """
        await self._slips.idle()
        round_ = self._slips.open_round()
        try:
            await self._asker.perform(Deal(table=self.table, round=round_, op=new_op()), Me)
        except RefusedError as refused:
            raise self._slips.too_late(refused, round_) from refused

    async def top_up(self, amount: int, *, op: str | None = None) -> None:
        """Buys more chips from the wallet.

        After a `NoAnswerError` the same `op` asks for the same chips again, and never for twice as many.
        """
        await self._asker.perform(TopUp(table=self.table, amount=amount, op=op or new_op()), Me)

    async def leave(self) -> None:
        """Gives the seat up and cashes out: at once when nothing is at stake, else after the round.

        `payouts` ends when it is given up.
        """
        await self._slips.idle()
        await self._asker.perform(Leave(table=self.table, op=new_op()), Me)

    def payouts(self) -> AsyncIterator[Payout]:
        """What each round brought, in order and once, through lost connections too; ends with the seat.

        A reader that falls behind by `PAYOUTS_LIMIT` loses the oldest, and `missed_payouts` counts them. A
        client that was away for long gets those that the server still keeps for a seat.
        """
        return self._seating.payouts()

    def _take_part(self, view: TableView) -> None:
        """Takes part in the cut of a shoe: nobody has to ask for it."""
        cut = None if self.number is None else self._cutting.due(view)
        if cut is not None:
            self._spawn(self._send_part(cut))

    async def _send_part(self, cut: Cut) -> None:
        try:
            await self._asker.perform(cut, CutTaken)
        except CroupierError as error:  # its time may be over; the shoe goes on without this part
            _log.info("%s: no part in the cut of shoe %d: %s", self.table, cut.shoe, error)
            self._cutting.failed(cut)
        else:
            self._cutting.took(cut)

    @property
    def _open_round(self) -> int | None:
        view = self.view
        return view.round if view is not None and view.phase is Phase.BETTING else None
