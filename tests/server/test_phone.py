"""`make phone`: the address in words and as a code to scan, and the page behind it."""

import asyncio
import re
import socket
import subprocess
import sys
import urllib.request

import pytest

from croupier_server import phone
from support.serving import READY_S, STOP_S

LOCAL = """
import sys
from pathlib import Path
from croupier_server import commands, phone
serve = commands.serve
phone.serve = lambda **options: serve(admin_port=0, workers=1, **options)
phone.local_address = lambda: "127.0.0.1"
sys.exit(phone.main(port=int(sys.argv[1]), data=Path(sys.argv[2])))
"""
"""The same as `make phone`, as if the local network were this machine."""

FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
"""The mark in three corners of every QR code (ISO/IEC 18004, 6.3.3)."""

HALVES = {"█": ("0", "0"), "▀": ("0", "1"), "▄": ("1", "0"), " ": ("1", "1")}


def modules(text):
    """The code that is drawn in half blocks, row by row; 1 is dark."""
    lines = re.findall(r"\033\[97;40m([█▀▄ ]+)\033\[0m", text)
    return ["".join(HALVES[block][half] for block in line) for line in lines for half in (0, 1)]


@pytest.mark.slow
async def test_the_address_is_printed_and_drawn_and_the_page_is_there(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (tmp_path / "said").open("w") as said:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", LOCAL, str(port), str(tmp_path / "data")),
            stdout=subprocess.PIPE,
            stderr=said,
        )
    try:
        async with asyncio.timeout(READY_S):
            assert b'"ready"' in await process.stdout.readline()
        said = (tmp_path / "said").read_text()
        url = f"http://127.0.0.1:{port}/"
        assert said.startswith(f"Open {url} on a phone in the same network, or scan:\n")
        drawn = modules(said)
        size = len(drawn[0]) - 4  # two light modules on each side
        corners = [(2, 2), (2, size - 5), (size - 5, 2)]
        for top, left in corners:
            assert [row[left : left + 7] for row in drawn[top : top + 7]] == FINDER
        with await asyncio.to_thread(urllib.request.urlopen, url) as page:
            assert b"<title>Croupier</title>" in page.read()
    finally:
        process.terminate()
        async with asyncio.timeout(STOP_S):
            assert await process.wait() == 0


def test_without_a_network_it_says_what_to_do(monkeypatch, capsys):
    monkeypatch.setattr(phone, "local_address", lambda: None)
    assert phone.main() == 2
    assert "join the one that the phone is in" in capsys.readouterr().err
