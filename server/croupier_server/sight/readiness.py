"""What keeps a worker from being ready for players. Pure: figures in, reasons out.

A worker that is not ready goes on with all it has. The supervisor counts as ready as long as one of its
workers is, for all are behind one port.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from croupier_protocol.messages.values import TableId
from croupier_server.dealer.others import LEASE_MS
from croupier_server.store.keys import PitId

STORE_SILENT_S: Final = 3.0
"""A store that has not answered for this long is away. Each feed reads once a second at least, and a read is
given up after 2.5 s: two reads in a row that come to nothing."""

FEED_SILENT_S: Final = 5.0
"""A pit of which nothing has been heard for this long while its store answers: loading it anew, after its
stream was damaged or has been trimmed too early, takes less."""

UNRENEWED_S: Final = LEASE_MS / 1000
"""Leases are renewed every second, and run out so long after."""

UNDEALT_S: Final = 10.0
"""A table that nobody has dealt for so long. A dead dealer's tables are taken within 4 s."""


class PitSeen(Struct, frozen=True):
    """One pit, as this worker has it. All in seconds; None where the worker has no such part.

    `undealt` are the tables that nobody deals and that could be dealt here, with how long that is so.
    """

    feed_silent_s: float | None = None
    unrenewed_s: float | None = None
    undealt: Mapping[TableId, float] = {}


class WorkerSeen(Struct, frozen=True):
    """One worker: `behind_s` is by how much its event loop is behind, None when it is not."""

    store_silent_s: float
    behind_s: float | None
    pits: Mapping[PitId, PitSeen]


class Readiness(Struct, frozen=True):
    """Whether a server is ready, and a line for each reason that speaks against it or one of its workers."""

    ready: bool
    reasons: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """For people and logs."""
        first = ("ready",) if self.ready else ()
        return "".join(f"{line}\n" for line in (*first, *self.reasons))


def of_server(workers: Mapping[str, list[str] | None]) -> Readiness:
    r"""From what each worker that serves says of itself, by its name; None from one that does not answer.

    >>> of_server({"worker 1": [], "worker 2": None}).text
    'ready\nworker 2: does not answer\n'
    """
    if not workers:
        return Readiness(ready=False, reasons=("no worker is ready",))
    said = {name: ["does not answer"] if found is None else found for name, found in workers.items()}
    reasons = tuple(f"{name}: {reason}" for name, found in said.items() for reason in found)
    return Readiness(ready=not all(said.values()), reasons=reasons)


def problems(seen: WorkerSeen) -> list[str]:
    """The reasons why this worker is not ready for players; none when it is.

    A silent store is one reason, for all else follows from it. One pit of several whose server is away is
    none: its tables stand still at every worker, and the other pits' are played. Nor are tables that were
    tried and cannot be dealt: no other server could either, and all of them would be taken out at once.

    >>> problems(WorkerSeen(store_silent_s=4.25, behind_s=None, pits={}))
    ['the store has not answered for 4.2 s']
    """
    found = []
    if seen.behind_s is not None:
        found.append(f"the event loop is {seen.behind_s * 1000:.0f} ms behind")
    if seen.store_silent_s > STORE_SILENT_S:
        return [*found, f"the store has not answered for {seen.store_silent_s:.1f} s"]
    silent = {name: pit.feed_silent_s or 0.0 for name, pit in seen.pits.items()}
    if silent and min(silent.values()) > FEED_SILENT_S:
        return [*found, f"nothing has been heard of any table for {min(silent.values()):.1f} s"]
    for name, pit in seen.pits.items():
        if silent[name] > FEED_SILENT_S:
            continue
        if pit.unrenewed_s is not None and pit.unrenewed_s > UNRENEWED_S:
            found.append(f"no lease in pit {name} has been renewed for {pit.unrenewed_s:.1f} s")
        undealt = {table: since for table, since in pit.undealt.items() if since > UNDEALT_S}
        if undealt:
            first = min(undealt)
            more = f" and {len(undealt) - 1} more" if len(undealt) > 1 else ""
            found.append(f"nobody deals table {first}{more} for {max(undealt.values()):.1f} s")
    return found
