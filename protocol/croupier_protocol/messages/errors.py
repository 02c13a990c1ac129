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
    UNKNOWN_RULES = "unknown_rules"
    BUSY = "busy"
    UNAVAILABLE = "unavailable"


class CloseCode(IntEnum):
    """Why the server ended a connection."""

    DRAINING = 4000
    SLOW_READER = 4001
    INTERNAL = 4002
    BAD_FRAMES = 4500

    @property
    def reconnect(self) -> bool:
        """Whether trying again makes sense."""
        return self < RECONNECT_BELOW


RECONNECT_BELOW: Final = 4500

CLOSE_MEANINGS: Final[dict[CloseCode, str]] = {
    CloseCode.DRAINING: "This server is stopping; another one, or the same one later, goes on.",
    CloseCode.SLOW_READER: "The client read too slowly; reconnecting brings it to the present.",
    CloseCode.INTERNAL: "The server failed on this connection; the tables are not affected.",
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
