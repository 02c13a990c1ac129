"""Seats bought in by hand, and the sum of all money at a table, for tests that need no bank."""

import json

from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS
from croupier_server.store import keys
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.table.listing import listing_digest

LISTING = listing_digest(RULE_SETS["standard"].digest, Limits())


async def seat(pit, table: str, player: str, number: int, bankroll: int, *, present: bool = True) -> None:
    """Puts `player` on a seat with chips in front, as a finished buy-in would."""
    record = {"seat": number, "name": player.title(), "skeleton": player, "state": "taken"}
    client = pit.client
    await client.hset(keys.seats_key(DEFAULT_PIT, table), player, json.dumps(record, separators=(",", ":")))
    await client.hset(keys.bankrolls_key(DEFAULT_PIT, table), player, bankroll)
    if present:
        await pit.seats.present({table: [player]})
    await client.xadd(keys.notes_key(DEFAULT_PIT), {"t": table, "k": "seat", "p": player})


async def money(pit, table: str) -> dict[str, int]:
    """Cents at a table, by where they are; their sum changes only by transfers."""
    client = pit.client
    bankrolls = await client.hvals(keys.bankrolls_key(DEFAULT_PIT, table))
    slips = await pit.seats.slips(table)
    return {
        "bankrolls": sum(map(int, bankrolls)),
        "stakes": sum(sum(slip.bets.values()) for slip in slips),
        "house": int(await client.get(keys.house_key(DEFAULT_PIT)) or 0),
    }
