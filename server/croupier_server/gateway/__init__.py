"""The part of a worker that serves sockets: any gateway serves any table.

    listener ──▶ session ──▶ feed                   (what everyone may ask)
                    └──────▶ seating ──▶ store, bank (what a player may ask)
    stream ──▶ feed ──▶ fanout ──▶ sockets          (everybody's events)
                └─────▶ private ──▶ sockets         (a player's own state)

- `listener`: the port, the handshake, and the upkeep of all connections (`liveness`).
- `http`: what else is answered there: the files of the `site` with its `page_terms`, shoes by the `library`.
- `door`: taking connections from a socket that workers share; `share`, when to leave them to the others.
- `admission`: who may come in, by `limits`, by `addresses` and `origins`, and by the loop's `lag`.
- `connection`: what comes in from one, in small pieces and within bounds (`budget`).
- `parting`: ending all connections, a few at a time.
- `session`: one connection: its commands and their answers (`replies`), rules in words from the `rulebook`.
- `seating`: its player's commands; `identity` who that is, `slips` a slip on its way, `terms` its limits.
- `feed`: the live copy of a pit, with what joins and resumes need; `table_feed` that of one table.
- `fanout`: who watches what, in a `room` for each table; what is `encoded` once goes to every `outlet`.
- `private`: what players are told of their own; `roster` which are connected here.
- `floor`: the live copies of all pits as one `source`.
- `lobby`: the rows of all tables, and who follows them.
- `desk`: what the players of a gateway share; `holders`, whom an operator has signed in; `failed_logins`.
"""
