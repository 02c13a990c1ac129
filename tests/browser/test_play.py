"""Playing in a real browser: by mouse, by keyboard and by touch, slowly and in haste."""

import asyncio

import pytest
import pytest_asyncio
from playwright.async_api import expect

from croupier_protocol.game.rules import RULE_SETS
from croupier_server.table.pace import Pace
from support.chromium import PHONE, house, window

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]


TABLES = {
    "mouse": "eight-deck",
    "keyboard": "two-field",
    "touch": "standard",
    "drag": "eight-deck",
    "haste": "single-deck",
    "reloads": "two-field",
    "refusals": "eight-deck",
    "quarters": "vegas",
    **{f"plays-{rules}": rules for rules in RULE_SETS},
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def gateway(tmp_path_factory):
    """Tables that wait for their only player: one of its own for each test."""
    async with house(tmp_path_factory.mktemp("house"), TABLES) as running:
        yield running


async def test_from_the_start_page_to_a_settled_bet_by_mouse(browser, gateway):
    tab = await window(browser, gateway)
    page = tab.page
    await tab.lobby()
    await page.click("a[href='#/t/mouse']")
    await page.wait_for_selector(".area-target")
    await tab.sit("Mia")
    await tab.open_window()
    await page.click(".area.player .area-target")
    await page.click("[data-cents='500']")
    await page.click("[data-cents='2500']")
    await tab.stands("player", "30")
    await page.click(".area.player .area-stack")
    await tab.stands("player", "5")
    assert await tab.sums() == ("195.00", "5.00")
    paid = asyncio.create_task(tab.result())
    await page.click(".deal")
    payout = await paid
    returned = {"player": 1000, "tie": 500, "banker": 0}[tab.of_type("result")[-1]["outcome"]]
    assert payout["returned"] == returned
    await tab.shows_bankroll({1000: "205.00", 500: "200.00", 0: "195.00"}[returned])
    assert tab.wrong == []
    await page.context.close()


async def test_from_the_start_page_to_a_settled_bet_by_keyboard(browser, gateway):
    """Tab and Enter alone up to the seat; then single keys, and holding one does nothing more."""
    tab = await window(browser, gateway)
    page = tab.page
    await tab.lobby()
    await tab_to(page, "a[href='#/t/keyboard']")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".area-target")
    await tab_to(page, ".sit")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".sit-form")
    await page.keyboard.type("Kim")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("croupier-table.seated")
    await tab.open_window()
    await page.keyboard.press("b")
    await page.keyboard.press("2")
    await page.keyboard.down("2")
    for _ in range(5):
        await page.keyboard.down("2")  # held: the system repeats it
    await page.keyboard.up("2")
    await tab.stands("banker", "10")
    await page.keyboard.press("d")
    await tab.stands("banker", "20")
    await page.keyboard.press("u")
    await tab.stands("banker", "10")
    await tab_to(page, ".area.tie .area-target")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Enter")
    await page.keyboard.press("1")
    await tab.stands("tie", "1")
    assert await page.evaluate("document.activeElement.closest('.area.tie') !== null"), "the focus is lost"
    paid = asyncio.create_task(tab.result())
    await page.keyboard.press("g")
    payout = await paid
    assert {bet["bet"]: bet["stake"] for bet in payout["bets"]} == {"banker": 1000, "tie": 100}
    assert tab.wrong == []
    await page.context.close()


async def tab_to(page, selector):
    """Moves the focus with the Tab key until it is on an element."""
    for _ in range(60):
        if await page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached with Tab")


async def test_from_the_start_page_to_a_settled_bet_by_touch_on_a_phone(browser, gateway):
    """A chip in hand goes where the finger taps; a swipe opens the sheet; nothing needs scrolling."""
    tab = await window(
        browser, gateway, viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2
    )
    page = tab.page
    await tab.lobby()
    await page.tap("a[href='#/t/touch']")
    await page.wait_for_selector(".area-target")
    await page.tap(".sit")
    await page.fill("#player-name", "Pia")
    await page.tap(".sit-form button[type=submit]")
    await page.wait_for_selector("croupier-table.seated")
    await tab.open_window()
    await page.tap("[data-cents='500']")
    await page.tap(".area.player .area-target")
    await page.tap(".area.banker .area-target")
    await page.tap(".area.banker .area-target")
    await page.tap(".area.player_pair .area-target")
    await tab.stands("banker", "10")
    await tab.stands("player", "5")
    assert await tab.sums() == ("180.00", "20.00")
    for seen in (".sums", ".deal", ".area.tie .area-target", ".rack-tools", "croupier-hands"):
        box = await page.locator(seen).bounding_box()
        assert 0 <= box["y"] <= PHONE["height"] - box["height"] + 1, f"{seen} is out of sight: {box}"
    await tab.picture("phone-bets")
    paid = asyncio.create_task(tab.result())
    await page.tap(".deal")
    await paid
    await page.wait_for_selector(".area.banker .area-word:not([hidden])")
    await tab.picture("phone-result")
    await page.tap("croupier-strip button")
    await page.wait_for_selector("dialog.sheet[open] croupier-scoreboard")
    assert tab.wrong == []
    await page.context.close()


