"""Programs beside the tests: files of this folder, each run in a process of its own."""

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path


@asynccontextmanager
async def program(file: str, *arguments: object):
    """A file that runs as a program, with its input and output as pipes; killed at the end, if it lives."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, file, *map(str, arguments)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def output_of(file: str, *arguments: object) -> str:
    """All that such a program writes until it ends; it must not fail."""
    async with program(file, *arguments) as process:
        out = await process.stdout.read()
        if await process.wait():
            raise AssertionError(f"{Path(file).name} failed with {arguments}")
        return out.decode()
