"""What `croupier odds --json` prints."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from croupier_client.cli.percent import percent
from croupier_protocol.game.bets import BetName, When
from croupier_protocol.game.cards import Card
from croupier_protocol.game.odds import BetOdds, Odds
from croupier_protocol.game.simulation import Played

DIGITS: Final = 6
"""Digits after the decimal mark of a percentage."""


class LineReport(Struct, frozen=True):
    """One line of a pay table: what it asks of a coup, what it pays to one, and in how many draws it decides.

    `pays` is null for a push, and text since it need not be whole: ``"8"``, ``"27/50"``.
    """

    when: When
    pays: str | None
    draws: int


class BetReport(Struct, frozen=True):
    """The odds of one bet: in how many draws it wins, pushes and loses, and the part of each line in that.

    `edge_percent` is what the house keeps of a stake on average: below zero, the bet favours the bettor.
    `edge_percent_at_stake` is the same for the stake that was asked for, with all rounding.
    """

    edge_percent: msgspec.Raw
    favours_bettor: bool
    win: int
    push: int
    lose: int
    lines: tuple[LineReport, ...]
    edge_percent_at_stake: msgspec.Raw | UnsetType = UNSET


class PlayedBetReport(Struct, frozen=True):
    """The edge of one bet over the coups played, the standard error, and how many of those it is off."""

    edge_percent: msgspec.Raw
    standard_error_percent: msgspec.Raw
    standard_errors_off: float


class PlayedReport(Struct, frozen=True):
    """What `--simulate` adds."""

    coups: int
    seed: int
    bets: Mapping[BetName, PlayedBetReport]


class OddsReport(Struct, frozen=True):
    """All of it: numbers of ordered draws of six cards, and the odds of every bet."""

    rules: str
    decks: int
    removed: tuple[Card, ...]
    total: int
    banker: int
    player: int
    tie: int
    bets: Mapping[BetName, BetReport]
    simulation: PlayedReport | UnsetType = UNSET


def report(found: Odds, stake: int | None, played: Played | None) -> OddsReport:
    """`found` with the edge at `stake` cents and with what was played, where there is that."""
    return OddsReport(
        rules=found.rules.name,
        decks=found.decks,
        removed=found.removed,
        total=found.total,
        banker=found.banker,
        player=found.player,
        tie=found.tie,
        bets={name: _bet(found, bet, stake) for name, bet in found.bets.items()},
        simulation=UNSET if played is None else _played(found, played),
    )


def _bet(found: Odds, bet: BetOdds, stake: int | None) -> BetReport:
    def draws(chance: Fraction) -> int:
        return int(chance * found.total)

    return BetReport(
        edge_percent=_raw(bet.edge),
        favours_bettor=bet.favours_bettor,
        win=draws(bet.win),
        push=draws(bet.push),
        lose=draws(bet.lose),
        lines=tuple(
            LineReport(
                each.line.when, None if each.line.pays is None else str(each.line.pays), draws(each.chance)
            )
            for each in bet.lines
        ),
        edge_percent_at_stake=UNSET if stake is None else _raw(found.edge_at(bet.bet, stake)),
    )


def _played(found: Odds, played: Played) -> PlayedReport:
    return PlayedReport(
        coups=played.odds.total,
        seed=played.seed,
        bets={
            name: PlayedBetReport(
                edge_percent=_raw(played.odds.bets[name].edge),
                standard_error_percent=_raw(Fraction(bet.standard_error(played.odds.total))),
                standard_errors_off=round(played.errors_off(bet), 2),
            )
            for name, bet in found.bets.items()
        },
    )


def _raw(fraction: Fraction) -> msgspec.Raw:
    return msgspec.Raw(percent(fraction, DIGITS).encode())
