"""A real Prometheus on a real server under load: what it shows is what happened."""

import asyncio
import itertools
import json
import os
import re
import signal
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from support.gateways import bare
from support.playing import connected, seated
from support.prometheus import SCRAPE_S, hurried
from support.serving import until
from support.silent import silent_watchers
from support.tasks import beside
from support.tokens import SECRET
from support.watched import Watched, watched

ROOT = Path(__file__).parents[2]
DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "croupier.json").read_text())
MANUAL = (ROOT / "docs" / "operating.md").read_text()
LISTED = dict(re.findall(r"(?m)^\| `(croupier_\w+)` \| ?(?:`(\w+)`)? ?\|", MANUAL))
"""The metrics of the manual, with the label of each that has one besides the worker's."""

MANUAL_LINES = {name: re.search(rf"(?m)^\| `{name}` \|.*$", MANUAL)[0] for name in LISTED}

TABLES = {"one": "main", "two": "main", "three": "vip"}
PLAYERS = 4
SPECTATORS = 5
FOREIGN = 3
WRONG_KEYS = 2
ENOUGH = 4 * len(TABLES) * PLAYERS
"""Accepted slips of four rounds: more than a worker's successor can have had when it is first scraped, or
else nobody could see from the counter that it has begun anew."""

CONFIG = """
[identity]
keys = [{{file = "{login}"}}]
[archive]
enabled = true
[[tables]]
name = "one"
pace = "turbo"
[[tables]]
name = "two"
pace = "turbo"
rules = "vegas"
[[tables]]
name = "three"
pace = "turbo"
pit = "vip"
"""


class Bettors:
    """Players at all tables who bet, and how often their slips got which answer."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()
        self._over = asyncio.Event()

    async def _bet(self, player, table: str, number: int) -> None:
        last = 0
        while not self._over.is_set():
            last = (await player.next_window(last))["round"]
            stale = number == 0 and last % 2  # one builds on what is no longer there, every other round
            answer = await player.ask(
                type="slip",
                table=table,
                round=last,
                rev=player.me[1] - stale,
                op=f"slip-{number}-{last:06}",
                bets={"player": 100},
            )
            kinds = {"slip_accepted": "accepted", "slip_changed": "slip_changed"}
            self.answers[kinds.get(answer["type"]) or answer["code"]] += 1

    async def accepted(self, number: int) -> None:
        """Returns when so many slips have been accepted."""
        await until(lambda: self.answers["accepted"] >= number, 60, f"accepted slip {number}")

    @asynccontextmanager
    async def betting(self, url: str):
        """They bet at each table; at the end no slip is on its way."""
        self._over.clear()
        async with AsyncExitStack() as stack:
            players = [
                (player, table, number)
                for table in TABLES
                for number, player in enumerate(
                    await stack.enter_async_context(seated(url, PLAYERS, table=table))
                )
            ]
            async with asyncio.TaskGroup() as group:
                for one in players:
                    group.create_task(self._bet(*one))
                yield
                self._over.set()


async def refused_websockets(url: str) -> None:
    for _ in range(FOREIGN):
        with pytest.raises(InvalidStatus, match="403"):
            async with bare(url, origin="https://elsewhere.example"):
                pass


async def refused_token(url: str) -> None:
    async with bare(url) as client:
        assert (await client.ask(type="hello", token="no.good.token"))["code"] == "bad_token"


def dashboard_queries(rate_s: float, range_s: float) -> dict[tuple[str, str], str]:
    """Every query of the dashboard by panel and legend, with Grafana's variables filled in."""
    return {
        (panel["title"], target["legendFormat"]): target["expr"]
        .replace("$__rate_interval", f"{rate_s:.0f}s")
        .replace("$__range", f"{range_s:.0f}s")
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
    }


def counted(samples: list[list]) -> float:
    """What a counter has counted over all its lives, from all its samples: each begins at 0."""
    values = [float(value) for _, value in samples]
    return values[0] + sum(b - a if b >= a else b for a, b in itertools.pairwise(values))


