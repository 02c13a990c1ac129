"""Everything that touches Redis: keys, scripts, the connections, and the store that `serve` starts itself.

- `keys`: every key, in one place.
- `errors`: what can go wrong, typed.
- `clock`: the store's clock as seen from here.
- `scripts`: loads the Lua files of `lua/` and runs them.
- `tables`: one typed method per script on a table's record, whose values are in `records`.
- `stream`: the pit's event stream and its epochs.
- `seats`: seats, slips and ready marks; settlement.
- `orders`: operators' orders and their answers.
- `pit`: all of these together, as one process uses them.
- `connection`: from a URL to a client that never retries by itself; what a server must offer.
- `embedded`: the Valkey or Redis process that belongs to a data directory.
"""
