"""A shoe that anyone can check: the constructions of `docs/fairness.md`, pure, for both ends.

- `seeds`: the commitment to the server's seed, contributions to the cut, and the seed of the order.
- `cards`: salts, commitments to single cards, and their list.
- `chain`: one hash over everything that a shoe dealt, and on into the next shoe.

Every construction begins with a label of its own, so that no value of one can be taken for that of another.
Whole numbers are four bytes, big-endian; texts are ASCII and end with a line feed.
"""
