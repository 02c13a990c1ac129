"""A player in a process of its own, to be killed: comes back to its seat and bets on every round.

Run as a program: the gateway's address and the player's token; it writes each round that it has a slip on.
"""

import asyncio
import sys

from support.beside import program
from support.playing import connected

BETS = {"player": 1_000, "banker": 1_000}


def player_process(url: str, token: str):
    """Such a process; killed at the end, if it lives."""
    return program(__file__, url, token)


async def _play(url: str, token: str) -> None:
    async with connected(url, token) as player:
        await player.ask(type="watch", table="standard")
        await player.until(lambda: player.me is not None)
        round_ = 0
        while True:
            round_ = (await player.next_window(round_))["round"]
            slip = {"round": round_, "rev": player.me[1], "op": f"bet-{round_:06}", "bets": BETS}
            answer = await player.ask(type="slip", table="standard", **slip)
            if answer["type"] == "slip_accepted":
                sys.stdout.write(f"{round_}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_play(sys.argv[1], sys.argv[2]))
