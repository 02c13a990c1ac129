"""Rule sets: decks, shoe policy, bets and pays, commission, and which bets go together.

A rule set is data and checks itself when it is made. Its digest names it in messages, history and
transcripts.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Final

import msgspec

from croupier_protocol.game.bets import BANKER, CATALOGUE, MAIN_BETS, PLAYER, TIE, Bet, BetName

CARDS_BEHIND_CUT: Final = 11
"""The fewest cards behind the cut card: a coup may begin with the last card before it and take five from
behind it, and the one more coup that follows must find six."""

CARDS_BEFORE_CUT: Final = 12
"""The fewest cards before the cut card: more than the eleven that a burn can take."""


class RulesError(ValueError):
    """A rule set that cannot be played, with the reason."""


class Rounding(StrEnum):
    """Which way an amount between two steps goes."""

    UP = "up"
    DOWN = "down"


class Commission(msgspec.Struct, frozen=True, dict=True):
    """The house's part of a win: `rate` of it, rounded to whole steps of `step` cents, never above the win.

    At even money the win equals the bet, so "5 % of the win" (seed 000) and "5 % of the bet" (seed 004) are
    one rate.
    """

    rate: Fraction
    step: int = 1
    rounding: Rounding = Rounding.UP

    def on(self, win: int) -> int:
        """The commission in cents on a win of `win` cents.

        >>> Commission(Fraction(5, 100), step=25).on(600)
        50
        """
        numerator, denominator, nearly = self._terms
        owed = (win * numerator + nearly) // denominator * self.step
        return owed if owed < win else win  # noqa: FURB136 - min() would take as long as all the rest

    @cached_property
    def _terms(self) -> tuple[int, int, int]:
        """A win times the first, plus the third, divided by the second, is the number of steps."""
        denominator = self.rate.denominator * self.step
        return self.rate.numerator, denominator, denominator - 1 if self.rounding is Rounding.UP else 0


class Combination(msgspec.Struct, frozen=True):
    """Which bets may stand together on one slip: at most `most` of `bets`; other bets go with anything."""

    bets: tuple[BetName, ...]
    most: int


ANY: Final = Combination((), 0)
"""All bets may stand together (seeds 000 and 004)."""

ONE_HAND: Final = Combination((PLAYER.name, BANKER.name), 1)
"""Player or Banker, with or without Tie (seed 002: "un pari sur une des mains", "également" on the tie)."""


def at_most(count: int) -> Combination:
    """At most `count` of Player, Banker and Tie (seed 003: "You can bet on two fields at the same time")."""
    return Combination(tuple(bet.name for bet in MAIN_BETS), count)


class Cut(msgspec.Struct, frozen=True, tag="cut", forbid_unknown_fields=True):
    """A shoe dealt down to its cut card: burn after the shuffle, cut card `behind` cards from the end."""

    behind: int = 16


class Series(msgspec.Struct, frozen=True, tag="series", forbid_unknown_fields=True):
    """A shoe that is a series of `coups` coups, each dealt from fresh decks; no burn, no cut card."""

    coups: int = 60


class RuleSet(msgspec.Struct, frozen=True, dict=True, kw_only=True):
    """The rules of a table.

    >>> rules = RuleSet(name="home", decks=6, bets=(PLAYER, BANKER, TIE.paying(9)))
    >>> rules.cards, rules.shoe
    (312, Cut(behind=16))

    Raises:
        RulesError: the rules cannot be played; the message says why.
    """

    name: str
    decks: int = 8
    bets: tuple[Bet, ...] = MAIN_BETS
    commission: Commission | None = None
    combination: Combination = ANY
    shoe: Cut | Series = Cut()

    def __post_init__(self) -> None:
        if faults := _faults(self):
            raise RulesError(f"rule set {self.name!r}: {'; '.join(faults)}")

    @property
    def cards(self) -> int:
        """How many cards are shuffled together."""
        return 52 * self.decks

    @cached_property
    def offered(self) -> Mapping[str, Bet]:
        """The bets on offer, by name."""
        return {bet.name: bet for bet in self.bets}

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the rules in canonical form, as 64 hexadecimal digits.

        The canonical form is `canonical` as JSON, keys sorted, no white space, ASCII. The name is not part of
        it: rule sets that play alike have one digest.
        """
        return hashlib.sha256(self.canonical_text.encode("ascii")).hexdigest()

    @property
    def canonical_text(self) -> str:
        """The rules in canonical form, as text."""
        return json.dumps(self.canonical, sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    @property
    def canonical(self) -> Mapping[str, object]:
        """All that decides about cards and money, as JSON values; fractions as ``"8"`` and ``"1/20"``.

        Bets are in the order of their names. A line is what it asks of the coup and what it pays, null for a
        push.
        """
        return {
            "format": "croupier rules 1",
            "decks": self.decks,
            "shoe": msgspec.to_builtins(self.shoe),
            "bets": [
                {
                    "name": bet.name,
                    "commission": bet.commission,
                    "lines": [
                        [msgspec.to_builtins(line.when), None if line.pays is None else str(line.pays)]
                        for line in bet.lines
                    ],
                }
                for bet in sorted(self.bets, key=lambda bet: bet.name)
            ],
            "commission": self.commission
            and {
                "rate": str(self.commission.rate),
                "step": self.commission.step,
                "rounding": self.commission.rounding.value,
            },
            "combination": {"bets": sorted(self.combination.bets), "most": self.combination.most},
        }


def _faults(rules: RuleSet) -> list[str]:
    """Why rules cannot be played, in words for the person who wrote them."""
    faults: list[tuple[bool, str]] = [
        (not rules.name, "it needs a name"),
        (not 1 <= rules.decks <= 8, f"decks must be 1 to 8, not {rules.decks}"),
        (not rules.bets, "it offers no bet"),
        *_bet_faults(rules),
    ]
    if (commission := rules.commission) is not None:
        faults += [
            (not 0 <= commission.rate <= 1, f"a commission rate must be 0 to 1, not {commission.rate}"),
            (commission.step < 1, f"a commission step must be a cent or more, not {commission.step}"),
        ]
    combination = rules.combination
    faults += [(name not in CATALOGUE, f"there is no bet called {name!r}") for name in combination.bets]
    faults.append(
        (bool(combination.bets) and combination.most < 1, "a combination must allow at least one bet")
    )
    return [reason for broken, reason in (*faults, *_shoe_faults(rules)) if broken]


def _bet_faults(rules: RuleSet) -> Iterator[tuple[bool, str]]:
    """What may be wrong with the bets on offer, and whether it is."""
    names = [bet.name for bet in rules.bets]
    for name in names:
        yield name not in CATALOGUE, f"there is no bet called {name!r}"
    for name in names:
        yield names.count(name) > 1, f"{name} is offered twice"
    for bet in rules.bets:
        yield not bet.pays, f"{bet.name} never pays"
    for bet in rules.bets:
        for pay in bet.pays:
            yield pay < 0, f"{bet.name} pays {pay}, which is below zero"
    for bet in rules.bets:
        yield (
            rules.decks == 1 and any(line.when.perfect_pairs for line in bet.lines),
            f"{bet.name} needs two decks: in one no two cards have the same rank and suit",
        )


def _shoe_faults(rules: RuleSet) -> Iterator[tuple[bool, str]]:
    """What may be wrong with the length of a shoe, and whether it is."""
    if isinstance(rules.shoe, Series):
        coups = rules.shoe.coups
        yield coups < 1, f"a series needs at least one coup, not {coups}"
        return
    behind, most = rules.shoe.behind, rules.cards - CARDS_BEFORE_CUT
    yield (
        behind < CARDS_BEHIND_CUT,
        f"the cut card needs {CARDS_BEHIND_CUT} cards behind it for one more coup, not {behind}",
    )
    yield behind > most, f"the cut card may have at most {most} cards behind it, not {behind}"


_FIVE_PERCENT: Final = Fraction(5, 100)

_STANDARD_SIDE_BETS: Final = ("player_pair", "banker_pair", "either_pair", "player_bonus", "banker_bonus")

_SHIPPED: Final = (
    RuleSet(
        name="standard",
        bets=(*MAIN_BETS, *(CATALOGUE[BetName(name)] for name in _STANDARD_SIDE_BETS)),
        commission=Commission(_FIVE_PERCENT),
    ),
    RuleSet(name="single-deck", decks=1, commission=Commission(_FIVE_PERCENT), shoe=Series()),
    RuleSet(name="eight-deck", combination=ONE_HAND),
    RuleSet(name="two-field", combination=at_most(2)),
    RuleSet(
        name="vegas",
        bets=(PLAYER, BANKER, TIE.paying(9)),
        commission=Commission(_FIVE_PERCENT, step=25),
    ),
)

RULE_SETS: Final[Mapping[str, RuleSet]] = {rules.name: rules for rules in _SHIPPED}
"""The rule sets that come with Croupier: ``standard``, and one for each of seeds 000, 002, 003 and 004."""
