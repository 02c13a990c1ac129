"""Keeps the players connected here told of what is their own: `me` and `payout`.

Everything is read by one task, batch after batch, so that what a player is told never goes back, and so that
a storm of notes or of returning players costs one reading. All connections of a player are told the same.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier_protocol.messages.notices import NoticeCode, notice_text
from croupier_protocol.messages.to_client import Me, OwnRound, PaidOut, SeatNotice
from croupier_protocol.messages.values import Payout, PlayerId, RequestId, TableId
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.outlet import Outlet, write
from croupier_server.gateway.roster import Place, Roster
from croupier_server.sight.logs import of
from croupier_server.store.errors import RETRY_S, DamagedRecordError, StoreError, StoreUnavailableError
from croupier_server.store.seats import BUYING, LEAVING, Private, Seats
from croupier_server.store.settled import Settled

logger = logging.getLogger(__name__)

GATHER_S: Final = 0.02
"""From a note to the reading of what it is about. Within that time the slips that notes tell of are usually
answered, and a storm of notes is read at once."""

PRESENT_S: Final = 5.0
"""Between two reports of who is connected; the store takes a player for absent after three times that."""


class Asked(NamedTuple):
    """A connection that waits for its `me`: the answer to command `id`, with what the wallet holds."""

    outlet: Outlet
    told: "asyncio.Future[None]"
    id: RequestId | None
    wallet: int | None


class _Batch(NamedTuple):
    """What is to be told at one table: `me` to some, with payouts to those in `whole`; settled rounds;
    and what wallets hold to which seats were cashed out.
    """

    asked: Mapping[PlayerId, Sequence[Asked]]
    whole: Collection[PlayerId]
    touched: Collection[PlayerId]
    settled: Collection[int]
    wallets: Mapping[PlayerId, int]


class PrivateState:
    """Tells players; see `feed.Notices` for what a feed reports to it."""

    def __init__(self, seats: Seats, settled: Settled, roster: Roster) -> None:
        self._seats = seats
        self._results = settled
        self._roster = roster
        self._work = asyncio.Event()
        self._due: set[TableId] = set()
        self._gathering: dict[TableId, asyncio.TimerHandle] = {}
        self._asked: dict[TableId, dict[PlayerId, list[Asked]]] = {}
        self._whole: dict[TableId, set[PlayerId]] = {}
        self._touched: dict[TableId, dict[PlayerId, int]] = {}
        self._settled: dict[TableId, set[int]] = {}
        self._wallets: dict[TableId, dict[PlayerId, int]] = {}

    # What a feed reports

    def touched(self, table: TableId, player: PlayerId, rev: int) -> None:
        """See `feed.Notices`."""
        place = self._roster.place(player, table)
        if place is None or place.knows(rev):
            return
        if table not in self._touched:
            loop = asyncio.get_running_loop()
            self._gathering[table] = loop.call_later(GATHER_S, self._is_due, table)
        touched = self._touched.setdefault(table, {})
        if rev == 0 or touched.get(player) != 0:  # a slip is less than whatever else there is to tell
            touched[player] = rev

    def told(self, table: TableId, player: PlayerId, code: NoticeCode, reason: str) -> None:
        """See `feed.Notices`."""
        place = self._roster.place(player, table)
        for outlet in () if place is None else place.told:
            text = notice_text(code, outlet.language)
            outlet.reply(SeatNotice(table=table, code=code, message=text, reason=reason or None))

    def cashed_out(self, table: TableId, player: PlayerId, wallet: int) -> None:
        """See `feed.Notices`."""
        if self._roster.place(player, table) is not None:
            self._wallets.setdefault(table, {})[player] = wallet
            self.touched(table, player, 0)

    def settled(self, table: TableId, round_: int) -> None:
        """See `feed.Notices`."""
        if self._roster.players(table):
            self._settled.setdefault(table, set()).add(round_)
            self._is_due(table)

    def replaced(self, table: TableId, settled_round: int | None) -> None:
        """See `feed.Notices`."""
        if settled_round is not None:
            self._roster.begin_again(table, settled_round)
        if players := self._roster.players(table):
            self._whole.setdefault(table, set()).update(players)
            self._is_due(table)

    # What a session asks for

    async def tell(
        self,
        table: TableId,
        player: PlayerId,
        outlet: Outlet,
        id_: RequestId | None = None,
        wallet: int | None = None,
    ) -> None:
        """Sends `me` to one connection, with the payouts that it does not know; returns when it is sent.

        Raises:
            StoreError: it could not be read.
        """
        told = asyncio.get_running_loop().create_future()
        self._ask(table, player, [Asked(outlet, told, id_, wallet)])
        await told

    def answered(self, table: TableId, player: PlayerId, outlet: Outlet, rev: int) -> None:
        """A connection of `player` was just told of revision `rev`: nothing older is told after it."""
        place = self._roster.place(player, table)
        if place is not None:
            place.rev = max(place.rev, rev)
            place.answered = outlet

    def _ask(self, table: TableId, player: PlayerId, asked: Sequence[Asked]) -> None:
        self._asked.setdefault(table, {}).setdefault(player, []).extend(asked)
        self._is_due(table)

    def _is_due(self, table: TableId) -> None:
        self._due.add(table)
        self._work.set()

    # The tasks

    async def run(self) -> None:
        """Tells whatever there is to tell until cancelled, whatever happens to the store."""
        while True:
            await self._work.wait()
            self._work.clear()
            due, self._due = self._due, set()
            for table in due:
                batch = _Batch(
                    asked=self._asked.pop(table, {}),
                    whole=self._whole.pop(table, set()),
                    touched=self._still_touched(table),
                    settled=self._settled.pop(table, set()),
                    wallets=self._wallets.pop(table, {}),
                )
                if not any(batch):
                    continue  # it was told while another table's turn was awaited
                try:
                    await self._tell(table, batch)
                except StoreError as error:
                    for asked in batch.asked.values():
                        _answer(asked, error)
                    if isinstance(error, StoreUnavailableError):
                        logger.warning("players at %s are told later: %s", table, error, extra=of(table))
                        self.replaced(table, None)
                        self._wallets[table] = {**batch.wallets, **self._wallets.get(table, {})}
                        await asyncio.sleep(RETRY_S)
                    else:
                        logger.error("players at %s could not be told: %s", table, error, extra=of(table))  # noqa: TRY400  # it says all

    def _still_touched(self, table: TableId) -> set[PlayerId]:
        """Whom notes have told of, but for those who have been told by the answers to their slips."""
        touched = self._touched.pop(table, {})
        if (gathering := self._gathering.pop(table, None)) is not None:
            gathering.cancel()  # what comes from now on is given its time
        places = ((player, rev, self._roster.place(player, table)) for player, rev in touched.items())
        return {player for player, rev, place in places if place is not None and not place.knows(rev)}

    async def keep_present(self) -> None:
        """Reports every `PRESENT_S` who is connected, until cancelled."""
        while True:
            try:
                await self._seats.present(self._roster.seated())
            except StoreError as error:
                logger.warning("nobody was reported present: %s", error)
            await asyncio.sleep(PRESENT_S)

    async def _tell(self, table: TableId, batch: _Batch) -> None:
        """One batch of one table.

        Raises:
            StoreError: some have not been told.
        """
        privates = await self._read(table, batch)
        whole = batch.asked.keys() | batch.whole
        wanting = [player for player in privates if player in whole or self._is_new(table, player)]
        results = await self._results.all_results(table, wanting) if wanting else {}
        arrived: list[PlayerId] = []
        for player, private in privates.items():  # nothing waits in here
            place = self._roster.place(player, table) or Place()
            if private.rev < place.rev:
                # It was read before a slip that is answered by now. Next time it is what it is.
                place.rev = private.rev
                self._ask(table, player, batch.asked.get(player, ()))
                self.touched(table, player, 0)
                if player in batch.wallets:
                    self._wallets.setdefault(table, {}).setdefault(player, batch.wallets[player])
                if player in whole:
                    self._whole.setdefault(table, set()).add(player)
                continue
            if place.seat is None and private.seat is not None:
                arrived.append(player)
            rounds = results.get(player)
            if rounds is not None:
                place.last_slip = _stakes(rounds[-1]) if rounds else {}
            place.seat = None if private.seat is None else private.seat.seat
            place.rev = private.rev
            now = _after(rounds or (), private)
            me = replace(_me(table, now, place.last_slip or {}), wallet=batch.wallets.get(player))
            _tell_player(me, place, player, batch, rounds or ())
        if arrived:
            await self._seats.present({table: arrived})
        for round_ in sorted(batch.settled):
            await self._pay_out(table, round_)

    def _is_new(self, table: TableId, player: PlayerId) -> bool:
        place = self._roster.place(player, table)
        return place is not None and place.last_slip is None

    async def _read(self, table: TableId, batch: _Batch) -> dict[PlayerId, Private]:
        """The places of all whom the batch concerns, but for damaged ones: who asked for one is told so."""
        players = batch.asked.keys() | batch.whole | set(batch.touched)
        if not players:
            return {}
        try:
            return await self._seats.privates(table, players)
        except DamagedRecordError:
            found: dict[PlayerId, Private] = {}
            for player in players:
                try:
                    found[player] = await self._seats.private(table, player)
                except DamagedRecordError as error:
                    logger.error("table %s: %s", table, error, extra=of(table))  # noqa: TRY400  # the reason is in the message
                    _answer(batch.asked.get(player, ()), error)
            return found

    async def _pay_out(self, table: TableId, round_: int) -> None:
        """Tells a settled round to everyone here who had a slip on it.

        Whoever waits for a `me` with payouts gets this one with it: told by itself, and alone, it would make
        earlier ones that are still to be told look told.
        """
        players = list(self._roster.players(table))
        for player, newest in (await self._results.newest_results(table, players)).items():
            rounds = [newest]
            if newest.payout.round > round_:  # the table is ahead: what is told here may be further back
                rounds = await self._results.results(table, player, round_ - 1)
            place = self._roster.place(player, table)
            if place is None or player in self._whole.get(table, ()):
                continue
            waiting = {one.outlet for one in self._asked.get(table, {}).get(player, ())}
            for own in rounds:
                unaware = [
                    outlet
                    for outlet, told in place.told.items()
                    if told < own.payout.round and outlet not in waiting
                ]
                write(unaware, Encoded(PaidOut(own.payout)))
                place.told.update(dict.fromkeys(unaware, own.payout.round))
            place.last_slip = _stakes(rounds[-1])


def _after(rounds: Sequence[OwnRound], private: Private) -> Private:
    """A place that was read before `rounds` were: its slip may have been paid in between."""
    for own in rounds:
        if private.bets and own.payout.round == private.round:
            return replace(private, bets={}, bankroll=own.payout.bankroll)
    return private


def _me(table: TableId, private: Private, last_slip: dict[str, int]) -> Me:
    seat = private.seat
    round_ = max(private.round, private.ready_round)
    return Me(
        table=table,
        rev=private.rev,
        seat=None if seat is None or seat.state == BUYING else seat.seat,
        bankroll=private.bankroll,
        round=round_,
        slip=private.bets,
        ready=0 < private.ready_round == round_,
        leaving=seat is not None and seat.state == LEAVING,
        last_slip=last_slip,
    )


def _tell_player(me: Me, place: Place, player: PlayerId, batch: _Batch, rounds: Sequence[OwnRound]) -> None:
    """Sends a player's `me`, each connection with what it is to be told beside."""
    asked = batch.asked.get(player, ())
    for one in asked:
        payouts = _untold(place, one.outlet, rounds)
        one.outlet.reply(
            replace(me, id=one.id, wallet=me.wallet if one.wallet is None else one.wallet, payouts=payouts)
        )
        if not one.told.done():
            one.told.set_result(None)
    others = place.told.keys() - {one.outlet for one in asked}
    if player in batch.whole:
        for outlet in others:
            outlet.reply(replace(me, payouts=_untold(place, outlet, rounds)))
    elif player in batch.touched:
        write(others, Encoded(me))


def _untold(place: Place, outlet: Outlet, rounds: Sequence[OwnRound]) -> tuple[Payout, ...]:
    """The payouts that a connection does not know yet; from now on it does. None where it does not watch."""
    told = place.told.get(outlet)
    if told is None:
        return ()
    payouts = tuple(own.payout for own in rounds if own.payout.round > told)
    if payouts:
        place.told[outlet] = payouts[-1].round
    return payouts


def _stakes(own: OwnRound) -> dict[str, int]:
    return {bet.bet: bet.stake for bet in own.payout.bets}


def _answer(asked: Sequence[Asked], error: StoreError) -> None:
    """Ends the waiting of those who cannot be told."""
    for one in asked:
        if not one.told.done():
            one.told.set_exception(error)
