"""A real Prometheus on loopback that scrapes a real server by the configuration that is shipped."""

import asyncio
import json
import re
import shutil
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlencode

import aiohttp

import needs
from support.clusters import free_ports

SHIPPED = Path(__file__).parents[2] / "deploy" / "prometheus"
TARGET = "croupier:8001"
"""In the shipped configuration, as compose names the admin port; an operator puts an own address there."""

READY_S = 60.0
SCRAPE_S = 15.0
"""As shipped."""

SECONDS = {"s": 1, "m": 60, "h": 3600}


def hurried(text: str, times: float) -> str:
    """A configuration or rules in which every duration is so many times as short."""

    def shorter(found: re.Match) -> str:
        return f"{found[1]}{int(found[2]) * SECONDS[found[3]] * 1000 / times:.0f}ms"

    return re.sub(r"(for: |_interval: |\[|offset )(\d+)([smh])\b", shorter, text)


class Prometheus:
    """One that runs; answers of its API as Python values."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self.url = url
        self._session = session

    async def ask(self, path: str, **asked: object) -> object:
        """The `data` of an answer of the HTTP API."""
        async with self._session.get(f"{self.url}/api/v1/{path}?{urlencode(asked)}") as answer:
            found = json.loads(await answer.text())
        assert found["status"] == "success", found
        return found["data"]

    async def query(self, expression: str) -> list[tuple[dict, float]]:
        """Labels and value of each series of an instant vector."""
        found = await self.ask("query", query=expression)
        assert found["resultType"] == "vector", found
        return [(one["metric"], float(one["value"][1])) for one in found["result"]]

    async def value(self, expression: str) -> float:
        """The value of the only series."""
        [(_, value)] = await self.query(expression)
        return value

    async def firing(self) -> dict[str, list[dict]]:
        """The labels of the alerts that fire now, by name."""
        found: dict[str, list[dict]] = {}
        for one in (await self.ask("alerts"))["alerts"]:
            if one["state"] == "firing":
                found.setdefault(one["labels"].pop("alertname"), []).append(one["labels"])
        return found

    async def until(self, condition, seconds: float, what: str):
        """Waits until `await condition()` is true, and returns it; asks four times a second."""
        found = None
        try:
            async with asyncio.timeout(seconds):
                while not (found := await condition()):
                    await asyncio.sleep(0.25)  # it is in another process
        except TimeoutError:
            raise AssertionError(f"{what} did not come within {seconds:g} s; last {found}") from None
        return found

    async def fires(self, alert: str, seconds: float) -> list[dict]:
        """Waits until an alert fires, and returns the labels of each."""

        async def fired():
            return (await self.firing()).get(alert)

        return await self.until(fired, seconds, f"the alert {alert}")

    async def ends(self, alert: str, seconds: float) -> None:
        """Waits until an alert does not fire."""

        async def ended():
            return alert not in await self.firing()

        await self.until(ended, seconds, f"the end of {alert}")


@asynccontextmanager
async def prometheus(folder: Path, admin_url: str, edit=lambda text: text):
    """Prometheus as shipped, its target put to `admin_url`; `edit` changes the text of each file."""
    program = needs.program("prometheus")
    shutil.copytree(SHIPPED, folder)
    for path in folder.glob("*.yml"):
        text = path.read_text()
        if path.name == "prometheus.yml":
            assert text.count(TARGET) == 1
            text = text.replace(TARGET, admin_url.removeprefix("http://").rstrip("/"))
        path.write_text(edit(text))
    [port] = free_ports(1)
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            program,
            f"--config.file={folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
            stdout=log,
            stderr=log,
        )
    try:
        async with aiohttp.ClientSession() as session:
            running = Prometheus(f"http://127.0.0.1:{port}", session)

            async def ready():
                assert process.returncode is None, (folder / "log").read_text()
                try:
                    async with session.get(f"{running.url}/-/ready") as answer:
                        return answer.status == 200
                except aiohttp.ClientError:
                    return False

            await running.until(ready, READY_S, "Prometheus")
            yield running
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
