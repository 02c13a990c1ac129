"""The conditions of pay tables in words.

Every field of `When` has its phrases here, so a bet that is new in the catalogue needs none of its own. What
follows the winner ("Banker wins with 6 points") is short; what stands alone is a clause ("Banker has 6
points").
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from croupier_protocol.game.bets import When
from croupier_protocol.game.coup import Outcome
from croupier_protocol.game.glossary import GLOSSARIES, Glossary
from croupier_protocol.language import Language, Noun, counted

_COUNTS: Final[Mapping[str, str]] = {
    "margin": "point",
    "cards": "card",
    "player_total": "point",
    "player_cards": "card",
    "banker_total": "point",
    "banker_cards": "card",
    "perfect_pairs": "hand",
}
"""What each numeric field counts, by its noun in the glossary."""


class _Phrases(Struct, frozen=True, kw_only=True):
    """The phrases of one language. Keys are a field, or a field and the value it must have.

    `winner` and `tie` are used behind the outcome, `clauses` for everything else.
    """

    outcomes: Mapping[Outcome, str]
    winner: Mapping[str, str]
    tie: Mapping[str, str]
    clauses: Mapping[str, str]
    conjunction: str
    alternative: str


_PHRASES: Final = {
    Language.ENGLISH: _Phrases(
        outcomes={
            Outcome.PLAYER: "Player wins",
            Outcome.BANKER: "Banker wins",
            Outcome.TIE: "Tie",
        },
        winner={
            "total": "with {}",
            "cards": "in {}",
            "margin": "by {}",
            "natural=True": "with a natural",
            "natural=False": "without a natural",
        },
        tie={
            "total": "at {}",
            "natural=True": "of naturals",
            "natural=False": "without a natural",
        },
        clauses={
            "natural=True": "a natural ends the coup",
            "natural=False": "no natural ends the coup",
            "margin": "the hands are {} apart",
            "cards": "{} in all",
            "player_total": "Player has {}",
            "player_cards": "Player has {}",
            "banker_total": "Banker has {}",
            "banker_cards": "Banker has {}",
            "player_pair=True": "Player’s first two cards are a pair",
            "player_pair=False": "Player’s first two cards are no pair",
            "banker_pair=True": "Banker’s first two cards are a pair",
            "banker_pair=False": "Banker’s first two cards are no pair",
            "either_pair=True": "the first two cards of one hand or both are a pair",
            "either_pair=False": "neither hand has a pair",
            "perfect_pairs": "perfect pair in {}",
        },
        conjunction=" and ",
        alternative=" or ",
    ),
    Language.FRENCH: _Phrases(
        outcomes={
            Outcome.PLAYER: "le Joueur gagne",
            Outcome.BANKER: "la Banque gagne",
            Outcome.TIE: "égalité",
        },
        winner={
            "total": "avec {}",
            "cards": "en {}",
            "margin": "de {}",
            "natural=True": "avec un naturel",
            "natural=False": "sans naturel",
        },
        tie={
            "total": "à {}",
            "natural=True": "de naturels",
            "natural=False": "sans naturel",
        },
        clauses={
            "natural=True": "un naturel termine le coup",
            "natural=False": "aucun naturel ne termine le coup",
            "margin": "écart de {}",
            "cards": "{} en tout",
            "player_total": "le Joueur a {}",
            "player_cards": "le Joueur a {}",
            "banker_total": "la Banque a {}",
            "banker_cards": "la Banque a {}",
            "player_pair=True": "les deux premières cartes du Joueur forment une paire",
            "player_pair=False": "les deux premières cartes du Joueur ne forment pas de paire",
            "banker_pair=True": "les deux premières cartes de la Banque forment une paire",
            "banker_pair=False": "les deux premières cartes de la Banque ne forment pas de paire",
            "either_pair=True": "les deux premières cartes d’une main au moins forment une paire",
            "either_pair=False": "aucune des deux mains n’a de paire",
            "perfect_pairs": "paire parfaite dans {}",
        },
        conjunction=" et ",
        alternative=" ou ",
    ),
}


def condition(language: Language, when: When) -> str:
    """What a coup must show, as a phrase that begins with a capital; a natural is named last.

    >>> condition(Language.ENGLISH, When(outcome=Outcome.BANKER, banker_total=6, banker_cards=3))
    'Banker wins with 6 points in 3 cards'
    """
    phrases = _PHRASES[language]
    head = "" if when.outcome is None else phrases.outcomes[when.outcome]
    clauses = []
    for field in sorted(when.__struct_fields__, key=lambda field: field == "natural"):
        value = getattr(when, field)
        if value is None or field == "outcome":
            continue
        short = _short(phrases, when.outcome, field, value)
        phrase = phrases.clauses[_key(field, value)] if short is None else short
        text = phrase.format(_amount(language, field, value))
        if short is None:
            clauses.append(text)
        else:
            head = f"{head} {text}"
    text = phrases.conjunction.join(([head] if head else []) + clauses)
    return text[:1].upper() + text[1:]


def _key(field: str, value: object) -> str:
    return f"{field}={value}" if isinstance(value, bool) else field


def _short(phrases: _Phrases, outcome: Outcome | None, field: str, value: object) -> str | None:
    """The phrase for a field that can follow the outcome."""
    if outcome is None:
        return None
    if outcome is Outcome.TIE:
        key = "total" if field in {"player_total", "banker_total"} else _key(field, value)
        return phrases.tie.get(key)
    own = field.removeprefix(f"{outcome.value}_")
    if field in {"natural", "margin"} or own != field:
        return phrases.winner.get(_key(own, value))
    return None


def _amount(language: Language, field: str, value: object) -> str:
    """A number with what it counts; of several, "5 or 6 cards"."""
    if isinstance(value, bool):
        return ""
    words = GLOSSARIES[language]
    *others, last = value if isinstance(value, tuple) else (value,)
    text = counted(language, last, _noun(words, field))
    return _PHRASES[language].alternative.join([*map(str, others), text])


def _noun(words: Glossary, field: str) -> Noun:
    noun: Noun = getattr(words, _COUNTS[field])
    return noun
