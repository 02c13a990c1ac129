"""Error codes with their texts, and websocket close codes. Both are part of the contract.

A close code from 4000 to 4499 means "reconnect", from 4500 to 4999 "do not: it will not help".
"""

from enum import IntEnum, StrEnum
from typing import Final

from croupier_protocol.messages.values import Language


class ErrorCode(StrEnum):
    """Why a command was refused. A code keeps its meaning for good."""

    MALFORMED = "malformed"
    WRONG_FRAME = "wrong_frame"
    UNKNOWN_TYPE = "unknown_type"
    INVALID = "invalid"
    UNKNOWN_TABLE = "unknown_table"
    NOT_WATCHING = "not_watching"
    TOO_MANY_TABLES = "too_many_tables"
    SINCE_AHEAD = "since_ahead"
    SIGN_IN_NEEDED = "sign_in_needed"
    BAD_RESUME = "bad_resume"
    BAD_CODE = "bad_code"
    BAD_TOKEN = "bad_token"  # noqa: S105  # a code
    TOKEN_EXPIRED = "token_expired"  # noqa: S105  # a code
    TOKEN_REVOKED = "token_revoked"  # noqa: S105  # a code
    BAD_NAME = "bad_name"
    NAME_TAKEN = "name_taken"
    ALREADY_SEATED = "already_seated"
    NOT_SEATED = "not_seated"
    SEAT_TAKEN = "seat_taken"
    TABLE_FULL = "table_full"
    TOO_MANY_SEATS = "too_many_seats"
    LEAVING = "leaving"
    WALLET_SHORT = "wallet_short"
    BANKROLL_SHORT = "bankroll_short"
    UNKNOWN_BET = "unknown_bet"
    COMBINATION = "combination"
    LIMIT = "limit"
    BETTING_CLOSED = "betting_closed"
    WRONG_ROUND = "wrong_round"
    CUT_CLOSED = "cut_closed"
    CUT_DIFFERS = "cut_differs"
    OPERATION_REUSED = "operation_reused"
    EXCLUDED = "excluded"
    OWN_ROUND_STAKE = "own_round_stake"
    OWN_DAY_STAKE = "own_day_stake"
    OWN_DAY_TIME = "own_day_time"
    ALARM = "alarm"
    TOO_MANY_GUESTS = "too_many_guests"
    UNKNOWN_RULES = "unknown_rules"
    BUSY = "busy"
    UNAVAILABLE = "unavailable"


class CloseCode(IntEnum):
    """Why the server ended a connection."""

    DRAINING = 4000
    SLOW_READER = 4001
    INTERNAL = 4002
    BAD_FRAMES = 4500
    FLOODING = 4501
    TOKEN_EXPIRED = 4502
    TOKEN_REVOKED = 4503

    @property
    def reconnect(self) -> bool:
        """Whether trying again makes sense."""
        return self < RECONNECT_BELOW


RECONNECT_BELOW: Final = 4500

CLOSE_MEANINGS: Final[dict[CloseCode, str]] = {
    CloseCode.DRAINING: "This server is stopping; another one, or the same one later, goes on.",
    CloseCode.SLOW_READER: "The client read too slowly; reconnecting brings it to the present.",
    CloseCode.INTERNAL: "The server failed on this connection; the tables are not affected.",
    CloseCode.FLOODING: "Commands came faster than any player needs, and went on after `busy`.",
    CloseCode.TOKEN_EXPIRED: "The token's time is over, and no new one came; sign in again.",
    CloseCode.TOKEN_REVOKED: "The operator has revoked the player's tokens; sign in again.",
    CloseCode.BAD_FRAMES: "Too many frames that are no messages of this protocol.",
}

