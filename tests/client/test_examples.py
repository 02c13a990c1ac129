"""The example client: what the README promises of it, and that it works."""

import ast
import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from legal_rounds import Dealer
from support.shoes import BEACON, Table

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


def test_the_verifier_is_one_page_of_the_standard_library():
    source = (EXAMPLES / "verify.py").read_text(encoding="utf-8")
    assert len(source.splitlines()) < 100
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("rules", ["standard", "single-deck"])
def test_the_verifier_accepts_true_shoes_and_names_the_line_of_a_false_card(tmp_path, rules):
    """With a beacon that does not come for the second, and a third that is abandoned in its cut."""
    table = Table(rules, seats=3, shy=(2,), beacon=BEACON, undrawn=(2,))
    table.shoe(void_at=(3,)).shoe(abandon_after=5).step()
    table.step(cut_damaged=True)
    lines = table.lines
    path = tmp_path / "transcript.jsonl"
    path.write_text("\n".join(lines))
    assert verified(path) == (
        0,
        [
            "shoe 1 was cut by 3 and has ended",
            "shoe 2 was cut by 3 and has ended",
            "shoe 3 was cut by 0 and has ended",
            "nothing is wrong",
        ],
    )
    number = next(index for index, line in enumerate(lines) if '"type":"card"' in line)
    card = json.loads(lines[number])["card"]
    other = card[0] + ("h" if card[1] != "h" else "s")
    lines[number] = lines[number].replace(f'"card":"{card}"', f'"card":"{other}"')
    path.write_text("\n".join(lines))
    status, told = verified(path)
    assert status == 1
    assert f"line {number + 1}: {other} is not the card that lay there" in told


def verified(path):
    """What the example says of a transcript, run where nothing of Croupier can be imported."""
    command = [sys.executable, "-I", "-S", str(EXAMPLES / "verify.py"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout.splitlines()


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
