"""Every text that the command line shows to people, in English and in French, each written for itself.

Terms of the game come from the glossary.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from croupier_protocol.game import glossary
from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.messages.values import Language, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The texts of one language; ``{…}`` are filled in."""

    language: Language
    ranks: Mapping[str, str]
    decimal_mark: str
    side: Mapping[Side, str]
    wins: Mapping[Outcome, str]
    pair: Mapping[Side, str]
    natural: str
    phase: Mapping[Phase, str]
    snapshot: str
    snapshot_new: str
    betting: str
    betting_again: str
    last_coup: str
    closed: str
    settled: str
    shoe: str
    series: str
    burn: str
    cut: str
    cut_open: str
    cut_listed: str
    shoe_end: str
    shoe_abandoned: str
    card_good: str
    card_false: str
    paused: str
    resumed: str
    table_closed: str
    void: str
    reasons: Mapping[str, str]
    stalled: str
    live: str
    lost: str
    back: str
    no_tables: str
    bet_slip: str
    bet_payout: str
    bet_bankroll: str
    bet_nothing: str
    lobby_columns: tuple[str, str, str, str, str]
    odds_removed: str
    odds_at_stake: str
    odds_played: str
    odds_played_columns: tuple[str, str, str, str, str]
    odds_title: str
    odds_outcome: str
    odds_columns: tuple[str, str, str, str, str, str]
    bets: Mapping[str, str]
    favours_bettor: str


ENGLISH: Final = Texts(
    language=Language.ENGLISH,
    ranks=glossary.ENGLISH.ranks,
    decimal_mark=".",
    side=glossary.ENGLISH.sides,
    wins={
        Outcome.PLAYER: "Player wins {player} to {banker}",
        Outcome.BANKER: "Banker wins {banker} to {player}",
        Outcome.TIE: "Tie, {player} to {banker}",
    },
    pair={Side.PLAYER: "Player pair", Side.BANKER: "Banker pair"},
    natural="natural {total}",
    phase={
        Phase.SHUFFLING: "shuffling",
        Phase.BETTING: "bets are open",
        Phase.CLOSED: "no more bets",
        Phase.DEALING: "dealing",
        Phase.SETTLING: "settling",
        Phase.RESULT: "between rounds",
        Phase.VOIDING: "the round is void",
        Phase.PAUSED: "paused",
        Phase.ENDED: "closed",
    },
    snapshot="Table {table}, rules {rules}: shoe {shoe}, coup {coup}, round {round}, {phase}",
    snapshot_new="Table {table}, rules {rules}: no shoe yet",
    betting="Round {round}, coup {coup}: place your bets, {seconds} s",
    betting_again="Round {round}: the bets stay open, {seconds} s",
    last_coup="Last coup of this shoe",
    closed="No more bets",
    settled="Settled: {staked} staked, {returned} returned, seats paid: {paid}",
    shoe="New shoe {shoe}: {decks} decks, {cards} cards",
    series="New series {shoe}: {coups} coups, each from {cards} fresh cards",
    burn="First card {card}; cards burnt unseen: {burnt}",
    cut="The cut card lies {behind} cards from the end",
    cut_open="Shoe {shoe} is committed to and cut by the seats",
    cut_listed="Seats in the cut: {count}",
    shoe_end="Shoe {shoe} has ended and is open to check",
    shoe_abandoned="Shoe {shoe} is abandoned and open to check: {reason}",
    card_good="checked",
    card_false="NOT THE CARD COMMITTED TO",
    paused="The table pauses: {reason}",
    resumed="The table goes on",
    table_closed="The table is closed: {reason}",
    void="Round {round} is void, every stake returns: {reason}",
    reasons={"abandoned": "nobody was there to deal it"},
    stalled="The table stands still",
    live="The table moves again",
    lost="No connection ({reason}); next try in {seconds} s",
    back="Connected again",
    no_tables="there are no tables",
    bet_slip="Round {round}: {bets}; {left} left",
    bet_payout="Round {round}: {bets}; {returned} back, bankroll {bankroll}",
    bet_bankroll="Bankroll: {bankroll}",
    bet_nothing="there is nothing left to stake",
    lobby_columns=("TABLE", "RULES", "ROUND", "WATCHING", "NOW"),
    odds_removed="without {cards}",
    odds_at_stake="AT {stake} %",
    odds_played="Coups played: {coups}, from seed {seed}",
    odds_played_columns=("BET", "HOUSE EDGE %", "PLAYED %", "STANDARD ERROR %", "STANDARD ERRORS OFF"),
    odds_title="{rules}, decks: {decks}; ways to draw six cards: {total}",
    odds_outcome="{name}: {count} of them, {percent} %",
    odds_columns=("BET", "PAYS", "WINS %", "PUSHES %", "LOSES %", "HOUSE EDGE %"),
    bets=glossary.ENGLISH.bets,
    favours_bettor="favours the bettor",
)

