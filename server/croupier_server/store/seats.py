"""Seats, slips and ready marks of a table in the store: one typed method per script."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier_protocol.messages.notices import NoticeCode
from croupier_protocol.messages.to_client import OwnRound
from croupier_protocol.messages.values import Player, PlayerId, TableId, TakenSeat
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError, LeaseLostError, StoreUnavailableError
from croupier_server.store.keys import PitId
from croupier_server.store.placing import (
    SlipRefusal,
    SlipState,
    SlipToPlace,
    parse_slip,
    place_all,
    refusal,
)
from croupier_server.store.scripts import Call, Store, run
from croupier_server.store.stream import NOTES_KEPT
from croupier_server.store.tables import PRESENT_MS, Lease

RESULTS_KEPT: Final = 20
"""Settled rounds kept at the table for each seat, so that a player who comes back hears of them."""

OWN_ROUNDS_KEPT: Final = 100
"""Settled rounds kept with each player."""

OUTBOX_KEPT: Final = 10_000
"""Settled rounds of a table that wait while the server that keeps their players' rounds is away; older ones
are lost to their players' histories."""

OUTBOX_BATCH: Final = 50
"""Settled rounds that go to their players together."""

SCANNED: Final = 500
"""Fields of a hash read in one step: well under a millisecond of the store's time."""

BUYING: Final = "buying"
TAKEN: Final = "taken"
LEAVING: Final = "leaving"


class SeatRecord(Struct, frozen=True):
    """A seat as the store has it. `state` is `buying` until its buy-in is through, `taken`, or `leaving`.

    `skeleton` is the name as the eye reads it: no two alike sit at one table. `op` is that of the leave which
    a leaving seat waits with; `number` is that of the last transfer between wallet and seat.
    """

    seat: int
    name: str
    skeleton: str
    state: str = TAKEN
    absent: int = 0
    unbet: int = 0
    op: str = ""
    number: int = 0


class Look(Struct, frozen=True):
    """What a dealer has to know of the players at its table."""

    now_ms: int
    seats: dict[PlayerId, SeatRecord]
    totals: dict[str, int]
    bettors: int
    ready: int
    present: int
    all_ready: bool

    def taken(self) -> tuple[TakenSeat, ...]:
        """The seats as everyone may see them, in their order."""
        shown = [
            TakenSeat(seat=record.seat, player=Player(id=player, name=record.name))
            for player, record in self.seats.items()
            if record.state != BUYING
        ]
        return tuple(sorted(shown, key=lambda one: one.seat))


class Private(Struct, frozen=True):
    """A player's own place at a table."""

    seat: SeatRecord | None
    bankroll: int
    rev: int
    round: int
    bets: dict[str, int]
    ready_round: int


class SlipToSettle(Struct, frozen=True):
    """A slip of the round, and its text as the settling script will compare it."""

    player: PlayerId
    text: str
    bets: dict[str, int]


class Paid(Struct, frozen=True):
    """What one slip came to. Its bankrolls are filled in when it is read: see `read_own_round`."""

    slip: SlipToSettle
    own_round: OwnRound

    @property
    def staked(self) -> int:
        """Cents staked."""
        return sum(bet.stake for bet in self.own_round.payout.bets)


_OWN_ROUND_ENCODER: Final = msgspec.msgpack.Encoder()
_OWN_ROUND_DECODER: Final = msgspec.msgpack.Decoder(OwnRound)
_SEAT_DECODER: Final = msgspec.json.Decoder(SeatRecord)


