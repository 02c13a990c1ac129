"""The part of a worker that serves sockets: any gateway serves any table.

    listener ──▶ session ──▶ feed                   (what everyone may ask)
                    └──────▶ seating ──▶ store, bank (what a player may ask)
    stream ──▶ feed ──▶ fanout ──▶ sockets          (everybody's events)
                └─────▶ private ──▶ sockets         (a player's own state)

- `listener`: the port, the handshake, the plain page.
- `door`: taking connections from a socket that workers share; `share`, when to leave them to the others.
- `admission`: who may come in, by `limits`, by where it comes from (`addresses`) and by the loop's `lag`.
- `connection`: what comes in from one, in small pieces and within bounds (`budget`).
- `parting`: ending all connections, a few at a time.
- `session`: one connection: its commands and their answers.
- `seating`: its player's commands; `identity` who that is, `slips` a slip on its way, `terms` its limits.
- `feed`: the live copy of a pit, with what joins and resumes need.
- `fanout`: who watches what; one write per connection.
- `private`: what players are told of their own; `roster` which are connected here.
- `floor`: the live copies of all pits as one.
- `lobby`: the rows of all tables, and who follows them.
- `desk`: what the players of a gateway share.
"""
