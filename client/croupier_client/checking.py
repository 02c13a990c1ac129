"""Checks each card of a watched table as it lands, against its shoe's list of commitments."""

import logging
from typing import Final

from croupier_client.address import Address
from croupier_client.errors import CroupierError
from croupier_client.shoes import fetch_commitments
from croupier_protocol.fairness.cards import check_card, list_digest
from croupier_protocol.messages.events import CardDealt
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import TableId

_log: Final = logging.getLogger(__name__)


class CardChecker:
    """Checks the cards of one table; it fetches the list of a shoe once, with the first card that needs it.

    `Client.checker` makes one.
    """

    def __init__(self, address: Address, table: TableId) -> None:
        self._address = address
        self._table = table
        self._digest = self._commitments = b""

    async def check(self, event: CardDealt, view: TableView) -> bool | None:
        """Whether a dealt card is the one that was committed to; `view` is the table with it.

        None when the list cannot be had now: then nobody knows. A list that is not the one of the shoe's
        digest makes every card of it false.
        """
        shoe = view.shoe
        if shoe is None:
            return None
        if self._digest != shoe.digest:
            try:
                commitments = await fetch_commitments(self._address, self._table, shoe.number)
            except CroupierError as error:
                _log.warning("%s: the commitments of shoe %d: %s", self._table, shoe.number, error)
                return None
            self._digest, self._commitments = shoe.digest, commitments
        if list_digest(self._commitments) != shoe.digest:
            return False
        series = shoe.coups is not None
        return check_card(self._commitments, series, view.coup, event.position, event.card, event.salt)
