"""Where a seat's owner and the connection's task meet: one waits on what the other takes in."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Final

from croupier_client.errors import ClosedError, RefusedError
from croupier_client.place import Place
from croupier_protocol.messages.errors import ErrorCode, error_text
from croupier_protocol.messages.to_client import Me, PaidOut, SlipAccepted, SlipChanged, TableView
from croupier_protocol.messages.values import Language, Payout, TableId

PAYOUTS_LIMIT: Final = 100
"""Payouts held for an owner that does not read: as many as a player's own rounds go back."""

PrivateMessage = Me | SlipAccepted | SlipChanged | PaidOut

_log = logging.getLogger(__name__)


class Seating:
    """One table's place, its view and its unread payouts.

    The task that reads calls `take`, `see`, `watched` and `finish`; everything else is the owner's.
    """

    def __init__(
        self,
        table: TableId,
        paid_round: int | None = None,
        language: Language = Language.ENGLISH,
        limit: int = PAYOUTS_LIMIT,
    ) -> None:
        self.table = table
        self.place = Place(table, paid_round)
        self.view: TableView | None = None
        self.missed_payouts = 0
        self.on_view: Callable[[TableView], None] | None = None
        self._language = language
        self._payouts: deque[Payout] = deque()
        self._limit = limit
        self._changed = asyncio.Event()
        self._error: Exception | None = None
        self._finished = False

    @property
    def _left(self) -> bool:
        """Whether the client was left, so that waiting ends without an error."""
        return self._finished and self._error is None

    def watched(self) -> None:
        """A `watch` was sent; see `Place.watched`."""
        self.place.watched()

    def see(self, view: TableView) -> None:
        """Takes the table as it is now."""
        if self.view is not None and self.view.epoch != view.epoch:
            self.place.new_life(view)
        self.view = view
        self._changed.set()
        if self.on_view is not None:
            self.on_view(view)

    def take(self, message: PrivateMessage) -> None:
        """Takes a private message of this table."""
        match message:
            case Me():
                self._put(self.place.take_me(message))
            case PaidOut():
                self._put(self.place.take_payout(message.payout))
            case SlipAccepted() | SlipChanged():
                self.place.take_answer(message)
        self._changed.set()

    def finish(self, error: Exception | None) -> None:
        """Ends every wait, with `error` or quietly; payouts that came can still be read."""
        self._finished = True
        self._error = self._error or error
        self._changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until `condition()` holds, which is looked at after each message.

        Raises:
            RefusedError: the seat has been given up.
            CroupierError: the client has ended, for the reason that this error tells.
        """
        while not condition():
            if self._finished:
                raise self._error or ClosedError("the client is closed")
            if self.place.over:
                code = ErrorCode.NOT_SEATED
                raise RefusedError(code, error_text(code, self._language), self.table)
            self._changed.clear()
            await self._changed.wait()

    async def payouts(self) -> AsyncIterator[Payout]:
        """Every payout, until the seat is over.

        Raises:
            CroupierError: the client has ended, for the reason that this error tells.
        """
        while True:
            await self.until(lambda: bool(self._payouts) or self.place.over or self._left)
            if not self._payouts:
                return
            yield self._payouts.popleft()

    def _put(self, payouts: list[Payout]) -> None:
        self._payouts.extend(payouts)
        while len(self._payouts) > self._limit:
            lost = self._payouts.popleft()
            self.missed_payouts += 1
            _log.warning("%s: the payout of round %d was not read in time", self.table, lost.round)
