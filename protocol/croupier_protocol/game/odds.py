"""Exact odds: every way a fresh shoe can deal a coup, counted; nothing is simulated.

A coup takes at most six cards, so all coups are counted over the ordered ways to draw six cards from the N of
a fresh shoe, N!/(N - 6)! in all. A coup of fewer cards stands for all the ways in which the cards after it
can lie. Cards are taken by the value they count, with the number of cards of each value left in the shoe: a
few tens of thousands of cases, where the cards themselves would be 10^14.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm

import msgspec

from croupier_protocol.game.bets import Bet, BetName, Line
from croupier_protocol.game.coup import ENDINGS, Ending, Outcome, Score
from croupier_protocol.game.rules import RuleSet
from croupier_protocol.game.settlement import Result, settle_line


class BetOdds(msgspec.Struct, frozen=True):
    """The odds of one bet: the probability of each result, and the house edge.

    `edge` is what the house keeps of a stake on average, as a fraction of the stake. Commission is counted at
    its exact rate, without rounding: what a large stake tends to. `Odds.edge_at` gives the edge at one stake.
    """

    bet: BetName
    win: Fraction
    lose: Fraction
    push: Fraction
    edge: Fraction

    @property
    def favours_bettor(self) -> bool:
        """Whether the house loses on this bet in the long run."""
        return self.edge < 0


class Odds(msgspec.Struct, frozen=True):
    """The odds of a rule set on a fresh shoe of `decks` decks.

    `total` is the number of ordered ways to draw six cards; `banker`, `player` and `tie` say in how many of
    them each outcome comes.
    """

    rules: RuleSet
    decks: int
    total: int
    banker: int
    player: int
    tie: int
    bets: Mapping[BetName, BetOdds]

    def edge_at(self, bet: str, stake: int) -> Fraction:
        """The house edge of `stake` cents on `bet`, with every rounding that settlement makes.

        Raises:
            KeyError: the rule set does not offer the bet.
        """
        offered = self.rules.offered[bet]
        returned = sum(
            count * settle_line(self.rules, offered, line, stake).returned
            for line, count in _line_counts(offered, self.decks).items()
        )
        return 1 - Fraction(returned, stake * self.total)


def odds(rules: RuleSet, decks: int | None = None) -> Odds:
    """The odds of `rules`, on the rule set's own number of decks or on `decks`.

    >>> from croupier_protocol.game.rules import RULE_SETS
    >>> found = odds(RULE_SETS["standard"])
    >>> found.banker, found.player, found.tie
    (2292252566437888, 2230518282592256, 475627426473216)
    >>> [f"{float(bet.edge):.4%}" for bet in found.bets.values()]
    ['1.2351%', '1.0579%', '14.3596%']

    Raises:
        ValueError: `decks` is not 1 to 8.
    """
    decks = rules.decks if decks is None else decks
    if not 1 <= decks <= 8:
        raise ValueError(f"decks must be 1 to 8, not {decks}")
    outcomes: Counter[Outcome] = Counter()
    for score, count in score_counts(decks).items():
        outcomes[score.outcome] += count
    return Odds(
        rules=rules,
        decks=decks,
        total=outcomes.total(),
        banker=outcomes[Outcome.BANKER],
        player=outcomes[Outcome.PLAYER],
        tie=outcomes[Outcome.TIE],
        bets={bet.name: _bet_odds(rules, bet, decks) for bet in rules.bets},
    )


@cache
def score_counts(decks: int) -> Mapping[Score, int]:
    """In how many ordered draws of six cards from `decks` fresh decks a coup ends with each score."""
    counts: Counter[Score] = Counter()
    for score, ways in _coups(decks):
        counts[score] += ways
    cards = 52 * decks
    return {score: ways * perm(cards - score.cards, 6 - score.cards) for score, ways in counts.items()}


def _coups(decks: int) -> Iterator[tuple[Score, int]]:
    """Every coup by values and in how many ways cards make it; both orders of two cards are taken at once."""
    left = [16 * decks] + [4 * decks] * 9  # cards of each value in the shoe
    hands = [(a, b) for a in range(10) for b in range(a, 10)]
    for player_hand, banker_hand in product(hands, hands):
        ways = (1 if player_hand[0] == player_hand[1] else 2) * (1 if banker_hand[0] == banker_hand[1] else 2)
        for value in (*player_hand, *banker_hand):
            ways *= left[value]
            left[value] -= 1
        yield from _endings(ENDINGS[sum(player_hand)][sum(banker_hand)], left, ways)
        for value in (*player_hand, *banker_hand):
            left[value] += 1


def _endings(ending: Ending, left: list[int], ways: int) -> Iterator[tuple[Score, int]]:
    """How a coup that came about in `ways` goes on with `left[value]` cards of each value in the shoe."""
    if isinstance(ending, Score):
        yield ending, ways
        return
    for value, following in enumerate(ending):
        ways_so_far = ways * left[value]
        left[value] -= 1
        yield from _endings(following, left, ways_so_far)
        left[value] += 1


def _line_counts(bet: Bet, decks: int) -> Mapping[Line | None, int]:
    """In how many draws each line of the bet's pay table decides; None for those in which it loses."""
    counts: Counter[Line | None] = Counter()
    for score, count in score_counts(decks).items():
        counts[bet.by_score[score]] += count
    return counts


def _bet_odds(rules: RuleSet, bet: Bet, decks: int) -> BetOdds:
    counts = _line_counts(bet, decks)
    total = sum(counts.values())
    kept = 1 - rules.commission.rate if bet.commission and rules.commission else Fraction(1)
    chances = dict.fromkeys(Result, Fraction(0))
    edge = Fraction(0)
    for line, count in counts.items():
        chance = Fraction(count, total)
        if line is None:
            chances[Result.LOSE] += chance
            edge += chance
        elif line.pays is None:
            chances[Result.PUSH] += chance
        else:
            chances[Result.WIN] += chance
            edge -= chance * line.pays * kept
    return BetOdds(bet.name, chances[Result.WIN], chances[Result.LOSE], chances[Result.PUSH], edge)
