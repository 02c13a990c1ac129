"""`croupier top`: what it shows, and what it does to a terminal."""

import asyncio
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios
from contextlib import AsyncExitStack, suppress

import pytest
from aiohttp import ClientSession

from croupier_server.store.workers import WorkerEntry
from croupier_server.tables_list import TableRow
from croupier_server.top import ENTER, HOME, LEAVE, REST_OF_LINE, REST_OF_SCREEN, Look, screen
from support.metrics import figures
from support.playing import connected, seated
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


def test_trouble_comes_first_with_what_is_amiss_below_it_and_then_the_most_watched():
    lines = list(screen(Look(at_s=0, took_ms=0.26, workers=WORKERS, rows=ROWS, silent=["far"]), 12.34))
    assert lines[:3] == [
        "2 workers, 5 tables, 2 seats taken, 30 watching",
        "12.3 events a second, the store answers in 0.3 ms",
        "pit far: its server does not answer",
    ]
    assert [line.split() for line in lines[4:7]] == [
        ["WORKER", "DEALS", "TABLES", "CONNECTIONS", "DOOR"],
        ["a/8", "no", "0", "30", "paused"],
        ["b/9", "yes", "2", "3", "open"],
    ]
    assert lines[8].split()[-4:] == ["ROUND", "SEATS", "WATCHING", "LAG"]
    names = [line.split()[0] for line in lines[9:] if line[0] != " "]
    assert names == ["late", "lost", "odd", "full", "quiet"]
    assert [line for line in lines[9:] if line[0] == " "] == [
        "  no dealer for 61 s",
        "  its state cannot be read",
    ]


@pytest.mark.parametrize("width", [80, 120])
def test_what_matters_fits_on_a_terminal_whatever_the_names_are(width):
    host = "a-host-of-a-name-that-is-rather-long"
    row = TableRow(
        table="a-table-with-a-name-as-long-as-a-table-may-have",
        pit="a-pit-of-a-long-name",
        rules="standard",
        host=host,
        process=123_456,
        phase="shuffling",
        round=123_456,
        seats=500,
        spectators=20_000,
        lag_ms=12_345,
    )
    worker = WorkerEntry("1", "s", host, 123_456, 1, tables=1_200, connections=20_000, door="paused")
    look = Look(at_s=0, took_ms=1_234.5, workers=[worker] * 12, rows=[row] * 1_200)
    lines = list(screen(look, 12_345.6, width))
    assert max(map(len, lines)) <= width
    *_, last = lines
    assert last.endswith("shuffling  123456  500    20000     12345 ms")
    assert last.startswith("a-table-wit")
    assert "…" in last
    assert "/123456  shuffling" in last


def test_events_a_second_are_those_since_the_last_look_of_tables_that_both_have():
    rows = [ROWS[0], TableRow(table="late", pit="main", seq=1)]
    earlier = Look(at_s=10, took_ms=1, workers=[], rows=rows)
    look = Look(at_s=12, took_ms=1, workers=[], rows=ROWS)
    assert look.moved(earlier) == 3.0
    assert look.moved(None) is None


def test_without_tables_there_are_still_headings():
    lines = screen(Look(at_s=0, took_ms=1, workers=[], rows=[]), None)
    assert [line for line in lines if line.startswith("TABLE")]


@pytest.mark.slow
async def test_on_a_terminal_it_draws_until_it_is_interrupted_and_gives_the_screen_back(tmp_path):
    async with serving(tmp_path / "data", "--pace", "turbo") as server:
        main, process, told, hear = await drawing(tmp_path / "data", "0.2")
        await until(lambda: hear().count(b"standard") >= 3 and b"events a second" in told, 60)
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 60) == 0
        await until(lambda: hear().endswith(LEAVE.encode()), 30)
        os.close(main)
        assert told.startswith(ENTER.encode())
        assert f"/{server.worker_id} ".encode() in told


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
async def test_under_load_its_figures_are_those_of_the_metrics(tmp_path, columns, rows):
    """Three workers, eight players who do not bet and three spectators, at tables of all lengths of names."""
    names = ("standard", "a-table-with-a-name-as-long-as-a-table-may-have", "x")
    config = tmp_path / "croupier.toml"
    config.write_text("".join(f'[[tables]]\nname = "{name}"\npace = "turbo"\n' for name in names))
    options = ("--config", str(config), "--workers", "3")
    async with serving(tmp_path / "data", *options) as server, AsyncExitStack() as stack:
        url = f"ws://127.0.0.1:{server.port}/ws"
        for table in names[:2]:
            await stack.enter_async_context(seated(url, 4, table=table))
        for _ in range(3):
            spectator = await stack.enter_async_context(connected(url))
            assert (await spectator.ask(type="watch", table="x"))["type"] == "watching"
        frame = await last_frame(tmp_path / "data", columns, rows, "8 seats taken, 11 watching")
        async with ClientSession() as session, session.get(f"{server.admin}/metrics") as answer:
            page = await answer.text()
    assert len(frame) <= rows
    assert max(map(len, frame)) <= columns
    assert frame[0] == "3 workers, 3 tables, 8 seats taken, 11 watching"
    assert re.fullmatch(r"\d+\.\d events a second, the store answers in \d+\.\d ms", frame[1])
    shown = {int(line.split()[0].partition("/")[2]): line.split() for line in frame[4:7]}
    told = {
        int(figures(page, "croupier_worker_process_id", worker=number)[0]): [
            f"{figures(page, name, worker=number)[0]:.0f}"
            for name in ("croupier_tables_dealt", "croupier_connections_open")
        ]
        for number in ("1", "2", "3")
    }
    assert {process: row[2:4] for process, row in shown.items()} == told
    assert sum(figures(page, "croupier_spectators")) == 3
    tables = {line.split()[0]: line.split() for line in frame[9:12]}
    assert [row[-4:-2] for _, row in sorted(tables.items(), key=lambda one: one[1][-3])] == [
        ["0", "3"],
        ["4", "4"],
        ["4", "4"],
    ]


async def drawing(data, interval: str, size: tuple[int, int] | None = None):
    """`croupier top` on a terminal: its end of it here, the process, and what was heard and hears more."""
    main, other = pty.openpty()
    if size is not None:
        columns, rows = size
        fcntl.ioctl(main, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", "top", "--data", str(data), "--interval", interval),
        stdout=other,
    )
    os.close(other)
    os.set_blocking(main, False)
    told = bytearray()

    def hear() -> bytes:
        with suppress(BlockingIOError, OSError):  # an error when the other side has closed it
            told.extend(os.read(main, 65_536))
        return bytes(told)

    return main, process, told, hear


async def last_frame(data, columns: int, rows: int, until_it_says: str) -> list[str]:
    """What `croupier top` draws last on a terminal of that size, once it has said something twice."""
    main, process, told, hear = await drawing(data, "0.5", (columns, rows))
    try:
        await until(lambda: hear().count(until_it_says.encode()) >= 4, 60)
    finally:
        process.send_signal(signal.SIGINT)
        await process.wait()
        os.close(main)
    frames = told.decode().split(HOME)
    return [line.removesuffix(REST_OF_LINE) for line in frames[-2].removesuffix(REST_OF_SCREEN).splitlines()]
