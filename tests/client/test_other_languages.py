"""The players of examples/ in other languages, which know what docs/protocol.md says, at a real server."""

import asyncio
import re
from pathlib import Path

import pytest

import needs
from support import node
from support.serving import serving

EXAMPLES = Path(__file__).parents[2] / "examples"
PLAYED = re.compile(
    r"seat \d+, 100\.00\n(?:.*\n)*"
    r"(?:  (?:player|banker)  [A23456789TJQK][shdc]  \d\n){4,6}"
    r"(?P<outcome>player|banker|tie): player \d, banker \d\n"
    r"player 5\.00: (?P<result>win|lose|push), (?P<returned>\d+\.\d\d) back\n"
    r"left with a wallet of (?P<wallet>\d+\.\d\d)\n"
)
TOLD = {  # of 1,000.00, with 5.00 on Player
    "player": ("win", "10.00", "1005.00"),
    "banker": ("lose", "0.00", "995.00"),
    "tie": ("push", "5.00", "1000.00"),
}


@pytest.mark.long
async def test_node_and_perl_watch_bet_and_leave(tmp_path):
    """Both at one table, in the codec that people read."""
    node_program, perl = node.node(), needs.program("perl")
    needs.program("mojo")  # comes with the library that bettor.pl needs
    (tmp_path / "node_modules").symlink_to(node.modules())
    bettor = tmp_path / "bettor.mjs"  # Node looks for packages beside the file
    bettor.write_text((EXAMPLES / "bettor.mjs").read_text())
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        told = await asyncio.gather(
            said_by(node_program, bettor, server), said_by(perl, EXAMPLES / "bettor.pl", server)
        )
    for text in told:
        found = PLAYED.search(text)
        assert found, text
        assert (found["result"], found["returned"], found["wallet"]) == TOLD[found["outcome"]]


async def said_by(program, path, server) -> str:
    url = server.url.replace("http", "ws") + "/ws"
    process = await asyncio.create_subprocess_exec(
        *(program, path, url, "standard"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(120):
            told, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, told.decode()
    return told.decode()
