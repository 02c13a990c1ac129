"""What thousands of sockets take at which nothing happens, beside the library's own with compression."""

import asyncio
import logging
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from croupier_client.load.files import raise_file_limit
from support import library_server
from support.beside import program
from support.resident import resident_kb
from support.serving import serving

logger = logging.getLogger(__name__)

PEERS = Path(__file__).parents[1] / "benchmarks" / "memory.py"
LOOK_S = 1.0
STILL_KB = 200
"""What a process may move by within a look that counts as still."""


@pytest.mark.long
async def test_five_thousand_idle_sockets_take_less_than_compression_would(tmp_path):
    """H5: all peers offer compression, as browsers do; a worker agrees to none, and the library may."""
    sockets = 5_000
    raise_file_limit()
    async with serving(tmp_path / "data") as server:
        await paused(tmp_path / "data")
        worker = server.worker_id
        ours = await each_kb(worker, server.port, sockets)
    library = {}
    for compression in ("none", "deflate"):
        async with program(library_server.__file__, compression) as process:
            port = int(await asyncio.wait_for(process.stdout.readline(), 30))
            library[compression] = await each_kb(process.pid, port, sockets)
    logger.info(
        "%d idle sockets, kB each: a worker of ours %.1f, the library alone %.1f, with compression %.1f",
        *(sockets, ours, library["none"], library["deflate"]),
    )
    assert ours < 16
    assert library["deflate"] > 2 * ours


async def each_kb(process_id: int, port: int, sockets: int) -> float:
    """The resident kilobytes that a process takes for each of so many sockets."""
    before = await still_kb(process_id)
    async with peers(port, sockets):
        return (await still_kb(process_id) - before) / sockets


async def still_kb(process_id: int) -> int:
    """The resident size of a process once it does not change any more."""
    seen: list[int] = []

    def still() -> bool:
        seen.append(resident_kb(process_id))
        return len(seen) > 3 and max(seen[-4:]) - min(seen[-4:]) < STILL_KB

    async with asyncio.timeout(60):
        while not still():
            await asyncio.sleep(LOOK_S)
    return seen[-1]


@asynccontextmanager
async def peers(port: int, sockets: int):
    """A process with so many sockets with a browser's handshake, that have asked and read all that comes."""
    async with program(str(PEERS), "peers", port, sockets) as process:
        assert (await asyncio.wait_for(process.stdout.readline(), 120)).strip() == b"connected"
        yield


async def paused(data: Path) -> None:
    """Pauses the table, at once."""
    command = (sys.executable, "-m", "croupier_client.cli", "tables", "pause", "standard", "--now")
    pausing = await asyncio.create_subprocess_exec(*command, "--data", str(data))
    assert await pausing.wait() == 0