class Seats:
    """The seats of one pit's tables."""

    def __init__(self, store: Store, pit: PitId) -> None:
        self.store = store
        self.pit = pit

    async def place(
        self,
        table: TableId,
        player: PlayerId,
        round_: int,
        rev: int,
        op: str,
        listing: str,
        bets: Mapping[str, int],
    ) -> SlipState | SlipRefusal:
        """Replaces a slip, or says what stands in the way; see `lua/place.lua`.

        Raises:
            DamagedRecordError: the seat's bankroll or revision is not what Croupier wrote.
            StoreUnavailableError: no answer; the same `op` may be sent again.
        """
        slip = SlipToPlace(player, round_, rev, op, listing, bets)
        [answer] = await place_all(self.store, self.pit, table, [slip])
        if isinstance(answer, DamagedRecordError):
            raise answer
        return answer

    async def ready(self, table: TableId, player: PlayerId, round_: int) -> SlipRefusal | None:
        """Marks the seat as ready for the round; None when it is marked."""
        reply = await self.store.call(
            scripts.READY,
            [
                keys.table_key(self.pit, table),
                keys.seats_key(self.pit, table),
                keys.ready_key(self.pit, table),
                keys.notes_key(self.pit),
            ],
            [table, player, round_, NOTES_KEPT],
        )
        return None if reply[0] == b"ok" else refusal([reply[0], *reply[2:]], reply[1])

    async def alarm(self, table: TableId, reason: str) -> None:
        """Stops the table's betting: what its players own is not what Croupier wrote. An operator ends it."""
        await self.store.call(
            scripts.ALARM,
            [keys.table_key(self.pit, table), keys.notes_key(self.pit)],
            [table, reason, NOTES_KEPT],
        )

    async def alarmed(self, table: TableId) -> str | None:
        """Why the table's betting is stopped; None while it is not."""
        found = await run(self.store.client.hget(keys.table_key(self.pit, table), "alarm"))
        return None if found is None else found.decode("utf-8", "replace")

    async def clear_alarm(self, table: TableId, alarm: str, reason: str) -> bool:
        """Lets the table take bets again; false when its alarm is not `alarm` any more."""
        reply = await self.store.call(
            scripts.CLEAR_ALARM,
            [keys.table_key(self.pit, table), keys.notes_key(self.pit)],
            [table, alarm, reason, NOTES_KEPT],
        )
        return bool(reply[1])

    async def present(self, connected: Mapping[TableId, Sequence[PlayerId]]) -> None:
        """Notes that these players are connected now."""
        if connected:
            await self.store.call(
                scripts.PRESENT,
                [keys.present_key(self.pit, table) for table in connected],
                [part for players in connected.values() for part in (str(len(players)), *players)],
            )

    async def notice(self, table: TableId, code: NoticeCode, player: PlayerId, reason: str = "") -> None:
        """Has a player told, by its gateway, something that no key says."""
        fields: dict[str, str] = {"t": table, "k": code, "p": player} | ({"x": reason} if reason else {})
        await run(
            self.store.client.xadd(keys.notes_key(self.pit), fields, maxlen=NOTES_KEPT, approximate=True)  # type: ignore[arg-type]  # text is taken
        )

    async def look(self, table: TableId, round_: int) -> Look:
        """What the table's dealer has to know of its players."""
        seats = await self._scan(keys.seats_key(self.pit, table))
        return await self._counted(table, round_, {player: _seat(text) for player, text in seats.items()})

    async def look_at_slips(self, table: TableId, round_: int, before: Look) -> Look:
        """The same where nobody has come or gone since `before`: the seats are not read again."""
        return await self._counted(table, round_, before.seats)

    async def _counted(self, table: TableId, round_: int, seats: dict[PlayerId, SeatRecord]) -> Look:
        now_ms, totals, bettors, ready, present, all_ready = await self.store.call(
            scripts.LOOK,
            [
                keys.seats_key(self.pit, table),
                keys.slips_key(self.pit, table),
                keys.totals_key(self.pit, table),
                keys.ready_key(self.pit, table),
                keys.present_key(self.pit, table),
            ],
            [round_, PRESENT_MS],
        )
        return Look(
            now_ms=now_ms,
            seats=seats,
            totals={bet.decode(): int(cents) for bet, cents in _pairs(totals) if int(cents)},
            bettors=bettors,
            ready=ready,
            present=present,
            all_ready=bool(all_ready),
        )

    async def seen(self, table: TableId) -> dict[PlayerId, int]:
        """When a gateway last had each player of the table, in store milliseconds."""
        found = await self._scan(keys.present_key(self.pit, table))
        return {player: int(seen) for player, seen in found.items()}

    async def private(self, table: TableId, player: PlayerId) -> Private:
        """One player's own place, read in one step."""
        return (await self.privates(table, [player]))[player]

    async def privates(self, table: TableId, players: Collection[PlayerId]) -> dict[PlayerId, Private]:
        """The own places of players, all read in one step.

        Raises:
            DamagedRecordError: one of them is not what Croupier wrote, or a seat has lost its bankroll.
        """
        _, *found = await self.store.call(
            scripts.PRIVATES,
            [
                keys.seats_key(self.pit, table),
                keys.bankrolls_key(self.pit, table),
                keys.slips_key(self.pit, table),
                keys.revisions_key(self.pit, table),
                keys.ready_key(self.pit, table),
            ],
            list(players),
        )
        rows = zip(*found, strict=True)
        return {player: _private(player, *row) for player, row in zip(players, rows, strict=True)}

    async def slips(self, table: TableId) -> list[SlipToSettle]:
        """Every slip of the running round that has not been paid yet; the window has to be over."""
        found = await self._scan(keys.slips_key(self.pit, table))
        return [
            SlipToSettle(player=player, text=text.decode(), bets=parse_slip(text)[1])
            for player, text in found.items()
        ]

    async def _scan(self, key: str) -> dict[PlayerId, bytes]:
        """A hash by player, read in short steps; what changes meanwhile may be missed."""
        found: dict[PlayerId, bytes] = {}
        cursor = 0
        while True:
            cursor, step = await run(self.store.client.hscan(key, cursor, count=SCANNED))
            found.update((PlayerId(player.decode()), value) for player, value in step.items())
            if cursor == 0:
                return found

    async def settle(
        self, lease: Lease, round_: int, chunk: Sequence[Paid], *, void: bool
    ) -> tuple[int, int, int]:
        """Pays a chunk of slips, each once.

        Returns cents staked, cents returned and seats paid, over all chunks of the round so far.

        Raises:
            LeaseLostError: the table is not the caller's, or not in this round's settlement any more.
        """
        reply = await self.store.call(
            scripts.SETTLE,
            [
                keys.table_key(self.pit, lease.table),
                keys.bankrolls_key(self.pit, lease.table),
                keys.slips_key(self.pit, lease.table),
                keys.results_key(self.pit, lease.table),
                keys.house_key(self.pit),
                keys.ledger_key(self.pit),
                keys.outbox_key(self.pit, lease.table),
            ],
            [
                lease.table,
                lease.owner,
                lease.fence,
                round_,
                "void" if void else "settle",
                RESULTS_KEPT,
                *(
                    part
                    for paid in chunk
                    for part in (
                        paid.slip.player,
                        paid.slip.text,
                        paid.staked,
                        paid.own_round.payout.returned,
                        _OWN_ROUND_ENCODER.encode(paid.own_round),
                    )
                ),
            ],
        )
        if reply[0] != b"ok":
            raise LeaseLostError(lease.table)
        _, _, staked, returned, paid_seats = reply
        return staked, returned, paid_seats

    async def results(self, table: TableId, player: PlayerId, after_round: int) -> list[OwnRound]:
        """The seat's last settled rounds after `after_round`, oldest first; at most `RESULTS_KEPT`."""
        found = (await self.all_results(table, [player]))[player]
        return [one for one in found if one.payout.round > after_round]

    async def all_results(
        self, table: TableId, players: Collection[PlayerId]
    ) -> dict[PlayerId, list[OwnRound]]:
        """The last settled rounds of each of the players, oldest first; at most `RESULTS_KEPT` of each."""
        pipe = self.store.client.pipeline(transaction=False)
        for player in players:
            slots = [f"{player}|{slot}" for slot in range(RESULTS_KEPT)]
            pipe.hmget(keys.results_key(self.pit, table), slots)
        found = await run(pipe.execute())
        return {
            player: sorted(
                (read_own_round(one) for one in slots if one is not None), key=lambda one: one.payout.round
            )
            for player, slots in zip(players, found, strict=True)
        }

    async def newest_results(self, table: TableId, players: Collection[PlayerId]) -> dict[PlayerId, OwnRound]:
        """The last settled round of each of the players that has one."""
        if not players:
            return {}
        key = keys.results_key(self.pit, table)
        counts = await run(self.store.client.hmget(key, [f"{player}|n" for player in players]))
        slots = {
            player: f"{player}|{int(count) % RESULTS_KEPT}"
            for player, count in zip(players, counts, strict=True)
            if count is not None
        }
        if not slots:
            return {}
        found = await run(self.store.client.hmget(key, list(slots.values())))
        return {
            player: read_own_round(one) for player, one in zip(slots, found, strict=True) if one is not None
        }

    async def empty_outbox(self, table: TableId) -> None:
        """Keeps each settled round of the outbox with its player; may be repeated.

        Where a player's server does not answer, the rounds stay for the next call, `OUTBOX_KEPT` at most.
        """
        key = keys.outbox_key(self.pit, table)
        passed = 0
        while batch := await run(self.store.client.lrange(key, passed, passed + OUTBOX_BATCH - 1)):
            calls: dict[Store, list[tuple[bytes, Call]]] = {}
            for entry in batch:
                player, told = entry.split(b"|", 1)
                own_round = read_own_round(told)
                name = f"{own_round.payout.table}|{own_round.payout.round}"
                rounds_key = keys.own_rounds_key(PlayerId(player.decode()))
                store = await self.store.holding(rounds_key)
                calls.setdefault(store, []).append((entry, ([rounds_key], [name, told, OWN_ROUNDS_KEPT])))
            pipe = self.store.client.pipeline(transaction=False)
            for store, entries in calls.items():
                try:
                    await store.call_each(scripts.KEEP_ROUND, [call for _, call in entries])
                except StoreUnavailableError:
                    if store is self.store:
                        raise
                    passed += len(entries)
                    continue
                for entry, _ in entries:
                    # By value: a dealer that was held up until here must not remove what the next has put in.
                    pipe.lrem(key, 1, entry)  # type: ignore[arg-type]  # bytes are taken too
            await run(pipe.execute())
        if passed:
            await run(self.store.client.ltrim(key, -OUTBOX_KEPT, -1))

    async def own_rounds(
        self, player: PlayerId, before: str | None, limit: int
    ) -> list[tuple[str, OwnRound]]:
        """The player's own rounds at all tables, newest first, each with the mark that `before` takes."""
        newest = "+" if before is None else f"({before}"
        store = await self.store.holding(keys.own_rounds_key(player))
        entries = await run(store.client.xrevrange(keys.own_rounds_key(player), newest, "-", count=limit))
        return [(entry.decode(), read_own_round(fields[b"o"])) for entry, fields in entries]


