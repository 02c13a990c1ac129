"""What can go wrong with an archive.

ArchiveError
├── DatabaseAwayError           not reachable, full, locked: try again later
├── UnsuitableDatabaseError     of a newer release, somebody else's, damaged, or no address: says what to do
├── MovedOnError                another archiver, or the store, went on meanwhile: look again
└── OtherArchiveError           the store is archived elsewhere
"""


class ArchiveError(Exception):
    """Anything an archive refuses or fails at."""


class DatabaseAwayError(ArchiveError):
    """The database does not answer or takes no writes now; what was being written may be there or not."""


class UnsuitableDatabaseError(ArchiveError):
    """The database cannot hold this archive."""


class MovedOnError(ArchiveError):
    """What was read before is out of date; nothing was written."""


class OtherArchiveError(ArchiveError):
    """The store lets another archive have its ledgers, and trims as far as that one has come."""
