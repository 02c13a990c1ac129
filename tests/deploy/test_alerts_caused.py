"""Each alert caused on a real server: a real Prometheus says that it fires, and that it ends.

Rules are those shipped with every duration a tenth as long, scraped every three seconds. What the manual
says to look at is looked at while it fires.
"""

import asyncio
import itertools
import json
import os
import re
import signal
import sys
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

import needs
from croupier_server.store.embedded import running_url
from support.gateways import bare
from support.joining import joining
from support.playing import connected, sit_down
from support.programs import run
from support.prometheus import hurried
from support.standstill import stopped, stuttering
from support.stores import open_pit
from support.tasks import beside
from support.watched import Watched, watched

pytestmark = pytest.mark.long

HURRY = 10
CONFIG = """
[gateway]
connections = {connections}
[archive]
enabled = {archive}
backlog = 1000
[[tables]]
name = "standard"
pace = "turbo"
[[tables]]
name = "other"
pace = "turbo"
"""


def in_a_hurry(text: str) -> str:
    """A tenth of every duration, also of those that are compared with metrics; a scrape every three seconds,
    since a worker that stands still makes it take two.
    """
    text = re.sub(r"(?m)(croupier_(?:archive|webhooks)_behind_seconds\)) > (\d+)0$", r"\1 > \2", text)
    return hurried(text, HURRY).replace("scrape_interval: 1500ms", "scrape_interval: 3s")


class Scene:
    """A running server, Prometheus beside it, and an operator with commands and keys."""

    def __init__(self, found: Watched, folder: Path) -> None:
        self.server, self.running, self.operator, self.receiver = found
        self.url = f"ws://127.0.0.1:{self.server.port}/ws"
        self._data = folder / "data"
        self.store_url = running_url(self._data / "store")

    async def command(self, *arguments: str) -> tuple[int, str]:
        """Exit status and output of a command of the manual."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier_client.cli", *arguments, "--data", str(self._data)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        async with asyncio.timeout(60):
            output, _ = await process.communicate()
        return process.returncode, output.decode()

    def redis_cli(self, *arguments: str) -> str:
        """What the store's own client says, led to an embedded store as the manual has it."""
        socket = json.loads((self._data / "store" / "running.json").read_text())["socket"]
        return run(needs.program("redis-cli"), "-e", "-s", socket, *arguments)

    async def rows(self) -> dict[str, dict]:
        """What `croupier tables list` has of each table."""
        status, output = await self.command("tables", "list")
        assert status == 0, output
        return {row["table"]: row for row in map(json.loads, output.splitlines())}


@asynccontextmanager
async def scene(folder: Path, workers: int = 3, connections: int = 10_000, *, archive: bool = False):
    config = CONFIG.format(connections=connections, archive=str(archive).lower())
    async with watched(folder, config, workers, in_a_hurry) as found:
        yield Scene(found, folder)


async def test_workers_that_stand_still_or_die_and_a_server_that_does_not_answer(tmp_path):
    async with scene(tmp_path) as found:
        running = found.running
        [labels, *_] = [labels for labels, _ in await settled_down(running)]
        process = int(await running.value(f'croupier_worker_process_id{{worker="{labels["worker"]}"}}'))
        with stopped(process):
            [silent] = await running.fires("CroupierWorkerSilent", 60)
            assert silent["worker"] == labels["worker"]
            rows = await found.rows()
            assert process not in {row["process"] for row in rows.values()}  # its tables have gone to others
            assert "CroupierDown" not in await running.firing()
            os.kill(process, signal.SIGKILL)
        await running.ends("CroupierWorkerSilent", 30)
        with stopped(found.server.process.pid):
            assert await running.fires("CroupierDown", 60)
        await running.ends("CroupierDown", 30)
        for lost in range(2, 5):
            os.kill(found.server.worker_id, signal.SIGKILL)
            await running.until(
                lambda lost=lost: holds(running, f"croupier_workers_lost_total == {lost}"), 60, "a loss"
            )
        assert await running.fires("CroupierWorkersLost", 30)
        await running.ends("CroupierWorkersLost", 120)
        assert await running.firing() == {}


async def settled_down(running):
    """Three workers that answer, and nothing amiss."""

    async def well():
        answering = await running.query("croupier_worker_answered == 1")
        return len(answering) == 3 and answering

    return await running.until(well, 60, "three workers")


async def holds(running, expression: str) -> bool:
    return bool(await running.query(expression))