FRENCH: Final = Texts(
    language=Language.FRENCH,
    ranks=glossary.FRENCH.ranks,
    decimal_mark=",",
    side=glossary.FRENCH.sides,
    wins={
        Outcome.PLAYER: "Le Joueur gagne {player} à {banker}",
        Outcome.BANKER: "La Banque gagne {banker} à {player}",
        Outcome.TIE: "Égalité, {player} à {banker}",
    },
    pair={Side.PLAYER: "paire Joueur", Side.BANKER: "paire Banque"},
    natural="naturel {total}",
    phase={
        Phase.SHUFFLING: "mélange des cartes",
        Phase.BETTING: "les mises sont ouvertes",
        Phase.CLOSED: "les jeux sont faits",
        Phase.DEALING: "distribution en cours",
        Phase.SETTLING: "règlement des mises",
        Phase.RESULT: "entre deux manches",
        Phase.VOIDING: "manche annulée",
        Phase.PAUSED: "table en pause",
        Phase.ENDED: "table fermée",
    },
    snapshot="Table {table}, règles {rules} : sabot {shoe}, coup {coup}, manche {round}, {phase}",
    snapshot_new="Table {table}, règles {rules} : pas encore de sabot",
    betting="Manche {round}, coup {coup} : faites vos jeux, {seconds} s",
    betting_again="Manche {round} : les mises restent ouvertes, {seconds} s",
    last_coup="Dernier coup du sabot",
    closed="Les jeux sont faits",
    settled="Mises réglées : {staked} misés, {returned} rendus, places payées : {paid}",
    shoe="Nouveau sabot {shoe} : {decks} jeux, {cards} cartes",
    series="Nouvelle série {shoe} : {coups} coups, chacun avec {cards} cartes fraîches",
    burn="Première carte {card} ; cartes brûlées face cachée : {burnt}",
    cut="La carte de coupe est à {behind} cartes de la fin",
    cut_open="Le sabot {shoe} est engagé, les places le coupent",
    cut_listed="Places prenant part à la coupe : {count}",
    shoe_end="Le sabot {shoe} est terminé et peut être vérifié",
    shoe_abandoned="Le sabot {shoe} est abandonné et peut être vérifié : {reason}",
    card_good="vérifiée",
    card_false="CE N’EST PAS LA CARTE ENGAGÉE",
    paused="La table fait une pause : {reason}",
    resumed="La table reprend",
    table_closed="La table est fermée : {reason}",
    void="La manche {round} est annulée, chaque mise est rendue : {reason}",
    reasons={"abandoned": "personne ne pouvait la distribuer"},
    stalled="La table est à l’arrêt",
    live="La table repart",
    lost="Pas de connexion ({reason}) ; nouvel essai dans {seconds} s",
    back="Connexion rétablie",
    no_tables="il n’y a aucune table",
    bet_slip="Manche {round} : {bets} ; reste {left}",
    bet_payout="Manche {round} : {bets} ; {returned} rendus, jetons : {bankroll}",
    bet_bankroll="Jetons : {bankroll}",
    bet_nothing="il ne reste rien à miser",
    lobby_columns=("TABLE", "RÈGLES", "MANCHE", "PUBLIC", "EN COURS"),
    odds_removed="sans {cards}",
    odds_at_stake="POUR {stake} %",
    odds_played="Coups joués : {coups}, à partir de la graine {seed}",
    odds_played_columns=("MISE", "AVANTAGE MAISON %", "JOUÉ %", "ERREUR TYPE %", "ÉCART EN ERREURS TYPES"),
    odds_title="{rules}, jeux de cartes : {decks} ; tirages de six cartes : {total}",
    odds_outcome="{name} : {count} d’entre eux, {percent} %",
    odds_columns=("MISE", "PAIE", "GAGNE %", "RENDUE %", "PERD %", "AVANTAGE MAISON %"),
    bets=glossary.FRENCH.bets,
    favours_bettor="à l’avantage du joueur",
)

TEXTS: Final = {Language.ENGLISH: ENGLISH, Language.FRENCH: FRENCH}
