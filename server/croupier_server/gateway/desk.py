"""What the players of one gateway share: the desk that serves them, beside what every spectator has."""

import asyncio
from collections.abc import Callable, Collection

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.gateway.failed_logins import FailedLogins
from croupier_server.gateway.holders import Holders
from croupier_server.gateway.own_limits import LimitedPit, OwnLimitsDesk
from croupier_server.gateway.private import PrivateState
from croupier_server.gateway.replies import RefusedError
from croupier_server.gateway.roster import Roster
from croupier_server.gateway.terms import Terms
from croupier_server.play_safe.terms import PlaySafeTerms
from croupier_server.players.accounts import TokenReader
from croupier_server.players.arrivals import ArrivalRate, Arrivals
from croupier_server.players.guests import Guests
from croupier_server.sight.metrics import Metrics
from croupier_server.store.own_limits import OwnRecord
from croupier_server.store.pit import Pit
from croupier_server.store.revocations import Revocations
from croupier_server.store.sign_ins import SignIns


class PitDesk:
    """What the players at the tables of one pit share."""

    def __init__(self, pit: Pit) -> None:
        self.pit = pit
        self.seats = pit.seats
        self.slips = pit.slips
        self.bank = pit.bank
        self.cuts = pit.cuts
        self.settled = pit.settled
        self.shoes = pit.shoes
        self.terms = Terms(pit.tables)
        self.roster = Roster()
        self.private = PrivateState(pit.seats, pit.settled, self.roster)

    async def own_limits(self, player: PlayerId, wanted: int) -> OwnRecord:
        """See `slips.OwnLimitsOf`."""
        return await self.pit.own_limits.raise_day(self.pit.name, self.pit.store, player, wanted)

    async def run(self) -> None:
        """Keeps the pit's players told, and the pit told of them, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.private.run(), name="private state")
            group.create_task(self.private.keep_present(), name="presence")


class Desk:
    """A gateway's desk for players. Without `arrivals` there are no guests, without `tokens` no tokens."""

    def __init__(
        self,
        home: Pit,
        arrivals: ArrivalRate | None,
        tokens: TokenReader | None,
        metrics: Metrics,
        play_safe: PlaySafeTerms,
        tables_each: int = 0,
    ) -> None:
        """`home` is any pit: through it the store is reached where it is not about a table. A player may have
        seats at `tables_each` tables, 0 for as many as there are.
        """
        self.holders = Holders(tokens, SignIns(home.store), Revocations(home.store), home.store.clock.now_ms)
        self.failed_logins = FailedLogins(home.significant)
        self.guests = None if arrivals is None else Guests(home.store)
        self.arrivals = Arrivals(arrivals or ArrivalRate(), home.store.clock.steady)
        self.metrics = metrics
        self.bank = home.bank
        self.settled = home.settled
        self.own_limits = (
            OwnLimitsDesk(home.own_limits, play_safe, self._limited) if play_safe.enabled else None
        )
        self._tables_each = tables_each
        self._pits: list[tuple[PitDesk, Callable[[], Collection[TableId]]]] = []
        self._group: asyncio.TaskGroup | None = None

    def add(self, pit: PitDesk, tables: Callable[[], Collection[TableId]]) -> None:
        """One more pit, also while running; `tables` tells which it has."""
        self._pits.append((pit, tables))
        if self._group is not None:
            self._group.create_task(pit.run(), name="players of a pit")

    async def run(self) -> None:
        """Keeps players told in every pit, until cancelled."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            group.create_task(self.holders.run(), name="holders of tokens")
            group.create_task(self.failed_logins.run(), name="failed logins")
            if self.own_limits is not None:
                group.create_task(self.own_limits.run(), name="time at the tables")
            for pit, _ in self._pits:
                group.create_task(pit.run(), name="players of a pit")

    @property
    def watching_seated(self) -> int:
        """See `Roster.watching_seated`; in all pits."""
        return sum(pit.roster.watching_seated for pit, _ in self._pits)

    def at(self, table: TableId) -> PitDesk | None:
        """The part of the desk that serves `table`; None where there is no such table."""
        return next((pit for pit, tables in self._pits if table in tables()), None)

    async def check_seats(self, player: PlayerId, table: TableId) -> None:
        """Whether `player` may have a seat at `table` beside those that it has.

        Seats that are asked for at the same moment do not see each other.

        Raises:
            RefusedError: it has as many as it may.
            StoreUnavailableError: nobody knows.
        """
        if not self._tables_each:
            return
        seated = 0
        for pit, tables in self._pits:
            seated += len(await pit.seats.tables_of(player, [one for one in tables() if one != table]))
        if seated >= self._tables_each:
            raise RefusedError(ErrorCode.TOO_MANY_SEATS, limit=self._tables_each)

    def _limited(self) -> list[LimitedPit]:
        return [LimitedPit(desk.pit, desk.roster) for desk, _ in self._pits]

    async def keep_own_rounds(self, player: PlayerId) -> None:
        """Sees to it that every round that `player` was told of is kept; the dealer may be about to do so."""
        for pit, _ in self._pits:
            for table in pit.roster.seats_of(player):
                await pit.settled.empty_outbox(table)
