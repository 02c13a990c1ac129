"""How many slips a worker takes, beside the bare place script in the same run; and how long settling blocks.

    make bench

On one embedded store, in turns: one client runs the place script alone, in a pipeline whose commands were
packed beforehand (in a pit of its own, with the keys that a table has); then players on real websockets
place slips with a worker that deals the table. What counts is the ratio of the two rates. Then the players
place slips at half the rate that the worker could take, and the delays of the answers are looked at.
Afterwards a dealer settles 10,000 slips; see `settling`. The figures are also written to build/slips.json.
"""

import asyncio
import contextlib
import json
import multiprocessing
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import hiredis

from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.config import Config
from croupier_server.configuring.sections import GuestsSection
from croupier_server.store import keys, scripts
from croupier_server.store.embedded import EmbeddedStore
from croupier_server.store.keys import DEFAULT_PIT, PitId
from croupier_server.store.pit import Pit
from croupier_server.table.listing import listing_digest
from croupier_server.table.pace import Pace
from croupier_server.table.state import TableSettings
from croupier_server.worker_orders import READY_LINE, WorkerOrders

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import settling
from benchmarks.placing import place_words, register, seat_all
from benchmarks.players import Figures, play

OUTPUT = Path(__file__).parents[2] / "build" / "slips.json"

PIPELINE = 100

RULES = RULE_SETS["standard"]
TABLE = TableId("standard")
LISTING = listing_digest(RULES.digest, Limits())
ENDLESS = Pace("endless", 50, 3_600_000, 50, 50, 50)
BARE = PitId("bare")


class Size(NamedTuple):
    """How many sockets, how many turns of both sides, and how long each part is, in seconds."""

    sockets: int = 64
    turns: int = 5
    bare_s: float = 1.0
    sockets_s: float = 2.0
    half_s: float = 36.0


class Bare:
    """One client that runs the place script in a pipeline and does nothing else."""

    def __init__(self, url: str, players: list[PlayerId]) -> None:
        self._players = players
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(url.removeprefix("unix://"))
        self._rev = 0

    def close(self) -> None:
        self._socket.close()

    def _packed(self) -> list[bytes]:
        """Two slips of every player, in pipelines."""
        commands = []
        sha = scripts.own(scripts.PLACE, BARE)[1]
        for _ in range(2):
            for number, player in enumerate(self._players):
                words = place_words(BARE, TABLE, LISTING, player, 7, self._rev, number)
                commands.append(hiredis.pack_command(("EVALSHA", sha, 8, *words)))
            self._rev += 1
        return [b"".join(commands[start : start + PIPELINE]) for start in range(0, len(commands), PIPELINE)]

    def rate(self, seconds: float) -> float:
        """Slips a second, with the time for packing left out."""
        reader = hiredis.Reader()
        slips, spent = 0, 0.0
        while spent < seconds:
            batches = self._packed()
            count = 2 * len(self._players)
            begin = time.perf_counter()
            expected = count
            for batch in batches:
                self._socket.sendall(batch)
                answers = min(PIPELINE, expected)
                expected -= answers
                while answers:
                    answer = reader.gets()
                    if answer is False:
                        reader.feed(self._socket.recv(65_536))
                        continue
                    answers -= 1
                    if not isinstance(answer, list) or answer[1][0] != b"ok":
                        raise ValueError(f"the place script answered {answer!r}")
            spent += time.perf_counter() - begin
            slips += count
        return slips / spent


async def bare_table(pit: Pit, sockets: int) -> list[PlayerId]:
    """A table in its betting window, without a dealer."""
    record = {"phase": "betting", "round": 7, "closes_at_ms": 2**53 - 1, "listing": LISTING}
    await pit.stream.open()
    await pit.store.client.hset(keys.table_key(BARE, TABLE), mapping=record)  # type: ignore[arg-type]
    return await seat_all(pit, TABLE, sockets)


@contextmanager
def working(url: str, sockets: int) -> Iterator[tuple[int, int]]:
    """A worker on the store that deals the table with a window that does not end: its port and process."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.set_inheritable(True)
        orders = WorkerOrders(
            config=Config(guests=GuestsSection(burst=sockets, enabled=True)),
            redis=url,
            pits=(DEFAULT_PIT,),
            confirmation=None,
            embedded=False,
            shoe_keys=(secrets.token_bytes(32),),
            supervisor=secrets.token_hex(8),
            listening_descriptor=listening.fileno(),
        )
        with subprocess.Popen(
            [sys.executable, "-m", "croupier_server.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[listening.fileno()],
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(orders.encode())
                process.stdin.flush()
                if process.stdout.readline() != READY_LINE:
                    raise RuntimeError("the worker did not get ready")
                yield listening.getsockname()[1], process.pid
            finally:
                process.terminate()
                process.wait()


@contextmanager
def playing(port: int, sockets: int) -> Iterator[Connection]:
    """The process of players."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=play, args=(theirs, port, TABLE, sockets), daemon=True)
    process.start()
    theirs.close()
    try:
        ours.recv()
        yield ours
        ours.send(None)
        process.join()
    finally:
        process.kill()
        ours.close()


