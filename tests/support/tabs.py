"""A Chromium as people have it: no driver's switches, no driver inside its pages, only the debugging port.

Playwright keeps every page that it drives visible to itself ("focus emulation", for which Chromium counts
the page as being captured), so a tab of its browser is never hidden. Here a tab is hidden when another is in
front of it, its timers are slowed, and pages go to the back/forward cache.
"""

import asyncio
import contextlib
import itertools
import json
import os
import signal
import tempfile
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import connect

from support.chromium import SWITCHES, UNSEEN, program, without

ANSWER_S = 30.0
LISTENING = "DevTools listening on "


class Chromium:
    """The browser, spoken to through its debugging port."""

    def __init__(self, socket) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._reading = asyncio.create_task(self._read())

    async def do(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """The result of a command of the DevTools protocol."""
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        command = {"id": number, "method": method, "params": parameters}
        if session is not None:
            command["sessionId"] = session
        await self._socket.send(json.dumps(command))
        async with asyncio.timeout(ANSWER_S):
            message = await answer
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']['message']}")
        return message["result"]

    async def open(self, url: str, *, window: bool = False) -> "Tab":
        """A tab in front of those there are, or in a window of its own beside them."""
        target = (await self.do("Target.createTarget", url="about:blank", newWindow=window))["targetId"]
        session = (await self.do("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        tab = Tab(self, target, session)
        await tab.do("Page.navigate", url=url)
        return tab

    async def open_anew(self, url: str, script: str) -> "Tab":
        """A tab of a new profile, where `script` runs before the page's own."""
        profile = (await self.do("Target.createBrowserContext"))["browserContextId"]
        parameters = {"url": "about:blank", "browserContextId": profile}
        target = (await self.do("Target.createTarget", **parameters))["targetId"]
        session = (await self.do("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        tab = Tab(self, target, session)
        await tab.do("Page.enable")
        await tab.do("Page.addScriptToEvaluateOnNewDocument", source=script)
        await tab.do("Page.navigate", url=url)
        return tab

    async def close(self) -> None:
        """Ends the conversation."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        async for frame in self._socket:
            message = json.loads(frame)
            answer = self._answers.pop(message.get("id"), None)
            if answer is not None and not answer.done():
                answer.set_result(message)


class Tab:
    """One tab."""

    def __init__(self, browser: Chromium, target: str, session: str) -> None:
        self.browser = browser
        self._target = target
        self._session = session

    async def do(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command about this tab."""
        return await self.browser.do(method, self._session, **parameters)

    async def run(self, expression: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        answer = await self.do(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    async def until(self, expression: str, seconds: float = ANSWER_S) -> Any:
        """Waits until an expression is true and returns its value."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := await self.run(expression)):
                    await asyncio.sleep(0.02)
                return found
        except TimeoutError:
            raise AssertionError(f"{expression} did not come true within {seconds} s") from None

    async def heap_bytes(self) -> int:
        """What the page's scripts hold, after all garbage is collected."""
        await self.do("HeapProfiler.collectGarbage")
        return int((await self.do("Runtime.getHeapUsage"))["usedSize"])

    async def activate(self) -> None:
        """Brings this tab to the front."""
        await self.browser.do("Target.activateTarget", targetId=self._target)

    async def go(self, url: str) -> None:
        """Leaves the page for another one, and waits until that is there."""
        await self.do("Page.navigate", url=url)
        await self.until(f"location.href === {json.dumps(url)} && document.readyState === 'complete'")

    async def back(self) -> None:
        """What the back button does."""
        history = await self.do("Page.getNavigationHistory")
        entry = history["entries"][history["currentIndex"] - 1]
        await self.do("Page.navigateToHistoryEntry", entryId=entry["id"])

    async def close(self) -> None:
        """Closes the tab."""
        await self.browser.do("Target.closeTarget", targetId=self._target)


@asynccontextmanager
async def plain_chromium(*switches: str):
    """A browser with a new profile, without anything that keeps hidden tabs awake or pages from the cache."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            program(),
            *("--headless=new", "--remote-debugging-port=0", f"--user-data-dir={profile}"),
            *(*SWITCHES, without(*UNSEEN), *switches, "about:blank"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "HOME": profile},
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(ANSWER_S):
                address = await _address(process.stderr)
            reading = asyncio.create_task(process.stderr.read())
            async with connect(address, max_size=None, proxy=None) as socket:
                browser = Chromium(socket)
                try:
                    yield browser
                finally:
                    await browser.close()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        await reading


async def _address(lines: asyncio.StreamReader) -> str:
    """Where the browser listens, from what it says at its start."""
    heard = []
    async for line in lines:
        text = line.decode(errors="replace").strip()
        if text.startswith(LISTENING):
            return text.removeprefix(LISTENING)
        heard.append(text)
    raise AssertionError(f"Chromium ended at its start: {heard}")
