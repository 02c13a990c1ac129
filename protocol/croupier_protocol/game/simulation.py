"""Playing coups to confirm the odds: the only place in the rules of the game with anything left to chance.

The chance comes from `random.Random` and a seed that a person types. That is good enough to count coups and
is never used for cards that anybody bets on: those come from `croupier_protocol.shoe`.
"""

from collections import Counter
from collections.abc import Iterable
from random import Random

import msgspec

from croupier_protocol.game.cards import DECK, Card
from croupier_protocol.game.counting import composition
from croupier_protocol.game.coup import LONGEST_COUP, Pairs, Score, deal
from croupier_protocol.game.odds import BetOdds, Odds, odds_of
from croupier_protocol.game.rules import RuleSet


class Played(msgspec.Struct, frozen=True):
    """How the bets of a rule set did in coups that were played from `seed`.

    The probabilities in `odds` are frequencies, and its `total` is the number of coups.
    """

    seed: int
    odds: Odds

    def errors_off(self, exact: BetOdds) -> float:
        """How many standard errors the edge of a bet came out above its exact edge; below zero, below it."""
        off = float(self.odds.bets[exact.bet].edge - exact.edge)
        return off / exact.standard_error(self.odds.total) if off else 0.0


class Simulation:
    """Coups of a rule set, each from shuffled cards of its own, so that no coup depends on another.

    Cards are shuffled only as far as a coup can reach, to the sixth. Dealing on to a cut card would not only
    make coups depend on each other but favour those of few cards a little, since more of them fit.

    >>> from croupier_protocol.game.rules import RULE_SETS
    >>> simulation = Simulation(RULE_SETS["standard"], seed=1)
    >>> simulation.play(1000)
    >>> simulation.played().odds.total
    1000
    """

    def __init__(
        self, rules: RuleSet, seed: int, decks: int | None = None, removed: Iterable[Card] = ()
    ) -> None:
        """Takes `decks` decks, or as many as `rules` say, without the cards `removed`.

        Raises:
            ValueError: as `composition` says.
        """
        self._rules = rules
        self._decks = rules.decks if decks is None else decks
        self._removed = tuple(removed)
        left = zip(DECK, composition(self._decks, self._removed), strict=True)
        self._cards = [card for card, count in left for _ in range(count)]
        self._seed = seed
        self._random = Random(seed)  # noqa: S311 - see the module
        self._counts: Counter[tuple[Score, Pairs]] = Counter()

    def play(self, coups: int) -> None:
        """Play so many more coups."""
        counts, cards, random = self._counts, self._cards, self._random.random
        choices = [(place, len(cards) - place) for place in range(LONGEST_COUP)]
        for _ in range(coups):
            for place, count in choices:  # the first steps of a shuffle by Fisher and Yates
                drawn = place + int(random() * count)
                cards[place], cards[drawn] = cards[drawn], cards[place]
            coup = deal(cards)
            counts[coup.score, coup.pairs] += 1

    def played(self) -> "Played":
        """How the bets did so far."""
        return Played(self._seed, odds_of(self._rules, self._decks, self._removed, self._counts))
