"""Closes guests that nobody has been for long, and takes what is left in their wallets out of play."""

import asyncio
import logging
from typing import Final

from croupier_protocol.messages.values import PlayerId
from croupier_server.bank.bank import Bank
from croupier_server.players.guests import Guests
from croupier_server.store.errors import StoreError

logger = logging.getLogger(__name__)

EVERY_S: Final = 600.0
"""Between two looks for unused guests."""


async def close_unused_guests(guests: Guests, bank: Bank) -> int:
    """Closes guests unused for 30 days, retires their chips and forgets their wallets as far as can be.

    Returns how many it closed.

    Several workers may do so at once, and a call that was cut short is finished by the next.

    Raises:
        StoreError: some are left for the next call.
    """

    async def retire(player: PlayerId) -> None:
        statement = await bank.wallet(player)
        balance = 0 if statement is None else statement.wallet.balance
        if balance:
            # Named after the amount: should the wallet hold something else by then, that is another one.
            await bank.debit(player, balance, f"close-guest-{balance}", "guest unused for 30 days")
        if statement is not None:
            await bank.wallets.close(player, statement.wallet)

    return await guests.close_unused(retire)


async def keep_closing(guests: Guests, bank: Bank) -> None:
    """Closes unused guests every `EVERY_S` until cancelled, whatever happens to the store."""
    while True:
        await asyncio.sleep(EVERY_S)
        try:
            closed = await close_unused_guests(guests, bank)
        except StoreError as error:
            logger.warning("unused guests stay for now: %s", error)
        else:
            if closed:
                logger.info("%d guests unused for 30 days were closed", closed)
