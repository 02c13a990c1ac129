"""Takes part in the cut of each shoe for a seat: sends a hash, and its value once the hash is listed. No I/O.

Rules:

1. For each shoe there is one value, made when its cut opens; it is not shown before its hash is listed.
2. Everything may be asked for again, after a lost connection or by a repeated view: what was sent already is
   not sent again, unless it came to nothing.
3. A hash that was taken and is not in the list was left out, and so was a value that was taken and that the
   shoe does not have; that is told, once.
"""

import logging
import secrets
from typing import Final

from croupier_client.slips import new_op
from croupier_protocol.fairness.seeds import VALUE_BYTES, value_hash
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.to_server import Cut
from croupier_protocol.messages.values import TableId

_log: Final = logging.getLogger(__name__)


class Cutting:
    """The part of one seat in the cuts of its table."""

    def __init__(self, table: TableId) -> None:
        self.left_out: list[int] = []
        self._table = table
        self._shoe = 0
        self._value = b""
        self._taken: set[str] = set()
        self._sent: set[str] = set()

    def due(self, view: TableView) -> Cut | None:
        """What to send now that the table is at `view`; each thing is due once."""
        cut = view.cut
        if cut is None:
            self._look_for_value(view)
        if cut is None or cut.until_ms is None:
            return None
        if cut.shoe != self._shoe:
            self._shoe, self._value, self._taken = cut.shoe, secrets.token_bytes(VALUE_BYTES), set()
            self._sent = set()
        if not cut.listed:
            return self._once("hash", Cut(table=self._table, shoe=cut.shoe, op=new_op(), hash=self.hash))
        if self.hash in {one.hash for one in cut.contributions}:
            return self._once("value", Cut(table=self._table, shoe=cut.shoe, op=new_op(), value=self._value))
        if self._taken:
            self._miss("hash")
        return None

    def _look_for_value(self, view: TableView) -> None:
        """Whether the shoe on the table has the value that was taken for it."""
        shoe = view.shoe
        if shoe is None or shoe.number != self._shoe or "value" not in self._taken:
            return
        if not any(one.value == self._value for one in shoe.contributions):
            self._miss("value")

    def _miss(self, part: str) -> None:
        if self._shoe not in self.left_out:
            self.left_out.append(self._shoe)
            _log.warning(
                "%s: the cut of shoe %d leaves out the %s of this seat", self._table, self._shoe, part
            )

    @property
    def hash(self) -> bytes:
        """The hash of this seat's value."""
        return value_hash(self._value)

    def took(self, cut: Cut) -> None:
        """The server has taken `cut`."""
        if cut.shoe == self._shoe:
            self._taken.add(_part(cut))

    def failed(self, cut: Cut) -> None:
        """`cut` was not taken; it is due again, if it still can be."""
        if cut.shoe == self._shoe:
            self._sent.discard(_part(cut))

    def _once(self, part: str, cut: Cut) -> Cut | None:
        if part in self._sent:
            return None
        self._sent.add(part)
        return cut


def _part(cut: Cut) -> str:
    return "hash" if cut.value is None else "value"
