"""Players with an account at the browser table: signed in by their operator in three ways, or watching."""

import asyncio
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from croupier_server.gateway.page_terms import Link, PageTerms, SiteTerms
from croupier_server.store.sign_ins import SignIns
from support.chromium import WAIT_MS, Window, house, window
from support.parent_pages import example, other_site
from support.stores import open_pit
from support.tokens import of, reader_of_secret

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

LOGIN = "https://house.example/login"

SITE = SiteTerms(
    name="<b>Golden</b> \"Hall\" & 'Co'",
    currency="credits",
    accent_dark="#ffd000",
    footer="\"><script>document.title = 'x'</script>",
    links=(Link("Rules & <more>", "https://house.example/rules?a=1&b=2"),),
)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def sites(tmp_path_factory):
    """The tables, the operator's site, and one of somebody else."""
    folder = Path(tmp_path_factory.mktemp("sign-in"))
    tokens = reader_of_secret(folder, cookie="login")
    async with other_site() as own, other_site() as foreign:
        page = PageTerms((own.origin,), guests=False, sign_in_url=LOGIN, site=SITE)
        async with house(folder, {"standard": "standard"}, tokens=tokens, page=page) as gateway:
            yield gateway, own, foreign


def note_requests(tab: Window) -> list[str]:
    """The address of everything that the tab asks for from now on."""
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.page.on("websocket", lambda socket: asked.append(socket.url))
    return asked


KEPT = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])"


async def test_without_a_sign_in_one_watches_and_a_cookie_of_the_login_is_a_player_over_reloads(
    browser, sites
):
    gateway, _, _ = sites
    tab = await window(browser, gateway)
    await tab.table()
    link = tab.page.locator("a.sit")
    await link.wait_for()
    assert await link.text_content() == "Sign in"
    assert await link.get_attribute("href") == LOGIN
    assert "You are watching. Sign in to take a seat." in await tab.page.inner_text("croupier-rack")
    assert not await tab.page.locator("button.sit").is_visible()
    await tab.page.get_by_role("button", name="Français").click()
    await tab.page.get_by_role("link", name="S’identifier").wait_for()
    assert "Identifiez-vous pour prendre place." in await tab.page.inner_text("croupier-rack")
    cookie = {"name": "login", "value": of("ana.42", name="Ana"), "url": tab.address, "httpOnly": True}
    await tab.page.context.add_cookies([cookie])
    await tab.page.reload()
    await tab.sit("Mia", "150")
    players = [one["player"] for one in tab.of_type("welcome") if "player" in one]
    assert players == [{"id": "ana.42", "name": "Ana"}] * len(players) != []
    await tab.page.reload()
    await tab.page.wait_for_selector("croupier-table.seated")
    await tab.page.wait_for_function("() => document.querySelector('.sum').textContent === '150,00'")
    assert "login" not in await tab.page.evaluate("document.cookie")
    assert tab.wrong == []
    await tab.page.context.close()