async def in_all(running, expression: str) -> float:
    """The sum of a counter over all series and lives."""
    found = await running.ask("query", query=f"{expression}[1h]")
    return sum(counted(one["values"]) for one in found["result"])


class Scene:
    """A server with three workers, what Prometheus says of it, and what the operator's API says."""

    def __init__(self, found: Watched, hurry: float) -> None:
        self.server, self.running, self.operator, self.receiver = found
        self.url = f"ws://127.0.0.1:{self.server.port}/ws"
        self.scrape_s = SCRAPE_S / hurry
        self.rate_s = 4 * self.scrape_s
        self.five_minutes_s = 300 / hurry

    async def rounds(self) -> int:
        """Rounds that are over, at all tables."""
        status, answer = await self.operator.call("tables.list")
        assert status == 200, answer
        over = {"result", "shuffling"}
        return sum(row["round"] - (row["phase"] not in over) for row in answer["tables"])

    async def void(self, table: str) -> None:
        """Has a round voided: the first that is not over before the order comes."""
        for number in itertools.count():
            order = {"table": table, "op": f"void-for-the-test-{number}", "reason": "to see it"}
            status, answer = await self.operator.call("tables.void", **order)
            if status == 200:
                return
            assert number < 50, answer

    async def scraped(self) -> None:
        """Returns when what is true now has been scraped."""
        asked = time.time()

        async def again():
            times = await self.running.query("timestamp(up)")
            return bool(times) and min(at for _, at in times) > asked + self.scrape_s

        await self.running.until(again, 10 * self.scrape_s + 10, "two scrapes")

    async def shown(self) -> dict[tuple[str, str], list[tuple[dict, float]]]:
        """What each query of the dashboard returns."""
        asked = dashboard_queries(self.rate_s, 2 * self.five_minutes_s)
        five = f"[{self.five_minutes_s:.0f}s]"
        return {
            where: await self.running.query(query.replace("[5m]", five)) for where, query in asked.items()
        }


@asynccontextmanager
async def scene(folder: Path, hurry: float):
    login = folder / "login.key"
    login.write_bytes(SECRET)
    async with watched(folder, CONFIG.format(login=login), 3, lambda text: hurried(text, hurry)) as found:
        yield Scene(found, hurry)


def only(shown, title: str, legend: str) -> float:
    [(_, value)] = shown[title, legend]
    return value


def looks_right(shown, found, a_minute: float, bettors) -> None:
    """Every query has an answer, and it is what went on, as far as that is known."""
    expected = {
        ("Rounds settled a minute", "settled"): (0.8 * a_minute, 1.2 * a_minute),
        ("Rounds settled a minute", "void"): (
            0.5 * 60 / found.five_minutes_s,
            1.5 * 60 / found.five_minutes_s,
        ),
        ("Tables", "dealt"): (len(TABLES), len(TABLES)),
        ("Tables", "undealt"): (0, 0),
        ("Tables", "stalled"): (0, 0),
        ("Spectators and connections", "spectators"): (SPECTATORS, SPECTATORS),
        ("Slow readers", "behind now"): (0, 0),
        ("Slow readers", "moved to the present, a minute"): (0, 0),
        ("Connections that come", "admitted"): (0, 0),
        ("Store calls that failed", "{{instance}}"): (0, 0),
        ("Workers", "answering {{instance}}"): (3, 3),
        ("Workers", "lost {{instance}}"): (0, 0),
        ("Webhooks a minute, and what waits", "delivered"): (0.7 * a_minute, 1.3 * a_minute),
        ("Webhooks a minute, and what waits", "failed"): (0, 0),
        ("Webhooks a minute, and what waits", "waiting"): (0, 30),
        ("Webhooks a minute, and what waits", "lost"): (0, 0),
        ("Webhooks a minute, and what waits", "seconds behind"): (0, 10),
        ("Archive: waiting, and lost to it", "{{pit}}: postings lost"): (0, 0),
    }
    for where, (least, most) in expected.items():
        assert shown[where], where
        for labels, value in shown[where]:
            assert least <= value <= most, (where, labels, value, least, most)
    for title in ("Event lateness", "Push", "Slip answers", "Settlement"):
        assert 0 < only(shown, title, "p50") <= only(shown, title, "p99") < 2.5, title
    connections = shown["Spectators and connections", "{{instance}} {{worker}}"]
    assert sum(value for _, value in connections) == SPECTATORS + len(TABLES) * PLAYERS
    for title in ("Event loop lag, p99", "Processor", "Memory"):
        workers = [labels["worker"] for labels, value in shown[title, "{{instance}} {{worker}}"] if value > 0]
        assert {"1", "2", "3"} <= set(workers), title
    answers = {labels["answer"]: value for labels, value in shown["Slips by answer", "{{answer}}"]}
    assert answers.keys() == {"alarm", "unavailable", *bettors.answers}
    assert answers["accepted"] > answers["slip_changed"] > answers["alarm"] == answers["unavailable"] == 0
    silent = shown["Store, feeds and leases: silence", "feed {{instance}} {{pit}}"]
    assert {labels["pit"] for labels, _ in silent} == set(TABLES.values())
    waited = {
        labels["pit"]: value
        for labels, value in shown["Archive: waiting, and lost to it", "{{pit}}: seconds waited"]
    }
    assert waited.keys() == set(TABLES.values())
    assert min(waited.values()) > found.five_minutes_s / 2  # nobody has archived anything
    empty = [where for where, series in shown.items() if not series]
    assert empty == []


