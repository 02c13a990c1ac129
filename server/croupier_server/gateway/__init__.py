"""The part of a worker that serves sockets: any gateway serves any table.

    listener ──▶ session ──▶ feed, store            (one connection's commands)
    stream ──▶ feed ──▶ fanout ──▶ sockets          (everybody's events)

- `listener`: the port, the handshake, the plain page.
- `session`: one connection: its commands and their answers.
- `feed`: the live copy of a pit, with what joins and resumes need.
- `fanout`: who watches what; one write per connection.
- `lobby`: the rows of all tables, and who follows them.
"""
