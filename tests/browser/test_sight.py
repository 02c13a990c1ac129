"""What can be seen and heard: nothing too wide, harmless names, axe, shapes without colour, pictures."""

import asyncio

import pytest
import pytest_asyncio

from croupier_protocol.game.rules import RULE_SETS
from support.chromium import NARROW, PHONE, RUNNING, house, window
from support.node import modules

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

STANDING = {f"waits-{number}": "standard" for number in range(8)}
"""Tables whose window stays open, one for each player."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def gateway(tmp_path_factory):
    async with house(tmp_path_factory.mktemp("house"), STANDING) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def lively(tmp_path_factory):
    """Tables that are dealt without pause, so that roads fill up."""
    async with house(
        tmp_path_factory.mktemp("lively"), {name: name for name in RULE_SETS}, RUNNING
    ) as running:
        yield running


STILL = "() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => 0)))"
"""Waits until nothing moves or changes colour."""

LARGE = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })"


@pytest.mark.parametrize(
    ("table", "locale", "size", "large"),
    [("waits-0", "fr-FR", NARROW, False), ("waits-1", "en-GB", PHONE, True)],
    ids=["French at 320 px", "text at 200 %"],
)
async def test_nothing_is_wider_than_the_page(browser, gateway, table, locale, size, large):
    """M6: in the lobby, at the table with and without a seat, and in every dialog."""
    tab = await window(browser, gateway, viewport=size, locale=locale, has_touch=True)
    if large:
        await tab.page.context.add_init_script(LARGE)
    await tab.lobby()
    assert await tab.too_wide() == []
    await tab.table(table)
    assert await tab.too_wide() == []
    await tab.sit("Lea")
    await tab.open_window()
    await tab.page.click("[data-cents='500']")
    for bet in ("player", "banker", "tie"):
        await tab.page.click(f".area.{bet} .area-target")
    await tab.stands("tie", "5")
    assert await tab.too_wide() == []
    await tab.picture(f"narrow-{locale}-{'large' if large else 'normal'}", whole=True)
    for dialog in ("rules", "rounds", "keys", "fair", "topup", "leave"):
        await tab.open_dialog(dialog)
        assert await tab.too_wide() == [], dialog
        await tab.close_dialog()
    assert tab.wrong == []
    await tab.page.context.close()


@pytest.mark.parametrize("locale", ["en-GB", pytest.param("fr-FR", marks=pytest.mark.long)])
async def test_axe_finds_nothing_serious(browser, gateway, locale):
    """In the lobby, at a table with bets, in history and in the rules; contrast is among what it measures."""
    axe = (modules() / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    tab = await window(browser, gateway, locale=locale, bypass_csp=True)

    async def faults(where="body"):
        found = await tab.page.evaluate("where => axe.run(where, { resultTypes: ['violations'] })", where)
        return [
            (one["id"], one["nodes"][0]["html"][:160], one["nodes"][0].get("failureSummary", "")[:200])
            for one in found["violations"]
            if one["impact"] in {"serious", "critical"}
        ]

    await tab.lobby()
    await tab.page.evaluate(axe)
    assert await faults() == []
    await tab.table("waits-2" if locale == "en-GB" else "waits-3")
    await tab.sit("Axel")
    await tab.open_window()
    await tab.page.click(".area.banker .area-target")
    await tab.page.click(".rack-chip[data-cents='500']")
    await tab.stands("banker", "5")
    await tab.page.evaluate(STILL)  # colours on their way are none to measure
    assert await faults() == []
    for dialog in ("rules", "rounds", "keys"):
        await tab.open_dialog(dialog)
        assert await faults("dialog[open]") == [], dialog
        await tab.close_dialog()
    await tab.page.context.close()


async def test_every_bet_area_is_a_button_whose_name_has_bet_pay_and_amount(browser, gateway):
    """M2."""
    tab = await window(browser, gateway)
    await tab.table("waits-4")
    await tab.sit("Bea")
    await tab.open_window()
    await tab.page.click(".area.banker .area-target")
    await tab.page.click(".rack-chip[data-cents='500']")
    await tab.stands("banker", "5")
    names = await tab.page.locator(".area-target").evaluate_all(
        "areas => areas.map((area) => [area.tagName, area.querySelector('.spoken').textContent])"
    )
    assert names == [
        ["BUTTON", "Player, pays 1 to 1, no bet"],
        ["BUTTON", "Tie, pays 8 to 1, no bet"],
        ["BUTTON", "Banker, pays 1 to 1, less 5%, your bet 5.00"],
        ["BUTTON", "Player Pair, pays 11 to 1, no bet"],
        ["BUTTON", "Player Bonus, pays up to 30 to 1, no bet"],
        ["BUTTON", "Either Pair, pays 5 to 1, no bet"],
        ["BUTTON", "Banker Bonus, pays up to 30 to 1, no bet"],
        ["BUTTON", "Banker Pair, pays 11 to 1, no bet"],
    ]
    assert tab.wrong == []
    await tab.page.context.close()


async def test_a_round_is_announced_in_few_words(browser, gateway):
    """M2: the outcome once, with what came back, and the countdown at most three times."""
    tab = await window(browser, gateway)
    page = tab.page
    await tab.table("waits-5")
    await tab.sit("Ann")
    await tab.open_window()
    await page.evaluate(
        """() => {
          window.said = [];
          const line = document.querySelector("croupier-announcer p");
          new MutationObserver(() => window.said.push(line.textContent)).observe(line, { childList: true });
        }"""
    )
    await page.click(".area.tie .area-target")
    await page.click(".rack-chip[data-cents='500']")
    await tab.stands("tie", "5")
    seen = asyncio.create_task(tab.at_result())
    await page.click(".deal")
    await seen
    await tab.open_window()
    said = await page.evaluate("window.said")
    outcomes = [text for text in said if "wins" in text or "Tie at" in text]
    assert len(outcomes) == 1, said
    assert outcomes[0].endswith("returned to you"), said
    assert len([text for text in said if "Place your bets" in text or "seconds left" in text]) <= 3
    assert len([text for text in said if text == "No more bets"]) <= 1
    await page.context.close()


async def test_a_name_that_cannot_be_shown_is_refused_in_words(browser, gateway):
    tab = await window(browser, gateway)
    page = tab.page
    await tab.table("waits-7")
    await page.click(".sit")
    await page.fill("#player-name", "Z" + "\u0301" * 64)
    await page.click(".sit-form button[type=submit]")
    await page.wait_for_selector(".sit-form .wrong:not(:empty)")
    assert await page.locator("croupier-table.seated").count() == 0
    assert await tab.too_wide() == []
    await page.context.close()


async def test_a_taken_name_is_refused_in_words_and_the_wallet_stays_in_sight(browser, gateway):
    """Whoever was nobody is a new guest by then."""
    seated, tab = await window(browser, gateway), await window(browser, gateway)
    await seated.table("waits-7")
    await seated.sit("Mia")
    page = tab.page
    await tab.table("waits-7")
    await tab.shows_bankroll("1,000.00")
    await page.click(".sit")
    await page.fill("#player-name", "Mia")
    await page.click(".sit-form button[type=submit]")
    await page.wait_for_selector(".sit-form .wrong:has-text('choose another one')")
    await tab.shows_bankroll("1,000.00")
    for one in (seated, tab):
        await one.page.context.close()


async def test_player_banker_and_tie_are_told_apart_without_colour(browser, lively):
    """M1, E8: hollow rings and filled discs in every road, letters where there is room."""
    tab = await window(browser, lively)
    page = tab.page
    await tab.table("standard")
    await page.wait_for_function(
        """() => {
          const beads = [...document.querySelectorAll(".bead-plate text")].map((one) => one.textContent);
          return beads.length >= 6 && new Set(beads).size >= 2;
        }""",
        timeout=60_000,
    )
    letters = set(await page.locator(".bead-plate text").all_text_contents())
    assert letters <= {"P", "B", "T"}
    assert len(letters) >= 2
    shapes = await page.evaluate(
        """() => {
          const style = (selector) => {
            const found = document.querySelector(selector);
            const { fill, stroke } = found === null ? {} : getComputedStyle(found);
            return found && [fill === "none", stroke === "none"];
          };
          return {
            banker: style(".big-road .mark-disc.banker"),
            player: style(".big-road .mark-ring.player"),
          };
        }"""
    )
    assert shapes["banker"] in (None, [False, True])
    assert shapes["player"] in (None, [True, False])
    says = await page.locator(".derived-road .road-space").first.get_attribute("aria-label")
    assert "Banker" not in says
    assert "Player" not in says
    await page.emulate_media(color_scheme="light")
    await page.evaluate(STILL)
    await tab.picture("table-light")
    await page.emulate_media(color_scheme="dark")
    await page.evaluate("document.documentElement.style.filter = 'grayscale(1)'")
    await tab.picture("table-grey")
    await page.context.close()


@pytest.mark.long
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
async def test_pictures_of_every_view(browser, lively, locale):
    """Kept for people to look at; the page says nothing wrong meanwhile."""
    for size, name in ((None, "wide"), (PHONE, "phone")):
        options = {} if size is None else {"viewport": size, "has_touch": True, "device_scale_factor": 2}
        tab = await window(browser, lively, locale=locale, **options)
        await tab.lobby()
        await tab.picture(f"{name}-{locale}-lobby")
        await tab.table("standard")
        await tab.picture(f"{name}-{locale}-watching")
        for dialog in ("rules", "rounds"):
            await tab.open_dialog(dialog)
            await tab.picture(f"{name}-{locale}-{dialog}")
            await tab.close_dialog()
        assert tab.wrong == []
        await tab.page.context.close()
