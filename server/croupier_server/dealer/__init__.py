"""The part of a worker that deals: it holds leases of tables and takes their steps.

- `sealing`: the shoe's seed, as the store may hold it.
- `runner`: one table, step by step: `taking_up` its record, `committing` a step, `settling` a round.
- `watching`: what it sees of the players, `beacon` of a beacon; `standing_orders`: what operators want of it.
- `seatkeeping`: the seats that it ends, of who does not play by `idleness`.
- `dealer`: which tables this worker deals, by `share` and what `others` deal; leases taken, kept, given back.
- `dealers`: one in each pit.
"""
