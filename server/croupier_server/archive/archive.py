"""An archive in a database: what it has of each pit's ledger, and how more gets in, once."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from croupier_protocol.game.coup import Outcome
from croupier_protocol.messages.to_client import OwnRound
from croupier_server.archive.database import Database, Transaction, Value
from croupier_server.archive.entries import Entry, FinishedRound, Posting
from croupier_server.archive.errors import MovedOnError, UnsuitableDatabaseError
from croupier_server.archive.following import Cursor, Reason
from croupier_server.archive.schema import MARK, SCHEMA, TABLES
from croupier_server.store.keys import PitId
from croupier_server.store.ledger import Position

LEDGER_TABLES: Final = ("postings", "rounds")
"""The tables that have a row for each entry of a ledger, in one or the other."""


class Archive:
    """An archive. `open` comes first. Every method may raise what `Database` says."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.id = ""

    def open(self, *, make: bool) -> None:
        """Looks whether the tables are ours; with `make`, makes them where there are none.

        Raises:
            UnsuitableDatabaseError: they are not, or those of a newer release, or there are none.
        """
        name = self.database.name
        if make:
            with self.database.writing() as transaction:
                if not transaction.tables():
                    _make(transaction)
        with self.database.reading() as transaction:
            tables = transaction.tables()
            if MARK in tables:
                found: dict[str, str] = dict(transaction.rows(f"SELECT name, value FROM {MARK}"))
            elif tables:
                raise UnsuitableDatabaseError(
                    f"{name} holds other tables and no archive of Croupier: give it a database of its own"
                )
            else:
                raise UnsuitableDatabaseError(f"there is no archive in {name}: `croupier archive` makes it")
        if int(found["schema"]) > SCHEMA:
            raise UnsuitableDatabaseError(
                f"the archive in {name} is of a newer release of Croupier (schema {found['schema']}, ours"
                f" {SCHEMA}): update this one"
            )
        self.id = found["id"]

    def cursor(self, pit: PitId) -> Cursor | None:
        """How far the archive has come in a pit."""
        with self.database.reading() as transaction:
            return cursor_in(transaction, pit)

    def add(self, pit: PitId, cursor: Cursor, entries: Sequence[Entry]) -> Cursor:
        """Takes in the entries that follow `cursor`, and moves it to the last: all of it or nothing.

        Raises:
            MovedOnError: the cursor is elsewhere by now.
        """
        last = entries[-1]
        moved = Cursor(cursor.life, last.position, last.digest)
        with self.database.writing() as transaction:
            _expect(transaction, pit, cursor)
            for statement, rows in _rows(pit, cursor.life, entries).items():
                transaction.run_each(statement, rows)
            _move(transaction, pit, moved)
        return moved

    def begin_life(
        self,
        pit: PitId,
        cursor: Cursor | None,
        reason: Reason,
        after: tuple[Position, str],
        openings: Mapping[str, int],
        now_ms: int,
    ) -> Cursor:
        """Begins a life of the pit's history after the entry at a position, with its digest.

        `openings` is what each account held there, in cents. Where the store has lost writes, what the
        archive has from there on is withdrawn.

        Raises:
            MovedOnError: the cursor is not `cursor` any more.
        """
        life = 1 if cursor is None else cursor.life + 1
        position, digest = after
        begun = Cursor(life, position, digest)
        with self.database.writing() as transaction:
            _expect(transaction, pit, cursor)
            withdrawn = _withdraw(transaction, pit, life, position) if reason is Reason.LOST_WRITES else 0
            transaction.run(
                "INSERT INTO lives (pit, life, reason, ms, sequence, noticed_ms, withdrawn)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (pit, life, reason.value, position.ms, position.sequence, now_ms, withdrawn),
            )
            transaction.run_each(
                "INSERT INTO openings (pit, life, account, cents) VALUES (?, ?, ?, ?)",
                [(pit, life, account, cents) for account, cents in openings.items() if cents],
            )
            _move(transaction, pit, begun)
        return begun

    def known(self, pit: PitId, oldest: Position, newest: Position) -> dict[Position, str]:
        """The digests of the pit's entries from one position to another that have not been withdrawn."""
        between = (pit, oldest.ms, oldest.sequence, newest.ms, newest.sequence)
        with self.database.reading() as transaction:
            found = [
                row
                for table in LEDGER_TABLES
                for row in transaction.rows(
                    f"SELECT ms, sequence, digest FROM {table} WHERE pit = ? AND withdrawn_by IS NULL"
                    " AND (ms, sequence) >= (?, ?) AND (ms, sequence) <= (?, ?)",
                    between,
                )
            ]
        return {Position(ms, sequence): digest for ms, sequence, digest in found}


def _make(transaction: Transaction) -> None:
    for statement in TABLES:
        transaction.run(statement)
    transaction.run_each(
        f"INSERT INTO {MARK} (name, value) VALUES (?, ?)",
        [("schema", str(SCHEMA)), ("id", secrets.token_hex(8))],
    )


