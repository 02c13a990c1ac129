"""The terminal is as it was before, however `croupier play` ends: on a terminal of its own, for real."""

import asyncio
import os
import pty
import re
import signal
import sys
import termios
from typing import Self

import pytest

from croupier_client.terminal.identity import KeptGuest, guests_folder

pytestmark = pytest.mark.slow

ENTER = b"\x1b[?1049h"
LEAVE = b"\x1b[?1049l"


class Terminal:
    """`croupier play` on a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.arguments = arguments
        self.shown = b""

    async def __aenter__(self) -> Self:
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

    async def sit(self) -> None:
        """Takes a seat with the chips that are offered."""
        await self.sees(b"Take a seat")
        self.press(b"s")
        await self.sees(b"Sit down")
        self.press(b"\r")
        await self.sees(b"Bankroll")

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


@pytest.mark.long
async def test_a_terminal_is_as_before_after_quitting(server, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with Terminal(server.url, "standard") as terminal:
        await terminal.sees(b"Take a seat")
        terminal.press(b"q")
        assert await terminal.end() == 0
        await terminal.is_as_before()


async def test_a_terminal_is_as_before_after_ctrl_c_and_has_seen_no_colour(server, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with Terminal(server.url, "standard", "--no-color") as terminal:
        await terminal.sit()
        terminal.press(b"\x03")
        assert await terminal.end() == 130
        await terminal.is_as_before()
        assert not re.search(rb"\x1b\[[0-9;]*(3[0-7]|38;[25]|48;[25])[0-9;]*m", terminal.shown)


@pytest.mark.long
async def test_the_next_run_is_the_same_guest_at_the_same_seat(server, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with Terminal(server.url, "standard") as terminal:
        await terminal.sit()
        terminal.press(b"\x03")
        assert await terminal.end() == 130
    (kept,) = (tmp_path / "croupier" / "guests").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    async with Terminal(server.url, "standard", "--lang", "fr") as terminal:
        await terminal.sees(b"Jetons")
        terminal.press(b"\x03")
        assert await terminal.end() == 130


@pytest.mark.long
async def test_a_guest_that_the_server_no_longer_knows_is_told_and_can_begin_anew(
    server, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    KeptGuest(guests_folder(), server.url).keep("forgotten")
    async with Terminal(server.url) as terminal:
        await terminal.sees(b"The server no longer knows the player of this terminal")
        terminal.press(b"\r")
        await terminal.sit()
        terminal.press(b"\x03")
        assert await terminal.end() == 130


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_terminal_is_as_before_after_a_signal(server, tmp_path, monkeypatch, number):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with Terminal(server.url, "standard") as terminal:
        await terminal.sees(b"Take a seat")
        terminal.process.send_signal(number)
        assert await terminal.end() == 130
        await terminal.is_as_before()


@pytest.mark.long
async def test_a_terminal_is_as_before_when_the_server_ends_the_connection_for_good(
    server, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with Terminal(server.url, "standard") as terminal:
        await terminal.sees(b"Take a seat")
        await server.open_sessions[0].socket.close(4500, "enough")
        assert await terminal.end() == 1
        await terminal.is_as_before()
        assert b"croupier: the server ended the connection for good: 4500 enough" in terminal.shown


async def test_without_a_terminal_it_says_what_there_is_instead(told, server):
    out, err, status = await told("play", server.url)
    assert (out, status) == ("", 2)
    assert err.startswith("croupier: play needs a terminal to itself; `croupier watch` prints lines")
    assert server.handshakes == 0


@pytest.mark.long
async def test_a_server_that_is_not_there_is_waited_for_in_words_and_then_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with Terminal("127.0.0.1:1") as terminal:
        assert await terminal.end() == 1
        await terminal.sees(b"No connection (Connection refused); next try in ")
        await terminal.sees(b"croupier: no server at ws://127.0.0.1:1")
        assert ENTER not in terminal.shown


async def test_without_textual_it_says_how_to_get_it(told, monkeypatch):
    for module in ("command", "app"):
        monkeypatch.delitem(sys.modules, f"croupier_client.terminal.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "textual.app", None)
    _, err, status = await told("play", "localhost:1")
    pip = f"{sys.executable} -m pip install 'croupier[play]'"
    assert (err, status) == (f"croupier: this command needs more packages: {pip}\n", 2)
