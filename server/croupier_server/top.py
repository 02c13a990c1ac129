"""`croupier top`: what goes on at all servers of a store, drawn anew each second."""

import asyncio
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.validators import Number
from msgspec import Struct

from croupier_protocol.messages.values import TableId
from croupier_server.operating import DONE, with_store
from croupier_server.operations.tables import list_tables
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.scripts import run
from croupier_server.store.stores import Stores
from croupier_server.store.workers import WorkerEntry, Workers
from croupier_server.tables_list import COLUMNS, TableRow, columns

LATE_MS: Final = 500
"""A table that is later than this comes first: its players notice."""

ENTER: Final = "\x1b[?1049h\x1b[?25l"
LEAVE: Final = "\x1b[?25h\x1b[?1049l"
HOME: Final = "\x1b[H"
REST_OF_LINE: Final = "\x1b[K"
REST_OF_SCREEN: Final = "\x1b[J"
"""What a terminal is told: another screen without a cursor and back, and to draw over what is there."""

WORKER_COLUMNS: Final = ("WORKER", "DEALS", "TABLES", "CONNECTIONS", "DOOR")

LEFT_OUT: Final = ("RULES", "PIT")
"""Columns that go first where a terminal is too narrow for all."""

LEAST_NAME: Final = 12
"""What is left of a table's or a dealer's name where even that is not enough."""


class Look(Struct, frozen=True):
    """Everything at one moment, `at_s` by a steady clock; `silent` are pits whose server did not answer."""

    at_s: float
    took_ms: float
    workers: Sequence[WorkerEntry]
    rows: Sequence[TableRow]
    silent: Sequence[str] = ()

    def moved(self, earlier: "Look | None") -> float | None:
        """Events a second since an earlier look."""
        if earlier is None:
            return None
        before = {row.table: row.seq for row in earlier.rows}
        events = sum(max(row.seq - before.get(row.table, row.seq), 0) for row in self.rows)
        return events / (self.at_s - earlier.at_s)


def top(
    *,
    interval: Annotated[float, Parameter(validator=Number(gte=0.2))] = 1.0,
    once: bool = False,
    config: Path | None = None,
    redis: str | None = None,
    data: Path | None = None,
) -> int:
    """Watch workers and tables of a running server, and of all that share its store, until Ctrl-C.

    Tables that are late, that nobody deals or that cannot be read come first, then those most watched.

    Args:
        interval: Seconds between two looks.
        once: Print one look and end; so it is also where standard output is no terminal.
        config: Configuration file (TOML) of the server.
        redis: URL of the store.
        data: Data directory of a running server.
    """
    if once or not sys.stdout.isatty():
        return with_store(config, redis, data, _print_once)
    sys.stdout.write(ENTER)
    try:
        return with_store(config, redis, data, lambda stores: _keep_drawing(stores, interval))
    except KeyboardInterrupt:
        return DONE
    finally:
        sys.stdout.write(LEAVE)
        sys.stdout.flush()


async def _print_once(stores: Stores) -> int:
    look = await look_at(stores)
    sys.stdout.write("".join(f"{line}\n" for line in screen(look, None)))
    return DONE


async def _keep_drawing(stores: Stores, interval: float) -> int:
    earlier: Look | None = None
    while True:
        began = time.monotonic()
        size = shutil.get_terminal_size()
        try:
            look = await look_at(stores)
        except StoreUnavailableError as error:
            lines = [f"the store does not answer: {error}"]
        else:
            lines = list(screen(look, look.moved(earlier), size.columns))
            earlier = look
        fitting = [line[: size.columns] for line in lines[: size.lines - 1]]
        if len(fitting) < len(lines):
            fitting[-1] = f"… {len(lines) - len(fitting) + 1} more lines"
        sys.stdout.write(HOME + "".join(f"{line}{REST_OF_LINE}\n" for line in fitting) + REST_OF_SCREEN)
        sys.stdout.flush()
        await asyncio.sleep(max(began + interval - time.monotonic(), 0.0))


async def look_at(stores: Stores) -> Look:
    """Reads everything.

    Raises:
        StoreUnavailableError: not even the register of workers can be read.
    """
    home = stores.pit(DEFAULT_PIT)
    began = time.monotonic()
    await run(home.client.ping())
    took_ms = (time.monotonic() - began) * 1000
    workers = await Workers(home).read()
    listed = await list_tables(stores)
    return Look(at_s=began, took_ms=took_ms, workers=workers, rows=listed.rows, silent=list(listed.silent))


def screen(look: Look, events_a_second: float | None, width: int | None = None) -> Iterator[str]:
    """The lines of one look, for so many columns; what is amiss with a table stands below its row."""
    seats = sum(row.seats for row in look.rows)
    watching = sum(row.spectators for row in look.rows)
    yield f"{len(look.workers)} workers, {len(look.rows)} tables, {seats} seats taken, {watching} watching"
    speed = "" if events_a_second is None else f"{events_a_second:.1f} events a second, "
    yield f"{speed}the store answers in {look.took_ms:.1f} ms"
    for pit in look.silent:
        yield f"pit {pit}: its server does not answer"
    yield ""
    yield from columns([WORKER_COLUMNS, *(_cells(one) for one in sorted(look.workers, key=_place))])
    yield ""
    rows = sorted(look.rows, key=_urgency)
    cells = [row.cells() for row in rows]
    headings, *lines = columns(_fitting([COLUMNS[:-1], *(one[:-1] for one in cells)], width))
    yield headings
    for line, (*_, note) in zip(lines, cells, strict=True):
        yield line
        if note:
            yield f"  {note}"


def _fitting(cells: Sequence[Sequence[str]], width: int | None) -> list[tuple[str, ...]]:
    """The cells of a table that is no wider, as far as leaving columns out and cutting names will do.

    >>> _fitting([("TABLE", "PIT", "DEALER", "LAG"), ("a-very-long-name", "main", "ny/12", "0 ms")], 27)
    [('TABLE', 'DEALER', 'LAG'), ('a-very-long-…', 'ny/12', '0 ms')]
    """
    found = list(zip(*cells, strict=True))
    if width is None:
        return list(zip(*found, strict=True))
    for name in LEFT_OUT:
        if _width(found) > width:
            found = [column for column in found if column[0] != name]
    for name, cut in (("TABLE", _begin), ("DEALER", _end)):
        letters = max(_widest(found, name) - max(_width(found) - width, 0), LEAST_NAME)
        found = [
            tuple(cut(one, letters) for one in column) if column[0] == name else column for column in found
        ]
    return list(zip(*found, strict=True))


def _widest(found: Sequence[Sequence[str]], name: str) -> int:
    return max(len(one) for column in found if column[0] == name for one in column)


def _width(found: Sequence[Sequence[str]]) -> int:
    return sum(max(map(len, column)) + 2 for column in found) - 2


def _begin(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def _end(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"…{text[1 - letters :]}"


def _place(worker: WorkerEntry) -> tuple[str, int]:
    return worker.host, worker.process


def _cells(worker: WorkerEntry) -> tuple[str, ...]:
    deals = "yes" if worker.capacity else "no"
    return (
        f"{worker.host}/{worker.process}",
        deals,
        str(worker.tables),
        str(worker.connections),
        worker.door,
    )


def _urgency(row: TableRow) -> tuple[bool, int, TableId]:
    trouble = row.problem is not None or row.ownerless_ms is not None or row.lag_ms > LATE_MS
    return not trouble, -row.spectators, row.table
