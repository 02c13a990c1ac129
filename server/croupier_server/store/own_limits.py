"""What players have limited for themselves: kept with the wallet, and told to the pits that judge slips.

A wallet and a pit are in different slots. The record with the wallet is what counts; a pit has a copy of
what its place script needs, under the record's `rev`, and takes none that is older. A day's stake is right
over all pits, since each pit may use up only what the record has allowed it, and the record allows no more
than the limit in all; see `raise_day`.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from croupier_protocol.messages.to_client import WaitingLimit
from croupier_protocol.messages.values import PlayerId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Argument, Store, run

NAMES: Final = ("round_stake", "day_stake", "day_minutes", "reality_minutes")
"""The limits, in the script's order."""

WAIT_MS: Final = 24 * 3600 * 1000
"""How long a looser limit waits: a night's sleep lies in between."""

DAY_MS: Final = 24 * 3600 * 1000

LONGEST_TICK_MS: Final = 90_000
"""Between two ticks that both found the player at a table: it was there all the time. A gateway that is
replaced takes less."""

BREAK_MS: Final = 15 * 60_000
"""After so long away from the tables a new sitting begins, with a reality check of its own."""

KEPT_MS: Final = 2 * DAY_MS
"""How long the time of a player without limits is kept: the day's is over by then."""


def named_limits(asked: object) -> dict[str, int]:
    """Those of its attributes called as limits that say something, as `OwnLimits.set` takes them."""
    return {name: value for name in NAMES if (value := getattr(asked, name)) is not None}


class OwnRecord(Struct, frozen=True):
    """A player's own limits as they are in force, and the time at the tables.

    `rev` rises with every change. Amounts are cents, None where there is no limit. `day_ms` were played on
    the running day; `played_ms`, `staked` and `net` since the last reality check, of which one is due since
    `check_ms`.
    """

    now_ms: int
    rev: int = 0
    round_stake: int | None = None
    day_stake: int | None = None
    day_minutes: int | None = None
    reality_minutes: int | None = None
    excluded_until_ms: int = 0
    waiting: tuple[WaitingLimit, ...] = ()
    day_ms: int = 0
    played_ms: int = 0
    staked: int = 0
    net: int = 0
    check_ms: int | None = None

    @property
    def excluded(self) -> bool:
        """Whether the player is kept from the tables now."""
        return self.now_ms < self.excluded_until_ms

    @property
    def running_exclusion_ms(self) -> int | None:
        """Until when the player is kept from the tables; None for who is not."""
        return self.excluded_until_ms if self.excluded else None

    @property
    def played_minutes(self) -> int:
        """Whole minutes at the tables on the running day."""
        return self.day_ms // 60_000

    @property
    def time_over(self) -> bool:
        """Whether the day's time at the tables is used up."""
        return self.day_minutes is not None and self.day_ms >= self.day_minutes * 60_000


class PitShare(Struct, frozen=True):
    """What a pit goes by for a player: of a `day`'s stake `allowed` there, and `staked` so far, in cents."""

    rev: int
    day: int
    allowed: int
    staked: int


