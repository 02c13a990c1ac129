"""The example client: what the README promises of it, and that it works."""

import ast
import asyncio
import sys
from pathlib import Path

from legal_rounds import Dealer

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_spectator_is_short_and_needs_two_packages():
    source = (EXAMPLES / "spectator.py").read_text(encoding="utf-8")
    assert len(source.splitlines()) < 60
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else []
        )
    }
    assert imported - set(sys.stdlib_module_names) == {"msgpack", "websockets"}


async def test_the_spectator_prints_the_cards_of_a_table(server, until):
    server.tables["standard"] = Dealer(cards="Qd Kh 9s Kd Td")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(EXAMPLES / "spectator.py"),
        server.url + "/ws",
        "standard",
        env={"PYTHONUNBUFFERED": "1", "PYTHONPATH": "", "NO_PROXY": "*"},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        await until(lambda: any("standard" in session.watched for session in server.open_sessions))
        await server.push(b"\x81\xa4type\xa6notice")
        await server.deal(1)
        async with asyncio.timeout(5):
            lines = [(await process.stdout.readline()).decode().rstrip() for _ in range(6)]
    finally:
        process.kill()
        await process.communicate()
    assert lines == [
        "round 1: place your bets",
        "  player  Kh  0",
        "  banker  9s  9",
        "  player  Kd  0",
        "  banker  Td  9",
        "banker: player 0, banker 9",
    ]
