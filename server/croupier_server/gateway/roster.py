"""Which players are connected here, and at which tables they watch. Bookkeeping only: nothing waits."""

from collections.abc import Collection

from croupier_protocol.messages.values import PlayerId, TableId
from croupier_server.gateway.outlet import Outlet


class Place:
    """A player at a table, with the connections that watch it.

    - `told`: for each connection, the last round whose payout it knows.
    - `seat`: the seat as last heard of.
    - `last_slip`: what was last settled; None while that has not been looked up.
    - `rev`: the newest revision of the slip that a connection was told.
    - `answered`: the connection whose slip was answered last.
    """

    __slots__ = ("answered", "last_slip", "rev", "seat", "told")

    def __init__(self) -> None:
        self.told: dict[Outlet, int] = {}
        self.seat: int | None = None
        self.last_slip: dict[str, int] | None = None
        self.rev = 0
        self.answered: Outlet | None = None

    def knows(self, rev: int) -> bool:
        """Whether all have been told of a slip's revision: the only connection has placed it."""
        return 0 < rev <= self.rev and len(self.told) == 1 and self.answered in self.told


class Roster:
    """The players of one gateway's connections."""

    def __init__(self) -> None:
        self._places: dict[TableId, dict[PlayerId, Place]] = {}

    def join(self, player: PlayerId, table: TableId, outlet: Outlet, paid_round: int) -> None:
        """A connection of `player` watches `table`; it knows the payouts up to `paid_round`."""
        place = self._places.setdefault(table, {}).setdefault(player, Place())
        place.told[outlet] = paid_round

    def part(self, player: PlayerId, table: TableId, outlet: Outlet) -> None:
        """Ends what `join` began."""
        places = self._places.get(table, {})
        place = places.get(player)
        if place is None:
            return
        place.told.pop(outlet, None)
        if not place.told:
            del places[player]
        if not places:
            self._places.pop(table, None)

    def begin_again(self, table: TableId, settled_round: int) -> None:
        """The table is where `settled_round` is the last settled one: what was told of later rounds, and of
        slips, may not be so any more.
        """
        for place in self._places.get(table, {}).values():
            place.rev = 0
            place.told = {outlet: min(told, settled_round) for outlet, told in place.told.items()}

    def place(self, player: PlayerId, table: TableId) -> Place | None:
        """Where `player` is at `table`, if a connection here watches it."""
        return self._places.get(table, {}).get(player)

    def players(self, table: TableId) -> Collection[PlayerId]:
        """The players whose connections watch `table` here."""
        return self._places.get(table, {}).keys()

    def seated(self) -> dict[TableId, list[PlayerId]]:
        """The players connected here that have a seat, by table."""
        seated = {
            table: [player for player, place in places.items() if place.seat is not None]
            for table, places in self._places.items()
        }
        return {table: players for table, players in seated.items() if players}

    @property
    def watching_seated(self) -> int:
        """How many connections watch a table at which their player has a seat, counted at each table."""
        return sum(
            len(place.told)
            for places in self._places.values()
            for place in places.values()
            if place.seat is not None
        )

    def seats_of(self, player: PlayerId) -> list[TableId]:
        """The tables where `player` has a seat, as far as connections here watch them."""
        return [
            table
            for table, places in self._places.items()
            if (place := places.get(player)) is not None and place.seat is not None
        ]
