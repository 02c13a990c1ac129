"""What a table takes: least, most and step of a bet, the most of a slip, the buy-in, the seats.

All amounts are cents. Limits are a table's, not a rule set's: two tables of one rule set may differ.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

from croupier_protocol.game.bets import BANKER, PLAYER
from croupier_protocol.game.settlement import SlipError

Amount = Annotated[int, Meta(ge=1, le=2**53 - 1)]

Seats = Annotated[int, Meta(ge=1, le=1_000)]

HANDS: Final = frozenset({PLAYER.name, BANKER.name})
"""The bets that keep to the limits of main bets."""


class Limit(StrEnum):
    """Which limit a slip or a buy-in has hit."""

    LEAST = "least"
    MOST = "most"
    STEP = "step"
    SLIP_MOST = "slip_most"
    BUY_IN_LEAST = "buy_in_least"
    BUY_IN_MOST = "buy_in_most"


class LimitError(SlipError):
    """An amount that a table does not take: which `limit`, and its `value` in cents."""

    def __init__(self, limit: Limit, value: int, bet: str | None = None) -> None:
        where = "" if bet is None else f" on {bet}"
        super().__init__(f"{limit.value}{where} is {value // 100}.{value % 100:02}")
        self.limit = limit
        self.value = value
        self.bet = bet


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """A table's limits; the defaults are a table of 1.00 to 500.00."""

    main_least: Amount = 1_00
    main_most: Amount = 500_00
    other_least: Amount = 1_00
    other_most: Amount = 100_00
    step: Amount = 1_00
    slip_most: Amount = 2_000_00
    chips: tuple[Amount, ...] = (1_00, 5_00, 25_00, 100_00, 500_00)
    buy_in_least: Amount = 20_00
    buy_in_most: Amount = 10_000_00
    seats: Seats = 500

    def contradiction(self) -> str | None:
        """Why nothing at all could be bet or bought within these limits; None if something can.

        >>> Limits(main_least=50_00, main_most=5_00).contradiction()
        'main_least is above main_most'
        """
        pairs = (
            ("main_least", "main_most"),
            ("other_least", "other_most"),
            ("main_least", "slip_most"),
            ("buy_in_least", "buy_in_most"),
        )
        for least, most in pairs:
            if getattr(self, least) > getattr(self, most):
                return f"{least} is above {most}"
        return None

    def bounds(self, bet: str) -> tuple[int, int]:
        """The least and the most that may stand on `bet`."""
        if bet in HANDS:
            return self.main_least, self.main_most
        return self.other_least, self.other_most

    def check_slip(self, bets: Mapping[str, int]) -> None:
        """Refuses a slip, bet to cents, that this table does not take. An empty slip is taken.

        >>> Limits().check_slip({"player": 150})
        Traceback (most recent call last):
        croupier_protocol.game.limits.LimitError: step on player is 1.00

        Raises:
            LimitError: naming the first limit that is hit.
        """
        for bet, amount in bets.items():
            least, most = self.bounds(bet)
            if amount < least:
                raise LimitError(Limit.LEAST, least, bet)
            if amount > most:
                raise LimitError(Limit.MOST, most, bet)
            if amount % self.step:
                raise LimitError(Limit.STEP, self.step, bet)
        if sum(bets.values()) > self.slip_most:
            raise LimitError(Limit.SLIP_MOST, self.slip_most)

    def check_buy_in(self, amount: int, bankroll: int = 0) -> None:
        """Refuses chips that a seat may not buy: too few at first, or more than the most in front of it.

        Raises:
            LimitError: naming the limit.
        """
        if not bankroll and amount < self.buy_in_least:
            raise LimitError(Limit.BUY_IN_LEAST, self.buy_in_least)
        if bankroll + amount > self.buy_in_most:
            raise LimitError(Limit.BUY_IN_MOST, self.buy_in_most)
