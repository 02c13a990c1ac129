"""What happens to requests with a wrong key: answered, counted, and told in the log, each within bounds.

Whoever guesses is not kept from guessing: a key cannot be guessed, and a limit that also held up the right
key would let anybody lock the operator out. What is bounded is what wrong keys cost: lines in the log.
"""

import logging
from collections.abc import Callable
from typing import Final

logger = logging.getLogger(__name__)

BURST: Final = 10
"""So many wrong keys in a row are each answered with 401 and told in the log."""

REFILL_S: Final = 6.0
"""After so long, one more is."""


class WrongKeys:
    """Counts wrong keys. `steady` is a clock in seconds that never goes back."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self.count = 0
        self._steady = steady
        self._left = float(BURST)
        self._at = steady()
        self._untold = 0

    def take(self, peer: str, *, given: bool) -> bool:
        """Takes in one more, from `peer`; `given`: there was a key at all. False when they are too many."""
        self.count += 1
        now = self._steady()
        self._left = min(self._left + (now - self._at) / REFILL_S, BURST)
        self._at = now
        if self._left < 1:
            self._untold += 1
            return False
        self._left -= 1
        before = f", and {self._untold} more before" if self._untold else ""
        self._untold = 0
        logger.warning("API: %s came with %s key%s", peer, "a wrong" if given else "no", before)
        return True
