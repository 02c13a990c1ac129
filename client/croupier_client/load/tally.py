"""What was seen, by one spectator or by all machines of a test: counts that add up."""

import errno
from enum import StrEnum
from typing import Final, TypeVar

from msgspec import Struct, field

from croupier_client.errors import CroupierError

_Key = TypeVar("_Key")

LOCAL_ERRNOS: Final = (errno.EADDRNOTAVAIL, errno.EMFILE, errno.ENFILE, errno.ENOBUFS)
"""What this machine lacks, not the server: ports, file descriptors, buffers."""


class Count(StrEnum):
    """What is counted."""

    EVENTS = "events"
    SNAPSHOTS = "snapshots"
    MOVED = "moved_to_present"
    JOINED = "joined"
    RESUMED = "resumed"
    CUTS = "cuts"
    TURNED_AWAY = "turned_away"
    OMITTED = "omitted"
    SEATED = "seated"
    SLIPS = "slips"
    SLIPS_MISSED = "slips_missed"
    SLIPS_REFUSED = "slips_refused"
    LATE_REFUSED = "late_refused"
    PAYOUTS = "payouts"
    UNCHECKED = "unchecked_payouts"
    GAPS = "gaps"
    DUPLICATES = "duplicates"
    DISORDER = "disorder"
    LATE_ACCEPTED = "late_accepted"
    WRONG_PAYOUTS = "wrong_payouts"
    UNPAID = "unpaid"
    WRONG_BANKROLLS = "wrong_bankrolls"
    TOO_EARLY = "too_early"
    STRATEGY_FAILED = "strategy_failed"


FAULTS: Final = {
    Count.GAPS: "events were missed",
    Count.DUPLICATES: "events came twice",
    Count.DISORDER: "events came out of order",
    Count.LATE_ACCEPTED: "slips were accepted after their window had closed",
    Count.WRONG_PAYOUTS: "payouts are not what the table's rules make of the cards",
    Count.UNPAID: "slips were accepted and never settled",
    Count.WRONG_BANKROLLS: "bankrolls are not what slips and payouts leave of them",
    Count.STRATEGY_FAILED: "players' strategies ended with an error",
}
"""What must never be seen."""


class Tally(Struct):
    """Counts by `Count`, failed connections by reason, and the first of each fault."""

    counts: dict[Count, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    local_errors: dict[str, int] = field(default_factory=dict)
    examples: dict[Count, str] = field(default_factory=dict)

    def add(self, what: Count, number: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + number

    def fault(self, what: Count, example: str) -> None:
        """Counts what must not be, and keeps the first one to look at."""
        self.add(what)
        self.examples.setdefault(what, example)

    def count(self, what: Count) -> int:
        return self.counts.get(what, 0)

    @property
    def faults(self) -> int:
        """How often something was seen that must not be."""
        return sum(self.count(what) for what in FAULTS)

    def failed(self, error: CroupierError) -> None:
        """Counts a connection that failed, as what this machine lacked or as the server's doing."""
        number = local_errno(error)
        where, reason = (
            (self.errors, str(error)) if number is None else (self.local_errors, errno.errorcode[number])
        )
        where[reason] = where.get(reason, 0) + 1

    def add_all(self, other: "Tally") -> None:
        """Adds what another second, process or machine has seen."""
        _add_counts(self.counts, other.counts)
        _add_counts(self.errors, other.errors)
        _add_counts(self.local_errors, other.local_errors)
        for what, example in other.examples.items():
            self.examples.setdefault(what, example)


def _add_counts(counts: dict[_Key, int], more: dict[_Key, int]) -> None:
    for key, number in more.items():
        counts[key] = counts.get(key, 0) + number


def local_errno(error: BaseException) -> int | None:
    """The error number when `error` comes from what this machine lacks.

    A host with several addresses fails with one text for all of them, so the text is looked at too.
    """
    cause: BaseException | None = error
    while cause is not None:
        for number in LOCAL_ERRNOS:
            if isinstance(cause, OSError) and (cause.errno == number or f"[Errno {number}]" in str(cause)):
                return number
        cause = cause.__cause__
    return None
