"""Every message of the wire, typed: one module per direction, and the values they share.

- `values`: ids, money, phases and the small structs that messages carry.
- `to_server`: the commands a client sends.
- `events`: the public, sequenced events of a table.
- `to_client`: everything else a server sends: snapshots, replies, notices.
- `errors`: error codes with their texts, and close codes.

Import one way only: `values` at the bottom, `to_client` on top.
"""
