"""Seats, slips and ready marks of a table in the store: one typed method per script."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from croupier_protocol.messages.notices import NoticeCode
from croupier_protocol.messages.values import Player, PlayerId, TableId, TakenSeat
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.placing import (
    SlipRefusal,
    SlipState,
    SlipToPlace,
    parse_slip,
    place_all,
    refusal,
)
from croupier_server.store.scripts import Store, run
from croupier_server.store.stream import NOTES_KEPT
from croupier_server.store.tables import PRESENT_MS

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
    """What a dealer has to know of the players at its table.

    `taken` are the seats as everyone may see them, in their order.
    """

    now_ms: int
    seats: dict[PlayerId, SeatRecord]
    taken: tuple[TakenSeat, ...]
    totals: dict[str, int]
    bettors: int
    ready: int
    present: int
    all_ready: bool


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


_SEAT_DECODER: Final = msgspec.json.Decoder(SeatRecord)


class Seats:
    """The seats of one pit's tables."""

    def __init__(self, store: Store, pit: PitId, *, limited: bool = False) -> None:
        """`limited` is whether players may have limits of their own."""
        self.store = store
        self.pit = pit
        self._limited = limited

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
        [answer] = await place_all(self.store, self.pit, table, [slip], limited=self._limited)
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
        found = await self._scan(keys.seats_key(self.pit, table))
        seats = {player: _seat(text) for player, text in found.items()}
        return await self._counted(table, round_, seats, _taken(seats))

    async def look_at_slips(self, table: TableId, round_: int, before: Look) -> Look:
        """The same where nobody has come or gone since `before`: the seats are not read again."""
        return await self._counted(table, round_, before.seats, before.taken)

    async def _counted(
        self,
        table: TableId,
        round_: int,
        seats: dict[PlayerId, SeatRecord],
        taken: tuple[TakenSeat, ...],
    ) -> Look:
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
            taken=taken,
            totals={bet.decode(): int(cents) for bet, cents in _pairs(totals) if int(cents)},
            bettors=bettors,
            ready=ready,
            present=present,
            all_ready=bool(all_ready),
        )

    async def seated(self, table: TableId) -> set[PlayerId]:
        """Who has a seat there, in whatever state."""
        return set(await self._scan(keys.seats_key(self.pit, table)))

    async def tables_of(self, player: PlayerId, tables: Collection[TableId]) -> set[TableId]:
        """At which of these tables a player has a seat, in whatever state; one that is damaged is none."""
        pipe = self.store.client.pipeline(transaction=False)
        for table in tables:
            pipe.hexists(keys.seats_key(self.pit, table), player)
        found = await run(pipe.execute(raise_on_error=False))
        return {table for table, has in zip(tables, found, strict=True) if has is True}

    async def empty(self, table: TableId) -> set[PlayerId]:
        """Who has nothing in front of it there."""
        found = await self._scan(keys.bankrolls_key(self.pit, table))
        return {player for player, cents in found.items() if cents == b"0"}

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


def _taken(seats: Mapping[PlayerId, SeatRecord]) -> tuple[TakenSeat, ...]:
    """The seats as everyone may see them, in their order."""
    shown = [
        TakenSeat(seat=record.seat, player=Player(id=player, name=record.name))
        for player, record in seats.items()
        if record.state != BUYING
    ]
    return tuple(sorted(shown, key=lambda one: one.seat))


def _seat(text: bytes) -> SeatRecord:
    try:
        return _SEAT_DECODER.decode(text)
    except msgspec.MsgspecError as error:
        raise DamagedRecordError(f"a seat: {error}") from error


def _pairs(flat: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    return list(zip(flat[::2], flat[1::2], strict=True))
