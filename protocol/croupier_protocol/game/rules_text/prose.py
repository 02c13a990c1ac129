"""The sentences of the rules, in English and in French, each written for itself; ``{…}`` are filled in."""

from typing import Final

from msgspec import Struct

from croupier_protocol.language import Language


class Prose(Struct, frozen=True, kw_only=True):
    """The sentences of one language, by section."""

    title: str

    game_heading: str
    game: tuple[str, ...]

    cards_heading: str
    cards: tuple[str, ...]

    drawing_heading: str
    natural: str
    player_table: str
    player_columns: tuple[str, str]
    draws: str
    stands: str
    nobody_draws: str
    banker_intro: str
    banker_table: str
    banker_column: str
    no_third: str
    draws_letter: str
    stands_letter: str

    bets_heading: str
    pays_table: str
    pays_columns: tuple[str, str, str]
    to_one: str
    to_one_less_commission: str
    push: str
    first_line: str
    otherwise: str
    pair: str
    fractions: str

    edge_heading: str
    edge: str
    edge_table: str
    edge_columns: tuple[str, str, str, str, str]
    favours_bettor: str
    rounded_edge: str

    commission_heading: str
    no_commission: str
    commission: str
    to_the_cent_up: str
    to_the_cent_down: str
    to_steps_up: str
    to_steps_down: str
    example: str

    combination_heading: str
    any_combination: str
    at_most: str
    no_opposites: str

    limits_heading: str
    limits_table: str
    limits_columns: tuple[str, str, str, str]

    shoe_heading: str
    shoe: str
    burn: str
    cut: str
    series: str

    faults_heading: str
    faults: tuple[str, ...]
    connection_heading: str
    connection: tuple[str, ...]


ENGLISH: Final = Prose(
    title="Rules of {rules}",
    game_heading="The game",
    game=(
        (
            "Two hands are dealt, Player and Banker. The one whose total is closer to nine wins; equal totals"
            " are a tie."
        ),
        (
            "You bet before the first card, on what the cards will show. Neither hand is yours: the cards are"
            " drawn by fixed rules, and nobody decides anything once bets are closed."
        ),
    ),
    cards_heading="What cards count",
    cards=(
        "An ace counts 1, the cards from 2 to 9 count what they show, tens, jacks, queens and kings count 0.",
        "Only the last digit of a sum counts: 8 and 9 make 17, which is 7.",
    ),
    drawing_heading="Who draws",
    natural="Cards go to Player, Banker, Player, Banker. If either hand now has 8 or 9, a natural, the coup"
    " ends. Otherwise Player may draw a third card, then Banker; a hand has at most three.",
    player_table="Player",
    player_columns=("Two cards", "Player"),
    draws="draws",
    stands="stands",
    nobody_draws="natural: nobody draws",
    banker_intro="Where Player stood, Banker draws by the first column. Where Player drew, what counts is the"
    " value of Player’s third card, not the total of Player’s hand.",
    banker_table="Banker, by Player’s third card: {draws} draws, {stands} stands",
    banker_column="Two cards",
    no_third="none",
    draws_letter="D",
    stands_letter="S",
    bets_heading="What bets pay",
    pays_table="A winning bet returns the stake and what is said here; in every case not named it loses",
    pays_columns=("Bet", "When", "Pays"),
    to_one="{pays} to 1",
    to_one_less_commission="{pays} to 1 less commission",
    push="push: the stake returns",
    first_line="The lines of a bet are read from the top; the first that fits the cards decides.",
    otherwise="Every bet settles by itself, whatever becomes of the others.",
    pair="A pair is two cards of one rank: two kings are a pair, a king and a queen are none. A perfect pair"
    " has one suit as well. Third cards never count for pairs.",
    fractions="A fraction of a cent in a win is dropped.",
    edge_heading="What bets cost",
    edge="The house edge is what the house keeps of a stake on average, counted over every order in which a"
    " fresh shoe ({decks}) can deal a coup.",
    edge_table="Exact chances",
    edge_columns=("Bet", "Wins", "Pushes", "Loses", "House edge"),
    favours_bettor="{bet} favours you: over time it returns {percent} more than you stake.",
    rounded_edge="Because commission is rounded, the edge of {bet} depends on the stake: on {stake} it is"
    " {percent}.",
    commission_heading="Commission",
    no_commission="No commission is taken.",
    commission="A winning {bet} bet pays a commission of {rate} of what it wins, {rounding}, never more than"
    " the win.",
    to_the_cent_up="rounded up to the cent",
    to_the_cent_down="rounded down to the cent",
    to_steps_up="rounded up to the next {step}",
    to_steps_down="rounded down to a multiple of {step}",
    example="Example: {stake} on {bet} wins {win}; the commission is {commission}, and {returned} comes"
    " back.",
    combination_heading="Which bets go together",
    any_combination="All bets may stand together.",
    at_most="Of {bets}, at most {most} may stand on one slip. All other bets go with any.",
    no_opposites="{bets} do not go together: a slip has one of them at most. All other bets go with either.",
    limits_heading="Limits",
    limits_table="Amounts a bet may have",
    limits_columns=("Bet", "From", "To", "Step"),
    shoe_heading="The shoe",
    shoe="{decks} are shuffled together, {cards} in all.",
    burn="The first card is shown and then burnt with as many unseen cards as it says: {ace} for an ace,"
    " {face} for a ten or a face card, otherwise its number.",
    cut="A cut card lies {behind} from the end. If it comes out during a coup, one more coup is played; if it"
    " comes out between two coups, the next one is the last. Before the last coup it is announced.",
    series="Every coup is dealt from {decks}, shuffled afresh: {cards}, none burnt, no cut card. {coups} make"
    " a series; scoreboards and statistics begin anew with each.",
    faults_heading="If something goes wrong",
    faults=(
        (
            "A round that cannot be finished is void: every stake on it comes back in full, whatever cards"
            " were shown. They stay in the table’s history."
        ),
        (
            "The shoe goes on with its next undealt card. Only if the fault lies in the shoe itself is the"
            " shoe abandoned, for all to see."
        ),
        (
            "A server that fails is replaced: the round goes on with the same shoe, the same cards and the"
            " same bets."
        ),
    ),
    connection_heading="If your connection is lost",
    connection=(
        (
            "Bets that were accepted stand, and bets that were not do not. The server’s clock decides, and"
            " the round is played and paid without you."
        ),
        "When you are back you see the table as it is, and what your bets returned.",
    ),
)

