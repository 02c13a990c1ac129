"""The words of the game in English and in French, each written for itself.

Every text that people read takes its terms from here, in the terminal and in the browser: names of bets and
hands, cards, scoreboards, and nouns that are counted.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from croupier_protocol.game.cards import Card, rank
from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.game.roads import DerivedRoad, Mark
from croupier_protocol.game.settlement import Result
from croupier_protocol.language import Language, Noun


class Glossary(Struct, frozen=True, kw_only=True):
    """The terms of one language.

    `ranks` are the ranks that the language writes in its own way; all others stay as they are. A `Noun` is
    counted with `croupier_protocol.language.counted`.
    """

    ranks: Mapping[str, str]
    sides: Mapping[Side, str]
    outcomes: Mapping[Outcome, str]
    bets: Mapping[str, str]
    results: Mapping[Result, str]
    bead_plate: str
    big_road: str
    derived_roads: Mapping[DerivedRoad, str]
    marks: Mapping[Mark, str]
    next_wins: Mapping[Side, str]
    ties_after: str
    both_pairs: str
    natural: Noun
    pair: Noun
    card: Noun
    deck: Noun
    shoe: Noun
    coup: Noun
    hand: Noun
    stake: Noun
    point: Noun
    seat: Noun
    commission: str

    def card_name(self, card: Card, suit: str) -> str:
        """A card as the language writes it, with `suit` for its suit.

        >>> GLOSSARIES[Language.FRENCH].card_name(Card("Qd"), "♦")
        'D♦'
        """
        return self.ranks.get(rank(card), rank(card)) + suit


def _ties(name: str) -> dict[str, str]:
    return {f"tie_{total}": f"{name} {total}" for total in range(10)}


ENGLISH: Final = Glossary(
    ranks={"T": "10"},
    sides={Side.PLAYER: "Player", Side.BANKER: "Banker"},
    outcomes={Outcome.PLAYER: "Player", Outcome.BANKER: "Banker", Outcome.TIE: "Tie"},
    bets={
        "player": "Player",
        "banker": "Banker",
        "tie": "Tie",
        "player_pair": "Player Pair",
        "banker_pair": "Banker Pair",
        "either_pair": "Either Pair",
        "perfect_pair": "Perfect Pair",
        "player_bonus": "Player Bonus",
        "banker_bonus": "Banker Bonus",
        **_ties("Tie"),
        "super_6": "Super 6",
        "lucky_6": "Lucky 6",
        "small": "Small",
        "big": "Big",
        "dragon_7": "Dragon 7",
        "panda_8": "Panda 8",
    },
    results={Result.WIN: "won", Result.LOSE: "lost", Result.PUSH: "push", Result.REFUND: "refunded"},
    bead_plate="Bead plate",
    big_road="Big road",
    derived_roads={
        DerivedRoad.BIG_EYE_BOY: "Big eye boy",
        DerivedRoad.SMALL_ROAD: "Small road",
        DerivedRoad.COCKROACH_ROAD: "Cockroach road",
    },
    marks={Mark.RED: "repeats", Mark.BLUE: "breaks"},
    next_wins={Side.PLAYER: "If Player is next", Side.BANKER: "If Banker is next"},
    ties_after="one tie, two ties after it",
    both_pairs="both pairs",
    natural=Noun("natural", "naturals"),
    pair=Noun("pair", "pairs"),
    card=Noun("card", "cards"),
    deck=Noun("deck", "decks"),
    shoe=Noun("shoe", "shoes"),
    coup=Noun("coup", "coups"),
    hand=Noun("hand", "hands"),
    stake=Noun("stake", "stakes"),
    point=Noun("point", "points"),
    seat=Noun("seat", "seats"),
    commission="commission",
)

FRENCH: Final = Glossary(
    ranks={"T": "10", "J": "V", "Q": "D", "K": "R"},
    sides={Side.PLAYER: "Joueur", Side.BANKER: "Banque"},
    outcomes={Outcome.PLAYER: "Joueur", Outcome.BANKER: "Banque", Outcome.TIE: "Égalité"},
    bets={
        "player": "Joueur",
        "banker": "Banque",
        "tie": "Égalité",
        "player_pair": "Paire Joueur",
        "banker_pair": "Paire Banque",
        "either_pair": "Une paire au moins",
        "perfect_pair": "Paire parfaite",
        "player_bonus": "Bonus Joueur",
        "banker_bonus": "Bonus Banque",
        **_ties("Égalité"),
        "super_6": "Super 6",
        "lucky_6": "Lucky 6",
        "small": "Petit",
        "big": "Grand",
        "dragon_7": "Dragon 7",
        "panda_8": "Panda 8",
    },
    results={
        Result.WIN: "gagnée",
        Result.LOSE: "perdue",
        Result.PUSH: "rendue",
        Result.REFUND: "remboursée",
    },
    bead_plate="Plateau de perles",
    big_road="Grande route",
    derived_roads={
        DerivedRoad.BIG_EYE_BOY: "Gros œil",
        DerivedRoad.SMALL_ROAD: "Petite route",
        DerivedRoad.COCKROACH_ROAD: "Route du cafard",
    },
    marks={Mark.RED: "répétition", Mark.BLUE: "rupture"},
    next_wins={Side.PLAYER: "Si le Joueur suit", Side.BANKER: "Si la Banque suit"},
    ties_after="une égalité, deux égalités ensuite",
    both_pairs="les deux paires",
    natural=Noun("naturel", "naturels"),
    pair=Noun("paire", "paires"),
    card=Noun("carte", "cartes"),
    deck=Noun("jeu de 52 cartes", "jeux de 52 cartes"),
    shoe=Noun("sabot", "sabots"),
    coup=Noun("coup", "coups"),
    hand=Noun("main", "mains"),
    stake=Noun("mise", "mises"),
    point=Noun("point", "points"),
    seat=Noun("place", "places"),
    commission="commission",
)

GLOSSARIES: Final[Mapping[Language, Glossary]] = {Language.ENGLISH: ENGLISH, Language.FRENCH: FRENCH}
"""The glossary of each language."""
