"""History that lasts: drains the ledgers of the store into a database, each posting once, and answers.

    ledger in the store ──reader──▶ entries ──▶ database ◀──queries── people
            ▲                                      │
            └─────────── how far it is ────────────┘

Rows and the cursor, which says up to where the archive has a pit's ledger, are committed together: wherever
an archiver is killed, rows and cursor agree. Only after that the store is told how far the archive has come,
and may trim to there.

The archive's last posting stays in the store. As long as it is there, what follows it is what comes next. If
it is not, the store has lost its last writes, or was replaced, or has trimmed what the archive did not have:
`following` tells these apart, and a new *life* of the pit's history begins. A life has opening balances, read
from the store, so that what the archive has since adds up to what the store has.
"""
