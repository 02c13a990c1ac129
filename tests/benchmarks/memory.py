"""What a spectator costs in memory: a worker's resident size with so many of them, less without.

    make bench

A real server with one worker; the spectators are bare sockets with the handshake of a browser, and read all
that comes. What the kernel holds for a socket is not counted.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.halls import browsers, peers
from croupier_client.load.files import raise_file_limit
from support.resident import resident_kb
from support.serving import serving

SPECTATORS = (1_000, 4_000)
QUIET_S = 10.0
"""Until everything that came with the connections is done."""


async def measure(count: int, folder: Path) -> tuple[int, int]:
    """The worker's resident kilobytes without spectators and with them."""
    async with serving(folder / str(count)) as server:
        await asyncio.sleep(QUIET_S / 2)
        before = resident_kb(server.worker_id)
        async with peers(server.port, browsers(count)):
            await asyncio.sleep(QUIET_S)
            return before, resident_kb(server.worker_id)


def main() -> None:
    """Prints kilobytes for each spectator."""
    raise_file_limit()
    print("| spectators | without, kB | with, kB | each, kB |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for count in SPECTATORS:
            before, after = asyncio.run(measure(count, Path(folder)))
            print(f"| {count} | {before} | {after} | {(after - before) / count:.1f} |")
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
