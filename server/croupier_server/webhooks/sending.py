"""Sends a pit's deliveries to one receiver, one after another, each until it is taken."""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Final
from urllib.parse import urlsplit

import aiohttp
import msgspec
from msgspec import Struct

from croupier_server.store.deliveries import Deliveries, Delivery, Held
from croupier_server.store.keys import PitId
from croupier_server.webhooks.signing import headers
from croupier_server.webhooks.tally import Tally
from croupier_server.webhooks.terms import receiver_id

logger = logging.getLogger(__name__)

ANSWER_S: Final = 10.0
"""How long a receiver may take to answer."""

FIRST_WAIT_S: Final = 1.0
LONGEST_WAIT_S: Final = 300.0
"""Between attempts: each wait twice as long as the one before, and then up to half of it less."""

LOOK_S: Final = 0.5
"""Between two looks for deliveries."""


class _Named(Struct, frozen=True):
    id: str


_NAMED: Final = msgspec.json.Decoder(_Named)


def pauses(between: Callable[[float, float], float]) -> Iterator[float]:
    """Seconds from each attempt to the next; `between` draws a number, so that not all come at once.

    >>> import itertools
    >>> [*itertools.islice(pauses(max), 11)]
    [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 300.0, 300.0]
    >>> [*itertools.islice(pauses(min), 3)]
    [0.5, 1.0, 2.0]
    """
    wait_s = FIRST_WAIT_S
    while True:
        yield between(wait_s / 2, wait_s)
        wait_s = min(wait_s * 2, LONGEST_WAIT_S)


class Sending:
    """Sends to the receiver at `url`, which the log calls by its host alone: the rest may be a secret.

    `sleep` is how it waits between attempts, and `between` draws how long.
    """

    def __init__(
        self,
        url: str,
        pit: PitId,
        deliveries: Deliveries,
        held: Held,
        secrets: Callable[[], tuple[bytes, ...]],
        tally: Tally,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        between: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._url = url
        self._receiver = receiver_id(url)
        self._host = urlsplit(url).hostname
        self._pit = pit
        self._deliveries = deliveries
        self._number = held.sent[self._receiver]
        self._secrets = secrets
        self._tally = tally
        self._sleep = sleep
        self._between = between
        tally.take(pit, self._receiver, self._number)

    async def run(self, session: aiohttp.ClientSession) -> None:
        """Sends until cancelled.

        Raises:
            StoreError: this pit's webhooks have to be taken anew: the store is away, or another server has
                them.
        """
        while True:
            batch = await self._deliveries.after(self._number)
            if not batch:
                await asyncio.sleep(LOOK_S)
            for delivery in batch:
                self._tell_of_gap(delivery)
                await self._deliver(session, delivery)
                await self._deliveries.sent(self._receiver, delivery.number)
                self._number = delivery.number
                self._tally.take(self._pit, self._receiver, self._number)

    def _tell_of_gap(self, delivery: Delivery) -> None:
        lost = delivery.number - self._number - 1
        if lost:
            self._tally.lost += lost
            logger.error(
                "webhooks: %s has not taken %d events of pit %s in time", self._host, lost, self._pit
            )

    async def _deliver(self, session: aiohttp.ClientSession, delivery: Delivery) -> None:
        name, waits = _NAMED.decode(delivery.body).id, pauses(self._between)
        while (problem := await self._attempt(session, name, delivery.body)) is not None:
            self._tally.failed += 1
            pause_s = next(waits)
            logger.warning(
                "webhooks: %s does not take %s: %s; again in %.1f s", self._host, name, problem, pause_s
            )
            await self._sleep(pause_s)
        self._tally.delivered += 1

    async def _attempt(self, session: aiohttp.ClientSession, name: str, body: bytes) -> str | None:
        """Sends once; returns why it was not taken, if so."""
        signed = headers(name, int(time.time()), body, self._secrets())
        try:
            async with session.post(
                self._url,
                data=body,
                headers={**signed, "Content-Type": "application/json", "User-Agent": "Croupier"},
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=ANSWER_S),
            ) as answer:
                return None if 200 <= answer.status < 300 else f"status {answer.status}"
        except TimeoutError:
            return f"no answer in {ANSWER_S:g} s"
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return type(error).__name__  # its text may have the whole address
