"""One event to many: what it costs Croupier, the websocket library, a loop in C, and servers in Node.

    make bench

So many websocket connections to each server, whose peers are in processes on another core and read all
that comes. Single card events, and bursts of three, go out by turns in each way; the processor time of
the serving process is divided by the connections. Croupier's way is the full path, from the stream in the
store to the last socket; the others send from memory. The bound is a loop of `send` in C over the same
descriptors. Without a compiler or Node their ways are left out, and this says so. The figures are also
written to build/fanout.json.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.halls import ROOMS, Way, gateway_ways, node_way, pin
from croupier_client.load.files import raise_file_limit

SPECTATORS = (2_000, 8_000)
ROUNDS = 15
BUILD = Path(__file__).parents[2] / "build"
NODE_WAYS = {"Node ws": "ws", "Socket.IO": "socket.io", "Colyseus": "colyseus"}
OURS = "Croupier, full path"


def node_rooms() -> Path | None:
    """The folder of the rooms in Node with what they need installed; None when that cannot be had."""
    npm = shutil.which("npm")
    if npm is None:
        print("no Node here: its servers are left out")
        return None
    folder = BUILD / "rooms"
    folder.mkdir(parents=True, exist_ok=True)
    for file in ROOMS.iterdir():
        shutil.copy(file, folder)
    install = subprocess.run([npm, "ci", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=False)
    if install.returncode:
        print("npm could not install the servers in Node: they are left out")
        return None
    return folder


async def measure(count: int, rooms: Path | None) -> dict[tuple[str, int], float]:
    """Microseconds of processor time for each connection, by way and by how many events come together.

    With none at all it is what the process takes anyway, and is not a part of the others.
    """
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ways = dict(await stack.enter_async_context(gateway_ways(folder, count)))
        if rooms is not None:
            for name, kind in NODE_WAYS.items():
                ways[name] = await stack.enter_async_context(node_way(rooms, kind, count))
        taken: dict[tuple[str, int], list[float]] = {}
        for round_ in range(ROUNDS):
            for events in (0, 1, 3):
                for name, way in in_turn(ways, round_):
                    taken.setdefault((name, events), []).append(await way(events) / count * 1e6)
    middle = {key: median(values) for key, values in taken.items()}
    return {
        (name, events): spent - (middle[name, 0] if events else 0) for (name, events), spent in middle.items()
    }


def in_turn(ways: dict[str, Way], round_: int) -> list[tuple[str, Way]]:
    """The ways, each time beginning with another one: who comes first finds nothing in the caches."""
    both = list(ways.items())
    begin = round_ % len(both)
    return both[begin:] + both[:begin]


def main() -> None:
    """Prints microseconds and ratios."""
    pin(0)
    raise_file_limit()
    rooms = node_rooms()
    print("| spectators | events together | way | µs a spectator | in Croupier's time |")
    print("|---|---|---|---|---|")
    rows = []
    for count in [int(word) for word in sys.argv[1:]] or SPECTATORS:
        figures = asyncio.run(measure(count, rooms))
        for (name, events), spent in sorted(figures.items(), key=lambda one: (one[0][1], one[1])):
            ratio = spent / figures[OURS, events]
            print(f"| {count} | {events} | {name} | {spent:.2f} | {ratio:.2f} |", flush=True)
            rows.append({"spectators": count, "events": events, "way": name, "us": spent, "ratio": ratio})
        print(f"three together in {figures[OURS, 3] / figures[OURS, 1]:.2f} times the time of one")
    print(f"load {os.getloadavg()[0]:.1f}")
    BUILD.mkdir(exist_ok=True)
    (BUILD / "fanout.json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
