"""Why something was not done, and how that is said. No I/O."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from croupier_client.errors import (
    BadCommandError,
    CroupierError,
    NoAnswerError,
    RefusedError,
    SlipChangedError,
    TableClosedError,
)
from croupier_client.terminal.words import Words
from croupier_protocol.messages.errors import ErrorCode, error_text


class Why(StrEnum):
    """What kept something from being done. `TOLD` is in the words of the server, or of this client; `INVALID`
    would be no player's to read: what is missing, unknown or out of bounds is told in English alone.
    """

    LEAST = "least"
    MOST = "most"
    STEP = "step"
    SLIP_MOST = "slip_most"
    BUY_IN_LEAST = "buy_in_least"
    BUY_IN_MOST = "buy_in_most"
    COMBINATION = "combination"
    UNKNOWN_BET = "unknown_bet"
    BANKROLL_SHORT = "bankroll_short"
    SLIP_CHANGED = "slip_changed"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_DOUBLE = "nothing_to_double"
    NOTHING_TO_REBET = "nothing_to_rebet"
    NOT_SEATED = "not_seated"
    LEAVING = "leaving"
    BETTING_CLOSED = "betting_closed"
    UNKNOWN_YET = "unknown_yet"
    OFFLINE = "offline"
    NO_ANSWER = "no_answer"
    ENDED = "ended"
    ALREADY_SEATED = "already_seated"
    INVALID = "invalid"
    TOLD = "told"


@dataclass(frozen=True, slots=True)
class Reason:
    """A kind, with the bet and the limit that were hit: cents, or how many bets may stand together."""

    why: Why
    bet: str | None = None
    limit: int | None = None
    bets: tuple[str, ...] = ()
    text: str = ""


_SENTENCES: Final = frozenset(
    {
        Why.LEAST,
        Why.MOST,
        Why.STEP,
        Why.SLIP_MOST,
        Why.BUY_IN_LEAST,
        Why.BUY_IN_MOST,
        Why.BANKROLL_SHORT,
        Why.SLIP_CHANGED,
        Why.NOTHING_TO_UNDO,
        Why.NOTHING_TO_DOUBLE,
        Why.NOTHING_TO_REBET,
        Why.UNKNOWN_YET,
        Why.OFFLINE,
        Why.NO_ANSWER,
        Why.ENDED,
    }
)
"""Said by the sentence of the same name in `Words`; what is left has the server's text for its code."""

_AMOUNTS: Final = frozenset(
    {
        ErrorCode.WALLET_SHORT,
        ErrorCode.BANKROLL_SHORT,
        ErrorCode.OWN_ROUND_STAKE,
        ErrorCode.OWN_DAY_STAKE,
    }
)
"""Refusals of the server whose limit is an amount, and not in its words."""


def reason_of(error: CroupierError) -> Reason:
    """What an error of the client library says to the player.

    Where the server says no, its words are kept, with the amount that was hit where they do not have it.
    """
    match error:
        case (
            BadCommandError()
            | RefusedError(code=ErrorCode.MALFORMED | ErrorCode.INVALID | ErrorCode.UNKNOWN_TYPE)
        ):
            return Reason(Why.INVALID)
        case RefusedError(code=code, message=message, limit=limit):
            return Reason(Why.TOLD, limit=limit if code in _AMOUNTS else None, text=message)
        case TableClosedError():
            return Reason(Why.ENDED)
        case SlipChangedError():
            return Reason(Why.SLIP_CHANGED)
        case NoAnswerError():
            return Reason(Why.NO_ANSWER)
    return Reason(Why.TOLD, text=str(error))


def reason_in_words(reason: Reason, words: Words) -> str:
    """One or two sentences."""
    amount = "" if reason.limit is None else words.money(reason.limit)
    bet = "" if reason.bet is None else words.bet(reason.bet)
    if reason.why in _SENTENCES:
        sentence: str = getattr(words, reason.why.value)
        return sentence.format(bet=bet, amount=amount)
    if reason.why is Why.COMBINATION:
        names = ", ".join(words.bet(name) for name in reason.bets)
        sentence = words.combination_one if reason.limit == 1 else words.combination_many
        return sentence.format(bets=names, most=reason.limit)
    if reason.why is Why.TOLD:
        return words.with_limit.format(text=reason.text, amount=amount) if amount else reason.text
    return error_text(ErrorCode(reason.why.value), words.language)