def read_own_round(told: bytes) -> OwnRound:
    """A stored own round, with the bankroll that the settling script found."""
    bankroll, _, encoded = told.partition(b"|")
    try:
        own_round = _OWN_ROUND_DECODER.decode(encoded)
        after = int(bankroll)
    except (msgspec.MsgspecError, ValueError) as error:
        raise DamagedRecordError(f"an own round: {error}") from error
    payout = own_round.payout
    staked = sum(bet.stake for bet in payout.bets)
    return replace(
        own_round,
        payout=replace(payout, bankroll=after),
        bankroll_before=after - payout.returned + staked,
    )


def _private(
    player: PlayerId,
    seat: bytes | None,
    bankroll: bytes | None,
    slip: bytes | None,
    revision: bytes | None,
    ready: bytes | None,
) -> Private:
    record = None if seat is None else _seat(seat)
    if bankroll is None and record is not None and record.state != BUYING:
        raise DamagedRecordError(f"the seat of {player} has no bankroll")
    round_, bets = parse_slip(slip or b"")
    try:
        return Private(
            seat=record,
            bankroll=int(bankroll or 0),
            rev=int((revision or b"0").partition(b"|")[0]),
            round=round_,
            bets=bets,
            ready_round=int(ready or 0),
        )
    except ValueError as error:
        raise DamagedRecordError(f"the place of {player}: {error}") from error


def _seat(text: bytes) -> SeatRecord:
    try:
        return _SEAT_DECODER.decode(text)
    except msgspec.MsgspecError as error:
        raise DamagedRecordError(f"a seat: {error}") from error


def _pairs(flat: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    return list(zip(flat[::2], flat[1::2], strict=True))
