"""Seats and slips for benchmarks, straight into the store: as finished buy-ins and gateways leave them."""

import json

from benchmarks.players import SLIPS
from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.store import keys
from croupier_server.store.keys import PitId
from croupier_server.store.pit import Pit
from croupier_server.store.stream import NOTES_KEPT
from croupier_server.table.listing import encode_listing
from croupier_server.table.state import TableSettings


async def seat_all(pit: Pit, table: TableId, count: int) -> list[PlayerId]:
    """Puts `count` players on seats with chips in front, as finished buy-ins would."""
    players = [PlayerId(f"g{number:016x}") for number in range(count)]
    name, client = pit.name, pit.store.client
    for start in range(0, count, 500):
        pipe = client.pipeline(transaction=False)
        for number, player in list(enumerate(players, 1))[start : start + 500]:
            seat = {"seat": number, "name": f"Guest {number}", "skeleton": f"guest{number}", "state": "taken"}
            seat |= {"absent": 0, "unbet": 0, "op": "sit-00000001", "number": number}
            pipe.hset(keys.seats_key(name, table), player, json.dumps(seat, separators=(",", ":")))
            pipe.hset(keys.bankrolls_key(name, table), player, 50_000)
        await pipe.execute()
        await pit.seats.present({table: players[start : start + 500]})
    return players


def place_words(
    pit: PitId, table: TableId, listing: str, player: str, round_: int, rev: int, number: int
) -> list[str | int]:
    """Keys and arguments of the place script, for a slip that depends on `rev` and `number`."""
    bets = SLIPS[(number + rev) % len(SLIPS)]
    of_table = (keys.table_key, keys.seats_key, keys.bankrolls_key, keys.slips_key, keys.revisions_key)
    return [
        *(key(pit, table) for key in (*of_table, keys.totals_key, keys.ready_key)),
        keys.notes_key(pit),
        *(table, NOTES_KEPT, player, round_, rev, f"slip{rev:010}", listing),
        ",".join(f"{bet}={cents}" for bet, cents in bets.items()),
        *(sum(bets.values()), len(bets)),
        *(part for pair in bets.items() for part in pair),
    ]


async def register(pit: Pit, *settings: TableSettings) -> None:
    """Lists tables for dealers and gateways."""
    await pit.stream.open()
    await pit.tables.register({one.table: encode_listing(one) for one in settings})
