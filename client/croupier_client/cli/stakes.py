"""What a scripted player wants to stake, as the command line writes it. No I/O."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from croupier_protocol.game.limits import Limits
from croupier_protocol.language import Language, parse_money

ALL: Final = "all"
"""In place of one amount: everything that is left."""

_BET: Final = re.compile(r"[a-z0-9_]{1,24}")


@dataclass(frozen=True, slots=True)
class Stakes:
    """Cents for each bet, and one bet that gets the rest, if any does."""

    fixed: Mapping[str, int]
    rest: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Stakes":
        """The stakes that ``player=5,tie=0.25`` or ``player=all,tie=1`` means.

        >>> Stakes.parse("player=5,tie=0.25")
        Stakes(fixed={'player': 500, 'tie': 25}, rest=None)

        Raises:
            ValueError: the text means none.
        """
        fixed: dict[str, int] = {}
        rest = None
        for part in text.split(","):
            bet, found, amount = part.partition("=")
            if not found or _BET.fullmatch(bet) is None:
                raise ValueError(f"{part!r} is no stake; write bet=amount, such as player=5 or tie=0.25")
            if bet in fixed or bet == rest:
                raise ValueError(f"{bet} stands there twice")
            if amount == ALL and rest is not None:
                raise ValueError(f"only one bet can have {ALL!r}")
            if amount == ALL:
                rest = bet
                continue
            fixed[bet] = parse_money(Language.ENGLISH, amount)
            if not fixed[bet]:
                raise ValueError(f"{part!r} stakes nothing")
        return cls(fixed, rest)

    def bets(self, bankroll: int, limits: Limits) -> dict[str, int]:
        """The slip for a seat with `bankroll` cents, stakes on the table included.

        The bet that gets the rest never gets more than there is, nor more than the table takes: the rest is
        rounded down to the table's step. Where that is less than the table's least, the bet is left out.

        >>> Stakes.parse("player=all").bets(99_99, Limits())
        {'player': 9900}
        """
        bets = dict(self.fixed)
        if self.rest is not None:
            least, most = limits.bounds(self.rest)
            staked = sum(bets.values())
            rest = min(bankroll - staked, limits.slip_most - staked, most)
            rest -= rest % limits.step
            if rest >= least:
                bets[self.rest] = rest
        return bets
