"""What an archive answers: rounds, a player's rounds, totals, balances. Money is in cents, days are in UTC.

What the store has lost, and the archive withdrawn, is left out everywhere.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from croupier_server.archive.database import Transaction
from croupier_server.store.keys import PitId

DAY_MS: Final = 86_400_000


class Period(Struct, frozen=True):
    """From `since_ms` on, and before `until_ms`, in milliseconds since 1970."""

    since_ms: int = 0
    until_ms: int = 2**53


class Bet(Struct, frozen=True):
    """One settled bet of a slip."""

    bet: str
    stake: int
    result: str
    win: int
    commission: int
    returned: int


class PlayedRound(Struct, frozen=True):
    """A round that a player had a slip in. `outcome` is null for one that was void."""

    pit: str
    table: str
    round: int
    ended_ms: int
    rules: str
    outcome: str | None
    player_cards: str
    banker_cards: str
    staked: int
    returned: int
    commission: int
    bankroll: int
    bets: tuple[Bet, ...]


class TableRound(Struct, frozen=True):
    """A finished round of a table. `outcome` is null and `reason` says why when it was void."""

    pit: str
    table: str
    round: int
    ended_ms: int
    shoe: int
    coup: int
    rules: str
    outcome: str | None
    reason: str | None
    player_cards: str
    banker_cards: str


class Total(Struct, frozen=True):
    """What a table's slips of a day came to. `house` is what it won, less than 0 if it lost.

    `commission` is in what was not returned; slips of a server without an archive configured are without it.
    """

    pit: str
    table: str
    day: str
    slips: int
    staked: int
    returned: int
    commission: int
    house: int


class Balance(Struct, frozen=True):
    """What an account of a pit's ledger holds: see `bank.postings`."""

    pit: str
    account: str
    cents: int


def player_rounds(transaction: Transaction, player: str, period: Period, limit: int) -> Iterator[PlayedRound]:
    """The player's rounds of a period, newest first."""
    found = transaction.rows(
        "SELECT pit, life, ms, sequence, table_id, round, ended_ms, rules, outcome, player_cards,"
        " banker_cards, staked, returned, commission, bankroll FROM slips WHERE player = ?"
        " AND withdrawn_by IS NULL AND ms >= ? AND ms < ? ORDER BY ms DESC, sequence DESC LIMIT ?",
        (player, period.since_ms, period.until_ms, limit),
    )
    for row in found:
        pit, life, ms, sequence, *told = row
        bets = transaction.rows(
            "SELECT bet, stake, result, win, commission, returned FROM bets"
            " WHERE pit = ? AND life = ? AND ms = ? AND sequence = ? ORDER BY place",
            (pit, life, ms, sequence),
        )
        yield PlayedRound(*(pit, *told, tuple(Bet(*bet) for bet in bets)))


def table_rounds(
    transaction: Transaction, table: str | None, period: Period, limit: int
) -> Iterator[TableRound]:
    """The rounds of a period, of a table or of all, newest first."""
    which, values = ("", ()) if table is None else (" AND table_id = ?", (table,))
    found = transaction.rows(
        "SELECT pit, table_id, round, ended_ms, shoe, coup, rules, outcome, reason, player_cards,"
        f" banker_cards FROM rounds WHERE withdrawn_by IS NULL AND ms >= ? AND ms < ?{which}"
        " ORDER BY ms DESC, sequence DESC LIMIT ?",
        (period.since_ms, period.until_ms, *values, limit),
    )
    return (TableRound(*row) for row in found)


def totals(transaction: Transaction, table: str | None, period: Period) -> Iterator[Total]:
    """What was staked and returned, by table and day."""
    which, values = ("", ()) if table is None else (" AND p.table_id = ?", (table,))
    found = transaction.rows(
        f"SELECT p.pit, p.table_id, p.ms / {DAY_MS} AS day, COUNT(*), {_sum('p.staked')},"
        f" {_sum('p.returned')}, {_sum('COALESCE(s.commission, 0)')} FROM postings p LEFT JOIN slips s"
        " ON s.pit = p.pit AND s.life = p.life AND s.ms = p.ms AND s.sequence = p.sequence"
        " WHERE p.withdrawn_by IS NULL AND p.kind IN ('settle', 'void') AND p.ms >= ? AND p.ms < ?"
        f"{which} GROUP BY p.pit, p.table_id, day ORDER BY p.pit, p.table_id, day",
        (period.since_ms, period.until_ms, *values),
    )
    for pit, name, day, slips, staked, returned, commission in found:
        date = datetime.fromtimestamp(day * DAY_MS / 1000, UTC).date().isoformat()
        yield Total(pit, name, date, slips, staked, returned, commission, staked - returned)


def balances(transaction: Transaction, pit: PitId | None = None) -> Iterator[Balance]:
    """Every account that is not at zero, of one pit or of all, as of the last entry archived."""
    which, values = ("", ()) if pit is None else (" WHERE pit = ?", (pit,))
    found = transaction.rows(
        f"{_MOVES} SELECT pit, account, {_sum('cents')} FROM moves{which}"
        " GROUP BY pit, account HAVING SUM(cents) <> 0 ORDER BY pit, account",
        values,
    )
    return (Balance(*row) for row in found)


def _sum(what: str) -> str:
    """A sum of whole numbers, as a whole number in either database."""
    return f"CAST(COALESCE(SUM({what}), 0) AS BIGINT)"


_NOW: Final = "JOIN cursors c ON c.pit = p.pit AND c.life = p.life"
"""Of the life that goes on: its openings have in them what was before it, and nothing of it is withdrawn."""

_MOVES: Final = (
    "WITH seats AS (SELECT p.pit, p.table_id, p.player, SUM(p.returned - p.staked) AS won,"
    " SUM(CASE p.kind WHEN 'cash_out' THEN -p.amount ELSE p.amount END) AS brought"
    f" FROM postings p {_NOW} GROUP BY p.pit, p.table_id, p.player),"
    f" moves AS (SELECT p.pit, p.account, p.cents FROM openings p {_NOW}"
    " UNION ALL SELECT pit, 'house', -won FROM seats"
    " UNION ALL SELECT pit, 'seat:' || table_id || '|' || player, won + brought FROM seats"
    " UNION ALL SELECT pit, 'wallet:' || player, -brought FROM seats)"
)
"""What moved on each account: `bank.postings.moves`, summed up. A slip has no amount, and a transfer no
stake."""
