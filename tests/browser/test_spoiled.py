"""What the page makes of messages that servers seldom send: hostile names, huge amounts, one hour twice."""

import asyncio
import json

import pytest
import pytest_asyncio

from support.chromium import PHONE, house, spoiling, window

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

MARKUP = "<img src=x onerror=alert(1)>"
REVERSED = "\u202eanA \u2067\u202d"
STACKED = "Z" + "\u0301" * 64

NAMES = f"""
  for (const player of [message.player, ...(message.seats ?? []).map((one) => one.player)]) {{
    if (player?.name === "Ana") player.name = {json.dumps(MARKUP)};
  }}
  if (message.type === "snapshot") {{
    message.seats.push({{ seat: 7, player: {{ id: "g7", name: {json.dumps(REVERSED)} }} }});
    message.seats.push({{ seat: 8, player: {{ id: "g8", name: {json.dumps(STACKED)} }} }});
  }}
"""

LARGEST = """
  if (message.type === "me") {
    message.bankroll = Number.MAX_SAFE_INTEGER;
    message.wallet = Number.MAX_SAFE_INTEGER;
  }
"""

TWICE = """
  const hours = [Date.UTC(2026, 9, 25, 1, 30), Date.UTC(2026, 9, 25, 0, 30)];
  if (message.type === "history") message.rounds.forEach((one, at) => (one.ended_at_ms = hours[at % 2]));
"""
"""In Paris the night of 25 October 2026 has half past two twice; rounds are told newest first."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def gateway(tmp_path_factory):
    tables = dict.fromkeys(("names", "amounts", "hours"), "standard")
    async with house(tmp_path_factory.mktemp("house"), tables) as running:
        yield running


async def test_hostile_names_do_no_harm_in_any_view(browser, gateway):
    """L4: at the table, among its people, in own and all rounds, and in the lobby after that."""
    tab = await window(browser, gateway)
    page = tab.page
    await page.context.add_init_script(spoiling(NAMES))
    await tab.table("names")
    await tab.sit("Ana")
    await tab.open_window()
    await page.click(".area.tie .area-target")
    await page.click(".rack-chip[data-cents='500']")
    await tab.stands("tie", "5")
    await page.click("croupier-side [role=tab]:nth-of-type(2)")
    rows = await page.locator(".people li").evaluate_all(
        """rows => rows.map((row) => {
          const [seat, name] = row.children;
          const box = (one) => one.getBoundingClientRect();
          const { overflow, contain } = getComputedStyle(name);
          return {
            name: name.textContent,
            isLow: box(row).height <= 40,
            isCut: overflow === "hidden" && contain === "paint",
            isInOrder: seat.textContent.startsWith("Seat") && box(seat).right <= box(name).left,
          };
        })"""
    )
    await tab.picture("names")
    assert [row["name"] for row in rows] == [MARKUP, REVERSED, STACKED]
    assert [row for row in rows if not (row["isLow"] and row["isCut"] and row["isInOrder"])] == []
    assert await tab.too_wide() == []
    paid = asyncio.create_task(tab.result())
    await page.click(".deal")
    await paid
    await page.click("croupier-side [role=tab]:nth-of-type(3)")
    await page.wait_for_selector(".own-rounds li")
    assert await tab.too_wide() == []
    await tab.open_dialog("rounds")
    await page.click("dialog[open] [role=tab]:nth-of-type(2)")
    await page.wait_for_selector("dialog[open] .rounds article")
    assert await tab.too_wide() == []
    await tab.close_dialog()
    await page.click(".back")
    await page.wait_for_selector("croupier-lobby-card")
    assert await tab.too_wide() == []
    assert await page.locator("img").count() == 0
    assert tab.wrong == []
    await page.context.close()


async def test_the_largest_bankroll_is_shown_to_the_cent_and_has_room_on_a_phone(browser, gateway):
    """C12."""
    tab = await window(browser, gateway, viewport=PHONE, has_touch=True)
    await tab.page.context.add_init_script(spoiling(LARGEST))
    await tab.table("amounts")
    await tab.sit("Max")
    await tab.shows_bankroll("90,071,992,547,409.91")
    assert await tab.too_wide() == []
    ends = await tab.page.evaluate(
        """() => {
          const amount = document.createRange();
          amount.selectNodeContents(document.querySelector(".sum"));
          const deal = document.querySelector(".deal");
          return [amount.getBoundingClientRect().right, deal.getBoundingClientRect().left];
        }"""
    )
    assert ends[0] < ends[1], "the amount runs under Deal"
    await tab.picture("largest")
    await tab.page.context.close()


async def test_rounds_of_the_hour_that_comes_twice_stand_in_their_order(browser, gateway):
    """M8: by their numbers, whatever a clock on the wall said."""
    tab = await window(browser, gateway, timezone_id="Europe/Paris")
    page = tab.page
    await page.context.add_init_script(spoiling(TWICE))
    await tab.table("hours")
    await tab.sit("Tom")
    for _ in range(2):
        await tab.open_window()
        await page.click(".deal")
        await page.wait_for_selector("croupier-table[data-phase=result]")
    await tab.open_dialog("rounds")
    await page.click("dialog[open] [role=tab]:nth-of-type(2)")
    await page.wait_for_selector("dialog[open] article:nth-of-type(2)")
    rounds = await page.locator("dialog[open] article").evaluate_all(
        "rounds => rounds.map((one) => ['h3', 'time'].map((part) => one.querySelector(part).textContent))"
    )
    assert [title.partition(" ·")[0] for title, _ in rounds] == ["Round 2", "Round 1"]
    assert [shown for _, shown in rounds] == ["25 Oct 2026, 02:30:00"] * 2
    await page.context.close()
