"""How many slips a worker takes, beside the bare place script in the same run; and how long settling blocks.

    make bench

On one embedded store, in turns: one client runs the place script alone, in a pipeline whose commands were
packed beforehand (in a pit of its own, with the keys that a table has); then players on real websockets
place slips with a worker that deals the table. What counts is the ratio of the two rates. Then the players
place slips at half the rate that the worker could take, and the delays of the answers are looked at.
Afterwards a dealer settles a table of 10,000 slips, and the store's slow log says how long each of its
commands took. The figures are also written to build/slips.json.
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
from collections import defaultdict
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

import hiredis

from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.values import TableId
from croupier_server import worker
from croupier_server.config import Config, GuestsSection, TableSection
from croupier_server.dealer.dealer import Dealer
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.store import keys, scripts
from croupier_server.store.embedded import EmbeddedStore
from croupier_server.store.keys import DEFAULT_PIT, PitId
from croupier_server.store.pit import Pit
from croupier_server.store.stream import NOTES_KEPT
from croupier_server.table.listing import encode_listing, listing_digest
from croupier_server.table.pace import PACES, Pace
from croupier_server.table.state import TableSettings

sys.path.insert(0, str(Path(__file__).parent))
from players import SLIPS, Figures, play

OUTPUT = Path(__file__).parents[2] / "build" / "slips.json"

SOCKETS = 64
TURNS = 5
BARE_S, SOCKETS_S, HALF_S = 1.0, 2.0, 6.0
PIPELINE = 100
SEATS = 10_000
LOGGED_US = 200
"""What takes less is not logged: writing the log of ten thousand quick commands would be measured, too."""

RULES = RULE_SETS["standard"]
TABLE = TableId("standard")
ROOMY = Limits(seats=SEATS)
LISTING = listing_digest(RULES.digest, ROOMY)
ENDLESS = Pace("endless", 50, 3_600_000, 50, 50, 50)
CROWDED = Pace("crowded", 50, 20_000, 200, 50, 2_000)


async def seat_all(pit: Pit, table: TableId, count: int) -> list[str]:
    """Puts `count` players on seats with chips in front, as finished buy-ins would."""
    players = [f"g{number:016x}" for number in range(count)]
    name, client = pit.seats.pit, pit.store.client
    for start in range(0, count, 500):
        pipe = client.pipeline(transaction=False)
        for number, player in list(enumerate(players, 1))[start : start + 500]:
            seat = {"seat": number, "name": f"Guest {number}", "skeleton": f"guest{number}", "state": "taken"}
            seat |= {"absent": 0, "unbet": 0, "op": "sit-00000001", "number": number}
            pipe.hset(keys.seats_key(name, table), player, json.dumps(seat, separators=(",", ":")))
            pipe.hset(keys.bankrolls_key(name, table), player, 50_000)
        await pipe.execute()
        await pit.seats.present({table: players[start : start + 500]})  # type: ignore[dict-item]
    return players


def place_words(pit: str, player: str, round_: int, rev: int, number: int) -> list[str | int]:
    """Keys and arguments of the place script, for a slip that depends on `rev` and `number`."""
    bets = SLIPS[(number + rev) % len(SLIPS)]
    of_table = (keys.table_key, keys.seats_key, keys.bankrolls_key, keys.slips_key, keys.revisions_key)
    return [
        *(key(PitId(pit), TABLE) for key in (*of_table, keys.totals_key, keys.ready_key)),
        keys.notes_key(PitId(pit)),
        *(TABLE, NOTES_KEPT, player, round_, rev, f"slip{rev:010}", LISTING),
        ",".join(f"{bet}={cents}" for bet, cents in bets.items()),
        *(sum(bets.values()), len(bets)),
        *(part for pair in bets.items() for part in pair),
    ]


class Bare:
    """One client that runs the place script in a pipeline and does nothing else."""

    def __init__(self, url: str, players: list[str]) -> None:
        self._players = players
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(url.removeprefix("unix://"))
        self._rev = 0

    def _packed(self) -> list[bytes]:
        """Two slips of every player, in pipelines."""
        commands = []
        sha = scripts.own(scripts.PLACE, "bare")[1]
        for _ in range(2):
            for number, player in enumerate(self._players):
                words = place_words("bare", player, 7, self._rev, number)
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


async def bare_table(pit: Pit) -> list[str]:
    """A table in its betting window, without a dealer."""
    record = {"phase": "betting", "round": 7, "closes_at_ms": 2**53 - 1, "listing": LISTING}
    await pit.store.client.hset(keys.table_key(pit.seats.pit, TABLE), mapping=record)  # type: ignore[arg-type]
    return await seat_all(pit, TABLE, SOCKETS)


async def register(pit: Pit, limits: Limits, pace: Pace) -> None:
    """Lists the table for gateways."""
    settings = TableSettings(table=TABLE, rules=RULES, pace=pace, limits=limits)
    await pit.tables.register({TABLE: encode_listing(settings)})


@contextmanager
def working(url: str) -> Iterator[tuple[int, int]]:
    """A worker on the store that deals the table with a window that does not end: its port and process."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.set_inheritable(True)
    orders = worker.WorkerOrders(
        config=Config(
            tables=(TableSection(name=TABLE, pace=ENDLESS.name),),
            guests=GuestsSection(burst=SOCKETS, enabled=True),
        ),
        redis=url,
        pits=(DEFAULT_PIT,),
        confirmation=None,
        embedded=False,
        shoe_keys=(secrets.token_bytes(32),),
        supervisor=secrets.token_hex(8),
        listening_descriptor=listening.fileno(),
    )
    process = subprocess.Popen(
        [sys.executable, __file__, "worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[listening.fileno()],
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(orders.encode())
        process.stdin.flush()
        if process.stdout.readline() != worker.READY_LINE:
            raise RuntimeError("the worker did not get ready")
        yield listening.getsockname()[1], process.pid
    finally:
        process.terminate()
        process.wait()
        listening.close()


@contextmanager
def playing(port: int) -> Iterator[Connection]:
    """The process of players."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=play, args=(theirs, port, TABLE, SOCKETS), daemon=True)
    process.start()
    theirs.close()
    try:
        ours.recv()
        yield ours
        ours.send(None)
        process.join()
    finally:
        process.kill()


def cpu_s(process: int) -> float:
    """Seconds of processor time that a process has used."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


async def slips(store: EmbeddedStore) -> dict[str, Any]:
    """The rates, in turns, and the delays at half the worker's."""
    pit = Pit.at(store.url, pit=PitId("bare"))
    main = Pit.at(store.url)
    try:
        await main.stream.open()
        await register(main, Limits(), ENDLESS)
        bare = Bare(store.url, await bare_table(pit))
        with working(store.url) as (port, process), playing(port) as players:
            bare.rate(BARE_S / 2)
            players.send((None, SOCKETS_S / 2))
            players.recv()
            turns: list[tuple[float, Figures, float, float]] = []
            bare_store = 0.0
            for _ in range(TURNS):
                before_store = cpu_s(store.process_id)
                alone = bare.rate(BARE_S)
                bare_store += (cpu_s(store.process_id) - before_store) / (alone * BARE_S)
                before, before_store = cpu_s(process), cpu_s(store.process_id)
                players.send((None, SOCKETS_S))
                figures: Figures = players.recv()
                spent, spent_store = cpu_s(process) - before, cpu_s(store.process_id) - before_store
                turns.append((alone, figures, spent, spent_store))
            rate = median(figures.slips / figures.seconds for _, figures, *_ in turns)
            players.send((rate / 2, HALF_S))
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
        "bare_store_us_a_slip": 1e6 * bare_store / TURNS,
        "store_us_a_slip": 1e6 * sum(spent for *_, spent in turns) / placed,
        "other_frames_a_slip": sum(figures.other_frames for _, figures, *_ in turns) / placed,
        "half_a_second": half.slips / half.seconds,
        "half_p50_ms": half.p50_ms,
        "half_p99_ms": half.p99_ms,
        "half_longest_ms": half.longest_ms,
    }


@asynccontextmanager
async def dealing(pit: Pit):
    """A dealer of the crowded table, in this process."""
    dealer = Dealer(pit, ShoeKey(secrets.token_bytes(32)))
    tasks = [asyncio.create_task(dealer.run()), asyncio.create_task(dealer.hear_notes())]
    try:
        yield
    finally:
        await dealer.release()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def phase(pit: Pit, *phases: str) -> None:
    """Waits until the table is in one of the phases."""
    key = keys.table_key(pit.seats.pit, TABLE)
    while (await pit.store.client.hget(key, "phase") or b"").decode() not in phases:
        await asyncio.sleep(0.005)


async def settling(store: EmbeddedStore) -> dict[str, Any]:
    """A round with 10,000 slips, dealt and settled: the longest that each kind of command took."""
    pit = Pit.at(store.url, pit=PitId("crowded"))
    client = pit.store.client
    try:
        await pit.stream.open()
        await register(pit, ROOMY, CROWDED)
        players = await seat_all(pit, TABLE, SEATS)
        async with dealing(pit):
            await phase(pit, "betting")
            round_ = int(await client.hget(keys.table_key(pit.seats.pit, TABLE), "round"))
            for start in range(0, SEATS, PIPELINE):
                pipe = client.pipeline(transaction=False)
                sha = scripts.own(scripts.PLACE, "crowded")[1]
                for number, player in enumerate(players[start : start + PIPELINE]):
                    pipe.evalsha(sha, 8, *place_words("crowded", player, round_, 0, number))
                await pipe.execute()
            if await client.hlen(keys.slips_key(pit.seats.pit, TABLE)) != SEATS:
                raise ValueError("the window was too short for all slips")
            await client.config_set("slowlog-max-len", 100_000)
            await client.config_set("slowlog-log-slower-than", LOGGED_US)
            await client.slowlog_reset()
            await phase(pit, "settling")
            begin = time.perf_counter()
            await phase(pit, "result")
            took = time.perf_counter() - begin
            await asyncio.sleep(1.0)  # seats are looked after, too
            log = await client.slowlog_get(100_000)
            await client.config_set("slowlog-log-slower-than", 10_000)
        left = await client.hlen(keys.slips_key(pit.seats.pit, TABLE))
        if left:
            raise ValueError(f"{left} slips were not settled")
    finally:
        await pit.close()
    names = {scripts.own(script, "crowded")[1]: script.name for script in scripts.LOADED}
    took_ms: dict[str, list[float]] = defaultdict(list)
    for entry in log:
        words = entry["command"].decode(errors="replace").split()
        name = names.get(words[1], words[0]) if words[0].upper() == "EVALSHA" else words[0].upper()
        took_ms[name].append(entry["duration"] / 1000)
    commands = [
        {"name": name, "calls": len(each), "longest_ms": max(each), "median_ms": median(each)}
        for name, each in took_ms.items()
    ]
    return {"seconds": took, "commands": sorted(commands, key=lambda one: -one["median_ms"])}  # type: ignore[operator]


async def measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder) / "store")
        await store.start()
        try:
            return {"slips": await slips(store), "settling": await settling(store)}
        finally:
            await store.stop()


def main() -> None:
    figures = asyncio.run(measure())
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(figures, indent=2) + "\n")
    placed, settled = figures["slips"], figures["settling"]
    print(f"{SOCKETS} sockets, {TURNS} turns, medians")
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
    print(f"settling {SEATS} slips took     {settled['seconds']:8.1f} s; commands, medians:")
    for one in settled["commands"][:8]:
        print(f"    {one['name']:16}{one['median_ms']:6.2f} ms, longest {one['longest_ms']:.2f} ms", end="")
        print(f", {one['calls']} calls over {LOGGED_US / 1000} ms")


if __name__ == "__main__":
    PACES[ENDLESS.name] = ENDLESS
    if sys.argv[1:] == ["worker"]:
        worker.main()
    else:
        main()
