"""Limits, exclusion and reality checks on the page, in both languages and down to 320 pixels."""

import asyncio

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from croupier_server.gateway import own_limits
from croupier_server.gateway.page_terms import PageTerms
from croupier_server.play_safe.terms import PlaySafeTerms
from support.chromium import NARROW, house, window

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

SAFE = PlaySafeTerms(reality_minutes=60)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def gateway(tmp_path_factory):
    """A table for each test, and a gateway that counts time often."""
    patch = pytest.MonkeyPatch()
    patch.setattr(own_limits, "TICK_S", 0.2)
    tables = {"limits": "two-field", "narrow": "two-field"}
    folder = tmp_path_factory.mktemp("house")
    async with house(folder, tables, page=PageTerms(play_safe=True), play_safe=SAFE) as running:
        yield running
    patch.undo()


async def reality_check(tab, gateway):
    """As if the player had been at the table for an hour."""
    player = tab.of_type("welcome")[-1]["player"]["id"]
    async with Redis.from_url(gateway.store) as client:
        record = f"croupier:{{w:{player}}}:limits"
        while not await client.hexists(record, "played_ms"):  # the first count begins a sitting
            await asyncio.sleep(0.05)
        await client.hset(record, mapping={"played_ms": 3_600_000, "staked": 123_450, "net": -2_500})
    await tab.page.wait_for_selector(".reality-dialog[open]")


async def test_limits_are_set_and_kept_and_a_reality_check_is_answered(browser, gateway):
    tab = await window(browser, gateway)
    page = tab.page
    await tab.table("limits")
    await tab.sit("Mia")
    await page.click("croupier-topbar button[title='My limits']")
    await page.fill("#limit-round_stake", "10")
    await page.fill("#limit-day_minutes", "many")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#limit-day_minutes[aria-invalid=true]:focus")
    assert "Write minutes" in await page.inner_text(".limits-form [role=alert]")
    await page.fill("#limit-day_minutes", "120")
    await tab.picture("limits-en")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("text=Your limits are set.")
    assert await page.input_value("#limit-round_stake") == "10"
    await page.fill("#limit-round_stake", "")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#limit-round_stake-note:has-text('No limit from')")
    assert await page.input_value("#limit-round_stake") == "10"
    await tab.close_dialog()

    await tab.open_window()
    await page.click("[data-cents='2500']")
    await page.click(".area.player .area-target")
    await page.wait_for_selector(".rack-status.wrong:has-text('the most you have set yourself for a round')")

    await reality_check(tab, gateway)
    for _ in range(3):
        await page.keyboard.press("Escape")
    await page.wait_for_selector(".reality-dialog[open]")
    assert "1,234.50" in await page.inner_text(".reality-dialog")
    assert "−25.00" in await page.inner_text(".reality-dialog")
    await tab.picture("reality-en")
    await page.click(".reality-dialog .next")
    await page.wait_for_selector(".reality-dialog[open]", state="detached")
    assert tab.of_type("limits") != []
    assert tab.wrong == []
    await page.context.close()


@pytest.mark.long
async def test_an_exclusion_in_french_on_a_narrow_screen(browser, gateway):
    tab = await window(browser, gateway, viewport=NARROW, locale="fr-FR")
    page = tab.page
    await tab.table("narrow")
    await tab.sit("Léa")
    await reality_check(tab, gateway)
    assert await tab.too_wide() == []
    await tab.picture("reality-fr-narrow")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".reality-dialog[open]", state="detached")
    await tab.open_dialog("ownLimits")
    await page.wait_for_selector(".limits-form")
    assert await tab.too_wide() == []
    await tab.picture("limits-fr-narrow")
    await page.select_option("#exclude-days", "30")
    await page.click(".exclusion button:visible")
    await page.wait_for_selector("text=Oui, pour 30 jours")
    assert await tab.too_wide() == []
    await tab.picture("exclude-fr-narrow")
    await page.click(".exclude-yes")
    await page.wait_for_selector(".limits-dialog .notable:has-text('Vous êtes exclu des tables')")
    await tab.close_dialog()
    await page.wait_for_selector("croupier-table:not(.seated)")
    await page.wait_for_selector(".rack-status:has-text('Vous êtes exclu des tables')")
    await page.click(".sit")
    await page.click(".sit-form button[type=submit]")
    await page.wait_for_selector(".sit-form .wrong:has-text('Vous êtes exclu des tables jusqu’au')")
    assert tab.wrong == []
    await page.context.close()
