"""Slips that were settled: paying them, each once, and keeping what is told of them since."""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier_protocol.messages.to_client import OwnRound
from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.store import keys, scripts
from croupier_server.store.errors import DamagedRecordError, LeaseLostError, StoreUnavailableError
from croupier_server.store.keys import PitId
from croupier_server.store.records import Lease
from croupier_server.store.scripts import Call, Store, run
from croupier_server.store.seats import SlipToSettle

RESULTS_KEPT: Final = 20
"""Settled rounds kept at the table for each seat, so that a player who comes back hears of them."""

OWN_ROUNDS_KEPT: Final = 100
"""Settled rounds kept with each player."""

OUTBOX_KEPT: Final = 10_000
"""Settled rounds of a table that wait while the server that keeps their players' rounds is away; older ones
are lost to their players' histories."""

OUTBOX_BATCH: Final = 50
"""Settled rounds that go to their players together."""


class Paid(Struct, frozen=True):
    """What one slip came to. Its bankrolls are filled in when it is read: see `read_own_round`."""

    slip: SlipToSettle
    own_round: OwnRound

    @property
    def staked(self) -> int:
        """Cents staked."""
        return sum(bet.stake for bet in self.own_round.payout.bets)

    @property
    def net(self) -> int:
        """Cents won over all bets; below zero when lost."""
        return self.own_round.payout.returned - self.staked


_OWN_ROUND_ENCODER: Final = msgspec.msgpack.Encoder()
_OWN_ROUND_DECODER: Final = msgspec.msgpack.Decoder(OwnRound)


class Settled:
    """The settled slips of one pit's tables.

    `archived` is whether their postings are for an archive, `counted` whether they are counted for their
    players' reality checks.
    """

    def __init__(self, store: Store, pit: PitId, *, archived: bool = False, counted: bool = False) -> None:
        self.store = store
        self.pit = pit
        self._archived = archived
        self._counted = counted

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
                keys.limits_key(self.pit),
            ],
            [
                lease.table,
                lease.owner,
                lease.fence,
                round_,
                "void" if void else "settle",
                RESULTS_KEPT,
                "1" if self._archived else "",
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
        passed, kept = 0, list[bytes]()
        while True:
            pipe = self.store.client.pipeline(transaction=False)  # play waits for each way there and back
            for entry in kept:
                # By value: a dealer that was held up until here must not remove what the next has put in.
                pipe.lrem(key, 1, entry)  # type: ignore[arg-type]  # bytes are taken too
            pipe.lrange(key, passed, passed + OUTBOX_BATCH - 1)
            *_, batch = await run(pipe.execute())
            if not batch:
                break
            kept = []
            calls: dict[Store, list[tuple[bytes, Call]]] = {}
            for entry in batch:
                player, told = entry.split(b"|", 1)
                own_round = read_own_round(told)
                name = f"{own_round.payout.table}|{own_round.payout.round}"
                who = PlayerId(player.decode())
                rounds_key = keys.own_rounds_key(who)
                counted = [keys.own_limits_key(who)] if self._counted else []
                staked = sum(bet.stake for bet in own_round.payout.bets)
                store = await self.store.holding(rounds_key)
                call = (
                    [rounds_key, *counted],
                    [name, told, OWN_ROUNDS_KEPT, staked, own_round.payout.returned],
                )
                calls.setdefault(store, []).append((entry, call))
            for store, entries in calls.items():
                try:
                    await store.call_each(scripts.KEEP_ROUND, [call for _, call in entries])
                except StoreUnavailableError:
                    if store is self.store:
                        raise
                    passed += len(entries)
                else:
                    kept += [entry for entry, _ in entries]
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