@pytest.mark.long
async def test_a_dragged_chip_lands_where_it_is_dropped(browser, gateway):
    tab = await window(browser, gateway)
    await tab.table("drag")
    await tab.sit("Dora")
    await tab.open_window()
    await tab.page.drag_and_drop("[data-cents='2500']", ".area.tie .area-target")
    await tab.stands("tie", "25")
    assert await tab.page.locator(".rack-chip[aria-pressed=true]").count() == 0
    await tab.page.click(".tool.clear")
    await tab.page.wait_for_selector(".area.tie:not(.staked)")
    await tab.page.context.close()


async def test_ten_fast_clicks_are_ten_chips_and_one_deal(browser, gateway):
    """F4: never more than was clicked, and Deal is one wish however often it is pressed."""
    tab = await window(browser, gateway)
    page = tab.page
    await tab.table("haste")
    await tab.sit("Flo")
    await tab.open_window()
    await page.click(".area.tie .area-target")
    await page.click("[data-cents='100']", click_count=10, delay=0)
    await tab.stands("tie", "10")
    assert await tab.sums() == ("190.00", "10.00")
    paid = asyncio.create_task(tab.result())
    await page.evaluate("for (let n = 0; n < 10; n += 1) document.querySelector('.deal').click()")
    assert (await paid)["bets"][0]["stake"] == 1000
    assert len([message for message in tab.sent if message["type"] == "deal"]) == 1
    await page.context.close()


@pytest.mark.long
async def test_twenty_reloads_leave_one_stake_and_rebet_repeats_the_last_slip_after_one(browser, gateway):
    """M7, F8."""
    tab = await window(browser, gateway)
    page = tab.page
    await tab.table("reloads")
    await tab.sit("Rea")
    await tab.open_window()
    await page.click(".area.player .area-target")
    await page.click("[data-cents='500']")
    await page.click("[data-cents='500']")
    await tab.stands("player", "10")
    for turn in range(20):
        # As a finger on F5 does it; once the page gets as far as its seat.
        async with page.expect_navigation(wait_until="commit"):
            await page.evaluate("() => location.reload()")
        if turn == 9:
            await page.wait_for_selector("croupier-table.seated")
    await tab.open_window()
    await tab.stands("player", "10")
    assert await tab.sums() == ("190.00", "10.00")
    paid = asyncio.create_task(tab.result())
    await page.click(".deal")
    payout = await paid
    await page.reload()
    await tab.open_window()
    await page.click(".tool.rebet")
    await tab.stands("player", "10")
    staked = payout["bankroll"] - 1000
    assert await tab.sums() == (f"{staked // 100}.00", "10.00")
    await page.click(".tool.clear")
    await page.wait_for_selector(".area.player:not(.staked)")
    await page.context.close()


async def test_a_refusal_says_why_beside_the_area_and_what_stands_stays(browser, gateway):
    """The limit of the table, the combination rule and the bankroll, each in words."""
    tab = await window(browser, gateway)
    page = tab.page
    await tab.table("refusals")
    await tab.sit("Rosa", "20")
    await tab.open_window()
    await page.click(".area.player .area-target")
    await page.click("[data-cents='500']")
    await tab.stands("player", "5")
    await page.click("[data-cents='2500']")
    await expect(page.locator(".area.player .area-word")).to_have_text(
        "The chips in front of you are not enough."
    )
    await page.click(".area.banker .area-target")
    await page.click("[data-cents='100']")
    await expect(page.locator(".rack-status")).to_have_text("One of Player and Banker only.")
    await tab.stands("player", "5")
    assert await tab.sums() == ("15.00", "5.00")
    assert [message["bets"] for message in tab.sent if message["type"] == "slip"] == [{"player": 500}]
    await tab.picture("refused")
    await page.click(".area.player .area-target", position={"x": 60, "y": 20})  # beside the chips
    await page.click("[data-cents='2500']")
    await expect(page.locator(".area.player .area-word")).to_have_text(
        "The chips in front of you are not enough."
    )
    paid = asyncio.create_task(tab.result())
    await page.click(".deal")
    brought = {1000: "+5.00", 500: "Push", 0: "−5.00"}[(await paid)["returned"]]
    await expect(page.locator(".area.player .area-word")).to_have_text(brought)
    await expect(page.locator(".rack-status")).not_to_have_text("The chips in front of you are not enough.")
    await page.context.close()


