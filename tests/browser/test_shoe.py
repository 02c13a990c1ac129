"""What a player sees of a shoe's fairness: the cut by hand, and the check of a whole shoe."""

import asyncio

import pytest
import pytest_asyncio
from msgspec.structs import replace

from croupier_protocol.game.rules import RULE_SETS, Series
from croupier_server.table.pace import Pace
from support.chromium import house, window

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

TWO_COUPS = replace(RULE_SETS["single-deck"], shoe=Series(coups=2))

CUTTING = Pace(
    "cutting", 20, betting_ms=300, closing_ms=20, card_ms=20, result_ms=100, cut_ms=8_000, reveal_ms=8_000
)
"""A shoe is over in two seconds, and a cut waits for its only player."""

CUTS_BY_HAND = "localStorage.setItem('croupier.cut', 'no')"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def gateway(tmp_path_factory):
    folder = tmp_path_factory.mktemp("house")
    async with house(
        folder, {"cut": "single-deck", "whole": "single-deck"}, CUTTING, rules=TWO_COUPS
    ) as running:
        yield running


async def test_a_player_cuts_the_shoe_by_hand(browser, gateway):
    """The button is there while a cut can be taken; what it sends is in the shoe that is opened then."""
    tab = await window(browser, gateway)
    await tab.page.context.add_init_script(CUTS_BY_HAND)
    await tab.table("cut")
    await tab.sit("Cora")
    await tab.page.click(".cut:not([hidden])")
    await tab.page.wait_for_selector(".cut[hidden]", state="attached")
    async with asyncio.timeout(20):
        while not (opened := [shoe for shoe in tab.of_type("shoe") if shoe["contributions"]]):
            await asyncio.sleep(0.02)
    (contribution,) = opened[0]["contributions"]
    assert contribution["value"] is not None
    cuts = [message for message in tab.sent if message["type"] == "cut"]
    assert [sorted({"hash", "value"} & set(message)) for message in cuts] == [["hash"], ["value"]]
    assert contribution["hash"] == cuts[0]["hash"]
    assert tab.wrong == []
    await tab.page.context.close()


async def test_a_whole_shoe_is_checked_on_request(browser, gateway):
    """Once a shoe has ended before this page's eyes, the mark's explanation offers to check all of it."""
    tab = await window(browser, gateway)
    page = tab.page
    await tab.table("whole")
    async with asyncio.timeout(30):
        while len(tab.of_type("shoe_end")) < 2:
            await asyncio.sleep(0.02)
    await page.click("croupier-topbar button[aria-haspopup=dialog]:has-text('checked')")
    await page.click("dialog[open] .dialog-body button")
    await page.wait_for_selector("dialog[open] .won:text('Everything fits')")
    await tab.picture("fair")
    assert tab.wrong == []
    await page.context.close()
