"""`croupier play`: a table in a terminal, to watch and to play at.

- `draw/`: what is shown, as pictures of characters: pure functions of a `TableState` and of a lobby's rows.
- `words`, `keys`, `slip`, `reasons`, `state`: what those pictures are made from; pure too.
- `session`, `identity`: a table and a player on a server.
- `palette`, `canvas`, `screens`, `dialogs`, `app`, `command`: Textual, which nothing above knows.
"""
