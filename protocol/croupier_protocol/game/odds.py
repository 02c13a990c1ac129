"""Exact odds: what each bet of a rule set is worth, from a count of all coups that the cards can deal."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt

import msgspec

from croupier_protocol.game.bets import Bet, BetName, Line
from croupier_protocol.game.cards import Card, parse_card
from croupier_protocol.game.counting import Counts, composition, count_coups
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.rules import RuleSet
from croupier_protocol.game.settlement import Terms


class LineOdds(msgspec.Struct, frozen=True):
    """One line of a bet's pay table, and the probability that it decides."""

    line: Line
    chance: Fraction


class BetOdds(msgspec.Struct, frozen=True):
    """The odds of one bet: the probability of each result, and the house edge.

    `lines` are those of the pay table, from the top; in all other cases the bet loses. `edge` is what the
    house keeps of a stake on average, as a fraction of the stake, and `variance` that of what comes back.
    Commission is counted at its exact rate, without rounding: what a large stake tends to. `Odds.edge_at`
    gives the edge at one stake.
    """

    bet: BetName
    lines: tuple[LineOdds, ...]
    win: Fraction
    lose: Fraction
    push: Fraction
    edge: Fraction
    variance: Fraction

    @property
    def favours_bettor(self) -> bool:
        """Whether the house loses on this bet in the long run."""
        return self.edge < 0

    def standard_error(self, coups: int) -> float:
        """The standard error of an edge that is measured over so many coups."""
        return sqrt(self.variance / coups)


class Odds(msgspec.Struct, frozen=True):
    """The odds of a rule set on `decks` decks without the cards `removed`.

    `total` is the number of ordered ways to draw six cards; `banker`, `player` and `tie` say in how many of
    them each outcome comes.
    """

    rules: RuleSet
    decks: int
    removed: tuple[Card, ...]
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
            each.chance * Terms(self.rules, offered, each.line)[stake].returned
            for each in self.bets[offered.name].lines
        )
        return 1 - Fraction(returned, stake)


def odds(rules: RuleSet, decks: int | None = None, removed: Iterable[str] = ()) -> Odds:
    """The odds of `rules` on the rule set's own number of decks or on `decks`, in a fresh shoe or in one from
    which the cards `removed` are gone.

    >>> from croupier_protocol.game.rules import RULE_SETS
    >>> found = odds(RULE_SETS["standard"])
    >>> found.banker, found.player, found.tie
    (2292252566437888, 2230518282592256, 475627426473216)
    >>> [f"{float(found.bets[bet].edge):.4%}" for bet in ("player", "banker", "tie", "player_pair")]
    ['1.2351%', '1.0579%', '14.3596%', '10.3614%']

    Raises:
        BadCardError: one of `removed` is not a card.
        ValueError: `decks` is not 1 to 8, more of a card are removed than there are, or fewer than the six
        cards that a coup may take are left.
    """
    decks = rules.decks if decks is None else decks
    cards = tuple(parse_card(card) for card in removed)
    return odds_of(rules, decks, cards, count_coups(composition(decks, cards)))


def odds_of(rules: RuleSet, decks: int, removed: tuple[Card, ...], counts: Counts) -> Odds:
    """The odds of `rules` where coups end as often as `counts` says."""
    outcomes: Counter[Outcome] = Counter()
    for (score, _), count in counts.items():
        outcomes[score.outcome] += count
    return Odds(
        rules=rules,
        decks=decks,
        removed=removed,
        total=outcomes.total(),
        banker=outcomes[Outcome.BANKER],
        player=outcomes[Outcome.PLAYER],
        tie=outcomes[Outcome.TIE],
        bets={bet.name: _bet_odds(rules, bet, counts) for bet in rules.bets},
    )


def _bet_odds(rules: RuleSet, bet: Bet, counts: Counts) -> BetOdds:
    by_line: Counter[int | None] = Counter()
    for shown, count in counts.items():
        by_line[bet.deciding(*shown)] += count
    total = by_line.total()
    kept = 1 - rules.commission.rate if bet.commission and rules.commission else Fraction(1)
    lines = tuple(LineOdds(line, Fraction(by_line[index], total)) for index, line in enumerate(bet.lines))
    lose = Fraction(by_line[None], total)
    # What a stake of 1 gains in each case that is no push, and how often.
    gains = [(Fraction(-1), lose)]
    gains += [(each.line.pays * kept, each.chance) for each in lines if each.line.pays is not None]
    mean = sum((gain * chance for gain, chance in gains), Fraction(0))
    return BetOdds(
        bet=bet.name,
        lines=lines,
        win=sum((each.chance for each in lines if each.line.pays is not None), Fraction(0)),
        lose=lose,
        push=sum((each.chance for each in lines if each.line.pays is None), Fraction(0)),
        edge=-mean,
        variance=sum((gain**2 * chance for gain, chance in gains), Fraction(0)) - mean**2,
    )
