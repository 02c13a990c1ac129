"""Players' own limits at a gateway: what they ask for, and the time at the tables, counted and told."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.notices import reality_check_text
from croupier_protocol.messages.to_client import OwnLimits as OwnLimitsTold
from croupier_protocol.messages.to_client import RealityCheck
from croupier_protocol.messages.to_server import Exclude, GoOn, MyLimits
from croupier_protocol.messages.values import PlayerId, RequestId, TableId
from croupier_server.gateway.outlet import Outlet
from croupier_server.gateway.replies import RefusedError
from croupier_server.gateway.roster import Roster
from croupier_server.play_safe.applying import apply, end_seats
from croupier_server.play_safe.terms import PlaySafeTerms
from croupier_server.store.errors import StoreError
from croupier_server.store.own_limits import OwnLimits, OwnRecord, named_limits
from croupier_server.store.pit import Pit

logger = logging.getLogger(__name__)

TICK_S: Final = 30.0
"""Between two counts of the time at the tables: so much of it a kill may lose, and so late does it end."""


def changes(command: MyLimits | GoOn) -> bool:
    """Whether a command limits something."""
    return isinstance(command, MyLimits) and bool(named_limits(command))


class LimitedPit(NamedTuple):
    """What limiting needs of a pit, and who of its players is connected here."""

    pit: Pit
    roster: Roster


class OwnLimitsDesk:
    """Limits players as they wish, and tells them how long they have played; `pits` are those served now."""

    def __init__(
        self, limits: OwnLimits, terms: PlaySafeTerms, pits: Callable[[], Sequence[LimitedPit]]
    ) -> None:
        self._limits = limits
        self._terms = terms
        self._pits = pits
        self._told: WeakKeyDictionary[Outlet, int] = WeakKeyDictionary()

    async def handle(self, player: PlayerId | None, command: MyLimits | Exclude | GoOn) -> OwnLimitsTold:
        """Carries out a command and returns its answer; nobody has no limits.

        Raises:
            RefusedError: nothing has changed.
            StoreError: it may have or not; sending it again makes sure.
        """
        if player is None:
            return OwnLimitsTold(id=command.id, reality_usual=self._terms.reality_minutes)
        match command:
            case MyLimits():
                record = await self._limit(player, command)
            case Exclude():
                record = await self._changed(
                    player, await self._limits.exclude(player, command.op, command.days)
                )
            case GoOn():
                record = await self._limits.go_on(player)
        return self._answer(command.id, record)

    async def _limit(self, player: PlayerId, command: MyLimits) -> OwnRecord:
        wanted = named_limits(command)
        if not wanted:
            return await self._limits.look(player)
        if command.op is None:
            raise RefusedError(ErrorCode.INVALID, "what changes a limit carries an `op`")
        usual = self._terms.reality_minutes
        record = await self._limits.set(player, command.op, wanted, reality_minutes=usual)
        return await self._changed(player, record)

    async def _changed(self, player: PlayerId, record: OwnRecord | None) -> OwnRecord:
        if record is None:
            raise RefusedError(ErrorCode.OPERATION_REUSED)
        for each in self._pits():
            await apply(each.pit.store, each.pit.name, player, record)
        return record

    def _answer(self, id_: RequestId | None, record: OwnRecord) -> OwnLimitsTold:
        return OwnLimitsTold(
            id=id_,
            round_stake=record.round_stake,
            day_stake=record.day_stake,
            day_minutes=record.day_minutes,
            reality_minutes=record.reality_minutes,
            reality_usual=self._terms.reality_minutes,
            waiting=record.waiting,
            excluded_until_ms=record.running_exclusion_ms,
            played_minutes=record.played_minutes,
        )

    async def run(self) -> None:
        """Counts the time of everyone at a table, every `TICK_S` until cancelled, whatever the store does."""
        while True:
            await asyncio.sleep(TICK_S)
            await self.tick()

    async def tick(self) -> None:
        """Counts once, for everyone who is connected here and has a seat; and does what it comes to."""
        at: dict[PlayerId, list[tuple[LimitedPit, list[TableId]]]] = {}
        for pit in self._pits():
            players = {player for players in pit.roster.seated().values() for player in players}
            for player in players:
                at.setdefault(player, []).append((pit, pit.roster.seats_of(player)))
        for player, places in at.items():
            try:
                await self._tick(player, places)
            except StoreError as error:
                logger.warning("the time of %s at the tables is counted later: %s", player, error)

    async def _tick(self, player: PlayerId, places: Sequence[tuple[LimitedPit, list[TableId]]]) -> None:
        record = await self._limits.tick(player, self._terms.reality_minutes)
        outlets = set[Outlet]()
        for place, tables in places:
            if record.rev:
                await self._limits.bring(place.pit.name, place.pit.store, player, record)
            if record.excluded or record.time_over:
                await end_seats(place.pit.bank, place.pit.seats, player, record, tables)
            outlets |= {
                outlet
                for table in tables
                if (watched := place.roster.place(player, table)) is not None
                for outlet in watched.told
            }
        if record.check_ms is not None:
            self._remind(record.check_ms, record, outlets)

    def _remind(self, check_ms: int, record: OwnRecord, outlets: set[Outlet]) -> None:
        """Tells a reality check to the connections that do not know it."""
        minutes, staked, net = record.played_ms // 60_000, record.staked, record.net
        for outlet in outlets:
            if self._told.get(outlet) != check_ms:
                text = reality_check_text(minutes, staked, net, outlet.language)
                outlet.reply(RealityCheck(minutes=minutes, staked=staked, net=net, message=text))
                self._told[outlet] = check_ms
