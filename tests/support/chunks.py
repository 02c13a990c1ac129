"""A worker that deals one table and kills itself, by the signal that nothing catches, between two chunks.

Run as a program: the store's URL, the round in which to die, after how many chunks, and how the round ends.
"""

import asyncio
import os
import signal
import sys

from msgspec.structs import replace

from croupier_server.dealer import dealer as dealing
from croupier_server.dealer import others
from croupier_server.dealer.settling import CHUNK
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.settled import Settled
from croupier_server.table.listing import encode_listing
from croupier_server.table.pace import Pace
from croupier_server.table.state import TableSettings
from support.beside import program
from support.stores import KEY, open_pit, turbo

UNHURRIED = Pace("unhurried", shuffling_ms=20, betting_ms=1_200, closing_ms=10, card_ms=5, result_ms=50)
SETTINGS: TableSettings = replace(turbo("standard"), pace=UNHURRIED)


class Mortal(Settled):
    """The settlement of a worker that dies in round `round_`: after so many chunks, or when that is over.

    After the last chunk it dies before the table goes on; with one more, when it has, and the players' own
    rounds are still to be kept.
    """

    def __init__(self, store, round_: int, chunks: int) -> None:
        super().__init__(store, DEFAULT_PIT)
        self.round = round_
        self.left = chunks

    async def settle(self, lease, round_, chunk, *, void):
        if round_ == self.round:
            self._die_at_last()
        totals = await super().settle(lease, round_, chunk, void=void)
        if round_ == self.round and len(chunk) < CHUNK:
            self._die_at_last()
        return totals

    async def empty_outbox(self, table):
        if await self.store.client.hget(f"croupier:{{main}}:t:{table}", "round") == str(self.round).encode():
            self._die_at_last()
        await super().empty_outbox(table)

    def _die_at_last(self) -> None:
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1


def mortal_worker(url: str, round_: int, chunks: int):
    """Such a worker in a process of its own; killed at the end, if it lives."""
    return program(__file__, url, round_, chunks)


async def _deal(url: str, round_: int, chunks: int) -> None:
    dealing.LEASE_MS, others.STILL_S, dealing.TICK_S = 600, 0.8, 0.1
    async with open_pit(url) as pit:
        await pit.tables.register({SETTINGS.table: encode_listing(SETTINGS)})
        pit.settled = Mortal(pit.store, round_, chunks)
        dealer = dealing.Dealer(pit, KEY)
        await asyncio.gather(dealer.run(), dealer.hear_notes())


if __name__ == "__main__":
    asyncio.run(_deal(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
