"""What `croupier verify` tells people, in English and in French, each written for itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from croupier_protocol.language import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyTexts:
    """The texts of one language; ``{…}`` are filled in. `checks` is in the order of the report."""

    checks: Mapping[str, str]
    reasons: Mapping[str, str]
    passed: str
    failed: str
    unchecked: str
    withheld: str
    undrawn: str
    line: str
    more: str
    remains: str
    good: str
    bad: str
    nothing: str
    which_shoe: str
    no_option: str
    which_beacon: str


ENGLISH: Final = VerifyTexts(
    checks={
        "message": "lines that can be read",
        "rules": "rules are those of their digest",
        "seed": "seed is the one committed to before the cut",
        "cut": "contributions to the cut are as listed and counted",
        "beacon": "beacon is the one named before it was drawn, and its value its source's",
        "order": "order follows from seed, contributions and beacon",
        "list": "list of commitments is that of its digest",
        "burn": "burn is right",
        "cut card": "cut card lies where the rules put it",
        "card": "cards are those committed to",
        "position": "cards come one after the other",
        "drawing": "draws follow the rules",
        "total": "totals are right",
        "hands": "hands are the cards dealt",
        "outcome": "outcomes follow from the cards",
        "rounds": "rounds follow without a gap",
        "last coup": "last coup comes as announced",
        "chain": "end of the shoe accounts for every round",
        "previous": "shoe goes on where the last one ended",
        "payout": "payouts are those of the rules",
    },
    reasons={},
    passed="ok         {about}: {count}",
    failed="FAILED     {about}: {count}",
    unchecked="unchecked  {about}: {count} ({reason})",
    withheld="note       table {table}, shoe {shoe}: seat {seat} did not reveal its value; its hash counts",
    undrawn="note       table {table}, shoe {shoe}: round {round} of the beacon did not come in time",
    line="  line {line}: not so: {about} ({detail})",
    more="  and {count} more",
    remains=(
        "What no check can show: the house knows the order once it has shuffled; it can keep back the"
        " values of seats of its own, leave out a hash or a value, which its sender will miss, say that a"
        " beacon did not come, and abandon a shoe, which everyone sees."
    ),
    good="Everything that was checked is right.",
    bad="This transcript is not right.",
    nothing="there is nothing in it that could be checked",
    which_shoe="name the table and the number of a shoe",
    no_option="there is no option {option}; see `croupier verify --help`",
    which_beacon="--beacon takes the number of a round, =, and its value in hexadecimal digits",
)

FRENCH: Final = VerifyTexts(
    checks={
        "message": "lignes lisibles",
        "rules": "les règles sont celles de leur empreinte",
        "seed": "la graine est celle engagée avant la coupe",
        "cut": "les contributions à la coupe sont listées et comptées telles quelles",
        "beacon": "la balise est celle annoncée avant son tirage, et sa valeur celle de sa source",
        "order": "l’ordre découle de la graine, des contributions et de la balise",
        "list": "la liste d’engagements est celle de son empreinte",
        "burn": "le brûlage est juste",
        "cut card": "la carte de coupe est où les règles la placent",
        "card": "les cartes sont celles engagées",
        "position": "les cartes se suivent",
        "drawing": "les tirages suivent les règles",
        "total": "les totaux sont justes",
        "hands": "les mains sont les cartes distribuées",
        "outcome": "les résultats découlent des cartes",
        "rounds": "les manches se suivent sans lacune",
        "last coup": "le dernier coup vient comme annoncé",
        "chain": "la fin du sabot rend compte de chaque manche",
        "previous": "le sabot continue où le précédent a fini",
        "payout": "les paiements sont ceux des règles",
    },
    reasons={
        "the shoe has not ended": "le sabot n’est pas terminé",
        "the shoe before is not in the transcript": "le sabot précédent n’est pas dans la transcription",
        "the transcript does not have the whole shoe": "la transcription n’a pas le sabot entier",
        "the seed does not fit": "la graine ne convient pas",
        "the order does not fit": "l’ordre ne convient pas",
        "the list is another": "la liste est une autre",
        "its value was not compared with its source": "sa valeur n’a pas été comparée à sa source",
        "its round is not in the transcript": "sa manche n’est pas dans la transcription",
        "its rules are not in the transcript": "ses règles ne sont pas dans la transcription",
    },
    passed="juste         {about} : {count}",
    failed="FAUX          {about} : {count}",
    unchecked="non vérifié   {about} : {count} ({reason})",
    withheld=(
        "à noter       table {table}, sabot {shoe} : la place {seat} n’a pas révélé sa valeur ;"
        " son empreinte compte"
    ),
    undrawn="à noter       table {table}, sabot {shoe} : le tour {round} de la balise n’est pas venu à temps",
    line="  ligne {line} : faux : {about}",
    more="  et {count} autres",
    remains=(
        "Ce qu’aucune vérification ne montre : la maison connaît l’ordre une fois le sabot mélangé ;"
        " elle peut retenir les valeurs de places à elle, omettre une empreinte ou une valeur, dont l’auteur"
        " s’apercevra, dire qu’une balise n’est pas venue, et abandonner un sabot au vu de tous."
    ),
    good="Tout ce qui a été vérifié est juste.",
    bad="Cette transcription n’est pas juste.",
    nothing="il n’y a rien à vérifier",
    which_shoe="indiquez la table et le numéro d’un sabot",
    no_option="il n’y a pas d’option {option} ; voyez `croupier verify --help`",
    which_beacon="--beacon attend le numéro d’un tour, =, et sa valeur en chiffres hexadécimaux",
)

VERIFY_TEXTS: Final = {Language.ENGLISH: ENGLISH, Language.FRENCH: FRENCH}
