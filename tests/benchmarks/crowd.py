"""Ten thousand at one table of one worker: how late events come, and how soon slips are answered.

    python tests/benchmarks/crowd.py [RUNS]

A real server with one worker, which has a core of its own; on another are the store, the supervisor and all
clients: 9,900 browsers that read and answer pings, and two load testers of the product, one with 100
spectators and one with 100 players who bet on every round. The figures are those of the testers' hold, from
when everything was due, and include whatever the worker does meanwhile, its collector's pauses too. Readers
leave the processor to those that measure. Each run has a server of its own.

Required are a push p99 under 150 ms, an acknowledgement p99 under 25 ms and 16 kB of memory for each.
"""

import asyncio
import json
import os
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.halls import browsers, peers, pin
from croupier_client.load.files import raise_file_limit
from support.resident import resident_kb
from support.serving import Serving, serving

READERS = 9_900
PLAYERS = SPECTATORS = 100
HOLD_S = int(os.environ.get("CROUPIER_BENCH_SECONDS", "60"))
RAMP_S = 10
QUIET_S = 10.0
"""Until everything that came with the connections is done."""

YIELDING = 10
"""How much the readers' priority is below that of the others (`nice`)."""


async def tester(server: Serving, *options: str) -> dict[str, Any]:
    """The report of a load tester beside the others."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", "load", server.url, "--json=-"),
        *("--duration", str(HOLD_S), "--ramp", str(RAMP_S), *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    pin(1, process.pid)
    out, _ = await process.communicate()
    return json.loads(out)


async def run(folder: Path) -> dict[str, Any]:
    """One run on a server of its own."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving(folder))
        for process in (server.process.pid, server.store_id):
            pin(1, process)
        worker = server.worker_id
        pin(0, worker)
        await asyncio.sleep(QUIET_S / 2)
        before_kb = resident_kb(worker)
        await stack.enter_async_context(peers(server.port, browsers(READERS, "standard"), YIELDING))
        watching, playing = await asyncio.gather(
            tester(server, "--spectators", str(SPECTATORS)),
            tester(server, "--spectators", "0", "--players", str(PLAYERS), "--data", str(folder)),
        )
        each_kb = (resident_kb(worker) - before_kb) / READERS  # the testers' connections have gone again
        return {"watching": watching, "playing": playing, "kB each": round(each_kb, 1)}


def main() -> None:
    """Prints a row for each run."""
    raise_file_limit()
    pin(1)
    columns = (
        "push p50, p99, max of spectators, ms | of players | answer p50, p99, ms | kB each | faults | load"
    )
    print(f"| run | {columns} |")
    print(f"|{'---|' * 7}")
    for number in range(1, 1 + int(sys.argv[1] if sys.argv[1:] else 3)):
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(run(Path(folder) / "data"))
        pushes = [
            " ".join(
                f"{found[who]['measures']['hold_push'][name] or 0:.0f}" for name in ("p50", "p99", "max")
            )
            for who in ("watching", "playing")
        ]
        answer = found["playing"]["measures"]["hold_ack"]
        faults = [reason for who in ("watching", "playing") for reason in found[who]["reasons"]]
        print(
            f"| {number} | {pushes[0]} | {pushes[1]} | {answer['p50']:.1f} {answer['p99']:.1f} |"
            f" {found['kB each']} | {'; '.join(faults) or 'none'} | {os.getloadavg()[0]:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
