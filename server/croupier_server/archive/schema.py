"""The tables of an archive. They may be read by anyone; `docs/archive.md` tells what is in them.

`ms` and `sequence` are an entry's position in the ledger, and with pit and life the key of every row: `ms`
is the store's time, in milliseconds since 1970. Money is in cents. `withdrawn_by` is the life that found
that the store has lost the entry.
"""

from typing import Final

SCHEMA: Final = 1
"""The number of this layout. An archive of a higher one is refused."""

MARK: Final = "croupier_archive"
"""The table by which an archive is known, with its `schema` and its `id`."""

_TABLES: Final = """
CREATE TABLE croupier_archive (name TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE cursors (
    pit TEXT PRIMARY KEY, life BIGINT NOT NULL, ms BIGINT NOT NULL, sequence BIGINT NOT NULL,
    digest TEXT NOT NULL
);

CREATE TABLE lives (
    pit TEXT NOT NULL, life BIGINT NOT NULL, reason TEXT NOT NULL, ms BIGINT NOT NULL,
    sequence BIGINT NOT NULL, noticed_ms BIGINT NOT NULL, withdrawn BIGINT NOT NULL,
    PRIMARY KEY (pit, life)
);

CREATE TABLE openings (
    pit TEXT NOT NULL, life BIGINT NOT NULL, account TEXT NOT NULL, cents BIGINT NOT NULL,
    PRIMARY KEY (pit, life, account)
);

CREATE TABLE postings (
    pit TEXT NOT NULL, life BIGINT NOT NULL, ms BIGINT NOT NULL, sequence BIGINT NOT NULL,
    digest TEXT NOT NULL, kind TEXT NOT NULL, table_id TEXT NOT NULL, player TEXT NOT NULL,
    round BIGINT, number BIGINT, staked BIGINT NOT NULL, returned BIGINT NOT NULL, amount BIGINT NOT NULL,
    withdrawn_by BIGINT,
    PRIMARY KEY (pit, life, ms, sequence)
);
CREATE INDEX postings_by_time ON postings (ms);

CREATE TABLE slips (
    pit TEXT NOT NULL, life BIGINT NOT NULL, ms BIGINT NOT NULL, sequence BIGINT NOT NULL,
    table_id TEXT NOT NULL, player TEXT NOT NULL, round BIGINT NOT NULL,
    rules TEXT NOT NULL, rules_digest TEXT NOT NULL, outcome TEXT,
    player_cards TEXT NOT NULL, banker_cards TEXT NOT NULL,
    staked BIGINT NOT NULL, returned BIGINT NOT NULL, commission BIGINT NOT NULL, bankroll BIGINT NOT NULL,
    ended_ms BIGINT NOT NULL, withdrawn_by BIGINT,
    PRIMARY KEY (pit, life, ms, sequence)
);
CREATE INDEX slips_of_player ON slips (player, ms);

CREATE TABLE bets (
    pit TEXT NOT NULL, life BIGINT NOT NULL, ms BIGINT NOT NULL, sequence BIGINT NOT NULL,
    place BIGINT NOT NULL, bet TEXT NOT NULL, stake BIGINT NOT NULL, result TEXT NOT NULL,
    win BIGINT NOT NULL, commission BIGINT NOT NULL, returned BIGINT NOT NULL,
    PRIMARY KEY (pit, life, ms, sequence, place)
);

CREATE TABLE rounds (
    pit TEXT NOT NULL, life BIGINT NOT NULL, ms BIGINT NOT NULL, sequence BIGINT NOT NULL,
    digest TEXT NOT NULL, table_id TEXT NOT NULL, round BIGINT NOT NULL,
    shoe BIGINT NOT NULL, coup BIGINT NOT NULL, rules TEXT NOT NULL, rules_digest TEXT NOT NULL,
    outcome TEXT, reason TEXT, player_cards TEXT NOT NULL, banker_cards TEXT NOT NULL,
    is_natural BIGINT NOT NULL, player_pair BIGINT NOT NULL, banker_pair BIGINT NOT NULL,
    ended_ms BIGINT NOT NULL, withdrawn_by BIGINT,
    PRIMARY KEY (pit, life, ms, sequence)
);
CREATE INDEX rounds_of_table ON rounds (table_id, ms);
CREATE INDEX rounds_by_time ON rounds (ms)
"""

TABLES: Final = tuple(_TABLES.split(";"))
"""The statements that make an archive."""
