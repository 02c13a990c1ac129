"""What happens to people: a wrong clock, a network that is away, a worker that drains, a server that dies."""

import asyncio
import json
import os
import signal
import socket
import time
from contextlib import AsyncExitStack

import pytest

from support.chromium import PRESENT_LOADED_S, PRESENT_S, WAIT_MS, Window, house, window
from support.page_view import NO_PROMISES, NOTE_PROMISES, VIEW
from support.relay import relay_to
from support.serving import serving, start_serving

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

A_DAY_OFF = """
  const now = Date.now.bind(Date);
  Date.now = () => now() + 86_400_000;
"""

CUT_S = 2.5
"""A cut that a person notices: long enough for several tries to connect."""

LONG_CUT_S = 30.0


async def ring(tab: Window) -> tuple[int, float, float]:
    """The seconds in the ring, and between which two moments, in milliseconds of this machine's clock."""
    earliest = time.time() * 1000
    shown = int(await tab.page.locator(".ring-seconds").text_content())
    return shown, earliest, time.time() * 1000


async def with_a_bet(browser, relay) -> Window:
    """A tab with a bet that stands, whose way to the server is a relay."""
    context = await browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    tab = Window(await context.new_page(), f"{relay.url.replace('ws://', 'http://')}/")
    await tab.table()
    await tab.sit("Kay")
    await tab.open_window()
    await tab.page.click(".area.player .area-target")
    await tab.page.click("[data-cents='500']")
    await tab.stands("player", "5")
    await tab.page.evaluate(NOTE_PROMISES)
    return tab


async def beside(tab: Window, port: int) -> Window:
    """A fresh page of the same player, opened on a way of its own."""
    context = await tab.page.context.browser.new_context(viewport={"width": 1440, "height": 900})
    token = await tab.page.evaluate("localStorage.getItem('croupier.resume')")
    await context.add_init_script(f"localStorage.setItem('croupier.resume', {json.dumps(token)})")
    fresh = Window(await context.new_page(), f"http://127.0.0.1:{port}/")
    await fresh.table()
    await fresh.page.wait_for_selector("croupier-table.seated")
    return fresh


async def comes_to_the_present(
    tab: Window, since: float, port: int, fresh: Window | None = None, within_s: float = PRESENT_S
) -> None:
    """`tab` is live within so many seconds since a moment, and shows what a fresh page shows."""
    left_ms = (since + within_s - time.monotonic()) * 1000
    await tab.page.wait_for_selector("croupier-table.live", timeout=max(left_ms, 1))
    fresh = fresh or await beside(tab, port)
    await tab.page.wait_for_selector("croupier-table.seated")
    async with asyncio.timeout(WAIT_MS / 1000):
        while await tab.page.evaluate(VIEW) != await fresh.page.evaluate(VIEW):
            pass
    await fresh.page.context.close()


async def promised_nothing(tab: Window) -> None:
    """While it had no connection the page said so, and nothing that needs one could be used."""
    promised = await tab.page.evaluate("promised")
    assert promised
    assert [one for one in promised if one != NO_PROMISES] == []


def nowhere() -> int:
    """A port where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


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


@pytest.mark.parametrize(
    ("seconds", "within_s"),
    [(CUT_S, PRESENT_LOADED_S), pytest.param(LONG_CUT_S, PRESENT_S, marks=pytest.mark.long)],
)
async def test_a_page_whose_network_was_cut_comes_to_the_present(browser, tmp_path, seconds, within_s):
    """Connections end and new ones are refused; meanwhile the coup is dealt."""
    async with house(tmp_path, {"standard": "standard"}) as gateway, relay_to(gateway.port) as relay:
        tab = await with_a_bet(browser, relay)
        fresh = await beside(tab, gateway.port)
        relay.target = nowhere()
        relay.cut()
        await tab.page.wait_for_selector(".notice:not([hidden])")
        await fresh.page.click(".deal")
        await asyncio.sleep(seconds)
        since = time.monotonic()
        relay.target = gateway.port
        await comes_to_the_present(tab, since, gateway.port, fresh, within_s)
        await promised_nothing(tab)
        assert tab.wrong == []
        await tab.page.context.close()


@pytest.mark.long
async def test_a_page_whose_network_was_silent_comes_to_the_present(browser, tmp_path):
    """Nothing passes and nothing ends: what the player does meanwhile is never shown as done before it is."""
    async with house(tmp_path, {"standard": "standard"}) as gateway, relay_to(gateway.port) as relay:
        tab = await with_a_bet(browser, relay)
        fresh = await beside(tab, gateway.port)
        relay.passing.clear()
        await tab.page.click("[data-cents='500']")
        await tab.page.wait_for_selector(".rack-status:text-is('Sending your bets')")
        await asyncio.sleep(LONG_CUT_S)
        told = await tab.page.locator(".rack-status").text_content()
        assert told in {"Sending your bets", "The server did not answer in time; it may have been done."}
        since = time.monotonic()
        relay.passing.set()
        await tab.stands("player", "10")
        assert time.monotonic() - since < PRESENT_S
        await comes_to_the_present(tab, since, gateway.port, fresh)
        assert tab.wrong == []
        await tab.page.context.close()


@pytest.mark.long
async def test_a_page_finds_the_present_after_the_drain_of_its_worker_and_the_death_of_the_server(
    browser, tmp_path
):
    """The server is killed in the middle of a coup."""
    config = tmp_path / "croupier.toml"
    config.write_text("[[tables]]\nname = 'standard'\npace = 'speed'\n")
    options = (tmp_path / "data", "--config", str(config), "--workers", "2")
    async with AsyncExitStack() as stack:
        server = await start_serving(*options)
        stack.push_async_callback(server.stop, signal.SIGKILL)
        relay = await stack.enter_async_context(relay_to(port_of(server)))
        tab = await with_a_bet(browser, relay)

        (worker,) = server.holding
        since = time.monotonic()
        os.kill(worker, signal.SIGTERM)
        await tab.page.wait_for_function("() => promised.length > 0")
        await comes_to_the_present(tab, since, relay.target)
        await promised_nothing(tab)

        await tab.page.evaluate("document.querySelector('.deal').click()")  # if there is still time for it
        await tab.page.wait_for_selector("croupier-table[data-phase=dealing]")
        await tab.page.evaluate(NOTE_PROMISES)
        await server.stop(signal.SIGKILL)
        await tab.page.wait_for_selector(".notice:not([hidden])")
        again = await stack.enter_async_context(serving(*options))
        since = time.monotonic()
        relay.target = port_of(again)
        await comes_to_the_present(tab, since, relay.target)
        await promised_nothing(tab)
        assert tab.wrong == []


def port_of(server) -> int:
    return int(server.url.rsplit(":", 1)[1].split("/")[0])
