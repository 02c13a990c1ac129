"""`croupier odds`: the exact odds of a rule set, counted."""

import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Final, Literal

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from croupier_client.cli import DONE
from croupier_client.cli.narrator import columns
from croupier_client.cli.terminal import Terminal
from croupier_client.cli.texts import TEXTS, Texts
from croupier_protocol.game.bets import BetName
from croupier_protocol.game.odds import BetOdds, Odds
from croupier_protocol.game.odds import odds as count_odds
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.values import Language

JSON_DIGITS: Final = 6
SHOWN_DIGITS: Final = 4
"""Digits after the decimal mark of a percentage."""


class EdgeReport(msgspec.Struct, frozen=True):
    """What the house keeps of a stake on average, in percent: below zero, the bet favours the bettor."""

    edge_percent: msgspec.Raw


class OddsReport(msgspec.Struct, frozen=True):
    """What `--json` prints: numbers of ordered draws of six cards, and the edge of every bet."""

    rules: str
    decks: int
    total: int
    banker: int
    player: int
    tie: int
    bets: Mapping[BetName, EdgeReport]


def odds(
    *,
    rules: Annotated[Literal[tuple(RULE_SETS)], Parameter(negative="")] = "standard",  # type: ignore[valid-type]  # the names are data
    decks: Annotated[int | None, Parameter(validator=Number(gte=1, lte=8))] = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    lang: Literal["en", "fr"] = "en",
) -> int:
    """Count the exact odds of a rule set.

    Args:
        rules: Which rule set.
        decks: How many decks, 1 to 8, in place of the rule set's own number.
        json: Print one JSON object.
        lang: The language of the table.
    """
    found = count_odds(RULE_SETS[rules], decks)
    if json:
        sys.stdout.write(msgspec.json.encode(report(found)).decode() + "\n")
        return DONE
    for line in table(found, TEXTS[Language(lang)], Terminal.of(sys.stdout)):
        sys.stdout.write(f"{line}\n")
    return DONE


def report(found: Odds) -> OddsReport:
    """`found` as `--json` prints it."""
    edges = {
        name: EdgeReport(msgspec.Raw(_percent(bet.edge, JSON_DIGITS).encode()))
        for name, bet in found.bets.items()
    }
    return OddsReport(
        rules=found.rules.name,
        decks=found.decks,
        total=found.total,
        banker=found.banker,
        player=found.player,
        tie=found.tie,
        bets=edges,
    )


def table(found: Odds, texts: Texts, terminal: Terminal) -> Iterator[str]:
    """`found` in lines for people; a bet that favours the bettor is marked in words."""

    def percent(fraction: Fraction) -> str:
        return _percent(fraction, SHOWN_DIGITS).replace(".", texts.decimal_mark)

    yield texts.odds_title.format(rules=found.rules.name, decks=found.decks, total=found.total)
    for name, count in (("banker", found.banker), ("player", found.player), ("tie", found.tie)):
        yield "  " + texts.odds_outcome.format(
            name=terminal.paint(texts.bets[name], name),
            count=count,
            percent=percent(Fraction(count, found.total)),
        )
    yield ""
    rows = [(*texts.odds_columns, "")]
    for bet in found.bets.values():
        mark = texts.favours_bettor if bet.favours_bettor else ""
        chances = (percent(bet.win), percent(bet.push), percent(bet.lose), percent(bet.edge))
        rows.append((texts.bets.get(bet.bet, bet.bet), _pays(found, bet), *chances, mark))
    yield from columns(rows, right={2, 3, 4, 5})


def _pays(found: Odds, bet: BetOdds) -> str:
    return ", ".join(f"{pay}:1" for pay in found.rules.offered[bet.bet].pays)


def _percent(fraction: Fraction, digits: int) -> str:
    """A fraction as a percentage with so many digits, rounded half to even from the exact value.

    >>> _percent(Fraction(-1, 80), 4)
    '-1.2500'
    """
    scaled = round(fraction * 100 * 10**digits)
    sign = "-" if scaled < 0 else ""
    whole, rest = divmod(abs(scaled), 10**digits)
    return f"{sign}{whole}.{rest:0{digits}}"