_TEXTS: Final[dict[ErrorCode, tuple[str, str]]] = {
    ErrorCode.MALFORMED: ("The frame cannot be decoded.", "La trame est illisible."),
    ErrorCode.WRONG_FRAME: (
        "This subprotocol takes the other kind of frame (binary for msgpack, text for json).",
        "Ce sous-protocole attend l’autre type de trame (binaire pour msgpack, texte pour json).",
    ),
    ErrorCode.UNKNOWN_TYPE: ("There is no such message type.", "Ce type de message n’existe pas."),
    ErrorCode.INVALID: (
        "A field is missing, unknown or out of bounds.",
        "Un champ manque, est inconnu ou hors limites.",
    ),
    ErrorCode.UNKNOWN_TABLE: ("There is no such table.", "Cette table n’existe pas."),
    ErrorCode.NOT_WATCHING: ("You are not watching this table.", "Vous ne suivez pas cette table."),
    ErrorCode.TOO_MANY_TABLES: (
        "This connection watches as many tables as it may.",
        "Cette connexion suit déjà le nombre maximal de tables.",
    ),
    ErrorCode.SINCE_AHEAD: (
        "This server has not seen the event you resume from.",
        "Ce serveur n’a pas vu l’événement à partir duquel vous reprenez.",
    ),
    ErrorCode.SIGN_IN_NEEDED: ("Sign in to sit at a table.", "Identifiez-vous pour prendre place."),
    ErrorCode.BAD_RESUME: (
        "This resume token is not valid, or not any more.",
        "Ce jeton de reprise n’est pas valable, ou ne l’est plus.",
    ),
    ErrorCode.BAD_CODE: (
        "This sign-in code has been used, or its minute is over; ask for another one.",
        "Ce code d’identification a déjà servi ou sa minute est écoulée ; demandez-en un autre.",
    ),
    ErrorCode.BAD_TOKEN: (
        "This token is not of this server's operator.",
        "Ce jeton n’est pas celui de l’exploitant de ce serveur.",
    ),
    ErrorCode.TOKEN_EXPIRED: (
        "The time of your sign-in is over; sign in again.",
        "Votre identification a expiré ; identifiez-vous à nouveau.",
    ),
    ErrorCode.TOKEN_REVOKED: (
        "Your sign-in has been revoked; sign in again.",
        "Votre identification a été révoquée ; identifiez-vous à nouveau.",
    ),
    ErrorCode.BAD_NAME: ("This name cannot be shown.", "Ce nom ne peut pas être affiché."),
    ErrorCode.NAME_TAKEN: (
        "Somebody at this table has a name that looks like yours; choose another one.",
        "Quelqu’un à cette table porte un nom qui ressemble au vôtre ; choisissez-en un autre.",
    ),
    ErrorCode.ALREADY_SEATED: ("You already have a seat here.", "Vous avez déjà une place ici."),
    ErrorCode.NOT_SEATED: ("You have no seat at this table.", "Vous n’avez pas de place à cette table."),
    ErrorCode.SEAT_TAKEN: ("This seat is taken.", "Cette place est prise."),
    ErrorCode.TABLE_FULL: (
        "Every seat of this table is taken.",
        "Toutes les places de cette table sont prises.",
    ),
    ErrorCode.TOO_MANY_SEATS: (
        "You have seats at as many tables as you may; leave one of them first.",
        "Vous avez une place au nombre maximal de tables ; quittez-en d’abord une.",
    ),
    ErrorCode.LEAVING: (
        "You are leaving this table; the round is played out first.",
        "Vous quittez cette table ; la manche se termine d’abord.",
    ),
    ErrorCode.WALLET_SHORT: (
        "Your wallet does not hold that much.",
        "Votre portefeuille ne contient pas autant.",
    ),
    ErrorCode.BANKROLL_SHORT: (
        "The chips in front of you are not enough.",
        "Les jetons devant vous ne suffisent pas.",
    ),
    ErrorCode.UNKNOWN_BET: ("This table does not offer that bet.", "Cette table ne propose pas cette mise."),
    ErrorCode.COMBINATION: (
        "These bets may not stand together at this table.",
        "Ces mises ne vont pas ensemble à cette table.",
    ),
    ErrorCode.LIMIT: ("The table does not take this amount.", "La table n’accepte pas ce montant."),
    ErrorCode.BETTING_CLOSED: ("No more bets: the window is closed.", "Les jeux sont faits."),
    ErrorCode.WRONG_ROUND: ("This is not the running round.", "Ce n’est pas la manche en cours."),
    ErrorCode.CUT_CLOSED: (
        "The cut of this shoe does not take this now.",
        "La coupe de ce sabot n’accepte pas cela maintenant.",
    ),
    ErrorCode.CUT_DIFFERS: (
        "Another hash stands for your seat, or the value does not match it.",
        "Une autre empreinte vaut pour votre place, ou la valeur n’y correspond pas.",
    ),
    ErrorCode.OPERATION_REUSED: (
        "This operation name was used for something else.",
        "Ce nom d’opération a déjà servi à autre chose.",
    ),
    ErrorCode.EXCLUDED: (
        "You are excluded from the tables, and that is not over yet.",
        "Vous êtes exclu des tables, et cette période n’est pas terminée.",
    ),
    ErrorCode.OWN_ROUND_STAKE: (
        "This is more than the most you have set yourself for a round.",
        "C’est plus que le maximum que vous vous êtes fixé pour une manche.",
    ),
    ErrorCode.OWN_DAY_STAKE: (
        "This is more than the most you have set yourself for a day.",
        "C’est plus que le maximum que vous vous êtes fixé pour une journée.",
    ),
    ErrorCode.OWN_DAY_TIME: (
        "The time at the tables that you have set yourself for a day is over.",
        "Le temps de jeu que vous vous êtes fixé pour une journée est écoulé.",
    ),
    ErrorCode.ALARM: (
        "Betting at this table is stopped until the house has looked into a fault.",
        "Les mises à cette table sont suspendues : la maison examine un défaut.",
    ),
    ErrorCode.TOO_MANY_GUESTS: (
        "Too many new guests from your address; try again later.",
        "Trop de nouveaux invités depuis votre adresse ; réessayez plus tard.",
    ),
    ErrorCode.UNKNOWN_RULES: (
        "This server does not have the rules of this table.",
        "Ce serveur n’a pas les règles de cette table.",
    ),
    ErrorCode.BUSY: (
        "Too many commands are waiting for an answer; send the next one after a reply.",
        "Trop de commandes attendent une réponse ; envoyez la suivante après une réponse.",
    ),
    ErrorCode.UNAVAILABLE: (
        "The server cannot reach its store at the moment; try again.",
        "Le serveur ne peut pas joindre son stockage pour le moment ; réessayez.",
    ),
}


def error_text(code: ErrorCode, language: Language) -> str:
    """The fixed text of `code`.

    >>> error_text(ErrorCode.UNKNOWN_TABLE, Language.FRENCH)
    'Cette table n’existe pas.'
    """
    english, french = _TEXTS[code]
    return french if language is Language.FRENCH else english
