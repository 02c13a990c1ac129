"""What an operator sees of the tables: who deals them, where they are, and which nobody deals."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from croupier_protocol.messages.values import TableId
from croupier_server.dealer.others import LEASE_MS
from croupier_server.store.errors import DamagedRecordError, StoreUnavailableError
from croupier_server.store.keys import PitId
from croupier_server.store.scripts import Store
from croupier_server.store.tables import Tables
from croupier_server.store.workers import WorkerEntry, Workers, watching
from croupier_server.table.listing import ListingError, read_listing
from croupier_server.table.machine import wake_at
from croupier_server.table.state import decode_state

NOBODY: Final = "NOBODY"
"""What stands in the place of the dealer of a table that has had none for longer than a lease."""

COLUMNS: Final = ("TABLE", "PIT", "RULES", "DEALER", "PHASE", "ROUND", "SEATS", "WATCHING", "LAG", "NOTE")


class TableRow(Struct, frozen=True, omit_defaults=True):
    """One table. `owner` is the dealer's id, `host` and `process` its worker's where the register has it.

    `spectators` are the connections that watch it, those of seated players too, but not load testers'.

    `lag_ms` is by how much the next step is overdue. `ownerless_ms` is since when nobody deals the table, if
    that is longer than a lease. `problem` says why nothing more is known.
    """

    table: TableId
    pit: PitId
    rules: str = ""
    owner: str = ""
    host: str | None = None
    process: int | None = None
    phase: str = ""
    round: int = 0
    seq: int = 0
    seats: int = 0
    spectators: int = 0
    lag_ms: int = 0
    lease_left_ms: int = 0
    ownerless_ms: int | None = None
    problem: str | None = None

    def cells(self) -> tuple[str, ...]:
        """The row for people."""
        worker = self.owner if self.host is None else f"{self.host}/{self.process}"
        note = self.problem or ""
        if self.ownerless_ms is not None:
            worker, note = NOBODY, f"no dealer for {self.ownerless_ms / 1000:.0f} s"
        counts = (str(self.round), str(self.seats), str(self.spectators), f"{self.lag_ms} ms")
        return self.table, self.pit, self.rules, worker or "-", self.phase or "-", *counts, note


async def read_rows(store: Store, pit: PitId) -> list[TableRow]:
    """Every table on the list of a pit, by name."""
    tables = Tables(store, pit)
    workers: dict[str, WorkerEntry] = {}
    # On a cluster the register may be on another node, which is away when the pit's is not.
    with contextlib.suppress(StoreUnavailableError):
        workers = {entry.owner: entry for entry in await Workers(store).read()}
    watchers = watching(workers.values())
    return [
        await _row(tables, table, encoded, workers, watchers[table])
        for table, encoded in sorted((await tables.registered()).items())
    ]


async def _row(
    tables: Tables, table: TableId, encoded: bytes, workers: dict[str, WorkerEntry], spectators: int
) -> TableRow:
    try:
        listing = read_listing(encoded)
        record = (await tables.read(table)).record
        state = decode_state(record.state, record.schema) if record.state else None
    except (ListingError, DamagedRecordError, ValueError) as error:
        return TableRow(table=table, pit=tables.pit, spectators=spectators, problem=str(error))
    now_ms = tables.store.clock.now_ms()
    worker = workers.get(record.owner)
    due_ms = None if state is None else wake_at(listing.settings(table), state)
    without_ms = now_ms - record.lease_until_ms
    return TableRow(
        table=table,
        pit=tables.pit,
        rules=listing.rules.name,
        owner=record.owner,
        host=None if worker is None else worker.host,
        process=None if worker is None else worker.process,
        phase="" if state is None else state.view.phase.value,
        round=0 if state is None else state.view.round,
        seq=record.seq,
        seats=0 if state is None else len(state.view.seats),
        spectators=spectators,
        lag_ms=0 if due_ms is None else max(now_ms - due_ms, 0),
        lease_left_ms=max(-without_ms, 0) if record.owner else 0,
        ownerless_ms=without_ms if record.lease_until_ms and without_ms > LEASE_MS else None,
        problem=None if record.lease_until_ms else "never dealt so far",
    )


def as_lines(rows: Sequence[TableRow]) -> Iterator[str]:
    """The rows as aligned lines, under a line of headings."""
    return columns([COLUMNS, *(row.cells() for row in rows)])


def columns(cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of cells as lines, each column as wide as its widest cell."""
    widths = [max(len(one) for one in column) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  ".join(f"{one:{width}}" for one, width in zip(row, widths, strict=True)).rstrip()
