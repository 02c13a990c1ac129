"""What the tests of the store write into it: steps of a made-up table, what is spoilt, and all as bytes."""

import asyncio

from croupier_protocol.codec import UNTIMED, encode_untimed
from croupier_protocol.game.coup import Outcome
from croupier_protocol.messages.events import BettingClosed
from croupier_protocol.messages.values import Epoch, HandView, Phase, RoundRecord, RulesRef, TableId
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.records import Commit

TABLE = TableId("standard")
OWNER = "0123456789abcdef"
OTHER = "fedcba9876543210"
LEASE_MS = 3_000
SCHEMA = 1

TABLE_KEY = "croupier:{main}:t:standard"
ROUNDS_KEY = "croupier:{main}:t:standard:rounds"
EVENTS_KEY = "croupier:{main}:events"
EPOCH_KEY = "croupier:{main}:epoch"
TABLES_KEY = "croupier:{main}:tables"

TYPES = ("string", "list", "set", "zset", "hash", "stream")
"""Every type that a key can have."""

NUMBERS = (0, 1, 100_000_000_000_001, 9_007_199_254_740_991)
"""Where a number in floating point, printed short, would lose digits: 10^14 + 1 and 2^53 - 1."""


def a_step(epoch: Epoch, seq: int = 0, **changes) -> Commit:
    """The step after `seq`: the window of round 7 closes."""
    event = BettingClosed(round=7, table=TABLE, epoch=epoch, seq=seq + 1, due_ms=5, at_ms=UNTIMED)
    fields = {
        "seq": seq,
        "epoch": epoch,
        "phase": Phase.CLOSED,
        "round": 7,
        "closes_at_ms": 1_700_000_000_000,
        "state": b"state \x00\xff",
        "event": encode_untimed(event),
    }
    return Commit(**{**fields, **changes})


def a_round(number: int) -> RoundRecord:
    """Round `number` as history tells it."""
    return RoundRecord(
        round=number,
        shoe=1,
        coup=number,
        rules=RulesRef(name="standard", digest="d"),
        player=HandView(cards=("8s", "As"), total=9),
        banker=HandView(cards=("2h", "6d"), total=8),
        outcome=Outcome.PLAYER,
        natural=True,
        player_pair=False,
        banker_pair=False,
        ended_at_ms=1_700_000_000_000 + number,
    )


async def spoil(client, key, kind):
    """Puts a value of another type into a key."""
    await client.delete(key)
    match kind:
        case "string":
            await client.set(key, "x")
        case "list":
            await client.rpush(key, "x")
        case "set":
            await client.sadd(key, "x")
        case "zset":
            await client.zadd(key, {"x": 1})
        case "hash":
            await client.hset(key, "x", "y")
        case "stream":
            await client.xadd(key, {"x": "y"})


async def is_refused_in_other_types(client, key, right, calls) -> None:
    """Puts a value of each type but `right` into a key: each call that uses it raises, and writes nothing.

    `calls` are by name, each with the keys that it uses.
    """
    for kind in TYPES:
        if kind == right:
            continue
        await spoil(client, key, kind)
        before = await everything(client)
        for name, (used, call) in calls.items():
            if key in used:
                [found] = await asyncio.gather(call(), return_exceptions=True)
                assert isinstance(found, DamagedRecordError), (name, kind, found)
                assert await everything(client) == before, name


async def everything(client) -> dict[bytes, bytes]:
    """Every key of the store with what it holds, byte for byte."""
    return {key: await client.dump(key) for key in sorted(await client.keys())}


async def store_ms(client) -> int:
    """The store's time, asked for directly."""
    seconds, microseconds = await client.time()
    return seconds * 1000 + microseconds // 1000
