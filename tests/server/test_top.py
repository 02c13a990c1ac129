"""`croupier top`: what it shows, and what it does to a terminal."""

import asyncio
import os
import pty
import signal
import sys
from contextlib import suppress

import pytest

from croupier_server.store.workers import WorkerEntry
from croupier_server.tables_list import TableRow
from croupier_server.top import ENTER, LEAVE, Look, screen
from support.serving import serving, until

ROWS = [
    TableRow(table="quiet", pit="main", host="b", process=9, phase="result", round=4, seq=50),
    TableRow(table="late", pit="main", host="b", process=9, phase="dealing", lag_ms=900, seq=7),
    TableRow(table="full", pit="vip", host="a", process=8, seats=2, spectators=30, seq=9),
    TableRow(table="lost", pit="vip", owner="a", ownerless_ms=61_000),
    TableRow(table="odd", pit="vip", problem="its state cannot be read"),
]
WORKERS = [
    WorkerEntry("2", "s", "b", 9, 1, tables=2, connections=3, door="open"),
    WorkerEntry("1", "s", "a", 8, 0, tables=0, connections=30, door="paused"),
]


def test_trouble_comes_first_and_then_the_most_watched():
    lines = list(screen(Look(took_ms=0.26, workers=WORKERS, rows=ROWS, silent=["far"]), 12.34))
    assert lines[0] == (
        "2 workers, 5 tables, 2 seats, 30 watching, 12.3 events a second; the store answers in 0.3 ms"
    )
    assert lines[1] == "pit far: its server does not answer"
    assert [line.split() for line in lines[3:6]] == [
        ["WORKER", "DEALS", "TABLES", "CONNECTIONS", "DOOR"],
        ["a/8", "no", "0", "30", "paused"],
        ["b/9", "yes", "2", "3", "open"],
    ]
    assert [line.split()[0] for line in lines[8:]] == ["late", "lost", "odd", "full", "quiet"]
    assert lines[9].endswith("no dealer for 61 s")


def test_events_a_second_are_those_since_the_last_look_of_tables_that_both_have():
    earlier = Look(took_ms=1, workers=[], rows=[ROWS[0], TableRow(table="late", pit="main", seq=1)])
    assert Look(took_ms=1, workers=[], rows=ROWS).moved(earlier, 2.0) == 3.0
    assert Look(took_ms=1, workers=[], rows=ROWS).moved(None, 2.0) is None


def test_without_tables_there_are_still_headings():
    assert [line for line in screen(Look(took_ms=1, workers=[], rows=[]), None) if line.startswith("TABLE")]


@pytest.mark.slow
async def test_on_a_terminal_it_draws_until_it_is_interrupted_and_gives_the_screen_back(tmp_path):
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        main, other = pty.openpty()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier_client.cli", "top", "--data", str(tmp_path / "data")),
            *("--interval", "0.2"),
            stdout=other,
        )
        os.close(other)
        os.set_blocking(main, False)
        told = bytearray()

        def hear() -> bytes:
            with suppress(BlockingIOError, OSError):  # an error when the other side has closed it
                told.extend(os.read(main, 65_536))
            return bytes(told)

        await until(lambda: hear().count(b"standard") >= 3 and b"events a second" in told, 60)
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 60) == 0
        await until(lambda: hear().endswith(LEAVE.encode()), 30)
        os.close(main)
        assert told.startswith(ENTER.encode())
        assert f"/{server.worker_id} ".encode() in told
