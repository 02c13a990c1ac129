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
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

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
    """`[rules.NAME.commission]`: the house's part of a win; without this section five percent."""

    rate: Annotated[
        Numeral, Meta(description="The house's part of a win: 0.05 is five percent, 0 none.", examples=[0.05])
    ]
    step: Annotated[
        Numeral,
        Meta(description="Commission is a whole number of these.", extra={"unit": "units of money"}),
    ] = "0.01"
    rounding: Annotated[Rounding, Meta(description="Which way commission between two steps goes.")] = (
        Rounding.UP
    )


class AtMost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`combination`: at most so many of the bets `of` on one slip."""

    at_most: int
    of: tuple[BetName, ...] = tuple(bet.name for bet in MAIN_BETS)


class ExceptionConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[rules.NAME.exceptions]]`: what a bet pays in a case of its own, which goes before its own lines."""

    bet: Annotated[BetName, Meta(description="The bet, one of `bets`.", examples=["banker"])]
    when: Annotated[
        When,
        Meta(
            description="What the coup must show: outcome, natural, margin, cards, player_total,"
            " player_cards, banker_total, banker_cards, player_pair, banker_pair, either_pair,"
            " perfect_pairs.",
            examples=[{"outcome": "banker", "banker_total": 6}],
        ),
    ]
    pays: Annotated[
        Numeral, Meta(description='So many times the stake, or "push": the stake returns.', examples=[0.5])
    ]


class RulesConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[rules.NAME]`: a rule set of one's own, or one that comes with Croupier in other words.

    Without any key it has the main bets, five percent and eight decks.

    >>> config = msgspec.convert({"bets": ["tie"], "pays": {"tie": 9}}, RulesConfig)
    >>> config.rule_set("home").offered["tie"].pays
    (Fraction(9, 1),)
    """

    decks: Annotated[int, Meta(description="Decks in a shoe, 1 to 8.", extra={"unit": "decks"})] = 8
    bets: Annotated[
        tuple[BetName, ...],
        Meta(description="The bets on offer; `croupier odds` has them with what they cost."),
    ] = tuple(bet.name for bet in MAIN_BETS)
    pays: Annotated[
        dict[BetName, Numeral | tuple[Numeral, ...]],
        Meta(
            description="What bets pay to 1 where that is not the usual; several numbers are for the lines"
            " that pay, from the top.",
            examples=[{"tie": 9}],
        ),
    ] = {}
    commission: CommissionConfig = CommissionConfig("0.05")
    combination: Annotated[
        Literal["any", "one_hand"] | AtMost,
        Meta(
            description="Which bets may be on a slip together: `any`; `one_hand`, Player or Banker; or, as"
            ' { at_most = 2, of = ["player", "banker", "tie"] }, only so many of these.'
        ),
    ] = "any"
    shoe: Annotated[
        Cut | Series,
        Meta(
            description='How long a shoe is: { type = "cut", behind = 16 } to a cut card that many cards from'
            ' the end, or { type = "series", coups = 60 } so many coups from fresh decks each.'
        ),
    ] = Cut()
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
