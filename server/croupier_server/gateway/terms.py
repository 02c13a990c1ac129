"""What a slip is checked under at each table: the rules of the running shoe, and the limits."""

from msgspec import Struct

from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import RuleSet
from croupier_protocol.messages.values import TableId
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.tables import Tables
from croupier_server.table.listing import listing_digest
from croupier_server.table.state import StateError, decode_state


class TableTerms(Struct, frozen=True):
    """Rules and limits of a table, and the digest by which the place script knows them."""

    rules: RuleSet
    limits: Limits
    listing: str


class Terms:
    """The terms of a pit's tables, read when they are first wanted and when the store has others."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._read: dict[TableId, TableTerms] = {}

    async def of(self, table: TableId, *, fresh: bool = False) -> TableTerms | None:
        """The terms of `table`, None before its first shoe; `fresh` ones from the store.

        Raises:
            StoreError: they cannot be read.
        """
        if fresh or table not in self._read:
            terms = await self._look_up(table)
            if terms is None:
                return None
            self._read[table] = terms
        return self._read[table]

    async def _look_up(self, table: TableId) -> TableTerms | None:
        record = (await self._tables.read(table)).record
        if record.sealed is None:
            return None
        try:
            state = decode_state(record.state, record.schema)
        except StateError as error:
            raise DamagedRecordError(f"the state of table {table}: {error}") from error
        # While a shoe is cut, the record has its rules already, and no bets are taken.
        cut = state.view.cut
        rules = record.sealed.rule_set(state.view.rules if cut is None else cut.rules)
        return TableTerms(
            rules=rules, limits=state.limits, listing=listing_digest(rules.digest, state.limits)
        )
