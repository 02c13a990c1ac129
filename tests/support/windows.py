"""Windows of the browser table in Node, spoken to in expressions; see `tests/browser/pages.js`."""

import asyncio
import contextlib
import itertools
import json
from contextlib import asynccontextmanager
from typing import Any

from support.node import FOLDER, modules, node

ANSWER_S = 60.0


class Pages:
    """One Node process with any number of windows."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._reading = asyncio.create_task(self._read())

    async def open(
        self, url: str, table: str = "standard", *, storage: str | None = None, language: str = "en"
    ) -> "Page":
        """A window that watches `table`; those of one `storage` are windows of one browser."""
        page = Page(self, f"page {next(self._ids)}")
        where = {"url": url, "table": table, "storage": storage or page.name, "language": language}
        await self.do(page=page.name, open=where)
        return page

    async def do(self, **job: Any) -> Any:
        """Has a job done; see `pages.js`."""
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._process.stdin.write(json.dumps({"id": number, **job}).encode() + b"\n")
        async with asyncio.timeout(ANSWER_S):
            return await answer

    async def end(self) -> None:
        """Closes every window."""
        self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                await self._process.wait()
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        await self._reading

    async def _read(self) -> None:
        async for line in self._process.stdout:
            answer = json.loads(line)
            waiting = self._answers.pop(answer["id"])
            if waiting.done():
                continue
            if "error" in answer:
                waiting.set_exception(PageError(answer["error"]))
            else:
                waiting.set_result(answer["value"])
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(PageError("node has ended"))


class PageError(Exception):
    """What an expression threw: the code of a refusal, or an error with its place."""


class Page:
    """One window."""

    def __init__(self, pages: Pages, name: str) -> None:
        self._pages = pages
        self.name = name

    async def run(self, expression: str) -> Any:
        """The value of an expression; a promise is waited for."""
        return await self._pages.do(page=self.name, run=expression)

    async def until(self, expression: str, seconds: float = 20.0, run: str | None = None) -> Any:
        """Waits until an expression is true, and returns the value of `run` at that moment."""
        extra = {} if run is None else {"run": run}
        return await self._pages.do(page=self.name, until=expression, seconds=seconds, **extra)


@asynccontextmanager
async def pages():
    """Windows without a browser."""
    modules()
    process = await asyncio.create_subprocess_exec(
        node(),
        FOLDER / "pages.js",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**24,
    )
    running = Pages(process)
    try:
        yield running
    finally:
        await running.end()
