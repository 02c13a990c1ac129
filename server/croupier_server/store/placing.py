"""Slips on their way to the place script, which takes all that arrive together at one table in one call."""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError, StoreError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Argument, Store
from croupier_server.store.stream import NOTES_KEPT

MOST_TOGETHER: Final = 32
"""Slips in one script call: about a millisecond of the store's time."""


class SlipToPlace(Struct, frozen=True):
    """A slip as its player wants it; `listing` is the digest of the terms that it was checked under."""

    player: PlayerId
    round: int
    rev: int
    op: str
    listing: str
    bets: Mapping[str, int]


class SlipRefusal(Struct, frozen=True):
    """Why a slip or a mark was not taken: `why` is the script's word, see `lua/place.lua`.

    `own_limit` is what goes with a player's own: the most in a round, the day's stake that this would make,
    in cents, or until when the player is excluded.
    """

    why: str
    now_ms: int
    phase: str = ""
    round: int = 0
    bankroll: int = 0
    own_limit: int = 0


class SlipState(Struct, frozen=True):
    """A seat's slip and what is left in front of it. `accepted`: it is the one that was asked for."""

    accepted: bool
    now_ms: int
    rev: int
    bankroll: int
    bets: dict[str, int]


PlaceAnswer = SlipState | SlipRefusal | DamagedRecordError
"""What the script says of one slip; the error says that the seat is not what Croupier wrote."""


async def place_all(
    store: Store, pit: PitId, table: TableId, slips: Sequence[SlipToPlace], *, limited: bool = False
) -> list[PlaceAnswer]:
    """Places slips in one script call; returns an answer to each, in their order.

    `limited` is whether players may have limits of their own.

    Raises:
        DamagedRecordError: a key of the table is not what Croupier wrote.
        StoreUnavailableError: no answer; the same ops may be sent again.
    """
    arguments: list[Argument] = [table, NOTES_KEPT]
    for slip in slips:
        arguments += (slip.player, slip.round, slip.rev, slip.op, slip.listing)
        arguments += (",".join([f"{bet}={cents}" for bet, cents in slip.bets.items()]),)
        arguments += (sum(slip.bets.values()), len(slip.bets))
        for pair in slip.bets.items():
            arguments += pair
    reply = await store.call(
        scripts.PLACE,
        [
            keys.table_key(pit, table),
            keys.seats_key(pit, table),
            keys.bankrolls_key(pit, table),
            keys.slips_key(pit, table),
            keys.revisions_key(pit, table),
            keys.totals_key(pit, table),
            keys.ready_key(pit, table),
            keys.notes_key(pit),
            *([keys.limits_key(pit)] if limited else ()),
        ],
        arguments,
    )
    return [_answer(one, reply[0]) for one in reply[1:]]


class SlipQueue:
    """The slips of one gateway: while a table's script call is under way, the next ones gather."""

    def __init__(self, store: Store, pit: PitId, *, limited: bool = False) -> None:
        """`limited` is whether players may have limits of their own."""
        self._store = store
        self._pit = pit
        self._limited = limited
        self._waiting: dict[TableId, deque[tuple[SlipToPlace, asyncio.Future[PlaceAnswer]]]] = {}
        self._sending: set[asyncio.Task[None]] = set()

    async def place(self, table: TableId, slip: SlipToPlace) -> SlipState | SlipRefusal:
        """Replaces a slip, or says what stands in the way; see `lua/place.lua`.

        Raises:
            DamagedRecordError: the seat's bankroll or revision is not what Croupier wrote.
            StoreUnavailableError: no answer; the same `op` may be sent again.
        """
        answer: asyncio.Future[PlaceAnswer] = asyncio.get_running_loop().create_future()
        waiting = self._waiting.get(table)
        if waiting is None:
            waiting = self._waiting[table] = deque()
            task = asyncio.create_task(self._send(table, waiting), name=f"slips {table}")
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        waiting.append((slip, answer))
        placed = await answer
        if isinstance(placed, DamagedRecordError):
            raise placed
        return placed

    async def _send(
        self, table: TableId, waiting: deque[tuple[SlipToPlace, asyncio.Future[PlaceAnswer]]]
    ) -> None:
        """Sends what has gathered, call after call, until nothing has."""
        while waiting:
            batch = [waiting.popleft() for _ in range(min(len(waiting), MOST_TOGETHER))]
            try:
                slips = [slip for slip, _ in batch]
                answers = await place_all(self._store, self._pit, table, slips, limited=self._limited)
            except StoreError as error:
                for _, answer in batch:
                    if not answer.done():
                        answer.set_exception(error)
            else:
                for (_, answer), placed in zip(batch, answers, strict=True):
                    if not answer.done():
                        answer.set_result(placed)
        del self._waiting[table]


def parse_slip(text: bytes) -> tuple[int, dict[str, int]]:
    """Round and bets of a stored slip; round 0 and no bets of none.

    >>> parse_slip(b"7|player=500,tie=100")
    (7, {'player': 500, 'tie': 100})
    """
    if not text:
        return 0, {}
    try:
        round_, _, bets = text.decode().partition("|")
        pairs = (part.partition("=") for part in bets.split(",") if part)
        return int(round_), {bet: int(cents) for bet, _, cents in pairs}
    except ValueError as error:
        raise DamagedRecordError(f"a slip reads {text!r}") from error


def refusal(reply: Sequence[Any], now_ms: int) -> SlipRefusal:
    """What a script's words of refusal say."""
    match reply:
        case [b"phase", bytes(phase)]:
            return SlipRefusal("phase", now_ms, phase=phase.decode())
        case [b"round", int(round_)]:
            return SlipRefusal("round", now_ms, round=round_)
        case [b"short", int(bankroll)]:
            return SlipRefusal("short", now_ms, bankroll=bankroll)
        case [b"excluded" | b"own_round" | b"own_day" as why, int(limit)]:
            return SlipRefusal(why.decode(), now_ms, own_limit=limit)
        case [bytes(why)]:
            return SlipRefusal(why.decode(), now_ms)
    raise DamagedRecordError(f"a script answered {reply!r}")


def _answer(reply: Sequence[Any], now_ms: int) -> PlaceAnswer:
    match reply:
        case [b"ok" | b"changed" as word, int(rev), int(bankroll), bytes(text)]:
            try:
                return SlipState(word == b"ok", now_ms, rev, bankroll, parse_slip(text)[1])
            except DamagedRecordError as error:
                return error
        case [b"damaged", bytes(what)]:
            return DamagedRecordError(what.decode())
    return refusal(reply, now_ms)
