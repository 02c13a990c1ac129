"""The command where its standard streams are closed, or interrupted while it is still loading."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

NULL_DEVICE = Path(os.devnull).stat().st_rdev

INTERRUPTED_AT = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from croupier_client.cli import main
main()
"""


@pytest.mark.parametrize(
    ("module", "status"),
    [
        ("cyclopts", -signal.SIGINT),
        ("croupier_client.cli.app", -signal.SIGINT),
        ("croupier_client.cli.odds", 130),
    ],
)
async def test_an_interrupt_while_the_command_is_loading_prints_no_traceback(module, status):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", INTERRUPTED_AT.format(module=module), "odds"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        assert await process.communicate() == (b"", b"")
    assert process.returncode == status


async def test_an_interrupt_that_is_ignored_stays_so():
    """As for a command in the background of a shell without job control."""
    script = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)" + INTERRUPTED_AT.format(
        module="cyclopts"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", script, "roads", "BP"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        _, errors = await process.communicate()
    assert (process.returncode, errors) == (0, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
async def test_a_command_with_closed_streams_runs(closed):
    process = await asyncio.create_subprocess_exec(
        "sh", "-c", f"exec {sys.executable} -m croupier_client.cli roads BP {closed}"
    )
    async with asyncio.timeout(30):
        assert await process.wait() == 0


async def test_null_devices_take_the_places_of_closed_streams_and_are_handed_to_children():
    """Else the next socket would get their numbers, and a child would take it for its input or output."""
    child = f"import os; assert {{os.fstat(number).st_rdev for number in range(3)}} == {{{NULL_DEVICE}}}"
    script = (
        "import os, subprocess, sys\n"
        "from croupier_client.cli import open_missing_streams\n"
        "for descriptor in range(3):\n"
        "    os.close(descriptor)\n"
        "open_missing_streams()\n"
        f"os._exit(subprocess.run([sys.executable, '-c', {child!r}]).returncode)\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", script)
    async with asyncio.timeout(30):
        assert await process.wait() == 0