async def test_a_store_that_stands_still_and_a_stream_that_is_damaged(tmp_path):
    async with scene(tmp_path) as found, connected(found.url) as player:
        running = found.running
        await settled_down(running)
        await sit_down(player)
        window = await player.next_window()
        with stopped(found.server.store_id):
            slip = {"type": "slip", "table": "standard", "round": window["round"], "rev": player.me[1]}
            answer = await player.ask(**slip, op="slip-in-the-dark", bets={"player": 500})
            assert answer["code"] == "unavailable"
            [fails] = await running.fires("CroupierSlipsFail", 30)
            assert fails["answer"] == "unavailable"
            await running.until(lambda: three_fire(running, "CroupierStoreSilent"), 30, "all workers' alerts")
            assert {one["pit"] for one in await running.fires("CroupierFeedSilent", 30)} == {"main"}
            assert await running.fires("CroupierTablesStalled", 30)
            status, output = await found.command("tables", "list")
            assert status != 0
            assert "does not answer" in output
        for alert in ("CroupierStoreSilent", "CroupierFeedSilent", "CroupierTablesStalled"):
            await running.ends(alert, 30)
        found.redis_cli("set", "croupier:{main}:events", "no stream")
        assert await running.fires("CroupierFeedSilent", 60)
        found.redis_cli("slowlog", "get")
        assert found.redis_cli("del", "croupier:{main}:events") == "1\n"
        await running.ends("CroupierFeedSilent", 30)
        await running.ends("CroupierTablesStalled", 30)
        await running.ends("CroupierSlipsFail", 60)


async def three_fire(running, alert: str) -> bool:
    return len((await running.firing()).get(alert, ())) == 3


async def test_a_damaged_table_and_a_damaged_bankroll_are_found_mended_and_opened_again(tmp_path):
    async with scene(tmp_path) as found, connected(found.url) as player, open_pit(found.store_url) as pit:
        running = found.running
        await settled_down(running)
        await sit_down(player)
        bankrolls = "croupier:{main}:t:standard:bankrolls"
        held = await pit.client.hget(bankrolls, player.id)
        await pit.client.hset(bankrolls, player.id, "1e9")
        window = await player.next_window()
        slip = {"type": "slip", "table": "standard", "round": window["round"], "rev": player.me[1]}
        answer = await player.ask(**slip, op="slip-of-a-fortune", bets={"player": 500})
        assert answer["code"] == "alarm", answer
        [fails] = await running.fires("CroupierSlipsFail", 30)
        assert fails["answer"] == "alarm"
        status, output = await found.command("audit")
        assert status == 1, output
        status, output = await found.command("tables", "clear-alarm", "standard", "--reason", "too early")
        assert status == 1, output
        await pit.client.hset(bankrolls, player.id, held)
        assert (await found.command("audit"))[0] == 0
        status, output = await found.command("tables", "clear-alarm", "standard", "--reason", "mended")
        assert status == 0, output
        await running.ends("CroupierSlipsFail", 60)
        record = "croupier:{main}:t:other"
        state = await pit.client.hget(record, "state")
        process = (await found.rows())["other"]["process"]
        await found.operator.call("tables.pause", table="other", op="pause-for-damage", reason="damage")
        await until_paused(found, "other")
        state = await pit.client.hget(record, "state")
        await pit.client.hset(record, "state", b"no state")
        os.kill(process, signal.SIGKILL)
        assert await running.fires("CroupierTableUndealt", 60)
        await pit.client.hset(record, "state", state)
        await running.ends("CroupierTableUndealt", 60)
        await found.operator.call("tables.resume", table="other", op="resume-from-it", reason="mended")


async def until_paused(found, table: str) -> None:
    async def paused():
        return (await found.rows())[table].get("phase") == "paused"

    await found.running.until(paused, 30, "the pause")


async def test_rounds_that_are_void_and_tables_that_settle_nothing(tmp_path):
    async with scene(tmp_path) as found:
        running = found.running
        await settled_down(running)
        for number in range(50):
            order = {"table": "standard", "op": f"void-to-see-{number:02}", "reason": "to see it"}
            status, answer = await found.operator.call("tables.void", **order)
            if status == 200:
                break
        assert status == 200, answer
        assert await running.fires("CroupierRoundsVoid", 30)
        for table in ("standard", "other"):
            await found.operator.call("tables.pause", table=table, op=f"pause-{table}", reason="a rest")
        assert await running.fires("CroupierNothingSettled", 240)
        assert {row["phase"] for row in (await found.rows()).values()} == {"paused"}
        assert "CroupierRoundsVoid" not in await running.firing()
        for table in ("standard", "other"):
            await found.operator.call("tables.resume", table=table, op=f"resume-{table}", reason="on")
        await running.ends("CroupierNothingSettled", 60)


