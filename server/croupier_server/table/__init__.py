"""A table as a pure machine: no I/O, no clock, no randomness. Time and entropy are arguments.

- `pace`: how long each step takes.
- `transitions`: the table of transitions; the diagram in the docs is drawn from it.
- `state`: what a dealer must know to go on, and what the store keeps of it.
- `steps`: what each step publishes; those of a shoe and of a round in `shoe_steps` and `round_steps`.
- `orders`: what an operator's order asks of the table now.
- `held`: what only the dealer holds of a shoe; `beacon`: which round of a public one it waits for.
- `listing`: a table as its pit lists it, with all that is needed to deal and to serve it.
- `machine`: one step: (state, held, now, inputs) -> (state, held, event, next wake-up).
"""
