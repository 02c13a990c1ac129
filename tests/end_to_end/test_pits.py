"""Tables in pits on the nodes of a real cluster: a node that is away stops its own tables and no others."""

import asyncio
import contextlib
import json
import os
import sys

import pytest

from croupier_client.connection import connect
from croupier_protocol.messages.to_client import TableView
from support.clusters import cluster_store
from support.serving import start_serving, until

pytestmark = pytest.mark.long

KEY = {"CROUPIER_SHOE_KEY": "ab" * 32}

PACES = ("turbo", "turbo", "speed", "speed")
"""Of the tables in each pit: quick ones tell whether an event is missed, slow ones leave the machine free."""


class Watched:
    """Everything one watcher got; fails where an event is missing within an epoch."""

    def __init__(self, watcher, pace) -> None:
        self.watcher = watcher
        self.quick = pace == "turbo"
        self.snapshots = 0
        self.events = 0
        self.last = None
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.watcher:
            if isinstance(message, TableView):
                self.snapshots += 1
            else:
                assert (message.epoch, message.seq) == (self.last.epoch, self.last.seq + 1)
                self.events += 1
            self.last = self.watcher.view

    @property
    def stalled(self) -> bool:
        return self.watcher.stalled

    def check(self) -> None:
        """Fails if the watcher met something that it should not have."""
        if self.task.done():
            self.task.result()


def more(watched, events):
    """Whether all have got that many events more than now, slow tables one."""
    wanted = [(one, one.events + (events if one.quick else 1)) for one in watched]
    return lambda: all(one.events >= many for one, many in wanted)


def configuration(folder, pits) -> str:
    """A file with four tables in each pit; returns its path."""
    lines = []
    for pit in pits:
        for number, pace in enumerate(PACES):
            lines += ["[[tables]]", f'name = "{pit}-{number}"', f'pit = "{pit}"', f'pace = "{pace}"']
    path = folder / "croupier.toml"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


async def command(*arguments) -> tuple[int, str]:
    """Exit status and output of a `croupier` command."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, **KEY},
    )
    async with asyncio.timeout(60):
        output, _ = await process.communicate()
    return process.returncode, output.decode()


async def test_twelve_tables_on_three_nodes_and_one_of_them_stops(tmp_path):
    """No event of the other pits' tables is missed; the node's own tables say so, and go on with it."""
    async with contextlib.AsyncExitStack() as stack:
        cluster = await stack.enter_async_context(cluster_store(tmp_path / "cluster"))
        pits = [cluster.pit_on(number) for number in range(3)]
        server = await start_serving(
            *(tmp_path / "unused", "--redis", cluster.url, "--config", configuration(tmp_path, pits)),
            environment=KEY,
        )
        stack.push_async_callback(server.stop)
        clients = [await stack.enter_async_context(connect(server.url)) for _ in range(2)]
        watched = {
            pit: [
                Watched(clients[number % 2].watch(f"{pit}-{number}"), pace)
                for number, pace in enumerate(PACES)
            ]
            for pit in pits
        }
        every = [one for four in watched.values() for one in four]
        stack.callback(lambda: [one.task.cancel() for one in every])
        await until(more(every, 10), 30, "play at all twelve tables")
        stopped, others = watched[pits[1]], watched[pits[0]] + watched[pits[2]]

        cluster.primaries[1].freeze()  # worse than dead: what asks it waits for an answer
        await until(lambda: all(one.stalled for one in stopped), 20, "the stall of the stopped pit")
        await until(more(others, 25), 60, "play in the other pits")
        assert not any(one.stalled for one in others)
        assert [one.snapshots for one in others] == [1] * 8
        assert all(one.stalled for one in stopped)
        status, output = await command("tables", "list", "--redis", cluster.url)
        assert status == 1
        assert f"pit {pits[1]}: its server does not answer" in output
        assert sum(line.startswith("{") for line in output.splitlines()) == 8

        await cluster.primaries[1].kill()
        await cluster.primaries[1].start()
        await until(more(stopped, 10), 30, "play in the pit that was stopped")
        assert not any(one.stalled for one in every)
        assert [one.snapshots for one in others] == [1] * 8
        for one in every:
            one.check()

        status, output = await command("tables", "list", "--redis", cluster.url)
        rows = [json.loads(line) for line in output.splitlines()]
        assert (status, len(rows)) == (0, 12)
        assert {row["pit"] for row in rows} == set(pits)
        status, output = await command("audit", "--json", "--redis", cluster.url)
        assert (status, json.loads(output.splitlines()[-1])["tables"]) == (0, 12)
