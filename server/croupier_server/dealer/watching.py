"""What a dealer sees of the players at one table: it looks only where something may have changed.

Notes say what to look at again. Seats are read when somebody came or went; slips are only counted, and not
more often than counts may be published; what has been sent for a cut is looked at in short intervals.
"""

import logging
from typing import Final

from croupier_protocol.messages.to_client import CutView, TableView
from croupier_protocol.messages.values import Phase, TableId
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.pit import Pit
from croupier_server.store.seats import TAKEN, Look
from croupier_server.store.tables import PRESENT_MS
from croupier_server.table.machine import BETS_EVERY_MS
from croupier_server.table.state import CutSeen

logger = logging.getLogger(__name__)

CUT_LOOK_S: Final = 0.05
"""Between two looks at what has been sent for a cut: a full table's parts come within a moment."""


class PlayersWatch:
    """What was seen of one table's players, and what there is to look at again.

    `last` is the last look at them, and `cut` what has been seen of the cut that is going on; both are None
    before the first look. With `cut_damaged`, what has been sent for it cannot be read.
    """

    def __init__(self, pit: Pit, table: TableId) -> None:
        self.last: Look | None = None
        self.cut: CutSeen | None = None
        self.cut_damaged = False
        self._pit = pit
        self._table = table
        self._clock = pit.store.clock
        self._to_look = self._to_look_at_cut = True
        self._to_count = False
        self._counted_at = -BETS_EVERY_MS / 1000
        self._cut_looked_at = -CUT_LOOK_S

    def hear(self, kind: str) -> bool:
        """A note about the table has come; whether there is more to look at than before."""
        if kind == "slip":
            if self._to_count:
                return False  # they are on their way to be counted already
            self._to_count = True
        elif kind == "cut":
            self._to_look_at_cut = True
        elif kind == "wallet":
            return False  # its seat has been told of before
        else:
            self._to_look = True
        return True

    @property
    def somebody_ready(self) -> bool:
        """Whether somebody was ready at the last look: those who are not may have gone since."""
        return self.last is not None and self.last.ready > 0

    def begin_again(self) -> None:
        """The record was read anew: nothing that was seen counts any more."""
        self._to_look = self._to_look_at_cut = True
        self.cut, self.cut_damaged = None, False

    def look_at_counts(self) -> None:
        """The counts of the last round are gone, or those of this one are final."""
        self._to_look = True

    def look_at_everything(self) -> None:
        """The store knows of something that was not seen: all is looked at, at once."""
        self._to_look = self._to_look_at_cut = True
        self._cut_looked_at = -CUT_LOOK_S

    def next_of_cut(self) -> None:
        """A cut has begun, or takes values by now: what was seen belongs to what came before."""
        self.cut, self._to_look_at_cut, self._cut_looked_at = None, True, -CUT_LOOK_S
        self.cut_damaged = False

    async def see(self, view: TableView, bets_at_ms: int) -> Look:
        """The players as they are, as far as a new look is due; `bets_at_ms` is when counts were last told.

        Raises:
            StoreError: they cannot be read.
        """
        if self.last is None or self._to_look:
            self._to_look = self._to_count = False
            self.last = await self._pit.seats.look(self._table, view.round)
        elif self._to_count and (
            view.phase is not Phase.BETTING or not self._seconds_until_count(bets_at_ms)
        ):
            self._to_count, self._counted_at = False, self._clock.steady()
            self.last = await self._pit.seats.look_at_slips(self._table, view.round, self.last)
        if view.cut is not None and view.cut.until_ms is not None:
            await self._look_at_cut(view.cut, self.last)
        return self.last

    async def look(self, round_: int) -> Look:
        """The players as they are now, whatever was heard.

        Raises:
            StoreError: they cannot be read.
        """
        self.last = await self._pit.seats.look(self._table, round_)
        return self.last

    def seconds_until_look(self, view: TableView, bets_at_ms: int) -> float | None:
        """In how many seconds there is something to look at, as far as is known."""
        due = []
        if self._to_count:
            due.append(self._seconds_until_count(bets_at_ms))
        if self._to_look_at_cut and view.cut is not None and view.cut.until_ms is not None:
            due.append(CUT_LOOK_S)
        return min(due, default=None)

    def _seconds_until_count(self, bets_at_ms: int) -> float:
        """How long slips that came are left uncounted: until what they change may be published again."""
        since = self._clock.steady() - self._counted_at
        every = BETS_EVERY_MS / 1000
        return max(every - since, self._clock.seconds_until(bets_at_ms + BETS_EVERY_MS), 0.0)

    async def _look_at_cut(self, cut: CutView, look: Look) -> None:
        """Looks at what has been sent for the cut, at once or when the next look is due.

        What cannot be read makes the shoe one that is abandoned: nobody's part is to be lost in silence.
        """
        steady = self._clock.steady()
        if not self._to_look_at_cut or steady < self._cut_looked_at + CUT_LOOK_S:
            return
        self._to_look_at_cut, self._cut_looked_at = False, steady
        try:
            rev, contributions = await self._pit.cuts.look(self._table)
        except DamagedRecordError as error:
            logger.error("table %s: shoe %d is abandoned: %s", self._table, cut.shoe, error)  # noqa: TRY400  # the reason is in the message
            self.cut_damaged = True
            return
        everybody = False
        if not cut.listed:
            seen = await self._pit.seats.seen(self._table)
            sent = {one.player for one in contributions}
            everybody = all(
                player in sent or look.now_ms - seen.get(player, 0) > PRESENT_MS
                for player, seat in look.seats.items()
                if seat.state == TAKEN
            )
        self.cut = CutSeen(rev, contributions, everybody)
