"""One event to many: what it costs Croupier, the websocket library, a loop in C, and servers in Node.

    make bench

So many websocket connections to each server, whose peers are in processes on another core and read all
that comes. Single card events, and bursts of three, go out by turns in each way; the processor time of
the serving process is divided by the connections. Each ratio, to Croupier's time, is told twice: of what
telling takes, and with what the process takes at rest in the while that one measurement lasts. Either may be
meant: the first does not depend on how long that is, the second is what an event every so often costs.
`broadcast` goes over Croupier's own connections, so that at rest it takes what Croupier takes.

Croupier's way is the full path, from the stream in the store to the last socket; the others send from memory.
The bound is a loop of `send` in C over the same descriptors. Without a compiler or Node their ways are left
out, and this says so. The figures are also written to build/fanout.json.
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
from time import monotonic
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.halls import KEEPALIVE_S, ROOMS, Way, gateway_ways, node_way, pin, settling_s
from benchmarks.tables import processor_seconds
from croupier_client.load.files import raise_file_limit

SPECTATORS = (2_000, 8_000)
TOGETHER = (1, 3)
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


class Cell(NamedTuple):
    """Microseconds of processor time for each connection, of one way to tell so many events.

    `measured` is all that the process took until long after the last write, and `quiet` what it takes in as
    long a while in which nothing is told; both are medians, into which no round of pings falls. `rest` is
    what it takes in such a while on average, with pings and whatever else comes now and then.
    """

    measured: float
    quiet: float
    rest: float

    @property
    def alone(self) -> float:
        """What telling the events takes."""
        return self.measured - self.quiet

    @property
    def with_rest(self) -> float:
        """The same with what the process takes at rest until all have been told."""
        return self.alone + self.rest


async def measure(count: int, rooms: Path | None) -> dict[tuple[str, int], Cell]:
    """What each connection takes, by way and by how many events come together."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ways = dict(await stack.enter_async_context(gateway_ways(folder, count)))
        if rooms is not None:
            for name, kind in NODE_WAYS.items():
                ways[name] = await stack.enter_async_context(node_way(rooms, kind, count))
        taken: dict[tuple[str, int], list[float]] = {}
        before = await at_rest(ways, count)
        for round_ in range(ROUNDS):
            for events in (0, *TOGETHER):
                for name, way in in_turn(ways, round_):
                    taken.setdefault((name, events), []).append(await way.tell(events) / count * 1e6)
        after = await at_rest(ways, count)
    middle = {key: median(values) for key, values in taken.items()}
    return {
        (name, events): Cell(middle[name, events], middle[name, 0], (before[name] + after[name]) / 2)
        for events in TOGETHER
        for name in ways
    }


async def at_rest(ways: dict[str, Way], count: int) -> dict[str, float]:
    """Microseconds that each connection takes in the while of one measurement when nothing is told.

    All are looked at over the same stretch, in which each server asks each connection once for a sign of
    life.
    """
    processes = {way.process for way in ways.values() if way.process is not None}
    begun, before = monotonic(), {process: processor_seconds([process]) for process in processes}
    await asyncio.sleep(KEEPALIVE_S)
    spent = monotonic() - begun
    share = {
        process: (processor_seconds([process]) - then) / spent * settling_s(count) / count * 1e6
        for process, then in before.items()
    }
    return {name: 0.0 if way.process is None else share[way.process] for name, way in ways.items()}


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
    print("| spectators | events together | way | µs each | ratio | at rest, µs | with that, µs | ratio |")
    print(f"|{'---|' * 8}")
    rows = []
    for count in [int(word) for word in sys.argv[1:]] or SPECTATORS:
        cells = asyncio.run(measure(count, rooms))
        for (name, events), cell in sorted(cells.items(), key=lambda one: (one[0][1], one[0][0])):
            ours = cells[OURS, events]
            ratios = cell.alone / ours.alone, cell.with_rest / ours.with_rest
            print(
                f"| {count} | {events} | {name} | {cell.alone:.2f} | {ratios[0]:.2f} |"
                f" {cell.rest:.2f} | {cell.with_rest:.2f} | {ratios[1]:.2f} |",
                flush=True,
            )
            rows.append(
                {"spectators": count, "events": events, "way": name, "seconds": settling_s(count)}
                | {"measured_us": cell.measured, "quiet_us": cell.quiet, "rest_us": cell.rest}
                | {"us": cell.alone, "ratio": ratios[0]}
                | {"with_rest_us": cell.with_rest, "with_rest_ratio": ratios[1]}
            )
        one, three = cells[OURS, 1], cells[OURS, 3]
        print(
            f"three together in {three.alone / one.alone:.2f} times the time of one, "
            f"{three.with_rest / one.with_rest:.2f} with what is taken at rest in {settling_s(count):.1f} s"
        )
    print(f"load {os.getloadavg()[0]:.1f}")
    BUILD.mkdir(exist_ok=True)
    (BUILD / "fanout.json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
