"""How many sockets this process may open."""

import sys
from typing import Final

SPARE_FILES: Final = 64
"""File descriptors that Python itself and a test need beside the sockets of those who come."""


def raise_file_limit() -> int | None:
    """Raises the soft limit of open files to the hard one; how many there may be, None when unlimited."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - there is none on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (ValueError, OSError):  # macOS names a hard limit that it does not grant
            return soft
    return None if hard == resource.RLIM_INFINITY else hard
