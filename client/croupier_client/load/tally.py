"""What all spectators of a run have seen, together."""

import errno
from collections import Counter
from typing import Final

from croupier_client.errors import CroupierError
from croupier_client.load.histogram import Histogram

LOCAL_ERRNOS: Final = (errno.EADDRNOTAVAIL, errno.EMFILE, errno.ENFILE, errno.ENOBUFS)
"""What this machine lacks, not the server: ports, file descriptors, buffers."""


class Tally:
    """Counts. `faults` are those that must be zero: a stream with a hole, a repetition, or out of order."""

    def __init__(self) -> None:
        self.watching = 0
        self.ever_watching = 0
        self.events = 0
        self.snapshots = 0
        self.later_snapshots = 0
        self.cuts = 0
        self.gaps = 0
        self.duplicates = 0
        self.disorder = 0
        self.errors: Counter[str] = Counter()
        self.local_errors: Counter[str] = Counter()
        self.latency = Histogram()
        self.lag = Histogram()

    @property
    def faults(self) -> int:
        return self.gaps + self.duplicates + self.disorder

    @property
    def passed(self) -> bool:
        """Whether somebody watched, and nobody saw a fault."""
        return self.ever_watching > 0 and self.faults == 0

    def failed(self, error: CroupierError) -> None:
        """Counts a connection that failed, as what this machine lacked or as the server's doing."""
        number = local_errno(error)
        if number is None:
            self.errors[str(error)] += 1
        else:
            self.local_errors[errno.errorcode[number]] += 1


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
