"""What happens to people: a wrong clock, a server that dies, a tab in the background, and coming back."""

import asyncio
import signal
import time

import pytest
import pytest_asyncio

from support.chromium import RUNNING, Window, chromium, house, window
from support.relay import relay_to
from support.serving import start_serving

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]

A_DAY_OFF = """
  const now = Date.now.bind(Date);
  Date.now = () => now() + 86_400_000;
"""

VIEW = """
  () => ({
    headline: document.querySelector(".headline").textContent,
    round: document.querySelector(".round").textContent,
    beads: [...document.querySelectorAll(".bead-plate text")].map((one) => one.textContent).join(""),
  })
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser():
    async with chromium(untamed=True) as running:
        yield running


async def ring(tab: Window) -> tuple[int, float, float]:
    """The seconds in the ring, and between which two moments, in milliseconds of this machine's clock."""
    earliest = time.time() * 1000
    shown = int(await tab.page.locator(".ring-seconds").text_content())
    return shown, earliest, time.time() * 1000


async def same_as_a_fresh_page(tab: Window, browser, gateway, table: str) -> None:
    """Both come to show the same round and the same beads."""
    fresh = await window(browser, gateway)
    await fresh.table(table)
    async with asyncio.timeout(30):
        while True:
            mine, theirs = await asyncio.gather(tab.page.evaluate(VIEW), fresh.page.evaluate(VIEW))
            if mine["round"] == theirs["round"] and mine["beads"] == theirs["beads"] and mine["beads"]:
                break
    await fresh.page.context.close()


async def test_the_countdown_is_right_on_a_machine_whose_clock_is_off_by_a_day(browser, tmp_path):
    async with house(tmp_path, {"standard": "standard"}) as gateway:
        tab = await window(browser, gateway)
        await tab.page.context.add_init_script(A_DAY_OFF)
        await tab.table()
        await tab.page.wait_for_selector("croupier-table[data-phase=open]")
        closes_at_ms = tab.of_type("snapshot")[-1]["closes_at_ms"]
        # The store's clock is this machine's own, which the page does not see.
        shown, earliest, latest = await ring(tab)
        assert (closes_at_ms - latest) / 1000 - 0.25 <= shown <= (closes_at_ms - earliest) / 1000 + 1.25
        await tab.page.context.close()


async def test_a_page_from_the_back_forward_cache_comes_back_to_the_present(browser, tmp_path):
    """H11: the page was really kept, and is live again with a fresh page's view."""
    async with house(tmp_path, {"standard": "standard"}, RUNNING) as gateway:
        tab = await window(browser, gateway)
        await tab.table()
        await tab.page.evaluate(
            "addEventListener('pageshow', (event) => { window.persisted = event.persisted; })"
        )
        await tab.page.goto("about:blank")
        await asyncio.sleep(0.5)
        await tab.page.go_back(wait_until="commit")
        kept = await tab.page.evaluate("window.persisted")
        if kept is None:
            pytest.skip("this browser did not keep the page, which an open websocket allows it to refuse")
        assert kept is True
        await tab.page.wait_for_selector("croupier-table.live")
        await same_as_a_fresh_page(tab, browser, gateway, "standard")
        await tab.page.context.close()


@pytest.mark.long
async def test_a_server_that_is_killed_and_started_again_is_found_again(browser, tmp_path):
    """The page says that it reconnects, offers no bet meanwhile, and shows the present after."""
    data = tmp_path / "data"
    server = await start_serving(data, "--pace", "speed")
    context = await browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    async with relay_to(port_of(server)) as relay:
        tab = Window(await context.new_page(), f"{relay.url.replace('ws://', 'http://')}/")
        await tab.table("standard")
        await tab.sit("Kay")
        await server.stop(signal.SIGKILL)
        await tab.page.wait_for_selector(".notice:not([hidden])")
        assert await tab.page.locator(".area.playable").count() == 0
        assert await tab.page.locator(".headline").text_content() == "Reconnecting"
        assert await tab.page.locator(".ring-seconds").text_content() == ""
        assert await tab.page.locator(".deal").get_attribute("aria-disabled") == "true"
        await tab.picture("reconnecting")
        again = await start_serving(data, "--pace", "speed")
        relay.target = port_of(again)
        try:
            await tab.page.wait_for_selector(".notice", state="hidden")
            await tab.page.wait_for_selector("croupier-table.live.seated")
            await tab.open_window()
            assert (await tab.sums())[0] == "200.00"
        finally:
            await context.close()
            await again.stop()


def port_of(server) -> int:
    return int(server.url.rsplit(":", 1)[1].split("/")[0])
