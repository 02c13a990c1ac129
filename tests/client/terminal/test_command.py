"""How `croupier play` says who somebody is."""

import sys

import pytest

from croupier_client.errors import CroupierError
from croupier_client.terminal import command
from croupier_client.terminal.identity import KeptGuest, guests_folder

URL = "ws://tables.example:1"


class AskedError(CroupierError):
    """A client was to be made."""


@pytest.fixture
def said(monkeypatch, tmp_path):
    """With which words `play` would connect, on a machine that keeps a guest's token."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    KeptGuest(guests_folder(), URL).keep("a-guest")
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(getattr(sys, stream), "isatty", lambda: True, raising=False)
    asked = {}

    def connect(_url, **words):
        asked.update(words)
        raise AskedError

    monkeypatch.setattr(command, "connect", connect)

    async def with_options(**options):
        with pytest.raises(AskedError):
            await command.play(URL, **options)
        return {name: asked[name] for name in ("token", "code", "resume_token") if asked[name] is not None}

    return with_options


async def test_who_shows_a_code_is_not_the_guest_of_this_machine(said):
    assert await said() == {"resume_token": "a-guest"}
    assert await said(code="once") == {"code": "once"}
