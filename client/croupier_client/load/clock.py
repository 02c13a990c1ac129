"""The server's time in this process, asked for all the time by a connection of its own."""

import asyncio
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


class ServerClock:
    """The server's time by the shortest round trip, right to within `error_ms` either way."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._offset = ClockOffset(0.0, 0.0)

    async def ask_first(self) -> None:
        """Asks until the time is known well.

        Raises:
            CroupierError: the server does not answer.
        """
        for _ in range(FIRST_PINGS):
            self._offset = await self._client.ping()

    async def keep(self) -> None:
        """Goes on asking. When the server goes away the spectators tell, so this does not."""
        while True:
            await asyncio.sleep(PING_EVERY_S)
            with suppress(CroupierError):
                self._offset = await self._client.ping()

    def now_ms(self) -> float:
        """The server's time."""
        return time.monotonic() * 1000.0 + self._offset.offset_ms

    def steady_s(self, server_ms: float) -> float:
        """When this machine's steady clock shows the server's `server_ms`."""
        return (server_ms - self._offset.offset_ms) / 1000.0

    @property
    def error_ms(self) -> float:
        return self._offset.error_ms + GATEWAY_CLOCK_MS