async def agrees(found, bettors, connections: int) -> None:
    """Counters have counted what was done, over all lives of workers."""
    running = found.running
    for answer, times in bettors.answers.items():
        assert await in_all(running, f'croupier_slips_answered_total{{answer="{answer}"}}') == times, answer
    assert await in_all(running, "croupier_slip_answer_seconds_count") == bettors.answers.total()
    assert await in_all(running, "croupier_connections_admitted_total") == connections
    assert await in_all(running, 'croupier_connections_refused_total{reason="origin"}') == FOREIGN
    assert await in_all(running, "croupier_connections_refused_total") == FOREIGN
    assert await in_all(running, "croupier_api_wrong_keys_total") == WRONG_KEYS
    assert await in_all(running, "croupier_rounds_voided_total") == 1
    assert await in_all(running, "croupier_webhooks_delivered_total") <= len(found.receiver.taken)


async def every_metric_is_there(running) -> None:
    """Those of the manual and no others, each with a text, its kind and its labels."""
    told = await running.ask("metadata")
    names = {name for name in told if name.startswith("croupier_")}
    assert names == set(LISTED)
    for name, (one, *_) in told.items():
        if name.startswith(("croupier_", "process_")):
            assert one["help"].endswith("."), name
            assert name.endswith("_total") == (one["type"] == "counter"), name
    for name, label in LISTED.items():
        kind = told[name][0]["type"]
        series = await running.query(f"{name}_count" if kind == "histogram" else name)
        assert series, name
        labels = {key for one, _ in series for key in one} - {"__name__", "instance", "job"}
        of_worker = "of the supervisor" not in MANUAL_LINES[name]
        assert labels == {*({"worker"} if of_worker else ()), *({label} if label else ())}, name


