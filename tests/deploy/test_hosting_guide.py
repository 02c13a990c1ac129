"""The host guide, command by command, as somebody would type it who has nothing but a clone."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

import needs
from support.clusters import free_ports
from support.fronts import system_program

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "hosting.md").read_text()
BLOCKS = re.findall(r"(?ms)^```sh\n(.*?)^```$", GUIDE)
PORTS = ("6379", "8000", "8001", "8080", "8443")
"""In the guide; the test takes free ones instead."""


def test_every_block_of_the_guide_is_one_of_those_that_are_run():
    assert len(re.findall(r"(?m)^```", GUIDE)) == 2 * len(BLOCKS)
    assert len(BLOCKS) == 13


@pytest.mark.long
async def test_the_guide_leads_to_a_round_played_behind_tls_and_to_an_audit_without_fault(tmp_path):
    for name in ("redis-server", "redis-cli", "openssl", "curl", "git"):
        needs.program(name)
    haproxy = system_program("haproxy")
    clone, home = tmp_path / "clone", tmp_path / "home"
    home.mkdir()
    script = "\n".join(
        (
            "set -eu -o pipefail",
            f"git clone --quiet '{ROOT}' '{clone}'",
            f"cd '{clone}'",
            "sed -i -e 's/800[0]/8000/' -e 's/800[1]/8001/' deploy/haproxy/haproxy.cfg",  # to the free ones
            *BLOCKS,
        )
    )
    for port, free in zip(PORTS, free_ports(len(PORTS)), strict=True):
        assert re.search(rf"\b{port}\b", script)
        script = re.sub(rf"\b{port}\b", str(free), script)
    python = Path(sys._base_executable).parent
    said = (tmp_path / "said").open("wb")  # no pipe, which what it leaves running would hold open
    process = await asyncio.create_subprocess_exec(
        *("bash", "-x", "-c", script),
        env={
            "HOME": str(home),
            "PATH": f"{python}:{os.environ['PATH']}:{haproxy.parent}",
            "LANG": "C.UTF-8",
        },
        stdout=said,
        stderr=said,
    )
    try:
        async with asyncio.timeout(230):  # faulthandler's limit is 240 where nobody sets another
            await process.wait()
    finally:
        said.close()
        end_what_was_started(home / "tables", process)
    told = (tmp_path / "said").read_text()
    log = home / "tables" / "serve.log"
    assert process.returncode == 0, f"{told}\n{log.read_text() if log.exists() else ''}"
    assert "<title>" in told
    assert re.search(r"(?m)^bet 6\.00, got \d+\.\d+$", told)
    assert "ERROR" not in log.read_text()


def end_what_was_started(tables: Path, process) -> None:
    """What the guide has started and a failed block has left running, in the folder of the tables."""
    if process.returncode is None:
        process.kill()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").readlink() == tables:
                os.kill(int(entry.name), 15)
        except OSError:
            continue  # it has ended, or is somebody else's
