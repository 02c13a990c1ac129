"""Draws the value of a public beacon for a shoe: asks its source from the moment at which it is due."""

import asyncio
import logging
from typing import Final

import aiohttp
import msgspec

from croupier_protocol.messages.values import Beacon
from croupier_server.store.clock import StoreClock
from croupier_server.table.beacon import PATIENCE_MS, ROUND
from croupier_server.table.state import Drawn

logger = logging.getLogger(__name__)

RETRY_S: Final = 0.5
"""Between two attempts: sources have a round a moment after it is due."""

ATTEMPT_S: Final = 2.0
"""How long one answer may take."""

MOST_BYTES: Final = 65_536
"""An answer that is longer is none."""

LEAST_VALUE: Final = 16
MOST_VALUE: Final = 64
"""Bytes of a value."""

_OK: Final = 200


class BeaconError(Exception):
    """A source does not have a value now; says why."""


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
        await asyncio.sleep(self._clock.seconds_until(beacon.due_ms))
        why: BeaconError | None = None
        try:
            async with asyncio.timeout(PATIENCE_MS / 1000):
                while True:
                    try:
                        return Drawn(await fetch(beacon))
                    except BeaconError as error:
                        why = error
                    await asyncio.sleep(RETRY_S)
        except TimeoutError:
            logger.warning("the beacon %s did not come in time: %s", beacon.name, why or "no answer")
            return Drawn(None)


async def fetch(beacon: Beacon) -> bytes:
    """The value of a round that has been drawn.

    Raises:
        BeaconError: the source does not have it, or has something else.
    """
    url, _, member = beacon.source.replace(ROUND, str(beacon.round)).partition("#")
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ATTEMPT_S)) as session,
            session.get(url, allow_redirects=False) as response,
        ):
            if response.status != _OK:
                raise BeaconError(f"{url} answers with status {response.status}")
            body = bytearray()
            async for part in response.content.iter_any():
                body += part
                if len(body) > MOST_BYTES:
                    raise BeaconError(f"{url} answers with more than {MOST_BYTES} bytes")
        value = bytes.fromhex(msgspec.json.decode(body, type=dict[str, object])[member])  # type: ignore[arg-type]  # TypeError when it is no text
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise BeaconError(f"{url} does not answer: {error!r}") from error
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise BeaconError(f"{url} has no value under {member!r}: {error!r}") from error
    if not LEAST_VALUE <= len(value) <= MOST_VALUE:
        raise BeaconError(f"{url} has a value of {len(value)} bytes, not of {LEAST_VALUE} to {MOST_VALUE}")
    return value
