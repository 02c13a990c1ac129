"""What a table offers, as data: to check a slip before it is sent, and to show what it may win.

The server judges by the rules themselves; this is what it tells of them.
"""

from fractions import Fraction

from msgspec import Struct

from croupier_protocol.game.bets import BetName
from croupier_protocol.game.rules import Combination, Commission, Rounding, RuleSet


class Ratio(Struct, frozen=True, array_like=True):
    """An exact number, since 0.54 is none in binary. An array on the wire."""

    numerator: int
    denominator: int


class OfferedBet(Struct, frozen=True):
    """A bet on offer. `pays` are what its winning lines pay to one, from the top of its pay table.

    `commission` says whether the house's commission is taken from its wins.
    """

    bet: BetName
    pays: tuple[Ratio, ...]
    commission: bool


class CommissionOffer(Struct, frozen=True):
    """The house's part of a win: `rate` of it, rounded to steps of `step` cents, never above the win."""

    rate: Ratio
    step: int
    rounding: Rounding


class Offer(Struct, frozen=True):
    """What a rule set offers: its bets in the order in which people are shown them.

    `combination` says which bets may stand together: at most `most` of its `bets`; others go with anything.
    """

    decks: int
    bets: tuple[OfferedBet, ...]
    commission: CommissionOffer | None
    combination: Combination


def offer_of(rules: RuleSet) -> Offer:
    """What `rules` offer.

    >>> from croupier_protocol.game.rules import RULE_SETS
    >>> vegas = offer_of(RULE_SETS["vegas"])
    >>> [(offered.bet, offered.pays) for offered in vegas.bets][2]
    ('tie', (Ratio(numerator=9, denominator=1),))
    """
    return Offer(
        decks=rules.decks,
        bets=tuple(
            OfferedBet(
                bet=bet.name,
                pays=tuple(_ratio(pays) for pays in bet.pays),
                commission=bet.commission and rules.commission is not None,
            )
            for bet in rules.bets
        ),
        commission=_commission(rules.commission),
        combination=Combination(
            bets=tuple(bet.name for bet in rules.bets if bet.name in rules.combination.bets),
            most=rules.combination.most,
        ),
    )


def _commission(commission: Commission | None) -> CommissionOffer | None:
    if commission is None:
        return None
    return CommissionOffer(rate=_ratio(commission.rate), step=commission.step, rounding=commission.rounding)


def _ratio(number: Fraction) -> Ratio:
    return Ratio(*number.as_integer_ratio())
