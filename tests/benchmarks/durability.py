"""What it costs to have every write on the disk before it is answered: `appendfsync` everysec against always.

Two stores side by side in one run, in turns: slips placed one call after another and by 32 callers at once,
and the settlement of 500 slips. Prints one JSON object and keeps it in `build/durability.json`.

    python tests/benchmarks/durability.py [seconds a turn]
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any, Literal

from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.game.settlement import BetResult
from croupier_protocol.messages.to_client import OwnRound
from croupier_protocol.messages.values import HandView, Payout, PlayerId, RulesRef, TableId
from croupier_server.store import keys
from croupier_server.store.embedded import EmbeddedStore
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.pit import Pit
from croupier_server.store.placing import SlipState, SlipToPlace
from croupier_server.store.records import Lease
from croupier_server.store.settled import Paid

OUTPUT = Path(__file__).parents[2] / "build" / "durability.json"

TABLE = TableId("bench")
LEASE = Lease(TABLE, "0123456789abcdef", 1)
SEATS = 500
TURNS = 5
CALLERS = 32
CHUNK = 25
FAR_MS = 9_007_199_254_740_991
PLAYERS = [PlayerId(f"p{number}") for number in range(SEATS)]


class Bench:
    """A table of 500 seats on a store."""

    def __init__(self, pit: Pit) -> None:
        self.pit = pit
        self.revisions = dict.fromkeys(PLAYERS, 0)
        self.operations = 0

    async def prepare(self) -> None:
        await self.pit.stream.open()
        client = self.pit.store.client
        for number, player in enumerate(PLAYERS):
            seat = {"seat": number + 1, "name": player, "skeleton": player, "state": "taken"}
            text = json.dumps(seat, separators=(",", ":"))
            await client.hset(keys.seats_key(DEFAULT_PIT, TABLE), player, text)
            await client.hset(keys.bankrolls_key(DEFAULT_PIT, TABLE), player, "100000000")

    async def window(self, phase: str) -> None:
        record = {"phase": phase, "round": 7, "closes_at_ms": FAR_MS, "listing": "l"}
        owner = {"owner": LEASE.owner, "fence": LEASE.fence}
        await self.pit.store.client.hset(keys.table_key(DEFAULT_PIT, TABLE), mapping={**record, **owner})

    async def place(self, player: PlayerId) -> None:
        self.operations += 1
        slip = SlipToPlace(
            player,
            7,
            self.revisions[player],
            f"op-{self.operations:08}",
            "l",
            {"player": 100 + self.operations % 2},
        )
        answer = await self.pit.slips.place(TABLE, slip)
        if not (isinstance(answer, SlipState) and answer.accepted):
            raise ValueError(f"not placed: {answer}")
        self.revisions[player] = answer.rev

    async def slips(self, callers: int, seconds: float) -> float:
        """Slips a second that so many callers place, one after the answer to the last, at least one each."""
        await self.window("betting")
        end = time.perf_counter() + seconds
        placed = 0

        async def call(first: int) -> None:
            nonlocal placed
            while True:
                await self.place(PLAYERS[first])
                placed += 1
                if time.perf_counter() >= end:
                    return

        begun = time.perf_counter()
        await asyncio.gather(*(call(first) for first in range(callers)))
        return placed / (time.perf_counter() - begun)

    async def settle(self) -> float:
        """Milliseconds for the settlement of a slip on every seat, in chunks as dealers do it."""
        await self.window("betting")
        await asyncio.gather(*(self.place(player) for player in PLAYERS))
        await self.window("settling")
        slips = await self.pit.seats.slips(TABLE)
        begun = time.perf_counter()
        for start in range(0, len(slips), CHUNK):
            chunk = [Paid(slip, own_round(slip.bets["player"])) for slip in slips[start : start + CHUNK]]
            await self.pit.settled.settle(LEASE, 7, chunk, void=False)
        return (time.perf_counter() - begun) * 1000


def own_round(stake: int) -> OwnRound:
    bet = BetResult(bet="player", stake=stake, result="lose", win=0, commission=0, returned=0)
    payout = Payout(table=TABLE, round=7, bets=(bet,), returned=0, bankroll=0)
    return OwnRound(
        table=TABLE,
        rules=RulesRef(name="standard", digest=RULE_SETS["standard"].digest),
        player=HandView(),
        banker=HandView(),
        outcome=None,
        payout=payout,
        bankroll_before=0,
        ended_at_ms=0,
    )


@asynccontextmanager
async def bench(folder: Path, fsync: Literal["everysec", "always"]) -> AsyncIterator[Bench]:
    store = EmbeddedStore(folder / fsync, fsync=fsync)
    await store.start()
    pit = Pit.at(store.url)
    try:
        made = Bench(pit)
        await made.prepare()
        yield made
    finally:
        await pit.close()
        await store.stop()


async def measure(seconds: float, turns: int = TURNS) -> dict[str, Any]:
    found: dict[str, dict[str, list[float]]] = {
        name: {"slips_one_caller": [], "slips_32_callers": [], "settle_500_ms": []}
        for name in ("everysec", "always")
    }
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        async with bench(Path(folder), "everysec") as usual, bench(Path(folder), "always") as strict:
            for _ in range(turns):
                for name, one in (("everysec", usual), ("always", strict)):
                    found[name]["slips_one_caller"].append(await one.slips(1, seconds))
                    found[name]["slips_32_callers"].append(await one.slips(CALLERS, seconds))
                    found[name]["settle_500_ms"].append(await one.settle())
    return {
        name: {key: round(median(values), 1) for key, values in one.items()} for name, one in found.items()
    }


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    text = json.dumps(asyncio.run(measure(seconds)), indent=2)
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(text + "\n")
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
