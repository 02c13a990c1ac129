"""A player's own place at one table, as this client knows it. No I/O.

Rules:

1. `me` is the truth and replaces everything. After a new `watch`, and in a new life of the table's stream,
   the next one counts whatever its revision is.
2. Otherwise a `me` that can be seen to be older changes nothing: one of a seat with a lower revision, or with
   a slip on a round that has been paid since. The payouts that it tells count nevertheless: the server will
   not tell them again.
3. The answer to a slip counts when its revision is higher: the first answer to a repeated operation may be
   older than what `me` has told.
4. A payout is handed out once, in the order of rounds, whether `me` tells it or it comes by itself. Those
   that come between a `watch` and its `me` wait for the `me`, which may tell earlier ones.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from croupier_protocol.messages.to_client import Me, SlipAccepted, SlipChanged, TableView
from croupier_protocol.messages.values import Payout, TableId
from croupier_protocol.view import settled_round

WAITING_LIMIT: Final = 100
"""Payouts that wait for a `me`. There is one a round, so two are rare; beyond this the oldest goes."""


class Place:
    """One place. `paid_round` is the last round whose payout was handed out, or needs not be.

    It is None until it is known which rounds are this place's: then only a `me` that is asked for tells any.
    """

    def __init__(self, table: TableId, paid_round: int | None = None) -> None:
        self.me = Me(table=table, rev=0)
        self.paid_round = paid_round
        self._seated = False
        self._told = False
        self._owed: int | None = None
        self._early: deque[Payout] = deque(maxlen=WAITING_LIMIT)
        self._last: Payout | None = None

    @property
    def told(self) -> bool:
        """Whether `me` has come since the last `watch`."""
        return self._told

    @property
    def over(self) -> bool:
        """Whether the seat has been given up and its last bets are paid."""
        return self._seated and self.me.seat is None and self._owed is None

    def watched(self) -> None:
        """A `watch` was sent that asks for `me`: what it tells is newer than anything known."""
        self._told = False

    def begins_at(self, view: TableView, paid_round: int = 0) -> None:
        """The seat is about to be taken while the table is at `view`: what came before is not its own.

        Nor is anything up to `paid_round`, which an earlier seat of the player was told of: where the store
        was away, the view may be behind that.
        """
        self.paid_round = max(settled_round(view), paid_round)

    def new_life(self, view: TableView) -> None:
        """The table's stream began again at `view`: a round that was played before may be played again."""
        self._told = False
        self._owed = None
        if self.paid_round is not None:
            self.paid_round = min(self.paid_round, settled_round(view))

    def take_me(self, me: Me) -> list[Payout]:
        """Takes the truth; returns the payouts to hand out."""
        if self._told and self._is_old(me):
            return [new for payout in me.payouts for new in self.take_payout(payout)]
        before, self.me = self.me, me
        self._told = True
        self._seated = self._seated or me.seat is not None
        settled = before.slip and not me.slip and (me.rev == before.rev or me.seat is None)
        if settled and self._is_unpaid(before.round):
            self._owed = before.round
        payouts = (*me.payouts, *self._early)
        self._early.clear()
        return self._hand_out(payouts)

    def take_answer(self, answer: SlipAccepted | SlipChanged) -> None:
        """Takes the answer to a slip."""
        if answer.rev > self.me.rev:
            self.me = replace(
                self.me,
                rev=answer.rev,
                round=answer.round,
                slip=answer.bets,
                bankroll=answer.bankroll,
                ready=False,
            )

    def take_payout(self, payout: Payout) -> list[Payout]:
        """Takes a payout that came by itself; returns the payouts to hand out."""
        if not self._told:
            self._early.append(payout)
            return []
        if self.me.slip and self.me.round == payout.round:
            self.me = replace(self.me, slip={}, last_slip=self.me.slip, bankroll=payout.bankroll, ready=False)
        return self._hand_out((payout,))

    def _hand_out(self, payouts: Iterable[Payout]) -> list[Payout]:
        new = []
        for payout in sorted(payouts, key=lambda each: each.round):
            if self._is_unpaid(payout.round) and payout != self._last:
                self.paid_round, self._last = payout.round, payout
                new.append(payout)
        if self._owed is not None and not self._is_unpaid(self._owed):
            self._owed = None
        return new

    def _is_unpaid(self, round_: int) -> bool:
        return self.paid_round is not None and round_ > self.paid_round

    def _is_old(self, me: Me) -> bool:
        if me.seat is None:  # a seat that is given up takes its revisions with it
            return False
        return me.rev < self.me.rev or bool(me.slip and not self._is_unpaid(me.round))
