"""The server's time in this process, asked for all the time by a connection of its own."""

import asyncio
import math
import time
from contextlib import suppress
from typing import Final

from croupier_client.connection import Client
from croupier_client.errors import CroupierError
from croupier_client.offset import ClockOffset

FIRST_PINGS: Final = 16
"""Questions before the start: enough to meet a short round trip."""

PING_EVERY_S: Final = 1.0

GATEWAY_CLOCK_MS: Final = 1.0
"""How well a gateway, which answers, knows the time of its store, by which events are due."""


DRIFT_MS_A_S: Final = 0.05
"""How far two machines' clocks may drift apart in a second; what quartz is allowed at worst is less. A short
round trip stays the best one while its error, grown by this, is less than that of newer ones."""


class ServerClock:
    """The server's time by the shortest round trip, right to within `error_ms` either way."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._offset = ClockOffset(0.0, math.inf)
        self._since_s = 0.0

    async def ask_first(self) -> None:
        """Asks until the time is known well.

        Raises:
            CroupierError: the server does not answer.
        """
        for _ in range(FIRST_PINGS):
            self.take(await self._client.ping())

    async def keep(self) -> None:
        """Goes on asking. When the server goes away the spectators tell, so this does not."""
        while True:
            await asyncio.sleep(PING_EVERY_S)
            with suppress(CroupierError):
                self.take(await self._client.ping())

    def take(self, offset: ClockOffset) -> None:
        """Takes what a round trip says, unless it says less than is known."""
        if offset.error_ms < self._error_ms:
            self._offset, self._since_s = offset, time.monotonic()

    def now_ms(self) -> float:
        """The server's time."""
        return self.server_ms(time.monotonic())

    def server_ms(self, steady_s: float) -> float:
        """The server's time when this machine's steady clock shows `steady_s`."""
        return steady_s * 1000.0 + self._offset.offset_ms

    def steady_s(self, server_ms: float) -> float:
        """When this machine's steady clock shows the server's `server_ms`."""
        return (server_ms - self._offset.offset_ms) / 1000.0

    @property
    def error_ms(self) -> float:
        return self._error_ms + GATEWAY_CLOCK_MS

    @property
    def _error_ms(self) -> float:
        return self._offset.error_ms + (time.monotonic() - self._since_s) * DRIFT_MS_A_S
