"""How long settling blocks the store: ten full tables of 1,000 slips each, settled by one dealer at once.

The store's slow log says how long each command took meanwhile, and while the seats were looked after. It
goes by the wall clock, so the store has a real-time priority where the system allows it: what it waits for a
core is not what settling costs.
"""

import asyncio
import contextlib
import os
import secrets
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import asynccontextmanager
from statistics import median
from typing import Any, NamedTuple

from benchmarks.placing import place_words, register, seat_all
from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.dealer.dealer import Dealer
from croupier_server.dealer.sealing import ShoeKey
from croupier_server.store import keys, scripts
from croupier_server.store.embedded import EmbeddedStore
from croupier_server.store.keys import PitId
from croupier_server.store.pit import Pit
from croupier_server.table.listing import listing_digest
from croupier_server.table.pace import Pace
from croupier_server.table.state import TableSettings

LOGGED_US = 200
"""What takes less is not logged: writing the log of ten thousand quick commands would be measured, too."""

PIT = PitId("crowded")
RULES = RULE_SETS["standard"]
TOGETHER = 100
"""Slips in one pipeline."""

PHASE_S = 60.0


class Size(NamedTuple):
    """How much is settled, and how long the window is in which seats are told and all slips placed."""

    tables: int = 10
    seats: int = 1_000
    window_ms: int = 40_000


@contextlib.contextmanager
def real_time(process: int) -> Iterator[bool]:
    """Whether a process has a real-time priority meanwhile."""
    try:
        os.sched_setscheduler(process, os.SCHED_FIFO, os.sched_param(1))
    except (AttributeError, PermissionError):
        yield False
        return
    try:
        yield True
    finally:
        os.sched_setscheduler(process, os.SCHED_OTHER, os.sched_param(0))


@asynccontextmanager
async def dealing(pit: Pit):
    """A dealer of all tables, in this process."""
    dealer = Dealer(pit, ShoeKey(secrets.token_bytes(32)))
    tasks = [asyncio.create_task(dealer.run()), asyncio.create_task(dealer.hear_notes())]
    try:
        yield
    finally:
        await dealer.release()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def reach(pit: Pit, tables: list[TableId], phase: str, after: int = 0) -> list[int]:
    """Waits until every table has been in `phase` of a round later than `after`; returns the rounds."""
    rounds = dict.fromkeys(tables, 0)
    async with asyncio.timeout(PHASE_S):
        while not all(rounds.values()):
            for table in [table for table, round_ in rounds.items() if not round_]:
                key = keys.table_key(pit.name, table)
                found, round_ = await pit.store.client.hmget(key, ["phase", "round"])
                if found == phase.encode() and int(round_) > after:
                    rounds[table] = int(round_)
            await asyncio.sleep(0.005)
    return list(rounds.values())


async def place_everything(pit: Pit, crowd: dict[TableId, list[PlayerId]], listing: str, round_: int) -> None:
    """A slip on every seat."""
    client, sha = pit.store.client, scripts.own(scripts.PLACE, pit.name)[1]
    for table, players in crowd.items():
        for start in range(0, len(players), TOGETHER):
            pipe = client.pipeline(transaction=False)
            for number, player in enumerate(players[start : start + TOGETHER]):
                pipe.evalsha(sha, 8, *place_words(pit.name, table, listing, player, round_, 0, number))
            await pipe.execute()
        if await client.hlen(keys.slips_key(pit.name, table)) != len(players):
            raise ValueError("the window was too short for all slips")


async def settling(store: EmbeddedStore, size: Size) -> dict[str, Any]:
    """A round with a slip on every seat, dealt and settled: the longest that each kind of command took."""
    limits = Limits(seats=size.seats)
    listing = listing_digest(RULES.digest, limits)
    pace = Pace("crowded", 50, size.window_ms, 200, 50, 1_000)
    tables = [TableId(f"crowd{number}") for number in range(size.tables)]
    pit = Pit.at(store.url, pit=PIT)
    client = pit.store.client
    try:
        await register(pit, *(TableSettings(table, RULES, pace, limits) for table in tables))
        crowd = {table: await seat_all(pit, table, size.seats) for table in tables}
        async with dealing(pit):
            rounds = await reach(pit, tables, "betting")
            await place_everything(pit, crowd, listing, rounds[0])
            await client.config_set("slowlog-max-len", 100_000)
            await client.config_set("slowlog-log-slower-than", LOGGED_US)
            await client.slowlog_reset()
            with real_time(store.process_id) as undisturbed:
                await reach(pit, tables[:1], "settling")
                begin = time.perf_counter()
                await reach(pit, tables, "result")
                took = time.perf_counter() - begin
                await reach(pit, tables, "betting", after=rounds[0])  # seats are looked after, too
                log = await client.slowlog_get(100_000)
            await client.config_set("slowlog-log-slower-than", 10_000)
            left = sum([await client.hlen(keys.slips_key(PIT, table)) for table in tables])
        if left:
            raise ValueError(f"{left} slips were not settled")
    finally:
        await pit.close()
    return {
        "slips": size.tables * size.seats,
        "seconds": took,
        "real_time": undisturbed,
        "commands": by_command(log),
    }


def by_command(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the slow log says of each kind of command, the slowest first."""
    names = {scripts.own(script, PIT)[1]: script.name for script in scripts.LOADED}
    took_ms: dict[str, list[float]] = defaultdict(list)
    for entry in log:
        words = entry["command"].decode(errors="replace").split()
        name = names.get(words[1], words[0]) if words[0].upper() == "EVALSHA" else words[0].upper()
        took_ms[name].append(entry["duration"] / 1000)
    commands = [
        {
            "name": name,
            "calls": len(each),
            "over_5_ms": sum(one > 5 for one in each),
            "longest_ms": max(each),
            "median_ms": median(each),
        }
        for name, each in took_ms.items()
    ]
    return sorted(commands, key=lambda one: -one["longest_ms"])  # type: ignore[operator]


def report(settled: dict[str, Any]) -> None:
    """Prints what `settling` has measured."""
    print(f"settling {settled['slips']} slips took    {settled['seconds']:8.1f} s", end="")
    print(", store at a real-time priority" if settled["real_time"] else "", end="; commands, longest:\n")
    for one in settled["commands"][:8]:
        print(f"    {one['name']:16}{one['longest_ms']:6.2f} ms, median {one['median_ms']:.2f} ms", end="")
        print(f", {one['calls']} calls over {LOGGED_US / 1000} ms, {one['over_5_ms']} over 5 ms")