FRENCH: Final = Prose(
    title="Règles « {rules} »",
    game_heading="Le jeu",
    game=(
        (
            "On distribue deux mains, celle du Joueur et celle de la Banque. Celle dont le total est le plus"
            " proche de neuf gagne ; à totaux égaux, il y a égalité."
        ),
        (
            "Vous misez avant la première carte. Aucune des deux mains n’est la vôtre : le tirage suit des"
            " règles fixes, et personne ne décide plus de rien quand les jeux sont faits."
        ),
    ),
    cards_heading="La valeur des cartes",
    cards=(
        "L’as vaut 1, les cartes de 2 à 9 valent leur nombre, les dix et les figures (V, D, R) valent 0.",
        "Seul le dernier chiffre d’une somme compte : 8 et 9 font 17, donc 7.",
    ),
    drawing_heading="Le tirage",
    natural="Les cartes vont au Joueur, à la Banque, au Joueur, à la Banque. Si l’une des mains a alors 8 ou"
    " 9, un naturel, le coup est terminé. Sinon le Joueur peut tirer une troisième carte, puis la Banque ;"
    " aucune main n’en a plus de trois.",
    player_table="Le Joueur",
    player_columns=("Deux cartes", "Joueur"),
    draws="tire",
    stands="reste",
    nobody_draws="naturel : personne ne tire",
    banker_intro="Si le Joueur est resté, la Banque suit la première colonne. S’il a tiré, c’est la valeur de"
    " sa troisième carte qui compte, et non le total de sa main.",
    banker_table="La Banque, selon la troisième carte du Joueur : {draws} tire, {stands} reste",
    banker_column="Deux cartes",
    no_third="sans",
    draws_letter="T",
    stands_letter="R",
    bets_heading="Ce que paient les mises",
    pays_table="Une mise gagnante est rendue avec le gain indiqué ; dans tous les autres cas elle est perdue",
    pays_columns=("Mise", "Cas", "Paie"),
    to_one="{pays} contre 1",
    to_one_less_commission="{pays} contre 1, moins la commission",
    push="la mise est rendue",
    first_line="Les lignes d’une mise se lisent de haut en bas ; la première qui convient aux cartes décide.",
    otherwise="Chaque mise est réglée pour elle-même, quel que soit le sort des autres.",
    pair="Une paire, ce sont deux cartes de même rang : deux rois en font une, un roi et une dame n’en font"
    " pas. Une paire parfaite est aussi de même couleur (pique, cœur, carreau ou trèfle). La troisième carte"
    " ne compte jamais pour les paires.",
    fractions="Une fraction de centime dans un gain n’est pas payée.",
    edge_heading="Ce que coûtent les mises",
    edge="L’avantage de la maison est la part d’une mise qu’elle garde en moyenne, comptée sur tous les"
    " ordres dans lesquels un sabot neuf ({decks}) peut donner un coup.",
    edge_table="Chances exactes",
    edge_columns=("Mise", "Gagne", "Rendue", "Perd", "Avantage de la maison"),
    favours_bettor="La mise {bet} est à votre avantage : à la longue, elle rend {percent} de plus que vous ne"
    " misez.",
    rounded_edge="La commission étant arrondie, l’avantage sur {bet} dépend de la mise : pour {stake}, il est"
    " de {percent}.",
    commission_heading="La commission",
    no_commission="Il n’y a pas de commission.",
    commission="Une mise {bet} gagnante paie une commission de {rate} de son gain, {rounding}, sans dépasser"
    " le gain.",
    to_the_cent_up="arrondie au centime supérieur",
    to_the_cent_down="arrondie au centime inférieur",
    to_steps_up="arrondie au multiple supérieur de {step}",
    to_steps_down="arrondie au multiple inférieur de {step}",
    example="Exemple : {stake} sur {bet} gagnent {win} ; la commission est de {commission}, et {returned}"
    " vous reviennent.",
    combination_heading="Les mises qui vont ensemble",
    any_combination="Toutes les mises peuvent être placées ensemble.",
    at_most="Parmi {bets}, un coup admet au plus {most}. Les autres mises vont avec toutes.",
    no_opposites="{bets} ne vont pas ensemble : un coup n’admet que l’une de ces mises. Les autres vont avec"
    " chacune.",
    limits_heading="Les limites",
    limits_table="Montants admis",
    limits_columns=("Mise", "De", "À", "Par"),
    shoe_heading="Le sabot",
    shoe="{decks} sont mélangés ensemble, {cards} en tout.",
    burn="La première carte est montrée, puis brûlée avec autant de cartes cachées qu’elle l’indique : {ace}"
    " pour un as, {face} pour un dix ou une figure, sinon son nombre.",
    cut="Une carte de coupe est placée à {behind} de la fin. Si elle sort pendant un coup, on en joue encore"
    " un ; si elle sort entre deux coups, le suivant est le dernier. Le dernier coup est annoncé.",
    series="Chaque coup est distribué à partir de {decks}, mélangés à neuf : {cards}, aucune brûlée, pas de"
    " carte de coupe. {coups} forment une série ; tableaux et statistiques repartent de zéro à chacune.",
    faults_heading="En cas d’incident",
    faults=(
        (
            "Un coup qui ne peut pas être terminé est annulé : chaque mise est rendue en entier, quelles que"
            " soient les cartes montrées. Celles-ci restent dans l’historique de la table."
        ),
        (
            "Le sabot continue à la carte suivante. Ce n’est que si l’incident vient du sabot lui-même qu’il"
            " est abandonné, aux yeux de tous."
        ),
        (
            "Un serveur en panne est remplacé : le coup continue avec le même sabot, les mêmes cartes et les"
            " mêmes mises."
        ),
    ),
    connection_heading="Si votre connexion est coupée",
    connection=(
        (
            "Les mises acceptées restent placées, les autres ne le sont pas. L’horloge du serveur fait foi ;"
            " le coup est joué et payé sans vous."
        ),
        "À votre retour, vous voyez la table telle qu’elle est, et ce que vos mises ont rendu.",
    ),
)

PROSE: Final = {Language.ENGLISH: ENGLISH, Language.FRENCH: FRENCH}
