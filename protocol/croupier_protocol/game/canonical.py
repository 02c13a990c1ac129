"""Rule sets read back from their canonical form: what a running shoe and a transcript keep of their rules."""

from fractions import Fraction
from typing import Final, Literal

import msgspec

from croupier_protocol.game.bets import CATALOGUE, Bet, BetName, Line, When
from croupier_protocol.game.rules import (
    Combination,
    Commission,
    Cut,
    Rounding,
    RulesError,
    RuleSet,
    Series,
)


class _CanonicalBet(msgspec.Struct, forbid_unknown_fields=True):
    name: BetName
    commission: bool
    lines: tuple[tuple[When, str | None], ...]

    def bet(self) -> Bet:
        lines = (Line(when, None if pays is None else Fraction(pays)) for when, pays in self.lines)
        return Bet(self.name, tuple(lines), self.commission)


class _CanonicalCommission(msgspec.Struct, forbid_unknown_fields=True):
    rate: str
    step: int
    rounding: Rounding

    def commission(self) -> Commission:
        return Commission(Fraction(self.rate), self.step, self.rounding)


class _Canonical(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal["croupier rules 1"]
    decks: int
    shoe: Cut | Series
    bets: tuple[_CanonicalBet, ...]
    commission: _CanonicalCommission | None
    combination: Combination


_PLACES: Final = {name: place for place, name in enumerate(CATALOGUE)}


def _place(bet: Bet) -> int:
    """Where people are shown a bet: the canonical form, which sorts bets by name, does not tell."""
    return _PLACES.get(bet.name, len(_PLACES))


def rules_from_canonical(name: str, canonical: object) -> RuleSet:
    """The rule set of which `canonical` is the canonical form, under `name`.

    >>> from croupier_protocol.game.rules import RULE_SETS
    >>> vegas = RULE_SETS["vegas"]
    >>> rules_from_canonical("vegas", vegas.canonical).digest == vegas.digest
    True

    Raises:
        RulesError: it is no canonical form, or of rules that cannot be played.
    """
    try:
        parts = msgspec.convert(canonical, _Canonical)
        return RuleSet(
            name=name,
            decks=parts.decks,
            bets=tuple(sorted((bet.bet() for bet in parts.bets), key=_place)),
            commission=None if parts.commission is None else parts.commission.commission(),
            combination=parts.combination,
            shoe=parts.shoe,
        )
    except (msgspec.ValidationError, ValueError, ZeroDivisionError) as error:
        raise RulesError(f"rule set {name!r}: {error}") from error
