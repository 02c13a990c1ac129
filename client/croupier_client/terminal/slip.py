"""Editing a slip. No I/O.

A draft is what the player wants on the round: for each bet a stack of chips, bottom first, so that the top
one can be taken off again. Drafts are values: every edit returns the next one, which knows the one before.
Whether a slip may be sent is `fault_of`'s to say, in the order in which the server checks; the server judges
in the end.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from croupier_client.terminal.reasons import Reason, Why
from croupier_protocol.game.limits import LimitError, Limits
from croupier_protocol.messages.offers import Offer

Stacks = Mapping[str, tuple[int, ...]]
"""The chips on each bet, in cents, bottom first; a bet without chips is not there."""

MOST_UNDO: Final = 50
"""Edits of one round that can be undone."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Stacks, and those before each edit, oldest first."""

    stacks: Stacks = field(default_factory=dict)
    before: tuple[Stacks, ...] = ()

    @property
    def bets(self) -> dict[str, int]:
        """Cents on each bet."""
        return {bet: sum(chips) for bet, chips in self.stacks.items()}

    def add(self, bet: str, chip: int) -> "Draft":
        """One more chip on a bet."""
        return self._next({**self.stacks, bet: (*self.stacks.get(bet, ()), chip)})

    def take_top(self, bet: str, limits: Limits) -> "Draft":
        """Without the top chip of a bet. What would be left below the table's least goes with it."""
        left = self.stacks.get(bet, ())[:-1]
        others = {other: chips for other, chips in self.stacks.items() if other != bet}
        return self._next(others if sum(left) < limits.bounds(bet)[0] else {**self.stacks, bet: left})

    def all_in(self, bet: str, limits: Limits, available: int) -> "Draft":
        """As much on one bet as table and bankroll allow beside the others; as it is when that is no more.

        `available` is the bankroll and what stands on the round. The amount is rounded down to the table's
        step, so it is never more than there is.
        """
        stack = self.stacks.get(bet, ())
        beside = sum(self.bets.values()) - sum(stack)
        most = min(available - beside, limits.slip_most - beside, limits.bounds(bet)[1])
        cents = most - most % limits.step
        if cents <= sum(stack):
            return self
        return self._next({**self.stacks, bet: chips_for(cents, limits.chips)})

    def clear(self) -> "Draft":
        return self._next({})

    def double(self) -> "Draft":
        """Every chip twice."""
        return self._next({bet: chips * 2 for bet, chips in self.stacks.items()})

    def replaced(self, bets: Mapping[str, int], chips: Sequence[int]) -> "Draft":
        """These bets instead, in as few chips as will do."""
        return self._next(stacks_of(bets, chips))

    def undo(self) -> "Draft":
        """As it was before the last edit; as it is when there is none."""
        return Draft(self.before[-1], self.before[:-1]) if self.before else self

    def _next(self, stacks: Stacks) -> "Draft":
        return Draft(stacks, (*self.before, self.stacks)[-MOST_UNDO:])


Edit = Callable[[Draft], Draft]


def stacks_of(bets: Mapping[str, int], chips: Sequence[int]) -> Stacks:
    """Stacks for amounts of which the chips are not known: as few as will do, large ones below."""
    return {bet: chips_for(cents, chips) for bet, cents in bets.items() if cents > 0}


def chips_for(cents: int, chips: Sequence[int]) -> tuple[int, ...]:
    """Chips that make up an amount, large ones first; what no chip fits is one odd chip on top.

    >>> chips_for(6_50, (1_00, 5_00))
    (500, 100, 50)
    """
    stack: list[int] = []
    rest = cents
    for chip in sorted(chips, reverse=True):
        stack += [chip] * (rest // chip)
        rest %= chip
    return (*stack, rest) if rest else tuple(stack)


def fault_of(bets: Mapping[str, int], limits: Limits, offer: Offer | None, available: int) -> Reason | None:
    """Why a slip cannot be placed; None when nothing is known against it. Without an offer only limits count.

    `available` is the bankroll and what stands on the round, in cents.
    """
    if offer is not None:
        offered = {each.bet for each in offer.bets}
        unknown = next((bet for bet in bets if bet not in offered), None)
        if unknown is not None:
            return Reason(Why.UNKNOWN_BET, bet=unknown)
        group = [bet for bet in offer.combination.bets if bet in bets]
        if len(group) > offer.combination.most:
            return Reason(Why.COMBINATION, limit=offer.combination.most, bets=offer.combination.bets)
    try:
        limits.check_slip(bets)
    except LimitError as error:
        return Reason(Why(error.limit.value), bet=error.bet, limit=error.value)
    if sum(bets.values()) > available:
        return Reason(Why.BANKROLL_SHORT, limit=available)
    return None


def buy_in_fault(cents: int, limits: Limits, bankroll: int) -> Reason | None:
    """Why so many chips cannot be bought beside those there are; None when nothing is known against it."""
    try:
        limits.check_buy_in(cents, bankroll)
    except LimitError as error:
        return Reason(Why(error.limit.value), limit=error.value)
    return None
