"""Ten thousand at one table of one worker: how late events come, and how soon slips are answered.

    make bench

A real server whose worker has a core of its own; on another are the store, the supervisor and all clients:
9,900 browsers that read and answer pings, and two of the product's load testers, one with 100 spectators and
one with 100 players who bet on every round. The figures are those of the testers' hold, when all are in, and
include whatever the worker does meanwhile, its collector's pauses too. The browsers leave the processor to
those that measure. Each run has a server of its own; `crowd.py 5` makes five of them.

Required are a push p99 under 150 ms, an acknowledgement p99 under 25 ms and 16 kB of memory for each. Other
work on the machine shows at once: with half a core of it the first became 170 to 197 ms.
"""

import asyncio
import json
import os
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.halls import browsers, peers, pin
from croupier_client.load.files import raise_file_limit
from support.resident import resident_kb
from support.serving import Serving, serving

RUNS = 3
YIELDING = 10
"""How much the browsers' priority is below that of the others (`nice`)."""


class Size(NamedTuple):
    """How many there are, and how long they stay when all are in; `quiet_s` passes before anybody comes."""

    browsers: int = 9_900
    spectators: int = 100
    players: int = 100
    ramp_s: int = 10
    hold_s: int = 60
    quiet_s: float = 5.0


class Run(NamedTuple):
    """What both testers reported, as JSON, and the worker's kilobytes for each browser."""

    watching: dict[str, Any]
    playing: dict[str, Any]
    each_kb: float

    def line(self) -> str:
        """A row of the table."""
        pushes = [
            " ".join(f"{report['measures']['hold_push'][name] or 0:.0f}" for name in ("p50", "p99", "max"))
            for report in (self.watching, self.playing)
        ]
        answer = " ".join(f"{self.playing['measures']['hold_ack'][name] or 0:.1f}" for name in ("p50", "p99"))
        faults = "; ".join(self.watching["reasons"] + self.playing["reasons"]) or "none"
        return f"{pushes[0]} | {pushes[1]} | {answer} | {self.each_kb:.1f} | {faults}"


async def run(folder: Path, size: Size, *options: str) -> Run:
    """One run on a server of its own, which is given the `options`."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving(folder, *options))
        worker = server.worker_id
        for process in (server.process.pid, server.store_id):
            pin(1, process)
        pin(0, worker)
        await asyncio.sleep(size.quiet_s)  # until what comes with the start is done
        before_kb = resident_kb(worker)
        await stack.enter_async_context(peers(server.port, browsers(size.browsers), YIELDING))
        watching, playing = await asyncio.gather(
            _tester(server, size, "--spectators", str(size.spectators)),
            _tester(server, size, "--spectators", "0", "--players", str(size.players), "--data", str(folder)),
        )
        each_kb = (resident_kb(worker) - before_kb) / size.browsers  # the testers have gone again
        return Run(watching, playing, each_kb)


async def _tester(server: Serving, size: Size, *options: str) -> dict[str, Any]:
    """The report of a load tester."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", "load", server.url, "--json=-"),
        *("--duration", str(size.hold_s), "--ramp", str(size.ramp_s), *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    pin(1, process.pid)
    out, _ = await process.communicate()
    return json.loads(out)


def main() -> None:
    """Prints a row for each run."""
    raise_file_limit()
    pin(1)
    pushes = "push p50, p99, max of spectators, ms | of players"
    print(f"| run | {pushes} | answer p50, p99, ms | kB each | faults | load |")
    print(f"|{'---|' * 7}")
    for number in range(int(sys.argv[1]) if sys.argv[1:] else RUNS):
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(run(Path(folder) / "data", Size()))
        print(f"| {number + 1} | {found.line()} | {os.getloadavg()[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
