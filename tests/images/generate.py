"""Writes the image of a store as this release leaves it: `python tests/images/generate.py` before a release.

One table is in its betting window with three slips on it, another in the middle of a coup with three. The
next release but one need not read it any more; tests continue the images that are here.
"""

import asyncio
import contextlib
import json
import sys
import tempfile
from pathlib import Path

from msgspec.structs import replace

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from croupier_protocol.messages.events import CardDealt  # noqa: E402 - the path comes first
from croupier_server.table.pace import Pace  # noqa: E402
from croupier_server.table.state import STATE_SCHEMA  # noqa: E402
from support.dealing import dealt, reach  # noqa: E402
from support.gateways import gateway_on  # noqa: E402
from support.images import save  # noqa: E402
from support.playing import played, seated  # noqa: E402
from support.stores import open_pit, running_store, turbo  # noqa: E402

SLIPS = ({"player": 2_500, "tie": 500}, {"banker": 10_000}, {"player_pair": 300, "banker_bonus": 700})
OPEN = Pace("open", shuffling_ms=0, betting_ms=3_600_000, closing_ms=10, card_ms=10, result_ms=100)
SLOW_CARDS = Pace("slow-cards", shuffling_ms=0, betting_ms=2_000, closing_ms=10, card_ms=2_000, result_ms=100)


async def place(players, table: str) -> None:
    """Everybody's slip on the first window."""
    for number, (player, bets) in enumerate(zip(players, SLIPS, strict=True)):
        window = await player.next_window()
        answer = await player.ask(
            type="slip",
            table=table,
            round=window["round"],
            rev=player.me[1],
            op=f"slip-000{number}",
            bets=bets,
        )
        assert answer["type"] == "slip_accepted", answer


async def write(file: Path) -> None:
    """Plays on a store until it is where the image is to be."""
    tables = [replace(turbo("betting"), pace=OPEN), replace(turbo("dealing"), pace=SLOW_CARDS)]
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        store = await stack.enter_async_context(running_store(Path(folder) / "store"))
        pit = await stack.enter_async_context(open_pit(store.url))
        dealer = await stack.enter_async_context(played(store.url, *tables))
        gateway = await stack.enter_async_context(gateway_on(store.url))
        for table in ("betting", "dealing"):
            async with seated(gateway.url, 3, table=table) as players:
                await place(players, table)
        await reach(lambda: _dealt(pit, "dealing", 2))
        await dealer.release()
        image = await save(pit.client)
    file.write_text(json.dumps(image, indent=1) + "\n", encoding="utf-8")


async def _dealt(pit, table: str, cards: int) -> bool:
    return len([one for one in await dealt(pit, table) if isinstance(one, CardDealt)]) == cards


if __name__ == "__main__":
    asyncio.run(write(HERE / f"schema-{STATE_SCHEMA}.json"))
