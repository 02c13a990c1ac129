"""Draws the value of a public beacon for a shoe: asks its source from the moment at which it is due."""

import asyncio
import importlib
import logging
from typing import Final

from croupier_protocol.messages.values import Beacon
from croupier_server.store.clock import StoreClock
from croupier_server.table.beacon import PATIENCE_MS
from croupier_server.table.state import Drawn

logger = logging.getLogger(__name__)

SOURCE: Final = "croupier_server.dealer.beacon_source"
"""Loaded with the first beacon, beside the play: its HTTP client takes every worker 0.3 s to load."""

RETRY_S: Final = 0.5
"""Between two attempts: sources have a round a moment after it is due."""


class BeaconDraw:
    """Draws for one table's shoes, one after the other; `wake` is set when there is something to know."""

    def __init__(self, clock: StoreClock, wake: asyncio.Event) -> None:
        self._clock = clock
        self._wake = wake
        self._beacon: Beacon | None = None
        self._task: asyncio.Task[Drawn] | None = None

    def drawn(self, beacon: Beacon | None) -> Drawn | None:
        """What has come of `beacon` by now, None while nothing has; the first call begins to wait for it."""
        if beacon is None:
            return None
        if self._task is None or beacon != self._beacon:
            self.close()
            self._beacon = beacon
            self._task = asyncio.create_task(self._draw(beacon), name="beacon")
            self._task.add_done_callback(lambda _: self._wake.set())
        return self._task.result() if self._task.done() else None

    def close(self) -> None:
        """Waits for nothing any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _draw(self, beacon: Beacon) -> Drawn:
        """Asks again and again. Whoever takes a table over late gives the source its time as well."""
        source = await asyncio.to_thread(importlib.import_module, SOURCE)
        await asyncio.sleep(self._clock.seconds_until(beacon.due_ms))
        why: Exception | None = None
        try:
            async with asyncio.timeout(PATIENCE_MS / 1000):
                while True:
                    try:
                        return Drawn(await source.fetch(beacon))
                    except source.BeaconError as error:
                        why = error
                    await asyncio.sleep(RETRY_S)
        except TimeoutError:
            logger.warning("the beacon %s did not come in time: %s", beacon.name, why or "no answer")
            return Drawn(None)
