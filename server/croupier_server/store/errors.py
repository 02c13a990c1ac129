"""What can go wrong with the store.

StoreError
├── StoreUnavailableError    not reachable, loading, read-only or out of memory: try again later
├── UnsuitableStoreError     this server cannot hold Croupier's data; says why
├── DamagedRecordError       a key has a wrong type or content
├── NewerRecordError         a newer release of Croupier wrote the table's record
├── NotOursError             another server delivers the pit's webhooks
├── OperationReusedError     an operator's op was the name of another order
└── CommitRefusedError       a dealer's script did not take a step
    ├── LeaseLostError       another dealer owns the table, or nobody does
    ├── EpochChangedError    the stream has begun a new life
    ├── OutOfStepError       the record's seq is not the one expected
    ├── TooEarlyError        the store's clock has not reached the step
    ├── TooLateError         the step's time has passed
    └── NotReadyError        not every present seat is ready: the window stays open
"""

from typing import Final

RETRY_S: Final = 0.25
"""Between two attempts at a store that is away, or whose stream is damaged, where tables wait for it."""


class StoreError(Exception):
    """Anything the store refuses or fails at."""


class StoreUnavailableError(StoreError):
    """The store does not answer or does not take writes now. Nothing is known of the command's effect."""


class UnsuitableStoreError(StoreError):
    """The server at the other end cannot hold Croupier's data."""


class DamagedRecordError(StoreError):
    """A key holds what Croupier did not write there."""


class NewerRecordError(StoreError):
    """A table's record has a higher schema number than this release knows: it is not ours to deal."""


class NotOursError(StoreError):
    """Another server delivers the pit's webhooks by now: nothing was written."""


class OperationReusedError(StoreError):
    """An op names another order than this: nothing was ordered."""


class CommitRefusedError(StoreError):
    """The script wrote nothing."""


class LeaseLostError(CommitRefusedError):
    """The stored owner and fence are not the caller's: it must stop dealing this table."""


class EpochChangedError(CommitRefusedError):
    """The event names an epoch that is not the stream's: read the new one and encode again."""


class OutOfStepError(CommitRefusedError):
    """The record is at another seq: read it again."""


class TooEarlyError(CommitRefusedError):
    """The store's clock has not reached the step's time."""


class TooLateError(CommitRefusedError):
    """The step reached the store after its time: encode it anew."""


class NotReadyError(CommitRefusedError):
    """A seat came, or took its ready mark back, before the early close reached the store."""
