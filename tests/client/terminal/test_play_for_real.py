"""Playing at a terminal against a real server: cards, money, a cut connection, and a terminal left as it was."""

import asyncio
import os
import pty
import re
import sys
import termios

import pytest
import pytest_asyncio

from support.relay import relay_to
from support.serving import start_serving

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]

CONFIG = """\
[[tables]]
name = "quick"
rules = "standard"
pace = "speed"

[[tables]]
name = "patient"
rules = "standard"
pace = "standard"
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def serving(tmp_path_factory):
    """One server with a quick table to watch and a patient one to bet at."""
    config = tmp_path_factory.mktemp("play") / "croupier.toml"
    config.write_text(CONFIG)
    server = await start_serving(config.with_name("data"), "--config", str(config))
    yield server
    await server.stop()


async def test_a_round_is_seen_card_by_card_and_each_card_is_checked(serving, at):
    counts = []
    async with at(serving.url, "quick", size=(120, 40)) as sitting:
        await sitting.sees("Place your bets")

        def shown() -> bool:
            text = sitting.text
            counts.append(sum(text.count(suit) for suit in "♠♥♦♣"))
            return bool(re.search(r"(Player|Banker) wins, \d to \d|Tie at \d", text))

        await sitting.until(shown)
        steps = sorted(set(counts))
        assert steps in ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6])
        assert counts == sorted(counts)
        await sitting.sees(f"✓ {steps[-1]} cards checked")


async def test_bets_by_keys_outlive_a_cut_connection_and_are_paid(serving, at):
    async with relay_to(serving.port) as relay, at(relay.url, "patient") as sitting:
        await sitting.sees("S Take a seat")
        await sitting.press("s", "1", "5", "enter")
        assert await sitting.told() == "Take 20.00 or more to the table."
        await sitting.press("escape", "s", "enter")
        await sitting.sees("Bankroll  100.00")
        await sitting.until(lambda: (sitting.app.screen.session.state.seconds or 0) > 10, "a fresh window")
        await sitting.press("p", "3")
        await sitting.sees("● 25.00", "Bankroll  75.00")
        await sitting.press("4")
        await sitting.sees("The chips in front of you are not enough: you have 100.00.")
        relay.cut()
        await sitting.until(lambda: relay.connections > 1)
        await sitting.sees("● connected", "● 25.00", "Stake  25.00")
        await sitting.press("g")
        text = await sitting.sees("25.00 staked")
        assert re.search(r"● \+25.00|○ −25.00 lost|● 25.00 push", text)
        await sitting.until(lambda: sitting.app.screen.session.state.rounds)
        await sitting.press("l", "left", "enter")
        await sitting.sees("Wallet", "S Take a seat")
    assert sitting.app.kept == []


ENTER = b"\x1b[?1049h"
LEAVE = b"\x1b[?1049l"


class Terminal:
    """`croupier play` on a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.arguments = arguments
        self.shown = b""

    async def __aenter__(self) -> "Terminal":
        self._ours, self.theirs = pty.openpty()
        termios.tcsetwinsize(self.theirs, (24, 80))
        self.before = termios.tcgetattr(self.theirs)
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier_client.cli", "play", *self.arguments),
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
            start_new_session=True,
        )
        asyncio.get_running_loop().add_reader(self._ours, self._read)
        return self

    async def __aexit__(self, *_error: object) -> None:
        asyncio.get_running_loop().remove_reader(self._ours)
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        os.close(self._ours)
        os.close(self.theirs)

    def _read(self) -> None:
        self.shown += os.read(self._ours, 65_536)

    async def sees(self, text: bytes) -> None:
        async with asyncio.timeout(30):
            while text not in self.shown:
                await asyncio.sleep(0.02)

    def press(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    async def end(self) -> int:
        """The status, once it has ended."""
        async with asyncio.timeout(30):
            return await self.process.wait()

    async def is_as_before(self) -> None:
        """The terminal has its modes, its screen and its cursor back."""
        await self.sees(b"\x1b[8h")
        assert self.shown.rindex(LEAVE) > self.shown.rindex(ENTER)
        assert self.shown.rindex(b"\x1b[?25h") > self.shown.rindex(b"\x1b[?25l")
        assert self.shown.rindex(b"\x1b[8h") > self.shown.rindex(b"\x1b[8l")
        assert termios.tcgetattr(self.theirs) == self.before


async def test_a_terminal_is_as_before_after_quitting(serving, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with Terminal(serving.url, "patient") as terminal:
        await terminal.sees(b"Take a seat")
        terminal.press(b"q")
        assert await terminal.end() == 0
        await terminal.is_as_before()


async def test_a_terminal_is_as_before_after_ctrl_c_and_the_guest_is_kept(serving, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with Terminal(serving.url, "patient", "--no-color") as terminal:
        await terminal.sees(b"Take a seat")
        terminal.press(b"s")
        await terminal.sees(b"Sit down")
        terminal.press(b"\r")
        await terminal.sees(b"Bankroll")
        terminal.press(b"\x03")
        assert await terminal.end() == 130
        await terminal.is_as_before()
        assert not re.search(rb"\x1b\[[0-9;]*(3[0-7]|38;[25]|48;[25])[0-9;]*m", terminal.shown)
    (kept,) = (tmp_path / "croupier" / "guests").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    async with Terminal(serving.url, "patient", "--lang", "fr") as terminal:
        await terminal.sees("Jetons".encode())
        terminal.press(b"\x03")
        assert await terminal.end() == 130
