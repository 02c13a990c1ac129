"""The sections of the rules, filled in from rule set, tableau, odds and glossary."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from croupier_protocol.game import tableau
from croupier_protocol.game.bets import Bet
from croupier_protocol.game.cards import PIPS, Card
from croupier_protocol.game.glossary import GLOSSARIES
from croupier_protocol.game.odds import Odds, odds
from croupier_protocol.game.rules import Commission, Cut, Rounding, RuleSet, Series
from croupier_protocol.game.rules_text.conditions import condition
from croupier_protocol.game.rules_text.content import Block, Paragraph, RulesText, Section, Table
from croupier_protocol.game.rules_text.prose import PROSE
from croupier_protocol.language import Language, counted, money, percent, shortest, shortest_percent, typeset

EXAMPLE_STAKES: Final = (600, 1_100)
"""The stakes in cents of the worked commission: those of seed 004, "a minimum bet of $6" and "$11"."""

_CONJUNCTION: Final = {Language.ENGLISH: " and ", Language.FRENCH: " et "}


class Limits(NamedTuple):
    """Which amounts a table takes on a bet: from `least` to `most` cents in steps of `step`."""

    least: int
    most: int
    step: int


def rules_text(
    rules: RuleSet,
    language: Language,
    *,
    limits: Mapping[str, Limits] | None = None,
    found: Odds | None = None,
) -> RulesText:
    """The rules of a table that plays `rules`, in `language`.

    `limits` are those of the table, by bet; without them the text has no section about limits. `found` are
    the odds of `rules`, for a caller who has them; else they are counted.

    >>> from croupier_protocol.game.rules import RULE_SETS
    >>> text = rules_text(RULE_SETS["single-deck"], Language.FRENCH)
    >>> text.sections[0].heading, text.sections[-1].heading
    ('Le jeu', 'Si votre connexion est coupée')
    """
    writer = _Writer(rules, language, odds(rules) if found is None else found)
    sections = tuple(
        Section(typeset(language, heading), tuple(_typeset(language, block) for block in blocks))
        for heading, blocks in writer.sections(limits)
    )
    return RulesText(typeset(language, writer.prose.title.format(rules=rules.name)), sections)


def _typeset(language: Language, block: Block) -> Block:
    if isinstance(block, Paragraph):
        return Paragraph(typeset(language, block.text), block.notable)
    return Table(
        typeset(language, block.caption),
        tuple(typeset(language, column) for column in block.columns),
        tuple(tuple(typeset(language, cell) for cell in row) for row in block.rows),
        block.numbers,
    )


class _Writer:
    """Writes the sections of one rule set in one language."""

    def __init__(self, rules: RuleSet, language: Language, found: Odds) -> None:
        self.prose = PROSE[language]
        self._rules = rules
        self._language = language
        self._odds = found
        self._words = GLOSSARIES[language]

    def sections(self, limits: Mapping[str, Limits] | None) -> Iterator[tuple[str, Sequence[Block]]]:
        """Headings with what stands under each."""
        prose = self.prose
        yield prose.game_heading, _paragraphs(prose.game)
        yield prose.cards_heading, _paragraphs(prose.cards)
        yield prose.drawing_heading, self._drawing()
        yield prose.bets_heading, self._pays()
        yield prose.edge_heading, [*self._edges()]
        yield prose.commission_heading, [*self._commission()]
        yield prose.combination_heading, [Paragraph(self._combination())]
        if limits is not None:
            yield prose.limits_heading, [self._limits(limits)]
        yield prose.shoe_heading, _paragraphs(self._shoe())
        yield prose.faults_heading, _paragraphs(prose.faults)
        yield prose.connection_heading, _paragraphs(prose.connection)

    def _drawing(self) -> Sequence[Block]:
        prose = self.prose
        letters = {"D": prose.draws_letter, "S": prose.stands_letter}
        words = {"D": prose.draws, "S": prose.stands, "N": prose.nobody_draws}
        totals = enumerate(tableau.PLAYER + "NN")
        runs = [(mark, [each for each, _ in run]) for mark, run in groupby(totals, key=lambda one: one[1])]
        rows = tuple((_span(run), words[mark]) for mark, run in runs)
        banker_rows = tuple(
            (str(total), *(letters[mark] for mark in row.split())) for total, row in enumerate(tableau.BANKER)
        )
        columns = (prose.banker_column, prose.no_third, *map(str, range(10)))
        caption = prose.banker_table.format(draws=prose.draws_letter, stands=prose.stands_letter)
        return (
            Paragraph(prose.natural),
            Table(prose.player_table, prose.player_columns, rows),
            Paragraph(prose.banker_intro),
            Table(caption, columns, banker_rows),
        )

    def _pays(self) -> Sequence[Block]:
        prose = self.prose
        rows = tuple(
            (
                self._name(bet.name) if index == 0 else "",
                condition(self._language, line.when),
                self._pay(bet, line.pays),
            )
            for bet in self._rules.bets
            for index, line in enumerate(bet.lines)
        )
        pairs = any(
            "pair" in field and getattr(line.when, field) is not None
            for bet in self._rules.bets
            for line in bet.lines
            for field in line.when.__struct_fields__
        )
        texts = [prose.first_line, prose.otherwise, *([prose.pair] if pairs else []), prose.fractions]
        return (Table(prose.pays_table, prose.pays_columns, rows), *_paragraphs(texts))

    def _pay(self, bet: Bet, pays: Fraction | None) -> str:
        if pays is None:
            return self.prose.push
        commission = bet.commission and self._rules.commission is not None
        text = self.prose.to_one_less_commission if commission else self.prose.to_one
        return text.format(pays=shortest(self._language, pays))

    def _edges(self) -> Iterator[Block]:
        prose = self.prose
        yield Paragraph(prose.edge.format(decks=self._counted(self._odds.decks, "deck")))
        rows = tuple(
            (self._name(bet.bet), *map(self._percent, (bet.win, bet.push, bet.lose, bet.edge)))
            for bet in self._odds.bets.values()
        )
        yield Table(prose.edge_table, prose.edge_columns, rows, numbers=(1, 2, 3, 4))
        for bet in self._odds.bets.values():
            if bet.favours_bettor:
                text = prose.favours_bettor.format(bet=self._name(bet.bet), percent=self._percent(-bet.edge))
                yield Paragraph(text, notable=True)
        commission = self._rules.commission
        if commission is not None and commission.step > 1:
            stake = EXAMPLE_STAKES[0]
            for charged in self._charged():
                edge = self._percent(self._odds.edge_at(charged.name, stake))
                name = self._name(charged.name)
                text = prose.rounded_edge.format(bet=name, stake=self._money(stake), percent=edge)
                yield Paragraph(text)

    def _commission(self) -> Iterator[Block]:
        commission = self._rules.commission
        charged = self._charged()
        if commission is None or not charged:
            yield Paragraph(self.prose.no_commission)
            return
        for bet in charged:
            name = self._name(bet.name)
            text = self.prose.commission.format(
                bet=name,
                rate=shortest_percent(self._language, commission.rate),
                rounding=self._rounding(commission),
            )
            yield Paragraph(text)
            for stake in EXAMPLE_STAKES:
                win = int(stake * max(bet.pays))
                taken = commission.on(win)
                amounts = {"stake": stake, "win": win, "commission": taken, "returned": stake + win - taken}
                shown = {each: self._money(amount) for each, amount in amounts.items()}
                yield Paragraph(self.prose.example.format(bet=name, **shown))

    def _rounding(self, commission: Commission) -> str:
        prose, up = self.prose, commission.rounding is Rounding.UP
        if commission.step == 1:
            return prose.to_the_cent_up if up else prose.to_the_cent_down
        text = prose.to_steps_up if up else prose.to_steps_down
        return text.format(step=self._money(commission.step))

    def _combination(self) -> str:
        combination = self._rules.combination
        offered = [name for name in combination.bets if name in self._rules.offered]
        if combination.most >= len(offered):
            return self.prose.any_combination
        names = self._listed([self._name(name) for name in offered])
        text = self.prose.no_opposites if combination.most == 1 else self.prose.at_most
        return text.format(bets=names, most=combination.most)

    def _limits(self, limits: Mapping[str, Limits]) -> Block:
        rows = tuple(
            (self._name(bet.name), *map(self._money, limits[bet.name]))
            for bet in self._rules.bets
            if bet.name in limits
        )
        return Table(self.prose.limits_table, self.prose.limits_columns, rows, numbers=(1, 2, 3))

    def _shoe(self) -> Iterator[str]:
        decks, cards = self._counted(self._rules.decks, "deck"), self._counted(self._rules.cards, "card")
        match self._rules.shoe:
            case Series(coups):
                yield self.prose.series.format(decks=decks, cards=cards, coups=self._counted(coups, "coup"))
            case Cut(behind):
                yield self.prose.shoe.format(decks=decks, cards=cards)
                yield self.prose.burn.format(ace=PIPS[Card("As")], face=PIPS[Card("Ks")])
                yield self.prose.cut.format(behind=self._counted(behind, "card"))

    def _charged(self) -> list[Bet]:
        """The bets on which commission is taken."""
        return [bet for bet in self._rules.bets if bet.commission]

    def _name(self, bet: str) -> str:
        return self._words.bets[bet]

    def _listed(self, names: Sequence[str]) -> str:
        *before, last = names
        return _CONJUNCTION[self._language].join([", ".join(before), last])

    def _counted(self, number: int, noun: str) -> str:
        return counted(self._language, number, getattr(self._words, noun))

    def _money(self, cents: int) -> str:
        return money(self._language, cents)

    def _percent(self, part: Fraction) -> str:
        return percent(self._language, part)


def _paragraphs(texts: Iterable[str]) -> Sequence[Block]:
    return tuple(Paragraph(text) for text in texts)


def _span(totals: Sequence[int]) -> str:
    """Neighbouring totals, as "0–5"."""
    return str(totals[0]) if len(totals) == 1 else f"{totals[0]}–{totals[-1]}"
