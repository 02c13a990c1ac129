"""The rules in words: every number in them comes from the data, and no bet lacks its words."""

import re
from fractions import Fraction

import pytest
from msgspec.structs import fields

from croupier_protocol.game.bets import CATALOGUE, When
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.glossary import GLOSSARIES
from croupier_protocol.game.rules import (
    ONE_HAND,
    RULE_SETS,
    Commission,
    Cut,
    Rounding,
    RuleSet,
    Series,
    at_most,
)
from croupier_protocol.game.rules_text import Limits, Paragraph, Table, rules_text
from croupier_protocol.game.rules_text.conditions import condition
from croupier_protocol.game.rules_text.prose import PROSE, Prose
from croupier_protocol.language import Language

LANGUAGES = list(Language)
EN, FR = Language.ENGLISH, Language.FRENCH


def words(text):
    """Everything a text says, with plain spaces."""
    parts = [text.title]
    for section in text.sections:
        parts.append(section.heading)
        for block in section.blocks:
            if isinstance(block, Paragraph):
                parts.append(block.text)
            else:
                parts += [block.caption, *block.columns, *(cell for row in block.rows for cell in row)]
    return "\n".join(parts).replace("\N{NO-BREAK SPACE}", " ")


def section(text, heading):
    return next(each for each in text.sections if each.heading == heading)


def table(text, caption):
    blocks = (block for each in text.sections for block in each.blocks)
    return next(b for b in blocks if isinstance(b, Table) and b.caption.startswith(caption))


