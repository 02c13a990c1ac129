"""Keeps the embedded store running."""

import asyncio
import logging

from croupier_server.errors import SetupError
from croupier_server.store.embedded import EmbeddedStore
from croupier_server.waiting import Backoff

logger = logging.getLogger(__name__)


async def keep_store(embedded: EmbeddedStore) -> None:
    """Starts the embedded store again whenever it ends by itself, until it comes; cancel it to stop."""
    while True:
        status = await embedded.wait()
        logger.error("the store ended by itself (status %s); starting it again", status)
        backoff = Backoff()
        wait_s = backoff.next_s()
        while True:
            await asyncio.sleep(wait_s)
            try:
                await embedded.start()
            except SetupError as error:
                wait_s = backoff.next_s()
                logger.error("%s; trying again in %.1f s", error, wait_s)  # noqa: TRY400  # it says all
            else:
                break
