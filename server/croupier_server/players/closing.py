"""Closes guests that nobody has been for long, or that came for a test, and takes their chips out of play."""

import asyncio
import logging
from collections.abc import Container
from functools import partial
from typing import Final

from croupier_protocol.messages.values import PlayerId
from croupier_server.bank.bank import Bank
from croupier_server.players.guests import Guests
from croupier_server.store.errors import StoreError
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.own_limits import OwnLimits
from croupier_server.store.stores import Stores

logger = logging.getLogger(__name__)

EVERY_S: Final = 600.0
"""Between two looks for unused guests."""


async def close_unused_guests(guests: Guests, bank: Bank, stores: Stores) -> int:
    """Closes guests unused for 30 days, retires their chips and forgets their wallets as far as can be.

    Returns how many it closed.

    Several workers may do so at once, and a call that was cut short is finished by the next.

    Raises:
        StoreError: some are left for the next call.
    """
    return await guests.close_unused(partial(_retire, bank, stores, "guest unused for 30 days"))


async def close_test_players(
    guests: Guests, bank: Bank, stores: Stores, seated: Container[PlayerId]
) -> tuple[int, int]:
    """Closes the test players that are not `seated`, retires their chips and forgets their wallets.

    Returns how many it closed, and how many it left. May be called again.

    Raises:
        StoreError: some are left for the next call.
    """
    closed = left = 0
    for player in await guests.test_players():
        if player in seated:
            left += 1
        elif await guests.close(player, partial(_retire, bank, stores, "test player")):
            closed += 1
    return closed, left


async def _retire(bank: Bank, stores: Stores, reason: str, player: PlayerId) -> None:
    """Takes a closed guest's chips out of play, and forgets its wallet as far as can be."""
    statement = await bank.wallet(player)
    balance = 0 if statement is None else statement.wallet.balance
    if balance:
        # Named after the amount: should the wallet hold something else by then, that is another one.
        await bank.debit(player, balance, f"close-guest-{balance}", reason)
    if statement is not None:
        await bank.wallets.close(player, statement.wallet)
    pits = {pit: stores.pit(pit) for pit in await stores.known_pits()}
    await OwnLimits(stores.pit(DEFAULT_PIT)).forget(player, pits)


async def keep_closing(guests: Guests, bank: Bank, stores: Stores) -> None:
    """Closes unused guests every `EVERY_S` until cancelled, whatever happens to the store."""
    while True:
        await asyncio.sleep(EVERY_S)
        try:
            closed = await close_unused_guests(guests, bank, stores)
        except StoreError as error:
            logger.warning("unused guests stay for now: %s", error)
        else:
            if closed:
                logger.info("%d guests unused for 30 days were closed", closed)
