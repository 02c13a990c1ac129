"""What only the dealer holds of a shoe, from its commitment to its end."""

from collections.abc import Sequence

from croupier_protocol.fairness.seeds import order_seed
from croupier_protocol.game.rules import RuleSet
from croupier_protocol.messages.values import Contribution
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

    def cut(self, contributions: Sequence[Contribution]) -> Shoe:
        """The shoe that these contributions make of the seed."""
        return Shoe.open(self.rules, order_seed(self.seed, [one.counts_as for one in contributions]))
