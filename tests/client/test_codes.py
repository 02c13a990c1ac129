"""One-time codes on the command line: `croupier bet` and `croupier watch` hand them to the client."""

import pytest

from croupier_client.cli import bet, watch
from croupier_client.cli.stakes import Stakes
from croupier_client.errors import CroupierError


class AskedError(CroupierError):
    """A client was to be made."""


@pytest.fixture
def asked(monkeypatch):
    """With which code the commands would connect."""
    codes = []

    def connect(_url, *, code, **_words):
        codes.append(code)
        raise AskedError

    for command in (bet, watch):
        monkeypatch.setattr(command, "connect", connect)
    return codes


async def test_bet_and_watch_show_the_code_that_they_are_given_and_none_otherwise(asked):
    slip = Stakes.parse("player=5")
    for words in ({"code": "once"}, {}):
        with pytest.raises(AskedError):
            await bet.bet("ws://tables.example", "standard", slip=slip, **words)
        with pytest.raises(AskedError):
            await watch.watch("ws://tables.example", "standard", **words)
    assert asked == ["once", "once", None, None]
