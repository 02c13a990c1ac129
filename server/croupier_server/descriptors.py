"""How many files, and so sockets, this process and its children may have open."""

import logging
import resource
import sys
from typing import Final

logger = logging.getLogger(__name__)

FEW: Final = 4096
"""Fewer than this are said in the log: each watcher takes one, in whichever worker it is."""


def raise_descriptor_limit() -> None:
    """Raises the soft limit to the hard one; says so when few remain, and what to do."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (ValueError, OSError) as error:  # macOS names a hard limit that it does not grant
            logger.info("the limit of open files stays at %d: %s", soft, error)
    if soft != resource.RLIM_INFINITY and soft < FEW:
        logger.warning(
            "a worker may open only %d files, so about as many connections: raise the hard limit (ulimit -Hn,"
            " LimitNOFILE= of systemd)",
            soft,
        )


def room_for_connections() -> int:
    """How many websockets the limit of open files leaves room for: the rest are pages and handshakes."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft * 9 // 10
