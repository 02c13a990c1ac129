"""A spectator in one file: prints the cards of a table. Needs only `websockets` and `msgpack`.

python spectator.py ws://localhost:8000/ws standard
"""

import asyncio
import sys

import msgpack
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

MSGPACK = Subprotocol("croupier.v1.msgpack")


def show(message: dict) -> None:
    match message:
        case {"type": "betting", "round": number}:
            print(f"round {number}: place your bets")
        case {"type": "card", "hand": hand, "card": card, "total": total}:
            print(f"  {hand:6}  {card}  {total}")
        case {"type": "result", "outcome": outcome, "player": player, "banker": banker}:
            print(f"{outcome}: player {player['total']}, banker {banker['total']}")


async def watch(url: str, table: str) -> str:
    since = None  # the last event seen: where to go on after a lost connection
    async for socket in connect(url, subprotocols=[MSGPACK], compression=None):
        try:
            await socket.send(msgpack.packb({"type": "watch", "table": table, "since": since}))
            async for frame in socket:
                message = msgpack.unpackb(frame)
                if message["type"] == "error":
                    return message["message"]
                if message.get("table") != table or "seq" not in message or message["type"] == "watching":
                    continue
                if message["type"] != "snapshot" and (message["epoch"], message["seq"] - 1) != (
                    since["epoch"],
                    since["seq"],
                ):
                    break  # this event is not the next: connect again and resume
                since = {"epoch": message["epoch"], "seq": message["seq"]}
                show(message)
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code >= 4500:
                return f"the server says not to come back: {closed}"
    return "the connection cannot be made again"


if __name__ == "__main__":
    sys.exit(asyncio.run(watch(*(sys.argv[1:] or ["ws://localhost:8000/ws", "standard"]))))
