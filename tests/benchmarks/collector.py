"""Python's garbage collector beside many connections: how long it stops a gateway, by how it is told to work.

    make bench

So many join a table of a gateway from two other processes, 500 at a time each, watch for a while, half of
them leave, and as many join again. Meanwhile another table is dealt at turbo pace in the same process. Each
pause is timed by `gc.callbacks`.
"""

import asyncio
import gc
import os
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parents[1]))

from croupier_client.load.files import raise_file_limit
from croupier_server.collecting import Collecting
from croupier_server.table.pace import STANDARD
from support.gateways import dealing, gateway_on
from support.joining import joining
from support.resident import resident_kb
from support.stores import running_store, turbo

CONNECTIONS = 10_000
WATCHING_S = 15.0
AT_A_TIME = 500
POLICIES = ("left alone", "frozen at the start", "old ones when due")


class Pauses:
    """Every pause of the collector, in seconds."""

    def __init__(self) -> None:
        self._begun = 0.0
        self._taken: list[tuple[int, float]] = []
        gc.callbacks.append(self._note)

    def _note(self, phase: str, info: dict) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._begun = now
        else:
            self._taken.append((info["generation"], now - self._begun))

    def since(self) -> str:
        """The pauses since this was asked last, as cells of a table: full ones, the longest, all together."""
        taken, self._taken = self._taken, []
        full = sum(generation == 2 for generation, _ in taken)
        longest_ms = max((seconds for _, seconds in taken), default=0.0) * 1000
        return f"{full} | {longest_ms:.0f} | {sum(seconds for _, seconds in taken) * 1000:.0f}"


async def measure(policy: str, count: int) -> None:
    """Prints a row for each of what happens."""
    tables = [turbo("running"), replace(turbo("joined"), pace=STANDARD)]
    with tempfile.TemporaryDirectory() as folder:
        async with (
            running_store(Path(folder) / "store") as store,
            dealing(store.url, tables),
            gateway_on(store.url) as running,
            AsyncExitStack() as stack,
        ):
            if policy == "frozen at the start":
                gc.collect()
                gc.freeze()
            if policy == "old ones when due":
                collecting = Collecting(running.gateway.admission)
                collecting.begin()
                task = asyncio.create_task(collecting.run())
                stack.callback(task.cancel)
            pauses = Pauses()

            def row(what: str, began: float) -> None:
                spent_us = (time.process_time() - began) / count * 1e6
                print(
                    f"| {policy} | {what} | {pauses.since()} | {resident_kb() // 1024} | {spent_us:.0f} |",
                    flush=True,
                )

            async def join(part: int, exits: AsyncExitStack) -> dict:
                return await exits.enter_async_context(joining(running.port, part, "joined", AT_A_TIME))

            leaving = AsyncExitStack()
            began = time.process_time()
            await asyncio.gather(join(count // 2, stack), join(count // 2, leaving))
            row("all join", began)
            began = time.process_time()
            await asyncio.sleep(WATCHING_S)
            row(f"{WATCHING_S:.0f} s of watching", began)
            began = time.process_time()
            await leaving.aclose()
            while running.gateway.admission.open > count // 2:
                await asyncio.sleep(0.05)
            row("half leave", began)
            began = time.process_time()
            await join(count // 2, stack)
            row("as many join again", began)


def main() -> None:
    """Runs each policy in a process of its own."""
    raise_file_limit()
    if sys.argv[1:2] == ["policy"]:
        asyncio.run(measure(sys.argv[2], int(sys.argv[3])))
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else CONNECTIONS
    print("| policy | while | full | longest, ms | all pauses, ms | RSS, MB | CPU, µs a connection |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for policy in POLICIES:
        os.spawnv(os.P_WAIT, sys.executable, [sys.executable, __file__, "policy", policy, str(count)])
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
