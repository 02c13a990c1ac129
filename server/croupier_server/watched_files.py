"""Files with keys that may change while the server runs."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

from croupier_server.errors import SetupError

logger = logging.getLogger(__name__)

LOOK_S: Final = 2.0
"""Between two looks whether a file has changed."""

Read = TypeVar("Read")


class WatchedFiles(Generic[Read]):
    """What the files hold now. A change that breaks one is told of, and changes nothing."""

    def __init__(
        self,
        what: str,
        paths: Sequence[str],
        read: Callable[[], tuple[Read, ...]],
        steady: Callable[[], float],
    ) -> None:
        """`what` they hold, for the log; `read` reads them all; `steady` is a clock that never goes back.

        Raises:
            SetupError: as `read`.
        """
        self._what = what
        self._paths = paths
        self._read = read
        self._steady = steady
        self._looked_at = steady()
        self._stamps = self._stamp()
        self._held = read()

    @property
    def held(self) -> tuple[Read, ...]:
        """What they hold; looks at the files now and then."""
        now = self._steady()
        if now - self._looked_at >= LOOK_S:
            self._looked_at = now
            self._look()
        return self._held

    def _look(self) -> None:
        stamps = self._stamp()
        if stamps == self._stamps:
            return
        self._stamps = stamps
        try:
            self._held = self._read()
        except SetupError as error:
            logger.error("%s stay as they were: %s", self._what, error)  # noqa: TRY400  # it says all
        else:
            logger.info("%s were read again: %d", self._what, len(self._held))

    def _stamp(self) -> list[tuple[int, int, int] | None]:
        """What changes when a file does."""
        stamps: list[tuple[int, int, int] | None] = []
        for path in self._paths:
            try:
                status = Path(path).stat()
            except OSError:
                stamps.append(None)
            else:
                stamps.append((status.st_mtime_ns, status.st_size, status.st_ino))
        return stamps