def cpu_s(process: int) -> float:
    """Seconds of processor time that a process has used."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


async def slips(store: EmbeddedStore, size: Size) -> dict[str, Any]:
    """The rates, in turns, and the delays at half the worker's."""
    pit = Pit.at(store.url, pit=BARE)
    main = Pit.at(store.url)
    try:
        await register(main, TableSettings(TABLE, RULES, ENDLESS, Limits()))
        seated = await bare_table(pit, size.sockets)
        with (
            closing(Bare(store.url, seated)) as bare,
            working(store.url, size.sockets) as (port, process),
            playing(port, size.sockets) as players,
        ):
            bare.rate(size.bare_s / 2)
            players.send((None, size.sockets_s / 2))
            players.recv()
            turns: list[tuple[float, Figures, float, float]] = []
            bare_store = 0.0
            for _ in range(size.turns):
                before_store = cpu_s(store.process_id)
                alone = bare.rate(size.bare_s)
                bare_store += (cpu_s(store.process_id) - before_store) / (alone * size.bare_s)
                before, before_store = cpu_s(process), cpu_s(store.process_id)
                players.send((None, size.sockets_s))
                figures: Figures = players.recv()
                spent, spent_store = cpu_s(process) - before, cpu_s(store.process_id) - before_store
                turns.append((alone, figures, spent, spent_store))
            rate = median(figures.slips / figures.seconds for _, figures, *_ in turns)
            players.send((rate / 2, size.half_s))
            half: Figures = players.recv()
    finally:
        await pit.close()
        await main.close()
    placed = sum(figures.slips for _, figures, *_ in turns)
    return {
        "bare_a_second": median(alone for alone, *_ in turns),
        "sockets_a_second": rate,
        "ratio": median(figures.slips / figures.seconds / alone for alone, figures, *_ in turns),
        "ratios": sorted(figures.slips / figures.seconds / alone for alone, figures, *_ in turns),
        "full_p50_ms": median(figures.p50_ms for _, figures, *_ in turns),
        "full_p99_ms": median(figures.p99_ms for _, figures, *_ in turns),
        "worker_us_a_slip": 1e6 * sum(spent for *_, spent, _ in turns) / placed,
        "bare_store_us_a_slip": 1e6 * bare_store / size.turns,
        "store_us_a_slip": 1e6 * sum(spent for *_, spent in turns) / placed,
        "other_frames_a_slip": sum(figures.other_frames for _, figures, *_ in turns) / placed,
        "half_a_second": half.slips / half.seconds,
        "half_p50_ms": half.p50_ms,
        "half_p99_ms": half.p99_ms,
        "half_longest_ms": half.longest_ms,
    }


async def measure(size: Size, crowd: settling.Size) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder) / "store")
        await store.start()
        try:
            return {"slips": await slips(store, size), "settling": await settling.settling(store, crowd)}
        finally:
            await store.stop()


def report(placed: dict[str, Any]) -> None:
    """Prints what `slips` has measured."""
    print(f"bare place script, one client   {placed['bare_a_second']:8.0f} slips/s")
    print(f"    processor time a slip       {placed['bare_store_us_a_slip']:8.0f} us store")
    print(f"through sockets, one worker     {placed['sockets_a_second']:8.0f} slips/s", end="")
    print(f", {placed['ratio']:.2f} times ({placed['ratios'][0]:.2f} to {placed['ratios'][-1]:.2f})")
    print(f"    answered in                 {placed['full_p50_ms']:8.1f} ms", end="")
    print(f", p99 {placed['full_p99_ms']:.1f} ms")
    print(f"    processor time a slip       {placed['worker_us_a_slip']:8.0f} us worker", end="")
    print(f", {placed['store_us_a_slip']:.0f} us store")
    print(f"    other frames a slip         {placed['other_frames_a_slip']:8.2f}")
    print(f"at half of that                 {placed['half_a_second']:8.0f} slips/s", end="")
    print(f", answered in {placed['half_p50_ms']:.1f} ms, p99 {placed['half_p99_ms']:.1f} ms", end="")
    print(f", longest {placed['half_longest_ms']:.1f} ms")


def main() -> None:
    size = Size()
    figures = asyncio.run(measure(size, settling.Size()))
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(figures, indent=2) + "\n")
    print(f"{size.sockets} sockets, {size.turns} turns, medians")
    report(figures["slips"])
    settling.report(figures["settling"])


if __name__ == "__main__":
    main()
