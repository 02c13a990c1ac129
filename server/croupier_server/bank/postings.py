"""What the ledger's postings mean: each moves cents from one account to another, so that its sum is zero.

`seat:<table>|<player>` is a seat's bankroll and stakes together, since a slip moves chips between the two
without a posting. `house` is the house. `wallet:<player>` is what the pit owes to the wallets' side: it falls
when chips are bought and rises when they are cashed out. A `round` is there for an archive and moves nothing.

>>> moves({"k": "settle", "t": "standard", "p": "ana", "r": "7", "s": "500", "w": "0", "h": "500"})
{'seat:standard|ana': -500, 'house': 500}
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.ledger import Position

HOUSE: Final = "house"

_WHOLE: Final = re.compile(r"-?\d{1,16}")


def seat_account(table: TableId, player: PlayerId) -> str:
    """The account of a seat."""
    return f"seat:{table}|{player}"


def wallet_account(player: PlayerId) -> str:
    """The account of a player's side."""
    return f"wallet:{player}"


def moves(fields: Mapping[str, str]) -> dict[str, int]:
    """What a posting does to each account, in cents.

    Raises:
        DamagedRecordError: it is no posting, or its two sides differ.
    """
    try:
        kind, player = fields["k"], PlayerId(fields["p"])
        seat = seat_account(TableId(fields["t"]), player)
        if kind in {"settle", "void"}:
            house = _whole(fields["h"])
            if _whole(fields["s"]) - _whole(fields["w"]) != house:
                raise DamagedRecordError(f"the sides of a posting differ: {dict(fields)}")
            return {seat: -house, HOUSE: house}
        if kind in {"buy_in", "top_up"}:
            return {seat: _whole(fields["a"]), wallet_account(player): -_whole(fields["a"])}
        if kind == "cash_out":
            return {seat: -_whole(fields["a"]), wallet_account(player): _whole(fields["a"])}
        if kind == "round":
            return {}
    except (KeyError, ValueError) as error:
        raise DamagedRecordError(f"no posting: {dict(fields)}") from error
    raise DamagedRecordError(f"a posting of kind {kind!r}")


def _whole(text: str) -> int:
    if _WHOLE.fullmatch(text) is None:
        raise ValueError(text)
    return int(text)


class Timeline:
    """Postings in their order: by how much each account moved between any two positions."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.end = start
        self._moves: defaultdict[str, list[tuple[Position, int]]] = defaultdict(list)
        self._positions: list[Position] = []

    def append(self, position: Position, moved: Mapping[str, int]) -> None:
        """Takes in the posting at `position`, which is after all before it."""
        self._positions.append(position)
        for account, cents in moved.items():
            self._moves[account].append((position, cents))

    @property
    def accounts(self) -> frozenset[str]:
        """Every account that was moved."""
        return frozenset(self._moves)

    def moved(self, account: str, since: Position, until: Position) -> int:
        """By how much `account` rose from `since` to `until`; less than nothing if it fell."""
        if until < since:  # back in time
            return -self.moved(account, until, since)
        return sum(cents for position, cents in self._moves.get(account, ()) if since < position <= until)

    def touched(self, account: str, since: Position, until: Position) -> bool:
        """Whether there is a posting on `account` after `since` and up to `until`."""
        return any(since < position <= until for position, _ in self._moves.get(account, ()))

    def count(self, since: Position, until: Position) -> int:
        """How many postings there are after `since` and up to `until`."""
        return sum(since < position <= until for position in self._positions)
