"""Runs a server's webhooks: of each pit, one of the servers that share a store delivers them.

Whoever has a pit's lease collects and sends; the cursor, what waits and what each receiver has taken are in
the store, so that the next one goes on there. Workers have no part in it.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Final

import aiohttp

from croupier_server.store.deliveries import Deliveries, Held
from croupier_server.store.errors import NotOursError, StoreError
from croupier_server.store.keys import PitId
from croupier_server.store.stores import Stores
from croupier_server.waiting import cancel
from croupier_server.watched_files import WatchedFiles
from croupier_server.webhooks.collecting import Collecting
from croupier_server.webhooks.sending import Sending
from croupier_server.webhooks.tally import Tally
from croupier_server.webhooks.terms import WebhookTerms, read_webhook_secrets, receiver_id

logger = logging.getLogger(__name__)

LEASE_MS: Final = 6_000
RENEW_S: Final = 2.0
"""How long a server may be silent before another one delivers, and how often it says that it is there."""

LOOK_S: Final = 5.0
"""Between two looks for new pits."""


class Webhooks:
    """The webhooks of all pits. `steady` is a clock in seconds that never goes back.

    Raises, when made:
        SetupError: the file with the secrets cannot be used.
    """

    def __init__(
        self, stores: Stores, terms: WebhookTerms, tally: Tally, steady: Callable[[], float]
    ) -> None:
        self._stores = stores
        self._urls = terms.urls
        self._tally = tally
        self._owner = secrets.token_hex(8)
        paths = [terms.secret_file or ""]
        self._secrets = WatchedFiles(
            "the secrets of webhooks", paths, lambda: read_webhook_secrets(terms), steady
        )

    async def run(self) -> None:
        """Delivers until cancelled."""
        while True:
            try:
                await self._run()
            except Exception:
                logger.exception("webhooks begin anew")
            await asyncio.sleep(LOOK_S)

    async def _run(self) -> None:
        pits: set[PitId] = set()
        jar = aiohttp.DummyCookieJar()
        async with aiohttp.ClientSession(cookie_jar=jar) as session, asyncio.TaskGroup() as group:
            while True:
                try:
                    known = await self._stores.known_pits()
                except StoreError as error:
                    logger.warning("webhooks: the store does not tell its pits now: %s", error)
                    known = []
                for pit in set(known) - pits:
                    pits.add(pit)
                    group.create_task(self._keep(pit, session), name=f"webhooks of {pit}")
                await asyncio.sleep(LOOK_S)

    async def _keep(self, pit: PitId, session: aiohttp.ClientSession) -> None:
        """Delivers for one pit whenever no other server does."""
        receivers = [receiver_id(url) for url in self._urls]
        deliveries = Deliveries(self._stores.pit(pit), pit, self._owner)
        working: asyncio.Task[None] | None = None
        try:
            while True:
                try:
                    held = await deliveries.hold(LEASE_MS, receivers)
                except StoreError as error:
                    logger.warning("webhooks: pit %s waits for the store: %s", pit, error)
                else:
                    if working is not None and (held is None or working.done()):
                        await cancel(working)
                        working = None
                        self._tally.leave(pit)
                    if held is not None and working is None:
                        working = asyncio.create_task(self._work(pit, deliveries, held, session))
                await asyncio.sleep(RENEW_S)
        finally:
            if working is not None:
                await cancel(working)

    async def _work(
        self, pit: PitId, deliveries: Deliveries, held: Held, session: aiohttp.ClientSession
    ) -> None:
        """Collects and sends until something fails; then the pit is taken anew, from what the store has."""
        collecting = Collecting(self._stores, pit, deliveries, held, self._tally)
        sendings = [
            Sending(url, pit, deliveries, held, lambda: self._secrets.held, self._tally) for url in self._urls
        ]
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(collecting.run())
                for one in sendings:
                    group.create_task(one.run(session))
        except* NotOursError:
            logger.info("webhooks: another server delivers those of pit %s", pit)
        except* StoreError as group_of:
            logger.warning("webhooks: pit %s is taken anew: %s", pit, group_of.exceptions[0])
        except* Exception:
            logger.exception("webhooks: pit %s is taken anew", pit)