async def test_a_code_in_the_address_is_a_player_once_and_this_window_stays_that_player(browser, sites):
    gateway, _, _ = sites
    async with open_pit(gateway.store) as pit:
        code = (await SignIns(pit.store).offer("bo", "Bo")).code
    tab = await window(browser, gateway)
    asked = note_requests(tab)
    await tab.page.goto(f"{tab.address}#code={code}/t/standard")
    await tab.page.wait_for_selector("button.sit:enabled")
    assert tab.page.url == f"{tab.address}#/t/standard"
    devtools = await tab.page.context.new_cdp_session(tab.page)
    history = (await devtools.send("Page.getNavigationHistory"))["entries"]
    assert [one["url"] for one in history] == ["about:blank", f"{tab.address}#/t/standard"]
    assert "Wallet (credits)" in await tab.page.inner_text("croupier-rack")
    await tab.sit("Mia", "120")
    assert [one["code"] for one in tab.sent if "code" in one] == [code]
    assert code not in await tab.page.evaluate(KEPT)
    await tab.page.reload()
    await tab.page.wait_for_selector("croupier-table.seated")
    await tab.shows_bankroll("120.00")
    assert tab.of_type("welcome")[-1]["player"] == {"id": "bo", "name": "Bo"}
    assert [one["code"] for one in tab.sent if "code" in one] == [code]
    assert not [address for address in asked if code in address]
    assert await tab.page.locator(".notice").is_hidden()

    other = await window(browser, gateway, locale="fr-FR")
    await other.page.goto(f"{other.address}#code={code}")
    notice = other.page.locator(".notice")
    await notice.wait_for()
    assert "Ce code d’identification a déjà servi ou sa minute est écoulée" in await notice.inner_text()
    assert await notice.get_by_role("link", name="S’identifier").get_attribute("href") == LOGIN
    await other.page.wait_for_selector("croupier-lobby-card")
    assert other.page.url == f"{other.address}#/"
    await notice.get_by_role("button", name="Regarder seulement").click()
    await notice.wait_for(state="hidden")
    assert await other.page.title() == await other.page.inner_text("h1") == SITE.name
    assert await other.page.inner_text(".lobby-foot p") == SITE.footer
    link = other.page.locator(".lobby-foot a")
    assert await link.inner_text() == "Rules & <more>"
    assert await link.get_attribute("href") == "https://house.example/rules?a=1&b=2"
    assert await link.evaluate("one => getComputedStyle(one).color") == "rgb(255, 208, 0)"
    assert [one["type"] for one in other.received if one.get("player")] == []
    # A link that is followed in the window that is open already changes nothing but what is behind `#`.
    async with open_pit(gateway.store) as pit:
        code = (await SignIns(pit.store).offer("cy", "Cy")).code
    await other.page.evaluate("code => { location.hash = `#code=${code}` }", code)
    await other.page.wait_for_function("() => sessionStorage.length === 1")
    assert other.page.url == f"{other.address}#/"
    assert other.of_type("welcome")[-1]["player"] == {"id": "cy", "name": "Cy"}
    assert tab.wrong == other.wrong == []
    await tab.page.context.close()
    await other.page.context.close()


INTRUDER = """<script>
  setInterval(() => parent.frames[0].postMessage({ type: "croupier.token", token: "TOKEN" }, "*"), 20);
</script>"""


async def test_the_page_around_it_signs_in_and_renews_and_no_other_page_does(browser, sites):
    gateway, own, foreign = sites
    tables = f"http://127.0.0.1:{gateway.port}"
    given, evil = [], of("eve")

    def token() -> str:
        given.append(of("dee", name="Dee", lasts_s=600 if given else 8))
        return given[-1]

    own.token = token
    foreign.pages = {"/": example(tables), "/intruder": INTRUDER.replace("TOKEN", evil)}
    own.pages = {"/": f'{example(tables)}<iframe src="{foreign.origin}/intruder"></iframe>'}
    tab = await window(browser, gateway)
    asked = note_requests(tab)
    await tab.page.goto(f"{own.origin}/")
    async with asyncio.timeout(WAIT_MS / 1000):
        while not (framed := tab.page.frame(url=f"{tables}/")):
            await asyncio.sleep(0.02)
    await framed.evaluate("location.hash = '#/t/standard'")
    await framed.click("button.sit:enabled", timeout=WAIT_MS)
    await framed.fill(".sit-form input[inputmode=decimal]", "130")
    await framed.click(".sit-form button[type=submit]")
    await framed.wait_for_selector("croupier-table.seated", timeout=WAIT_MS)
    async with asyncio.timeout(WAIT_MS / 1000):
        while tab.of_type("welcome")[-1].get("expires_ms", 0) < time.time() * 1000 + 300_000:
            await asyncio.sleep(0.02)
    players = [one["player"] for one in tab.of_type("welcome") if "player" in one]
    assert players == [{"id": "dee", "name": "Dee"}] * len(players)
    assert [one["token"] for one in tab.sent if "token" in one] == given
    assert len(given) == 2
    assert await framed.locator("croupier-table.seated").count() == 1
    assert [urlsplit(address).path for address in asked if address.startswith("ws:")] == ["/ws"]
    assert not [one for one in (*given, evil) if one in await framed.evaluate(KEPT) or one in str(asked)]
    assert tab.wrong == []

    refused = []
    tab.page.on("console", lambda message: refused.append(message.text))
    await tab.page.goto(f"{foreign.origin}/")
    async with asyncio.timeout(WAIT_MS / 1000):
        while not [text for text in refused if "frame-ancestors" in text]:
            await asyncio.sleep(0.02)
    assert not [one.url for one in tab.page.frames if one.url.startswith(tables)]
    await tab.page.context.close()
