"""`/readyz` of a real server to which each thing happens that speaks against it, and which mends itself."""

import asyncio
import os
import re
import signal
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSession

from croupier_server.store.embedded import running_url
from support.metrics import figures
from support.serving import serving
from support.standstill import stopped, stuttering
from support.stores import open_pit

pytestmark = pytest.mark.long

SOON_S = 30.0


class Probe:
    """Somebody who asks whether a server is ready."""

    def __init__(self, session: ClientSession, server) -> None:
        self.server = server
        self._session = session

    async def ask(self) -> tuple[int, str]:
        async with self._session.get(f"{self.server.admin}/readyz") as answer:
            return answer.status, await answer.text()

    async def says(self, status: int, pattern: str) -> str:
        """Waits for this status with a line that has this form, and returns all it says."""
        found = None
        try:
            async with asyncio.timeout(SOON_S):
                while True:
                    found = await self.ask()
                    if found[0] == status and any(
                        re.fullmatch(pattern, line) for line in found[1].splitlines()
                    ):
                        return found[1]
                    await asyncio.sleep(0.05)  # it is in another process
        except TimeoutError:
            raise AssertionError(f"{status} {pattern} was not said; last {found}") from None

    async def ready(self) -> None:
        """Waits until nothing speaks against the server any more, and its table is dealt."""
        await self.says(200, "ready")
        async with asyncio.timeout(SOON_S):
            while await self.ask() != (200, "ready\n") or await self._dealt() != 1:
                await asyncio.sleep(0.05)  # it is in another process

    async def _dealt(self) -> float:
        async with self._session.get(f"{self.server.admin}/metrics") as answer:
            return sum(figures(await answer.text(), "croupier_tables_dealt"))


@asynccontextmanager
async def probed(folder, *options: str):
    async with serving(folder / "data", "--pace", "turbo", *options) as server, ClientSession() as session:
        probe = Probe(session, server)
        await probe.ready()
        yield probe


async def test_what_speaks_against_a_server_is_said_while_it_lasts_and_no_longer(tmp_path):
    async with probed(tmp_path) as probe, open_pit(running_url(tmp_path / "data" / "store")) as pit:
        worker = f"worker 1 \\(process {probe.server.worker_id}\\): "
        with stopped(probe.server.store_id):
            said = await probe.says(503, f"{worker}the store has not answered for [3-5]\\.\\d s")
            assert said.count("\n") == 1  # what follows from it is not said
        await probe.ready()
        await pit.client.set("croupier:{main}:events", "no stream")
        await probe.says(503, f"{worker}nothing has been heard of any table for [5-9]\\.\\d s")
        await pit.client.delete("croupier:{main}:events")
        await probe.ready()
        await pit.client.config_set("maxmemory", "1")
        await probe.says(503, f"{worker}no lease in pit main has been renewed for [3-9]\\.\\d s")
        await pit.client.config_set("maxmemory", "0")
        await probe.ready()
        async with stuttering(probe.server.worker_id, 0.45, 0.05):
            await probe.says(503, f"{worker}the event loop is \\d+ ms behind")
        await probe.ready()
        with stopped(probe.server.worker_id):
            await probe.says(503, f"{worker}does not answer")
        await probe.ready()
        os.kill(probe.server.worker_id, signal.SIGKILL)
        await probe.says(503, "no worker is ready")
        await probe.ready()


async def test_a_worker_of_two_that_stands_still_is_named_and_the_server_stays_ready(tmp_path):
    async with probed(tmp_path, "--workers", "2") as probe:
        still = probe.server.worker_id
        with stopped(still):
            said = await probe.says(200, f"worker [12] \\(process {still}\\): does not answer")
            assert said.startswith("ready\n")
        await probe.ready()
