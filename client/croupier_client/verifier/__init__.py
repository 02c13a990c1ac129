"""Checks what tables dealt, from a transcript alone. Standard library only: nothing here deals.

The constructions and the rules of drawing are written anew from `docs/fairness.md`, so that a mistake in the
code that deals is found and not repeated. What a transcript holds are the messages of the wire as JSON, in
order: snapshots and events; others are passed over.

In the order in which they are understood best:

- `drawing`: the rules of drawing, and what a hand counts.
- `constructions`: how everything of a shoe is made from its seed.
- `reading`: what messages say, in the values that are checked.
- `shoe`: what a transcript has told of one shoe so far.
- `transcript`: `verify`, which follows each table line by line; `rounds` has what happens in a round.
- `cards`: each card against the list of commitments.
- `ending`: a shoe that has ended, against its seed.
- `report`: what was found.
"""