def notable(text):
    blocks = (block for each in text.sections for block in each.blocks)
    return [
        block.text.replace("\N{NO-BREAK SPACE}", " ")
        for block in blocks
        if isinstance(block, Paragraph) and block.notable
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("bet", CATALOGUE.values(), ids=lambda bet: bet.name)
def test_every_bet_of_the_catalogue_has_a_name_and_its_conditions_in_words(bet, language):
    """D2, M6."""
    assert GLOSSARIES[language].bets[bet.name]
    for line in bet.lines:
        assert len(condition(language, line.when)) > 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_of_a_condition_has_its_words(language):
    values = {"outcome": list(Outcome)}
    for field in fields(When):
        kinds = [True, False] if field.name == "natural" or field.name.endswith("_pair") else [2, 3]
        for value in values.get(field.name, kinds):
            alone = condition(language, When(**{field.name: value}))
            assert alone
            assert value in {True, False} or not isinstance(value, int) or str(value) in alone
            for outcome in Outcome:
                assert len(condition(language, When(**{"outcome": outcome, field.name: value}))) > 2


def test_glossaries_name_the_same_things():
    """M6."""
    english, french = GLOSSARIES[EN], GLOSSARIES[FR]
    assert english.bets.keys() == french.bets.keys() >= CATALOGUE.keys()
    for name in ("sides", "outcomes", "results", "derived_roads", "marks", "next_wins"):
        assert getattr(english, name).keys() == getattr(french, name).keys()
    assert [french.outcomes[outcome] for outcome in Outcome] == ["Joueur", "Banque", "Égalité"]
    assert french.ranks == {"T": "10", "J": "V", "Q": "D", "K": "R"}
    for glossary in (english, french):
        assert len(set(glossary.bets.values())) == len(glossary.bets)


def test_both_languages_fill_in_the_same_blanks():
    """M6."""
    for field in fields(Prose):
        blanks = {
            language: sorted(set(re.findall(r"{(\w+)}", str(getattr(PROSE[language], field.name)))))
            for language in LANGUAGES
        }
        assert blanks[EN] == blanks[FR], field.name


def test_what_standard_bets_pay_and_cost():
    """D2: pays, edges and chances, in both languages."""
    rules = RuleSet(name="standard", commission=Commission(Fraction(5, 100)))
    english, french = rules_text(rules, EN), rules_text(rules, FR)
    assert table(english, "A winning bet").rows == (
        ("Player", "Player wins", "1 to 1"),
        ("", "Tie", "push: the stake returns"),
        ("Banker", "Banker wins", "1 to 1 less commission"),
        ("", "Tie", "push: the stake returns"),
        ("Tie", "Tie", "8 to 1"),
    )
    assert table(english, "Exact").rows == (
        ("Player", "44.6247%", "9.5156%", "45.8597%", "1.2351%"),
        ("Banker", "45.8597%", "9.5156%", "44.6247%", "1.0579%"),
        ("Tie", "9.5156%", "0.0000%", "90.4844%", "14.3596%"),
    )
    assert [row[4] for row in table(french, "Chances").rows] == [
        "1,2351\N{NO-BREAK SPACE}%",
        "1,0579\N{NO-BREAK SPACE}%",
        "14,3596\N{NO-BREAK SPACE}%",
    ]
    assert [row[0] for row in table(french, "Chances").rows] == ["Joueur", "Banque", "Égalité"]
    assert notable(english) == notable(french) == []


@pytest.mark.parametrize("name", ["eight-deck", "two-field"])
def test_a_bet_that_favours_the_bettor_is_marked(name):
    assert notable(rules_text(RULE_SETS[name], EN)) == [
        "Banker favours you: over time it returns 1.2351% more than you stake."
    ]
    assert notable(rules_text(RULE_SETS[name], FR)) == [
        "La mise Banque est à votre avantage : à la longue, elle rend 1,2351 % de plus que vous ne misez."
    ]
    assert ("Banker", "45.8597%", "9.5156%", "44.6247%", "−1.2351%") in table(
        rules_text(RULE_SETS[name], EN), "Exact"
    ).rows


def test_commission_with_the_examples_of_its_seed():
    """Seed 004: 6 dollars pay 50 cents, 11 dollars pay 75."""
    english = words(rules_text(RULE_SETS["vegas"], EN))
    assert (
        "a commission of 5% of what it wins, rounded up to the next 0.25, never more than the win" in english
    )
    assert "6.00 on Banker wins 6.00; the commission is 0.50, and 11.50 comes back." in english
    assert "11.00 on Banker wins 11.00; the commission is 0.75, and 21.25 comes back." in english
    assert ("Tie", "Tie", "9 to 1") in table(rules_text(RULE_SETS["vegas"], EN), "A winning bet").rows
    french = words(rules_text(RULE_SETS["vegas"], FR))
    assert "une commission de 5 % de son gain, arrondie au multiple supérieur de 0,25" in french
    assert "Exemple : 6,00 sur Banque gagnent 6,00 ; la commission est de 0,50, et 11,50 vous" in french


@pytest.mark.parametrize(
    ("commission", "english"),
    [
        (None, "No commission is taken."),
        (Commission(Fraction(5, 100)), "5% of what it wins, rounded up to the cent"),
        (
            Commission(Fraction(1, 40), rounding=Rounding.DOWN),
            "2.5% of what it wins, rounded down to the cent",
        ),
        (
            Commission(Fraction(4, 100), 50, Rounding.DOWN),
            "4% of what it wins, rounded down to a multiple of 0.50",
        ),
    ],
)
def test_commission_follows_the_rule_set(commission, english):
    assert english in words(rules_text(RuleSet(name="home", commission=commission), EN))


@pytest.mark.parametrize(
    ("combination", "english", "french"),
    [
        (ONE_HAND, "Player and Banker do not go together", "Joueur et Banque ne vont pas ensemble"),
        (
            at_most(2),
            "Of Player, Banker and Tie, at most 2 may stand on one slip",
            "Parmi Joueur, Banque et Égalité, un coup admet au plus 2",
        ),
        (at_most(3), "All bets may stand together", "Toutes les mises peuvent être placées ensemble"),
    ],
)
def test_combinations(combination, english, french):
    rules = RuleSet(name="home", combination=combination)
    assert english in words(rules_text(rules, EN))
    assert french in words(rules_text(rules, FR))


def test_the_drawing_tables_are_those_of_the_seeds():
    text = rules_text(RULE_SETS["standard"], EN)
    assert table(text, "Player").rows == (
        ("0–5", "draws"),
        ("6–7", "stands"),
        ("8–9", "natural: nobody draws"),
    )
    assert ["".join(row) for row in table(text, "Banker, by").rows] == [
        "0DDDDDDDDDDD",
        "1DDDDDDDDDDD",
        "2DDDDDDDDDDD",
        "3DDDDDDDDDSD",
        "4DSSDDDDDDSS",
        "5DSSSSDDDDSS",
        "6SSSSSSSDDSS",
        "7SSSSSSSSSSS",
    ]
    assert "".join(table(rules_text(RULE_SETS["standard"], FR), "La Banque, selon").rows[5]) == "5TRRRRTTTTRR"


def test_shoe_burn_and_cut():
    home = words(rules_text(RuleSet(name="home", decks=6, shoe=Cut(behind=20)), EN))
    assert "6 decks are shuffled together, 312 cards in all." in home
    assert "1 for an ace, 10 for a ten or a face card" in home
    assert "A cut card lies 20 cards from the end." in home
    series = words(rules_text(RuleSet(name="home", decks=1, shoe=Series(coups=40)), FR))
    assert "à partir de 1 jeu de 52 cartes, mélangés à neuf : 52 cartes" in series
    assert "40 coups forment une série" in series


def test_limits_are_shown_where_they_are_given():
    limits = {"player": Limits(100, 50_000, 100), "tie": Limits(100, 1_000_000, 50)}
    text = rules_text(RULE_SETS["standard"], FR, limits=limits)
    assert table(text, "Montants").rows == (
        ("Joueur", "1,00", "500,00", "1,00"),
        ("Égalité", "1,00", "10\N{NO-BREAK SPACE}000,00", "0,50"),
    )
    assert "Limits" not in words(rules_text(RULE_SETS["standard"], EN))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", RULE_SETS)
def test_every_shipped_rule_set_reads_whole(name, language):
    """M6: no blank is left open, no French sign lacks its space, no straight apostrophe slips in."""
    text = rules_text(RULE_SETS[name], language)
    said = words(text)
    assert len(text.sections) == 10
    assert not re.search(r"[{}']", said)
    assert all(each.blocks for each in text.sections)
    if language is FR:
        assert not re.search(r"\w[;:?!%]", said)
        assert not re.search(r" [;:?!%»]", "".join(map(str, text.sections)))
