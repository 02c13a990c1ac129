"""A site of somebody's on a port of its own: pages, and what a page gets when it posts to `/tables-token`."""

import re
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web

GUIDE = Path(__file__).parent.parent.parent / "docs" / "accounts.md"


def example(tables: str) -> str:
    """The page around the table as the guide shows it, for the tables at that origin."""
    [page] = re.findall(r"```html\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert page.count("https://tables.example") == 2
    return page.replace("https://tables.example", tables)


class OtherSite:
    """Its `pages` by their paths, and who gives it tokens; both may change while it runs."""

    def __init__(self) -> None:
        self.origin = ""
        self.pages: dict[str, str] = {}
        self.token: Callable[[], str] = str

    async def answer(self, request: web.Request) -> web.Response:
        if request.method == "POST" and request.path == "/tables-token":
            return web.Response(text=self.token())
        return web.Response(text=self.pages.get(request.path, ""), content_type="text/html")


@asynccontextmanager
async def other_site():
    """A site, running."""
    site, server = OtherSite(), web.Application()
    server.router.add_route("*", "/{path:.*}", site.answer)
    runner = web.AppRunner(server)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        site.origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield site
    finally:
        await runner.cleanup()
