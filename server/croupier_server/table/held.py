"""What only the dealer holds of a shoe, from its commitment to its end."""

from collections.abc import Sequence

from croupier_protocol.fairness.seeds import order_seed
from croupier_protocol.game.rules import RuleSet
from croupier_protocol.messages.values import Beacon, Contribution
from croupier_protocol.shoe.shoe import Shoe


class Held:
    """The rules and the seed that a shoe was committed with and, once it is cut, the shoe itself.

    Nothing of it is in the representation.
    """

    __slots__ = ("rules", "seed", "shoe")

    def __init__(self, rules: RuleSet, seed: bytes, shoe: Shoe | None = None) -> None:
        self.rules = rules
        self.seed = seed
        self.shoe = shoe

    def __repr__(self) -> str:
        return f"<Held {self.shoe!r}>"

    def cut(self, contributions: Sequence[Contribution], beacon: Beacon | None) -> Shoe:
        """The shoe that these contributions and this beacon make of the seed."""
        values, drawn = [one.counts_as for one in contributions], None if beacon is None else beacon.counts_as
        return Shoe.open(self.rules, order_seed(self.seed, values, drawn))
