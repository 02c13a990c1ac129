"""A real Chromium on a real server in the test's process: windows, their frames, and pictures."""

import asyncio
import json
import re
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

import needs
from croupier_server.browser_table import browser_table
from croupier_server.gateway.page_terms import PageTerms
from croupier_server.gateway.site import Site
from croupier_server.table.pace import Pace
from support.gateways import EVERYBODY, dealing, gateway_on
from support.stores import running_store, turbo
from support.tasks import beside

ROOT = Path(__file__).parent.parent.parent
PICTURES = ROOT / "build" / "pictures"

WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}
NARROW = {"width": 320, "height": 640}

PLAYED = Pace("played", shuffling_ms=50, betting_ms=600_000, closing_ms=40, card_ms=60, result_ms=2_500)
"""A window is open until its only seat is ready; then a coup takes under two seconds."""

RUNNING = Pace("running", shuffling_ms=20, betting_ms=300, closing_ms=20, card_ms=20, result_ms=100)
"""A round in under a second, with nobody at the table."""

USUAL_PAGE = PageTerms()

WAIT_MS = 30_000
"""A loaded machine may take so long for what takes moments."""

SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

UNSEEN = ("PreloadTopChromeWebUI", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxPopup")
"""What the browser makes for its own address bar, a second of work for every new profile; see `without`."""

OF_THE_DRIVER = (
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""What Playwright's driver does without: Chromium heeds the last such list only, which would be ours."""

PRESENT_S = 2.0
"""A page that comes back shows the present within this time, on a machine of its own: in long runs."""

PRESENT_LOADED_S = 10.0
"""The same beside other tests."""


def without(*features: str) -> str:
    """The switch for a browser without these features; a name that it does not know does no harm."""
    return f"--disable-features={','.join(features)}"


def program() -> Path:
    """Chromium, or a named reason why these tests cannot run."""
    for path in (Path("/usr/bin/chromium"), Path("/usr/bin/chromium-browser")):
        if path.exists():
            return path
    return needs.program("chromium")


@asynccontextmanager
async def chromium():
    """A browser driven by Playwright, whose tabs are never hidden; for others see `support.tabs`."""
    path = program()
    async with async_playwright() as driver:
        switches = [*SWITCHES, without(*UNSEEN, *OF_THE_DRIVER)]
        browser = await driver.chromium.launch(executable_path=path, args=switches)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def house(
    folder: Path,
    tables: dict[str, str],
    pace: Pace = PLAYED,
    tokens=None,
    page=USUAL_PAGE,
    play_safe=None,
    **settings,
):
    """A store, a dealer and a gateway with the browser table; `tables` are names with their rule sets.

    With `tokens`, which reads them, there are players with an account and no guests. `page` is what the page
    is told of that. With `play_safe` players may limit themselves.
    """
    settings = [replace(turbo(name, rules), pace=pace, **settings) for name, rules in tables.items()]
    arrivals, site = EVERYBODY if tokens is None else None, Site(browser_table(), page)
    async with (
        running_store(folder / "store") as store,
        dealing(store.url, settings) as dealer,
        gateway_on(store.url, arrivals, site=site, tokens=tokens, play_safe=play_safe) as gateway,
        beside(dealer.hear_notes()),
    ):
        yield gateway


def spoiling(change: str) -> str:
    """A script after which the page gets every message of the server as `change` has left it."""
    return f"""
      window.WebSocket = class extends WebSocket {{
        set onmessage(handler) {{
          super.onmessage = ({{ data }}) => {{
            const message = JSON.parse(data);
            {change}
            handler({{ data: JSON.stringify(message) }});
          }};
        }}
      }};
    """


class Window:
    """One tab on the table, with every frame that it sent and received."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.sent: list[dict] = []
        self.received: list[dict] = []
        self.wrong: list[str] = []
        page.set_default_timeout(WAIT_MS)
        page.on("websocket", self._listen)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self._hear)

    def _listen(self, socket) -> None:
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))
        socket.on("framereceived", lambda frame: self.received.append(json.loads(frame)))

    def _hear(self, message) -> None:
        of_connection = "WebSocket connection" in message.text or message.location["url"].endswith("/ws")
        if message.type in {"error", "warning"} and not of_connection:
            self.wrong.append(message.text)

    def of_type(self, kind: str) -> list[dict]:
        """What was received of a type, oldest first."""
        return [message for message in self.received if message["type"] == kind]

    async def lobby(self) -> None:
        """Opens the start page and waits until it shows tables."""
        await self.page.goto(self.address)
        await self.page.wait_for_selector("croupier-lobby-card")

    async def table(self, name: str = "standard") -> None:
        """Opens a table and waits until its felt is there."""
        await self.page.goto(f"{self.address}#/t/{name}")
        await self.page.wait_for_selector(".area-target")

    async def sit(self, name: str = "Ana", buy_in: str = "200") -> None:
        """Takes a seat by mouse."""
        page = self.page
        await page.click(".sit")
        await page.fill("#player-name", name)
        await page.fill(".sit-form input[inputmode=decimal]", buy_in)
        await page.click(".sit-form button[type=submit]")
        await page.wait_for_selector("croupier-table.seated")

    async def open_window(self) -> None:
        """Waits until bets are taken from this player."""
        await self.page.wait_for_selector(".area.playable.player")

    async def stands(self, bet: str, amount: str) -> None:
        """Waits until the page says that a bet stands as it is."""
        await self.page.wait_for_function(
            """([bet, amount]) => {
              const area = document.querySelector(`.area.${bet}`);
              const shown = area.querySelector(".area-amount").textContent;
              return !area.classList.contains("sending") && shown === amount
                && !area.querySelector(".area-stack").hidden;
            }""",
            arg=[bet, amount],
        )

    async def sums(self) -> tuple[str, str]:
        """Bankroll and stake as shown."""
        bankroll, stake = await self.page.locator(".sum").all_text_contents()
        return bankroll, stake

    async def shows_bankroll(self, amount: str) -> None:
        """Waits until the bankroll has counted to an amount."""
        await self.page.wait_for_function(
            "amount => document.querySelector('.sum').textContent === amount", arg=amount
        )

    async def result(self) -> dict:
        """Waits for the payout of a round and returns it, as the wire has it."""
        paid = len(self.of_type("payout"))
        async with asyncio.timeout(WAIT_MS / 1000):
            while len(self.of_type("payout")) == paid:
                await asyncio.sleep(0.02)
        return self.of_type("payout")[-1]["payout"]

    async def at_result(self) -> dict:
        """What the page shows of the next result, as soon as it stands still; looked for frame by frame."""
        found = await self.page.wait_for_function(
            """() => {
              const all = (selector) => [...document.querySelectorAll(selector)];
              const texts = (selector) => all(selector).map((one) => one.textContent);
              const table = document.querySelector("croupier-table");
              if (table.dataset.phase !== "result" || all(".total.none, .arriving").length > 0) return null;
              const words = all(".area-word:not([hidden])");
              if (words.length === 0 && all(".area-stack:not([hidden])").length > 0) return null;
              const hand = (side) => ({
                cards: all(`.hand.${side} croupier-card`).map((card) => card.getAttribute("aria-label")),
                total: texts(`.hand.${side} .total`)[0],
              });
              return {
                player: hand("player"), banker: hand("banker"), headline: texts(".headline")[0],
                words: Object.fromEntries(
                  words.map((word) => [word.parentElement.dataset.bet, word.textContent]),
                ),
                beads: texts(".bead-plate text"),
                bigRoad: document.querySelector(".big-road .road-space").getAttribute("aria-label"),
              };
            }"""
        )
        return await found.json_value()

    async def open_dialog(self, name: str) -> None:
        """Opens a dialog as its button does, which a phone has in a menu."""
        await self.page.evaluate(
            "detail => document.querySelector('croupier-topbar')"
            ".dispatchEvent(new CustomEvent('open', { detail }))",
            name,
        )
        await self.page.wait_for_selector("dialog[open]")
        await self.page.wait_for_selector("dialog[open] .blank.waiting", state="detached")

    async def close_dialog(self) -> None:
        """Closes it as a keyboard does."""
        await self.page.keyboard.press("Escape")
        await self.page.wait_for_selector("dialog[open]", state="detached")

    async def picture(self, name: str, *, whole: bool = False) -> None:
        """Keeps a picture."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        await self.page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)

    async def too_wide(self) -> list[str]:
        """What reaches beyond the right edge of the page, but for what scrolls by itself."""
        return await self.page.evaluate(
            """() => {
              const width = document.documentElement.clientWidth;
              const found = document.documentElement.scrollWidth > width ? [`page ${scrollX}`] : [];
              const scrolls =
                ".felt-side, .scroll, .road-space, .strip-road, .lobby-road, croupier-card, svg";
              for (const element of document.querySelectorAll("body *")) {
                const box = element.getBoundingClientRect();
                if (box.width > 0 && box.right > width + 1 && element.closest(scrolls) === null
                    && !element.classList.contains("spoken")) {
                  found.push(`${element.tagName}.${element.className} ${box.right}`);
                }
              }
              return found;
            }"""
        )


async def window(browser: Browser, gateway, context: BrowserContext | None = None, **options) -> Window:
    """A tab in a browser profile of its own, or in `context`."""
    if context is None:
        context = await browser.new_context(
            **{"viewport": WIDE, "locale": "en-GB", "color_scheme": "dark", **options}
        )
    return Window(await context.new_page(), re.sub("^ws(.*)/ws$", r"http\1/", gateway.url))