def cursor_in(transaction: Transaction, pit: PitId) -> Cursor | None:
    """How far the archive has come in a pit, as a transaction sees it."""
    found = transaction.rows("SELECT life, ms, sequence, digest FROM cursors WHERE pit = ?", (pit,))
    if not found:
        return None
    life, ms, sequence, digest = found[0]
    return Cursor(life, Position(ms, sequence), digest)


def _expect(transaction: Transaction, pit: PitId, cursor: Cursor | None) -> None:
    if cursor_in(transaction, pit) != cursor:
        raise MovedOnError(f"pit {pit}: another archiver has gone on")


def _move(transaction: Transaction, pit: PitId, cursor: Cursor) -> None:
    transaction.run(
        "INSERT INTO cursors (pit, life, ms, sequence, digest) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (pit) DO UPDATE SET life = excluded.life, ms = excluded.ms,"
        " sequence = excluded.sequence, digest = excluded.digest",
        (pit, cursor.life, cursor.position.ms, cursor.position.sequence, cursor.digest),
    )


def _withdraw(transaction: Transaction, pit: PitId, life: int, after: Position) -> int:
    """Marks what the store of the lives until now has lost; returns how many of its entries."""
    [(root,)] = transaction.rows(
        "SELECT COALESCE(MAX(life), 1) FROM lives WHERE pit = ? AND reason = ?",
        (pit, Reason.OTHER_STORE.value),
    )
    marked = {
        table: transaction.run(
            f"UPDATE {table} SET withdrawn_by = ? WHERE pit = ? AND life >= ? AND withdrawn_by IS NULL"
            " AND (ms, sequence) > (?, ?)",
            (life, pit, root, after.ms, after.sequence),
        )
        for table in (*LEDGER_TABLES, "slips")
    }
    return sum(marked[table] for table in LEDGER_TABLES)


def _rows(pit: PitId, life: int, entries: Iterable[Entry]) -> dict[str, list[Sequence[Value]]]:
    """What is inserted for `entries`, by statement."""
    rows: dict[str, list[Sequence[Value]]] = {
        statement: [] for statement in (_POSTING, _SLIP, _BET, _FINISHED)
    }
    for entry in entries:
        key = (pit, life, entry.position.ms, entry.position.sequence)
        match entry.content:
            case FinishedRound():
                rows[_FINISHED].append((*key, entry.digest, *_finished(entry.content)))
            case Posting():
                one = entry.content
                rows[_POSTING].append(
                    (
                        *(*key, entry.digest, one.kind, one.table, one.player, one.round, one.number),
                        *(one.staked, one.returned, one.amount),
                    )
                )
                if one.own_round is not None:
                    rows[_SLIP].append((*key, *_slip(one, one.own_round)))
                    rows[_BET] += [
                        (
                            *key,
                            *(place, bet.bet, bet.stake, bet.result, bet.win, bet.commission, bet.returned),
                        )
                        for place, bet in enumerate(one.own_round.payout.bets)
                    ]
    return rows


def _slip(posting: Posting, told: OwnRound) -> tuple[Value, ...]:
    return (
        *(posting.table, posting.player, posting.round, told.rules.name, told.rules.digest),
        *(_outcome(told.outcome), " ".join(told.player.cards), " ".join(told.banker.cards)),
        *(posting.staked, posting.returned, sum(bet.commission for bet in told.payout.bets)),
        *(told.payout.bankroll, told.ended_at_ms),
    )


def _finished(finished: FinishedRound) -> tuple[Value, ...]:
    one = finished.record
    return (
        *(finished.table, one.round, one.shoe, one.coup, one.rules.name, one.rules.digest),
        *(_outcome(one.outcome), one.reason, " ".join(one.player.cards), " ".join(one.banker.cards)),
        *(int(one.natural), int(one.player_pair), int(one.banker_pair), one.ended_at_ms),
    )


def _outcome(outcome: Outcome | None) -> str | None:
    return None if outcome is None else outcome.value


def _insert(table: str, columns: str) -> str:
    """An insert that changes nothing where the row is there."""
    names = f"pit, life, ms, sequence, {columns}"
    places = ", ".join("?" for _ in names.split(","))
    return f"INSERT INTO {table} ({names}) VALUES ({places}) ON CONFLICT DO NOTHING"


_POSTING: Final = _insert(
    "postings", "digest, kind, table_id, player, round, number, staked, returned, amount"
)
_SLIP: Final = _insert(
    "slips",
    "table_id, player, round, rules, rules_digest, outcome, player_cards, banker_cards, staked, returned,"
    " commission, bankroll, ended_ms",
)
_BET: Final = _insert("bets", "place, bet, stake, result, win, commission, returned")
_FINISHED: Final = _insert(
    "rounds",
    "digest, table_id, round, shoe, coup, rules, rules_digest, outcome, reason, player_cards, banker_cards,"
    " is_natural, player_pair, banker_pair, ended_ms",
)
