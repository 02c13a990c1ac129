"""What a process has heard of its store: the last answer, and calls that came to nothing."""

import time
from collections.abc import Callable


class Contact:
    """Kept by every connection to the store.

    >>> steady = iter([10.0, 12.0, 15.5]).__next__
    >>> contact = Contact(steady)
    >>> contact.answer()
    >>> contact.silent_s
    3.5
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self.failed = 0
        self._steady = steady
        self._answered_at = steady()

    def answer(self) -> None:
        """A server has answered."""
        self._answered_at = self._steady()

    def fail(self) -> None:
        """A connect or a command has got no answer, or one that refuses for now."""
        self.failed += 1

    @property
    def silent_s(self) -> float:
        """Seconds since the last answer, or since this began."""
        return self._steady() - self._answered_at
