"""Rule sets from configuration: plain data in, a rule set or all that speaks against it out.

In TOML, where every key may be left out::

    [rules.home]
    decks = 6
    bets = ["player", "banker", "tie", "lucky_6"]
    pays = { tie = 9, lucky_6 = [12, 23] }                          # for lines that pay, from the top
    commission = { rate = 0.05, step = 0.25, rounding = "up" }      # rate = 0 for none
    combination = { at_most = 2, of = ["player", "banker", "tie"] } # or "any", or "one_hand"
    shoe = { type = "cut", behind = 16 }                            # or { type = "series", coups = 60 }

    [[rules.home.exceptions]]                                       # looked at before the bet's own lines
    bet = "banker"
    when = { outcome = "banker", banker_total = 6 }
    pays = 0.5                                                      # or "push"
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Final, Literal, TypeAlias

import msgspec

from croupier_protocol.game.bets import CATALOGUE, MAIN_BETS, Bet, BetName, When
from croupier_protocol.game.coup import FINAL_SCORES, NO_PAIRS, PAIRS
from croupier_protocol.game.rules import (
    ANY,
    ONE_HAND,
    Combination,
    Commission,
    Cut,
    Rounding,
    RulesError,
    RuleSet,
    Series,
)

Numeral: TypeAlias = int | float | str
"""A number as people write it: ``8``, ``0.54`` or ``"27/50"``; taken by its digits, so that 0.54 is exact."""

_NUMERAL: Final = re.compile(r"-?\d{1,9}(\.\d{1,9}|/0*[1-9]\d{0,8})?", re.ASCII)
_PUSH: Final = "push"
_CENTS_IN_UNIT: Final = 100
_COMBINATIONS: Final = {"any": ANY, "one_hand": ONE_HAND}


class CommissionConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`commission`: the house's part of a win, in steps of so many units of money."""

    rate: Numeral
    step: Numeral = "0.01"
    rounding: Rounding = Rounding.UP


class AtMost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`combination`: at most so many of the bets `of` on one slip."""

    at_most: int
    of: tuple[BetName, ...] = tuple(bet.name for bet in MAIN_BETS)


class ExceptionConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[exceptions]]`: what one of the bets pays in a case of its own."""

    bet: BetName
    when: When
    pays: Numeral


class RulesConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[rules.NAME]`: one rule set. Without any key it has the main bets, five percent and eight decks.

    >>> config = msgspec.convert({"bets": ["tie"], "pays": {"tie": 9}}, RulesConfig)
    >>> config.rule_set("home").offered["tie"].pays
    (Fraction(9, 1),)
    """

    decks: int = 8
    bets: tuple[BetName, ...] = tuple(bet.name for bet in MAIN_BETS)
    pays: dict[BetName, Numeral | tuple[Numeral, ...]] = {}
    commission: CommissionConfig = CommissionConfig("0.05")
    combination: Literal["any", "one_hand"] | AtMost = "any"
    shoe: Cut | Series = Cut()
    exceptions: tuple[ExceptionConfig, ...] = ()

    def rule_set(self, name: str) -> RuleSet:
        """The rule set that this describes.

        Raises:
            RulesError: naming every key that cannot be followed, with the reason.
        """
        reading = _Reading(self)
        if reading.faults:
            raise RulesError(f"rule set {name!r}: {'; '.join(reading.faults)}")
        return RuleSet(
            name=name,
            decks=self.decks,
            bets=reading.bets,
            commission=reading.commission,
            combination=_COMBINATIONS[self.combination]
            if isinstance(self.combination, str)
            else Combination(self.combination.of, self.combination.at_most),
            shoe=self.shoe,
        )


class _Reading:
    """The parts of a rule set that need reading, and the faults that were found on the way."""

    def __init__(self, config: RulesConfig) -> None:
        self.faults: list[str] = []
        self.commission = self._commission(config.commission)
        offered = self._offered(config)
        self._exceptions(config, offered)
        # A bet named twice is still twice here: the rule set itself refuses it.
        self.bets = tuple(offered[name] for name in config.bets if name in offered)

    def _number(self, numeral: Numeral, key: str) -> Fraction:
        if not isinstance(numeral, bool) and _NUMERAL.fullmatch(str(numeral)):
            return Fraction(str(numeral))
        self.faults.append(f"{key}: {numeral!r} is not a number such as 8, 0.54 or '27/50'")
        return Fraction(0)

    def _commission(self, config: CommissionConfig) -> Commission | None:
        rate = self._number(config.rate, "commission.rate")
        step = self._number(config.step, "commission.step") * _CENTS_IN_UNIT
        if step.denominator != 1:
            self.faults.append(f"commission.step: {config.step} is not a whole number of cents")
        return Commission(rate, int(step), config.rounding) if rate else None

    def _offered(self, config: RulesConfig) -> dict[BetName, Bet]:
        """The bets on offer with the pays of the configuration."""
        offered = {}
        for name in config.bets:
            if name in CATALOGUE:
                offered[name] = CATALOGUE[name]
            else:
                self.faults.append(f"bets: there is no bet called {name!r}; there are {', '.join(CATALOGUE)}")
        for name, numerals in config.pays.items():
            key = f"pays.{name}"
            if name not in offered:
                self.faults.append(f"{key}: {name!r} is not among the bets on offer")
                continue
            numbers = numerals if isinstance(numerals, tuple) else (numerals,)
            usual = offered[name].pays
            if len(numbers) == len(usual):
                offered[name] = offered[name].paying(*(self._number(each, key) for each in numbers))
            else:
                like = ", ".join(str(pay) for pay in usual)
                self.faults.append(f"{key}: it takes {len(usual)} pays, such as {like}, not {len(numbers)}")
        return offered

    def _exceptions(self, config: RulesConfig, offered: dict[BetName, Bet]) -> None:
        """Put the exceptions above the bets' own lines, the first on top."""
        for number, exception in reversed([*enumerate(config.exceptions)]):
            key = f"exceptions[{number}]"
            if exception.bet not in offered:
                self.faults.append(f"{key}.bet: {exception.bet!r} is not among the bets on offer")
                continue
            pays = None if exception.pays == _PUSH else self._number(exception.pays, f"{key}.pays")
            offered[exception.bet] = offered[exception.bet].except_when(exception.when, pays)
        for name in {exception.bet for exception in config.exceptions} & offered.keys():
            self.faults += _idle_lines(offered[name])


def _idle_lines(bet: Bet) -> Iterator[str]:
    """Which lines of a bet decide no coup, because none shows what they ask or a line above decides it."""
    pairs_there_are = PAIRS.values() if bet.asks_for_pairs else (NO_PAIRS,)
    deciding = {bet.deciding(*shown) for shown in product(FINAL_SCORES, pairs_there_are)}
    for index, line in enumerate(bet.lines):
        if index not in deciding:
            yield f"no coup is decided by the line {msgspec.json.encode(line.when).decode()} of {bet.name}"
