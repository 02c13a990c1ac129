"""What a player is told unasked about its seat, besides `me` and `payout`: codes with their texts."""

from enum import StrEnum
from typing import Final

from croupier_protocol.language import money
from croupier_protocol.messages.values import Language


class NoticeCode(StrEnum):
    """What has come over a seat. A code keeps its meaning for good."""

    IDLE = "idle"
    CASHED_OUT = "cashed_out"
    REMOVED = "removed"
    EXCLUDED = "excluded"
    TIME_OVER = "time_over"


_TEXTS: Final[dict[NoticeCode, tuple[str, str]]] = {
    NoticeCode.IDLE: (
        "You have not bet for several rounds; your seat is given up if that goes on.",
        "Vous n’avez pas misé depuis plusieurs manches ; votre place sera libérée si cela continue.",
    ),
    NoticeCode.CASHED_OUT: (
        "Your seat was given up because you did not play; its chips are in your wallet.",
        "Votre place a été libérée car vous ne jouiez pas ; ses jetons sont dans votre portefeuille.",
    ),
    NoticeCode.REMOVED: (
        "The house has given up your seat; its chips are in your wallet.",
        "La maison a libéré votre place ; ses jetons sont dans votre portefeuille.",
    ),
    NoticeCode.EXCLUDED: (
        "You are excluded from the tables: this seat is given up, its chips go to your wallet.",
        "Vous êtes exclu des tables : cette place est libérée, ses jetons vont à votre portefeuille.",
    ),
    NoticeCode.TIME_OVER: (
        "Your own time for the day is over: this seat is given up, its chips go to your wallet.",
        "Votre temps de jeu du jour est écoulé : cette place est libérée, ses jetons vont au portefeuille.",
    ),
}


def reality_check_text(minutes: int, staked: int, net: int, language: Language) -> str:
    """How long somebody has played, and what it came to, in cents.

    >>> reality_check_text(60, 120_000, -3_500, Language.ENGLISH)
    'You have been at the tables for 60 minutes: 1,200.00 staked, 35.00 lost.'
    """
    amounts = money(language, staked), money(language, abs(net))
    if language is Language.FRENCH:
        came_to = f"{amounts[1]} {'perdus' if net < 0 else 'gagnés'}"
        return f"Vous jouez depuis {minutes} minutes : {amounts[0]} misés, {came_to}."
    came_to = f"{amounts[1]} {'lost' if net < 0 else 'won'}"
    return f"You have been at the tables for {minutes} minutes: {amounts[0]} staked, {came_to}."


def notice_text(code: NoticeCode, language: Language) -> str:
    """The fixed text of `code`.

    >>> notice_text(NoticeCode.REMOVED, Language.ENGLISH)
    'The house has given up your seat; its chips are in your wallet.'
    """
    english, french = _TEXTS[code]
    return french if language is Language.FRENCH else english
