"""Settlement: what each bet of a slip returns, and which slips may be made.

Amounts are whole cents from 0 to 2^53 - 1. Every bet settles by itself: a slip returns what its bets would
return one by one.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from croupier_protocol.game.bets import Bet, BetName, Line
from croupier_protocol.game.coup import Coup
from croupier_protocol.game.rules import Combination, RuleSet

MAX_CENTS: Final = 2**53 - 1
"""The largest amount that every number format on the way keeps exactly."""


class SlipError(ValueError):
    """A slip that the rules refuse.

    SlipError
     +-- UnknownBetError   the rule set does not offer the bet
     +-- BadAmountError    the amount is no possible stake
     +-- CombinationError  these bets may not stand together
    """


class UnknownBetError(SlipError):
    """A bet that the rule set does not offer."""

    def __init__(self, rules: RuleSet, bet: str) -> None:
        super().__init__(f"{rules.name} offers no bet called {bet!r}; it offers {', '.join(rules.offered)}")
        self.bet = bet


class BadAmountError(SlipError):
    """An amount that is not a whole number of cents, is too small, or is too large to be paid."""

    def __init__(self, bet: str, why: str) -> None:
        super().__init__(f"the amount on {bet} {why}")
        self.bet = bet


class CombinationError(SlipError):
    """More bets of one group than may stand together."""

    def __init__(self, combination: Combination) -> None:
        super().__init__(f"at most {combination.most} of {', '.join(combination.bets)} may stand together")
        self.combination = combination


class Result(StrEnum):
    """What became of a bet: a push returns the stake because of the cards, a refund because the round was
    void.
    """

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    REFUND = "refund"


# On Python 3.11 reaching a member through its class takes longer than settling a lost bet.
_WIN, _LOSE, _PUSH = Result.WIN, Result.LOSE, Result.PUSH


class BetResult(msgspec.Struct, frozen=True):
    """One settled bet, amounts in cents.

    `win` is what the pays promise, before commission; ``returned = stake + win - commission`` for a win.
    """

    bet: BetName
    stake: int
    result: Result
    win: int
    commission: int
    returned: int


class Settlement(msgspec.Struct, frozen=True):
    """The settled bets of one slip, in the order of the slip."""

    bets: tuple[BetResult, ...]

    @property
    def staked(self) -> int:
        """Cents that were staked."""
        return sum(bet.stake for bet in self.bets)

    @property
    def returned(self) -> int:
        """Cents that go back to the seat, stakes included."""
        return sum(bet.returned for bet in self.bets)


def settle(rules: RuleSet, coup: Coup, slip: Mapping[str, int]) -> Settlement:
    """What the bets of `slip`, in cents, return after `coup`.

    Neither limits nor combinations are looked at: what was accepted is settled.

    >>> from croupier_protocol.game.rules import RULE_SETS
    >>> settle(RULE_SETS["vegas"], Coup.of("Ks 9h Qs Kd"), {"banker": 600}).bets[0].returned
    1150

    Raises:
        CoupError: the coup is not complete.
        UnknownBetError: the rule set does not offer one of the bets.
        BadAmountError: an amount is not a whole number of cents from 0 to 2^53 - 1.
    """
    score = coup.score
    offered = rules.offered
    results = []
    for name, stake in slip.items():
        bet = offered.get(name)
        if bet is None:
            raise UnknownBetError(rules, name)
        if type(stake) is not int or not 0 <= stake <= MAX_CENTS:
            raise BadAmountError(name, f"is not a whole number of cents from 0 to {MAX_CENTS}")
        results.append(settle_line(rules, bet, bet.by_score[score], stake))
    return Settlement(tuple(results))


def settle_line(rules: RuleSet, bet: Bet, line: Line | None, stake: int) -> BetResult:
    """What `stake` cents on `bet` return when `line` of its pay table decides; None loses.

    A fraction of a cent in a win is dropped.
    """
    if line is None:
        return BetResult(bet.name, stake, _LOSE, 0, 0, 0)
    if line.ratio is None:
        return BetResult(bet.name, stake, _PUSH, 0, 0, stake)
    numerator, denominator = line.ratio
    win = stake * numerator // denominator
    commission = rules.commission.on(win) if bet.commission and rules.commission else 0
    return BetResult(bet.name, stake, _WIN, win, commission, stake + win - commission)


def refund(slip: Mapping[str, int]) -> Settlement:
    """Every stake of `slip` back, for a round that is void."""
    return Settlement(
        tuple(BetResult(BetName(bet), stake, Result.REFUND, 0, 0, stake) for bet, stake in slip.items())
    )


def check_slip(rules: RuleSet, slip: Mapping[str, int]) -> None:
    """Refuse a slip that `rules` do not allow; the table's limits are not looked at. An empty slip is
    allowed.

    Raises:
        UnknownBetError: the rule set does not offer one of the bets. BadAmountError: an amount is not a whole
        number of cents, is below 1, or the slip could return over 2^53 - 1. CombinationError: the bets may
        not stand together.
    """
    could_return = 0
    for name, stake in slip.items():
        bet = rules.offered.get(name)
        if bet is None:
            raise UnknownBetError(rules, name)
        if type(stake) is not int or stake < 1:
            raise BadAmountError(name, "is not a whole number of cents from 1 up")
        could_return += stake + int(stake * max(bet.pays))
        if could_return > MAX_CENTS:
            raise BadAmountError(name, f"makes a slip that could return over {MAX_CENTS} cents")
    if len(slip.keys() & set(rules.combination.bets)) > rules.combination.most:
        raise CombinationError(rules.combination)
