"""What `croupier odds` shows to people."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from croupier_client.cli.narrator import columns
from croupier_client.cli.percent import percent
from croupier_client.cli.terminal import Terminal
from croupier_client.cli.texts import Texts
from croupier_protocol.game.cards import DECK, Card, rank, suit
from croupier_protocol.game.odds import BetOdds, Odds
from croupier_protocol.game.simulation import Played

DIGITS: Final = 4
"""Digits after the decimal mark of a percentage."""


class OddsTable:
    """The odds of a rule set in lines of one language; a bet that favours the bettor is marked in words."""

    def __init__(self, found: Odds, texts: Texts, terminal: Terminal) -> None:
        self._found = found
        self._texts = texts
        self._terminal = terminal

    def counted(self, stake: int | None) -> Iterator[str]:
        """The exact odds; with `stake`, in cents, also the edge of that stake.

        A bet that pays in several ways has below it a line for each of them.
        """
        found, texts = self._found, self._texts
        yield texts.odds_title.format(rules=found.rules.name, decks=found.decks, total=found.total)
        if found.removed:
            yield texts.odds_removed.format(cards=" ".join(self._cards(found.removed)))
        for name, count in (("banker", found.banker), ("player", found.player), ("tie", found.tie)):
            yield "  " + texts.odds_outcome.format(
                name=self._terminal.paint(texts.bets[name], name),
                count=count,
                percent=self._percent(Fraction(count, found.total)),
            )
        yield ""
        rows = [texts.odds_columns + (() if stake is None else (self._stake(stake),)) + ("",)]
        for bet in found.bets.values():
            rows += self._rows(bet, stake)
        yield from columns(rows, right={*range(2, len(rows[0]) - 1)})

    def played(self, played: Played) -> Iterator[str]:
        """What was counted beside what was played."""
        coups = played.odds.total
        yield self._texts.odds_played.format(coups=coups, seed=played.seed)
        rows = [self._texts.odds_played_columns]
        for name, bet in self._found.bets.items():
            rows.append(
                (
                    self._name(name),
                    self._percent(bet.edge),
                    self._percent(played.odds.bets[name].edge),
                    self._percent(Fraction(bet.standard_error(coups))),
                    self._decimal(f"{played.errors_off(bet):+.2f}"),
                )
            )
        yield from columns(rows, right={1, 2, 3, 4})

    def _rows(self, bet: BetOdds, stake: int | None) -> Iterator[tuple[str, ...]]:
        ways = [
            (self._pays(each.line.pays), self._percent(each.chance))
            for each in bet.lines
            if each.line.pays is not None
        ]
        edges = [bet.edge] + ([] if stake is None else [self._found.edge_at(bet.bet, stake)])
        numbers = [self._percent(each) for each in (bet.win, bet.push, bet.lose, *edges)]
        mark = self._texts.favours_bettor if bet.favours_bettor else ""
        yield self._name(bet.bet), ways[0][0] if len(ways) == 1 else "", *numbers, mark
        if len(ways) > 1:
            for pays, chance in ways:
                yield "", pays, chance, *("" for _ in numbers)

    def _name(self, bet: str) -> str:
        return self._texts.bets.get(bet, bet)

    def _pays(self, pays: Fraction) -> str:
        """What a line pays to one: as a decimal where that is short and exact, as a fraction elsewhere."""
        decimal = f"{float(pays):.2f}".rstrip("0").rstrip(".")
        return self._decimal(f"{decimal if Fraction(decimal) == pays else pays}:1")

    def _stake(self, cents: int) -> str:
        return self._texts.odds_at_stake.format(stake=self._decimal(f"{cents // 100}.{cents % 100:02}"))

    def _cards(self, cards: tuple[Card, ...]) -> Iterator[str]:
        """Cards in the order of a deck, several of one with their number."""
        counts = Counter(cards)
        for card in DECK:
            if counts[card]:
                times = f"{counts[card]} x " if counts[card] > 1 else ""
                name = self._texts.ranks.get(rank(card), rank(card)) + self._terminal.suits[suit(card)]
                yield times + name

    def _percent(self, fraction: Fraction) -> str:
        return self._decimal(percent(fraction, DIGITS))

    def _decimal(self, text: str) -> str:
        return text.replace(".", self._texts.decimal_mark)
