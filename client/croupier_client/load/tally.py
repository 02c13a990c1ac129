"""What was seen, by one spectator or by all machines of a test: counts and durations that add up."""

import errno
from enum import StrEnum
from typing import Final, TypeVar

from msgspec import Struct, field

from croupier_client.errors import CroupierError
from croupier_client.load.histogram import Histogram

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


class Measure(StrEnum):
    """What is timed, in milliseconds. See `Tally` for from when to when."""

    PUSH = "push"
    CONNECT = "connect"
    SNAPSHOT = "snapshot"
    RESUME = "resume"
    SIT = "sit"
    ACK = "ack"
    LAG = "lag"


class Tally(Struct):
    """Counts by `Count`, durations by `Measure`, failed connections by reason.

    `push`, which is kept by the stage of the test, is from the time at which an event was due to its arrival;
    `connect` and `snapshot` from the time at which a spectator was to come; `resume` from the time of the
    first try to come back; `sit` from the time at which a player was to sit; `ack` from the time at which a
    slip was to be placed; `lag` is how late the tester itself was with what it had to do.
    """

    counts: dict[Count, int] = field(default_factory=dict)
    durations: dict[Measure, Histogram] = field(default_factory=dict)
    pushes: dict[str, Histogram] = field(default_factory=dict)
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

    def time(self, what: Measure, duration_ms: float) -> None:
        found = self.durations.get(what)
        if found is None:
            found = self.durations[what] = Histogram()
        found.add(duration_ms)

    def histogram(self, what: Measure, stage: str | None = None) -> Histogram:
        """All durations of a kind; of `push`, those of one stage or of all."""
        if what is not Measure.PUSH:
            return self.durations.get(what) or Histogram()
        if stage is not None:
            return self.pushes.get(stage) or Histogram()
        every = Histogram()
        for one in self.pushes.values():
            every.add_all(one)
        return every

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
        for kind, histogram in other.durations.items():
            self.durations.setdefault(kind, Histogram()).add_all(histogram)
        for stage, histogram in other.pushes.items():
            self.pushes.setdefault(stage, Histogram()).add_all(histogram)


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