@pytest.mark.long
async def test_vegas_shows_975_for_a_banker_win_of_5_and_1150_for_one_of_6(browser, gateway):
    tab = await window(browser, gateway)
    page = tab.page
    await tab.table("quarters")
    await tab.sit("Vera", "1000")
    shown = {}
    for round_ in range(40):
        amount = 5 if 5 not in shown else 6
        await tab.open_window()
        if round_ == 0:
            await page.click(".area.banker .area-target")
        for chip in {5: ("500",), 6: ("500", "100")}[amount]:
            await page.click(f"[data-cents='{chip}']")
        await tab.stands("banker", str(amount))
        seen = asyncio.create_task(tab.at_result())
        paid = asyncio.create_task(tab.result())
        await page.click(".deal")
        payout = await paid
        words = (await seen)["words"]
        if payout["bets"][0]["result"] == "win":
            shown[amount] = (payout["returned"], words["banker"])
        if len(shown) == 2:
            break
        await page.wait_for_selector("croupier-table:not([data-phase=result])")
    assert shown == {
        5: (975, "+4.75 after 0.25 commission"),
        6: (1150, "+5.50 after 0.50 commission"),
    }
    await page.evaluate("document.querySelector('.topbar-actions button:nth-of-type(2)').click()")
    first = page.locator(".own-round tbody tr").first
    await expect(first).to_contain_text("11.50")
    await expect(first).to_contain_text("less 0.50 commission")
    await page.context.close()


SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
RANKS = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}


@pytest.mark.long
@pytest.mark.parametrize("rules", list(RULE_SETS))
async def test_a_played_round_shows_what_the_wire_says(browser, gateway, rules):
    """Cards, totals, outcome, roads, payout and bankroll, from the frames and not from the page's fold."""
    tab = await window(browser, gateway)
    page = tab.page
    await tab.table(f"plays-{rules}")
    await tab.sit("Wim")
    await tab.open_window()
    await page.click(".area.tie .area-target")
    await page.click("[data-cents='500']")
    await tab.stands("tie", "5")
    seen = asyncio.create_task(tab.at_result())
    paid = asyncio.create_task(tab.result())
    await page.click(".deal")
    shown, payout = await seen, await paid
    result = tab.of_type("result")[-1]
    for hand in ("player", "banker"):
        cards = [f"{RANKS.get(card[0], card[0])} of {SUITS[card[1]]}" for card in result[hand]["cards"]]
        assert shown[hand] == {"cards": cards, "total": str(result[hand]["total"])}
    outcome = result["outcome"]
    high, low = sorted((result["player"]["total"], result["banker"]["total"]), reverse=True)
    assert (
        shown["headline"]
        == {
            "player": f"Player wins, {high} to {low}",
            "banker": f"Banker wins, {high} to {low}",
            "tie": f"Tie at {high}",
        }[outcome]
    )
    assert shown["beads"] == [{"player": "P", "banker": "B", "tie": "T"}[outcome]]
    assert (
        shown["bigRoad"]
        == {
            "player": "Big road: Player, 1 in a row",
            "banker": "Big road: Banker, 1 in a row",
            "tie": "Big road: empty",
        }[outcome]
    )
    gain = {"vegas": 45}.get(rules, 40)
    assert shown["words"] == {"tie": f"+{gain}.00" if outcome == "tie" else "−5.00"}
    assert payout["bankroll"] == (20_000 + 100 * gain if outcome == "tie" else 19_500)
    await tab.shows_bankroll(f"{200 + gain}.00" if outcome == "tie" else "195.00")
    assert tab.wrong == []
    await page.context.close()


async def test_a_slip_stands_at_the_end_of_the_window_without_deal(browser, tmp_path):
    """The page says so before, and what was accepted is what is paid."""
    quick = Pace("quick", shuffling_ms=20, betting_ms=4_000, closing_ms=40, card_ms=40, result_ms=600)
    async with house(tmp_path, {"standard": "standard"}, quick) as gateway:
        tab = await window(browser, gateway)
        await tab.table()
        await tab.sit("Ona")
        await tab.page.wait_for_selector("croupier-table[data-phase=result]")
        await tab.open_window()
        await tab.page.click(".area.player .area-target")
        paid = asyncio.create_task(tab.result())
        await tab.page.click("[data-cents='500']")
        await tab.stands("player", "5")
        await expect(tab.page.locator(".rack-status")).to_have_text("Your bets stand, with Deal or without.")
        payout = await paid
        assert [bet["stake"] for bet in payout["bets"]] == [500]
        assert [message for message in tab.sent if message["type"] == "deal"] == []
        await tab.page.context.close()
