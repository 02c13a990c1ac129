"""Coming back: a tab that was hidden, and a page that the back button brings from the cache.

Both in a Chromium without a driver's switches; see `support.tabs`.
"""

import asyncio
import os
import time

import pytest
import pytest_asyncio

from croupier_server.table.pace import Pace
from support.chromium import PRESENT_LOADED_S, PRESENT_S, house
from support.page_view import NO_PROMISES, PROMISES, VIEW
from support.tabs import Tab, plain_chromium

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

BRISK = Pace("brisk", shuffling_ms=20, betting_ms=600, closing_ms=20, card_ms=20, result_ms=150)
"""A round in a second, long enough to be looked at."""

HIDDEN_S = float(os.environ.get("CROUPIER_TEST_HIDDEN_S", "600"))
"""How long the long test hides a tab: past the five minutes after which it is woken once a minute only."""

KEPT_BYTES = 20_000_000
"""What a hidden tab's heap may grow by."""

ROUND = "Number(document.querySelector('.round')?.textContent.match(/\\d+/)?.[0] ?? 0)"

LOOK = """(() => {
  window.rounds = [];
  const round = document.querySelector(".round");
  new MutationObserver(() => window.rounds.push(round.textContent))
    .observe(round, { childList: true, characterData: true, subtree: true });
})()"""
"""Notes every round that the page shows from here on."""

WATCH_RETURN = f"""(() => {{
  window.frames = [];
  addEventListener("pageshow", ({{ persisted }}) => {{
    window.persisted = persisted;
    const look = () => {{
      const promises = {PROMISES};
      if (promises.live) return;
      frames.push(promises);
      requestAnimationFrame(look);
    }};
    look();
  }});
}})()"""
"""Notes what the page says can be done, from the moment of its return, frame by frame until it is live."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def gateway(tmp_path_factory):
    async with house(tmp_path_factory.mktemp("house"), {"standard": "standard"}, BRISK) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser():
    async with plain_chromium() as running:
        yield running


async def at_table(browser, gateway) -> Tab:
    """A tab in a window of its own, with a live table."""
    tab = await browser.open(f"http://127.0.0.1:{gateway.port}/#/t/standard", window=True)
    await tab.until("document.querySelector('croupier-table.live .area-target') !== null")
    return tab


async def sit(tab: Tab) -> None:
    """Takes a seat, as a guest without a name of its own."""
    await tab.run("document.querySelector('.sit').click()")
    await tab.until("document.querySelector('.sit-form') !== null")
    await tab.run("document.querySelector('.sit-form').requestSubmit()")
    await tab.until("document.querySelector('croupier-table.seated') !== null")


async def comes_to_the_present(tab: Tab, fresh: Tab, since: float, within_s: float) -> None:
    """`tab` shows what a fresh page shows, within so many seconds since a moment."""
    while True:
        mine, theirs = await asyncio.gather(tab.run(VIEW), fresh.run(VIEW))
        if mine == theirs and mine["live"]:
            break
        assert time.monotonic() - since < within_s, (mine, theirs)


async def hide(browser, gateway) -> tuple[Tab, Tab]:
    """A tab with a seat behind another tab, and a fresh page of the same player in a window of its own."""
    tab = await at_table(browser, gateway)
    await sit(tab)
    await browser.open("about:blank")
    await tab.until("document.visibilityState === 'hidden'")
    fresh = await at_table(browser, gateway)
    await fresh.until("document.querySelector('croupier-table.seated') !== null")
    await tab.run(LOOK)
    return tab, fresh


async def comes_back(tab: Tab, fresh: Tab, within_s: float) -> None:
    """Nothing was drawn while nobody looked, and what is drawn then is the present alone."""
    assert await tab.run("document.visibilityState") == "hidden"
    assert await tab.run("rounds") == []
    present = await fresh.run(ROUND)
    since = time.monotonic()
    await tab.activate()
    await comes_to_the_present(tab, fresh, since, within_s)
    assert await tab.run("document.visibilityState") == "visible"
    assert min(await tab.run("rounds.map((text) => Number(text.match(/\\d+/)[0]))")) >= present
    await tab.close()
    await fresh.close()


async def test_a_hidden_tab_shows_the_present_when_it_is_looked_at_again(browser, gateway):
    """H3: three rounds were missed, and none of them is played again."""
    tab, fresh = await hide(browser, gateway)
    await fresh.until(f"{ROUND} >= {await fresh.run(ROUND) + 3}")
    await comes_back(tab, fresh, PRESENT_LOADED_S)


@pytest.mark.parametrize("within_s", [PRESENT_LOADED_S, pytest.param(PRESENT_S, marks=pytest.mark.long)])
async def test_a_page_from_the_back_forward_cache_promises_nothing_until_it_is_live_again(
    browser, gateway, within_s
):
    """H11: the page was really kept; from its first moment on it says that it is not live, until it is."""
    tab = await at_table(browser, gateway)
    fresh = await at_table(browser, gateway)
    await sit(tab)
    await tab.run(WATCH_RETURN)
    await tab.go(f"http://127.0.0.1:{gateway.port}/icons/croupier.svg")
    await fresh.until(f"{ROUND} >= {await fresh.run(ROUND) + 1}")
    since = time.monotonic()
    await tab.back()
    await tab.until("window.persisted !== undefined")
    assert await tab.run("window.persisted") is True
    await comes_to_the_present(tab, fresh, since, within_s)
    frames = await tab.run("frames")
    assert frames
    assert [frame for frame in frames if frame != NO_PROMISES] == []
    await tab.close()
    await fresh.close()


@pytest.mark.long
async def test_a_tab_that_was_hidden_for_ten_minutes_has_not_grown_and_shows_the_present(browser, gateway):
    """H3, H10: past the time after which Chromium wakes a hidden page once a minute."""
    tab, fresh = await hide(browser, gateway)
    before = await tab.heap_bytes()
    await asyncio.sleep(HIDDEN_S)
    assert await tab.heap_bytes() - before < KEPT_BYTES
    await comes_back(tab, fresh, PRESENT_S)