@pytest.mark.long
@pytest.mark.parametrize("hurry", [15, 1])
async def test_what_prometheus_says_is_what_happened(tmp_path, hurry):
    """With every duration so many times as short; 1 is as shipped, and takes six minutes."""
    async with scene(tmp_path, hurry) as found, AsyncExitStack() as stack:
        running, bettors = found.running, Bettors()
        watchers = [await stack.enter_async_context(connected(found.url)) for _ in range(SPECTATORS)]
        for watcher in watchers:
            assert (await watcher.ask(type="watch", table="one"))["type"] == "watching"
        await refused_websockets(found.url)
        await refused_token(found.url)
        for _ in range(WRONG_KEYS):
            status, _, _ = await found.operator.send(
                "/api/tables.list", key="not-the-key-of-this-operator-0000"
            )
            assert status == 401
        async with bettors.betting(found.url):
            await found.scraped()
            rounds, began = await found.rounds(), asyncio.get_running_loop().time()
            await asyncio.sleep(found.five_minutes_s / 2)  # rates are over a span: this is its first half
            await found.void("one")
            await asyncio.sleep(found.five_minutes_s / 2 + 3 * found.scrape_s)  # all windows are full
            a_minute = 60 * (await found.rounds() - rounds) / (asyncio.get_running_loop().time() - began)
            shown = await found.shown()
            pids = await running.query("croupier_worker_process_id")
        looks_right(shown, found, a_minute, bettors)
        assert {int(value) for _, value in pids} == found.server.worker_ids
        assert sorted(labels["worker"] for labels, _ in pids) == ["1", "2", "3"]
        await found.scraped()
        await agrees(found, bettors, connections=SPECTATORS + 1 + len(TABLES) * PLAYERS)
        await every_metric_is_there(running)


@pytest.mark.long
async def test_counters_begin_anew_with_a_worker_and_nothing_is_counted_twice_or_forgotten(tmp_path):
    """A worker is killed when all that was counted has been scraped; its successor has its number."""
    async with scene(tmp_path, 15) as found:
        running, bettors = found.running, Bettors()
        async with bettors.betting(found.url):
            await bettors.accepted(ENOUGH)
        await found.scraped()
        once = bettors.answers["accepted"]
        assert await in_all(running, 'croupier_slips_answered_total{answer="accepted"}') == once
        killed = int(await running.value('croupier_worker_process_id{worker="2"}'))
        os.kill(killed, signal.SIGKILL)
        await running.until(lambda: replaced(running, killed), 30, "another worker 2")
        assert await running.value("croupier_workers_lost_total") == 1
        assert len(await running.query("croupier_worker_answered == 1")) == 3
        async with bettors.betting(found.url):
            await bettors.accepted(once + ENOUGH)
        await found.scraped()
        # Refusals are so few that nobody can see where the successor's count of them begins anew.
        twice = bettors.answers["accepted"]
        assert await in_all(running, 'croupier_slips_answered_total{answer="accepted"}') == twice
        assert await in_all(running, "croupier_connections_admitted_total") == 2 * len(TABLES) * PLAYERS
        rounds = await found.rounds()
        least = rounds - 2 * len(TABLES) * found.scrape_s / 0.25  # of two scrapes, at a table's fastest
        assert least <= await in_all(running, "croupier_rounds_settled_total") <= rounds


async def replaced(running, killed: int) -> bool:
    found = await running.query('croupier_worker_process_id{worker="2"} and croupier_worker_answered == 1')
    return bool(found) and found[0][1] != killed


@pytest.mark.long
async def test_a_reader_that_stops_and_an_archive_that_comes_are_seen(tmp_path):
    async with scene(tmp_path, 15) as found, Bettors().betting(found.url):
        running = found.running
        async with silent_watchers(found.server.port, 1, TABLES, receive_buffer=1) as [reader]:
            behind = "sum(croupier_readers_behind)"
            await running.until(lambda: holds(running, f"{behind} == {len(TABLES)}"), 60, "a reader behind")
            assert await running.value("sum(croupier_spectators)") == len(TABLES)
            moved = "sum(croupier_readers_moved_to_present_total)"
            async with beside(read(reader)):
                await running.until(
                    lambda: holds(running, f"{behind} == 0 and {moved} >= 1"), 60, "the present"
                )
        waited = "max(croupier_archive_behind_seconds)"
        await running.until(lambda: holds(running, f"{waited} > 15"), 60, "postings that wait")
        archive = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier_client.cli", "archive", "--once"),
            *("--config", str(tmp_path / "croupier.toml"), "--data", str(tmp_path / "data")),
        )
        assert await archive.wait() == 0
        await running.until(lambda: holds(running, f"{waited} < 10"), 60, "an archive that has come")


async def holds(running, expression: str) -> bool:
    return bool(await running.query(expression))


async def read(reader) -> None:
    async for _ in reader.messages():
        pass
