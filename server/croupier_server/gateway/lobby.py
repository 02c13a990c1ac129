"""The rows of all tables, and the connections that follow them."""

from croupier_protocol.messages.to_client import LobbyUpdate, TableInfo
from croupier_protocol.messages.values import TableId, TakenSeat
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.fanout import Fanout
from croupier_server.gateway.outlet import Outlet, write
from croupier_server.gateway.source import Source
from croupier_server.gateway.table_feed import TableFeed
from croupier_server.players.guests import is_test


class Lobby:
    """Tells its followers which rows have changed; the caller decides how often."""

    def __init__(self, feed: Source, fanout: Fanout) -> None:
        self._feed = feed
        self._fanout = fanout
        self._followers: set[Outlet] = set()
        self._sent: dict[TableId, TableInfo] = {}
        self._counted: dict[TableId, tuple[tuple[TakenSeat, ...], int]] = {}

    def rows(self) -> dict[TableId, TableInfo]:
        """Every table as it is now."""
        return {table: self._row(table, feed) for table, feed in self._feed.tables.items()}

    def follow(self, outlet: Outlet) -> None:
        """From now on `outlet` gets updates."""
        self._followers.add(outlet)

    def unfollow(self, outlet: Outlet) -> None:
        """Ends what `follow` began."""
        self._followers.discard(outlet)

    def update(self, server_ms: int) -> None:
        """Sends the rows that differ from those sent last, encoded once."""
        if not self._followers:
            self._sent = {}
            return
        rows = self.rows()
        changed = tuple(row for table, row in rows.items() if row != self._sent.get(table))
        closed = tuple(self._sent.keys() - rows.keys())
        self._sent = rows
        for table in closed:
            self._counted.pop(table, None)
        if changed or closed:
            update = LobbyUpdate(server_ms=server_ms, tables=changed, closed=closed)
            write(self._followers, Encoded(update))

    def _row(self, table: TableId, feed: TableFeed) -> TableInfo:
        view = feed.view
        return TableInfo(
            table=table,
            rules=view.rules,
            pace=feed.listing.pace.name,
            phase=view.phase,
            round=view.round,
            coup=view.coup,
            closes_at_ms=view.closes_at_ms,
            spectators=self._fanout.shown(table),
            seated=self._seated(table, view.seats),
            limits=feed.listing.limits,
            past=view.past,
        )

    def _seated(self, table: TableId, seats: tuple[TakenSeat, ...]) -> int:
        """How many sit there but for test players, counted when seats have changed."""
        counted = self._counted.get(table)
        if counted is None or counted[0] is not seats:
            counted = seats, sum(not is_test(taken.player.id) for taken in seats)
            self._counted[table] = counted
        return counted[1]
