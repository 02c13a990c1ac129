"""When a gateway leaves new connections to the other workers on its port: it has far more than its share.

Sharing a socket spreads connections only roughly, a restarted worker begins with none, and connections last
for hours. So what is too much is let run down by not taking more.
"""

from collections.abc import Sequence
from typing import Final

PAUSE_FACTOR: Final = 1.25
PAUSE_MARGIN: Final = 20
"""More than a quarter and 20 connections above the mean of all workers is far too many. The margin keeps
small numbers alone, whose ratios say nothing."""

RESUME_FACTOR: Final = 1.1
RESUME_MARGIN: Final = 10
"""Below a tenth and 10 above the mean it takes connections again; in between it goes on as it is."""


def takes_more(taking: bool, own: int, others: Sequence[int]) -> bool:
    """Whether a gateway with `own` connections, that is `taking` more or not, should take more.

    Without any others it always does.

    >>> takes_more(True, 500, [100, 120]), takes_more(True, 60, [20])
    (False, True)
    """
    mean = (own + sum(others)) / (1 + len(others))
    if taking:
        return own <= mean * PAUSE_FACTOR + PAUSE_MARGIN
    return own < mean * RESUME_FACTOR + RESUME_MARGIN
