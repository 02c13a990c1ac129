"""The part of a worker that deals: it holds leases of tables and takes their steps.

- `sealing`: the shoe's seed, as the store may hold it.
- `runner`: one table, step by step.
- `dealer`: which tables this worker deals; leases taken, kept and given back.
"""
