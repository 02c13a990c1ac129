"""A store whose clock a test turns, by libfaketime: the store's alone, not the test's."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

import needs
from croupier_server.store.embedded import EmbeddedStore, find_server


class SetClock:
    """The offset of a store's clock, in a file that the store's process reads again and again."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "offset"
        self.set(0)

    def set(self, seconds: int) -> None:
        """Sets the clock to be so many seconds off."""
        fresh = self.file.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}s\n")
        fresh.rename(self.file)


@asynccontextmanager
async def store_with_set_clock(folder: Path):
    """A store process, and the clock that it sees.

    It is the store that `serve` starts, whichever the tests run on: Debian's redis-server, for one, does not
    start under libfaketime, whose first reading of the clock its allocator waits for.
    """
    clock = SetClock(folder)
    library = await _output(needs.program("faketime"), "-f", "+0s", "sh", "-c", 'echo "$LD_PRELOAD"')
    program = folder / "store-with-set-clock"
    program.write_text(f"""#!/bin/sh
export LD_PRELOAD='{library}' FAKETIME_TIMESTAMP_FILE='{clock.file}'
export FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1
exec '{find_server()}' "$@"
""")
    program.chmod(0o700)
    if not await _output(program, "--version"):
        needs.missing(f"{find_server()} does not start under libfaketime")
    store = EmbeddedStore(folder / "store", program)
    try:
        await store.start()
        yield store, clock
    finally:
        await store.stop()  # in order, for libfaketime takes its shared memory away at an orderly end only


async def _output(*command: object) -> str:
    process = await asyncio.create_subprocess_exec(*map(str, command), stdout=asyncio.subprocess.PIPE)
    try:
        async with asyncio.timeout(10):
            output, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return ""
    return output.decode().strip() if process.returncode == 0 else ""