class OwnLimits:
    """Every player's own limits, wherever their slot is."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def look(self, player: PlayerId) -> OwnRecord:
        """The limits in force; those that have waited long enough are.

        This and all others raise:
            DamagedRecordError: the record is not what Croupier wrote.
            StoreUnavailableError: no answer; may be sent again.
        """
        return await self._record(player, ["look"])

    async def set(
        self,
        player: PlayerId,
        op: str,
        limits: Mapping[str, int],
        *,
        reality_minutes: int,
        operator: bool = False,
    ) -> OwnRecord | None:
        """Sets the limits that are named, 0 for none; None when the `op` did something else before.

        A player's stricter limit is in force at once, a looser one after `WAIT_MS`; an operator's at once.
        `reality_minutes` is what counts where none is chosen.
        """
        wanted = [str(limits[name]) if name in limits else "" for name in NAMES]
        request = "limits:" + ",".join(wanted)
        who = "operator" if operator else "player"
        return await self._change(player, ["set", op, request, who, WAIT_MS, reality_minutes, *wanted])

    async def exclude(
        self, player: PlayerId, op: str, days: int, *, operator: bool = False
    ) -> OwnRecord | None:
        """Keeps the player from the tables for so many days, and never for less than it was.

        An operator may shorten it, with 0 days end it. None when the `op` did something else before.
        """
        who = "operator" if operator else "player"
        return await self._change(player, ["exclude", op, f"exclude:{days}", who, days * DAY_MS])

    async def tick(self, player: PlayerId, reality_minutes: int) -> OwnRecord:
        """Notes that the player is at a table now; the time since the last note counts as played."""
        return await self._record(player, ["tick", LONGEST_TICK_MS, BREAK_MS, reality_minutes, KEPT_MS])

    async def go_on(self, player: PlayerId) -> OwnRecord:
        """The player has seen the reality check that is due, if one is: the next is counted from now on."""
        return await self._record(player, ["go_on"])

    async def tell(
        self,
        pit: PitId,
        pit_store: Store,
        player: PlayerId,
        record: OwnRecord,
        granted: PitShare | None = None,
    ) -> PitShare:
        """Tells a pit the limits of `record`, and how much of the day's stake was `granted` there."""
        round_stake = "" if record.round_stake is None else record.round_stake
        share: list[Argument] = ["", ""] if granted is None else [granted.allowed, granted.day]
        _, _, rev, day, allowed, staked = await pit_store.call(
            scripts.TELL_LIMITS,
            [keys.limits_key(pit)],
            [
                player,
                record.rev,
                record.excluded_until_ms,
                round_stake,
                "" if record.day_stake is None else record.day_stake,
                *share,
            ],
        )
        return PitShare(rev=rev, day=day, allowed=allowed, staked=staked)

    async def bring(self, pit: PitId, pit_store: Store, player: PlayerId, record: OwnRecord) -> None:
        """Tells a pit the limits of `record`, and the wallet what of the day's stake is used up there.

        What was staked there before the day's stake had a limit thus counts at other pits, too.
        """
        share = await self.tell(pit, pit_store, player, record)
        if record.day_stake is not None and share.rev == record.rev and share.allowed:
            await self._grant(pit, player, share, share.allowed)

    async def raise_day(self, pit: PitId, pit_store: Store, player: PlayerId, wanted: int) -> OwnRecord:
        """Brings a pit the limits as they are, and leave to use up `wanted` cents of the day's stake.

        It has leave where that is within the limit. What is allowed only rises under one `rev`, first with
        the wallet and then in the pit: whatever is lost in between, no more is ever used up than is allowed.
        What a slip has taken back stays with its pit.
        """
        record = await self.look(player)
        share = await self.tell(pit, pit_store, player, record)
        if record.day_stake is not None and share.rev == record.rev and share.allowed < wanted:
            allowed = await self._grant(pit, player, share, wanted)
            if allowed is not None:
                granted = PitShare(rev=share.rev, day=share.day, allowed=allowed, staked=share.staked)
                await self.tell(pit, pit_store, player, record, granted)
        return record

    async def _grant(self, pit: PitId, player: PlayerId, share: PitShare, wanted: int) -> int | None:
        """Cents of the day's stake that a pit may use up from now on; None unless `wanted` are among them."""
        store = await self._store.holding(keys.own_limits_key(player))
        arguments: list[Argument] = ["grant", pit, share.rev, share.day, share.allowed, wanted]
        word, _, *allowed = await store.call(scripts.OWN_LIMITS, [keys.own_limits_key(player)], arguments)
        return int(allowed[0]) if word == b"ok" else None

    async def forget(self, player: PlayerId, pits: Mapping[PitId, Store]) -> None:
        """Forgets what a player that will never come back has limited, with the wallet and in these pits."""
        for pit, store in pits.items():
            await run(store.client.hdel(keys.limits_key(pit), player))
        store = await self._store.holding(keys.own_limits_key(player))
        await run(store.client.delete(keys.own_limits_key(player)))

    async def _record(self, player: PlayerId, arguments: list[Argument]) -> OwnRecord:
        record = await self._change(player, arguments)
        if record is None:
            raise DamagedRecordError(f"the own limits of {player} answered as to an operation")
        return record

    async def _change(self, player: PlayerId, arguments: list[Argument]) -> OwnRecord | None:
        store = await self._store.holding(keys.own_limits_key(player))
        word, now_ms, *held = await store.call(scripts.OWN_LIMITS, [keys.own_limits_key(player)], arguments)
        return None if word == b"reused" else _read(now_ms, held[0])


def _read(now_ms: int, flat: list[Any]) -> OwnRecord:
    held = {name.decode(): value.decode() for name, value in zip(flat[::2], flat[1::2], strict=True)}
    waiting = []
    for name in NAMES:
        if (coming := held.get(f"next:{name}")) is not None:
            value, _, from_ms = coming.partition("|")
            waiting.append(WaitingLimit(limit=name, value=int(value) or None, from_ms=int(from_ms)))
    today = str(now_ms // DAY_MS)
    return OwnRecord(
        now_ms=now_ms,
        **{name: int(held[name]) for name in ("rev", *NAMES, "excluded_until_ms") if name in held},
        waiting=tuple(waiting),
        day_ms=int(held.get("day_ms", 0)) if held.get("day") == today else 0,
        **{name: int(held[name]) for name in ("played_ms", "staked", "net", "check_ms") if name in held},
    )
