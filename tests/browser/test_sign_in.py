"""Players with an account at the browser table: signed in by their operator's login, or watching."""

import time
from pathlib import Path

import pytest

from croupier_server.players.accounts import IdentityTerms, KeyFile, open_tokens
from support.chromium import house, window
from support.tokens import SECRET, of

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]


async def test_a_cookie_of_the_login_makes_the_page_a_player_over_reloads(browser, tmp_path):
    Path(tmp_path / "secret").write_bytes(SECRET)
    keys = (KeyFile(str(tmp_path / "secret")),)
    tokens = open_tokens(IdentityTerms(keys=keys, cookie="login"), time.monotonic)
    async with house(tmp_path, {"standard": "standard"}, tokens=tokens) as gateway:
        tab = await window(browser, gateway)
        await tab.table()
        await tab.page.click(".sit")
        await tab.page.fill("#player-name", "Mia")
        await tab.page.click(".sit-form button[type=submit]")
        await tab.page.wait_for_function(
            "() => document.body.innerText.includes('Sign in to sit at a table.')"
        )
        cookie = {"name": "login", "value": of("ana.42", name="Ana"), "url": tab.address, "httpOnly": True}
        await tab.page.context.add_cookies([cookie])
        await tab.page.reload()
        await tab.page.wait_for_selector(".area-target")
        await tab.sit("Mia", "150")
        players = [one["player"] for one in tab.of_type("welcome") if "player" in one]
        assert players == [{"id": "ana.42", "name": "Ana"}] * len(players) != []
        await tab.page.reload()
        await tab.page.wait_for_selector("croupier-table.seated")
        await tab.shows_bankroll("150.00")
        assert "login" not in await tab.page.evaluate("document.cookie")
        assert tab.wrong == []
        await tab.page.context.close()