async def test_webhooks_that_nobody_takes_and_events_that_are_gone_before_they_were_told(tmp_path):
    async with scene(tmp_path) as found, open_pit(found.store_url) as pit:
        running = found.running
        await settled_down(running)
        await found.receiver.die()
        assert await running.fires("CroupierWebhooksBehind", 90)
        await found.receiver.start()
        await running.ends("CroupierWebhooksBehind", 120)
        await pit.client.delete("croupier:{main}:events")
        assert await running.fires("CroupierWebhooksLost", 60)
        await running.ends("CroupierWebhooksLost", 150)


FULL = """
mount -t tmpfs -o size=200k tmpfs "$1"
(until [ -e "$2" ]; do sleep 0.2; done; mount -o remount,size=64m "$1") &
shift 2
exec "$@"
"""


async def test_an_archive_whose_disk_is_full_falls_behind_and_loses_history_in_the_end(tmp_path):
    """And goes on by itself when there is room again. Its disk is in memory, and small."""
    if os.geteuid() != 0:
        needs.missing("a small disk can be made by root alone")
    disk, room, log = tmp_path / "disk", tmp_path / "room", tmp_path / "archive.log"
    disk.mkdir()
    async with scene(tmp_path, archive=True) as found:
        running = found.running
        await settled_down(running)
        command = (sys.executable, "-m", "croupier_client.cli", "archive", "--data", str(tmp_path / "data"))
        with log.open("wb") as errors:
            archive = await asyncio.create_subprocess_exec(
                *(needs.program("unshare"), "--mount", "sh", "-c", FULL, "full", disk, room),
                *(*command, "--to", f"sqlite:{disk}/archive.db"),
                stderr=errors,
            )
        try:
            [behind] = await running.fires("CroupierArchiveBehind", 180)
            assert behind["pit"] == "main"
            assert "disk is full; trying again in" in log.read_text()
            [lost] = await running.fires("CroupierArchiveLost", 400)
            assert lost["pit"] == "main"
            room.touch()
            await running.ends("CroupierArchiveBehind", 60)
            await running.ends("CroupierArchiveLost", 200)
            archive.terminate()
            assert await archive.wait() == 0
        finally:
            if archive.returncode is None:
                archive.kill()
                await archive.wait()


async def test_a_store_that_is_slow(tmp_path):
    async with scene(tmp_path, workers=1) as found, connected(found.url) as player:
        running = found.running
        await running.until(lambda: holds(running, "croupier_worker_answered == 1"), 60, "a worker")
        await sit_down(player)
        async with beside(bet(player)):
            async with stuttering(found.server.store_id, 0.7, 0.7):
                assert await running.fires("CroupierEventsLate", 150)
                assert await running.fires("CroupierSlipsSlow", 60)
            await running.ends("CroupierEventsLate", 120)
            await running.ends("CroupierSlipsSlow", 120)


async def test_a_worker_that_has_too_much_to_do(tmp_path):
    """First its loop is behind all the time; then it stands still while many are told something."""
    async with scene(tmp_path, workers=1) as found:
        running, worker = found.running, found.server.worker_id
        await running.until(lambda: holds(running, "croupier_worker_answered == 1"), 60, "a worker")
        async with stuttering(worker, 0.3, 0.1), knocking(found.url, 0.5):
            assert await running.fires("CroupierLoopBehind", 120)
            [refused] = await running.fires("CroupierRefusing", 120)
            assert refused["reason"] == "behind"
        await running.ends("CroupierLoopBehind", 60)
        await running.ends("CroupierRefusing", 120)
        async with joining(found.server.port, 1_000, "standard", 50), stuttering(worker, 1.2, 0.3):
            assert await running.fires("CroupierPushSlow", 100)
        await running.ends("CroupierPushSlow", 120)


async def test_a_server_that_is_full(tmp_path):
    async with scene(tmp_path, workers=1, connections=2) as found:
        running = found.running
        await running.until(lambda: holds(running, "croupier_worker_answered == 1"), 60, "a worker")
        async with knocking(found.url, 0.3):
            [refused] = await running.fires("CroupierRefusing", 120)
            assert refused["reason"] == "full"
        await running.ends("CroupierRefusing", 120)


async def bet(player) -> None:
    """Sends ten slips a second; most are refused, since windows are short."""
    for number in itertools.count():
        slip = {"type": "slip", "table": "standard", "round": player.window["round"], "rev": player.me[1]}
        await player.ask(**slip, op=f"slip-{number:08}", bets={"player": 100})
        await asyncio.sleep(0.1)


@asynccontextmanager
async def knocking(url: str, pause_s: float):
    """More and more connections come, one every `pause_s`, and stay if they may."""

    async def knock():
        async with AsyncExitStack() as stack:
            while True:
                with suppress(InvalidStatus):
                    await stack.enter_async_context(bare(url))
                await asyncio.sleep(pause_s)

    async with beside(knock()):
        yield
