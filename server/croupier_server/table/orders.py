"""Operators' orders: what an order that stands asks of the table now, and when it is answered.

An order stays until it is answered, so a dealer that takes the table over goes on with it. Each can be looked
at any number of times: a void is for the round it was given in, and never reaches into the next.
"""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import Phase, PlayerId
from croupier_server.table.state import Order

DONE: Final = "done"


class Wish(StrEnum):
    """What an operator may order."""

    VOID = "void"
    PAUSE = "pause"
    PAUSE_NOW = "pause_now"
    RESUME = "resume"
    ABANDON = "abandon"
    CLOSE = "close"
    CLOSE_NOW = "close_now"
    REMOVE = "remove"


class Standing(Struct, frozen=True):
    """An order that has not been answered: under which name, and in which round it was given.

    `player` is whom a `REMOVE` is about.
    """

    op: str
    wish: Wish
    reason: str
    round: int
    player: PlayerId | None = None


class Answer(Struct, frozen=True):
    """The end of an order: `DONE`, or why not."""

    text: str


VOIDABLE: Final = frozenset({Phase.BETTING, Phase.CLOSED, Phase.DEALING})

RESTING: Final = frozenset({Phase.RESULT, Phase.PAUSED, Phase.SHUFFLING, Phase.ENDED})
"""Phases in which nothing is at stake: a table can be closed."""


def meet(view: TableView, standing: Standing) -> Order | Answer | None:  # noqa: PLR0911 - one a wish
    """What to do about an order now: an order to the machine, an answer, or nothing yet."""
    match standing.wish:
        case Wish.VOID:
            return _void(view, standing)
        case Wish.PAUSE | Wish.PAUSE_NOW:
            if view.phase is Phase.PAUSED:
                return Answer(DONE)
            return Order.PAUSE if view.phase is Phase.RESULT else _void_first(view, standing)
        case Wish.ABANDON:
            return _abandon(view, standing)
        case Wish.RESUME:
            return Order.RESUME if view.phase is Phase.PAUSED else Answer(DONE)
        case Wish.CLOSE | Wish.CLOSE_NOW:
            # Answered by the script that takes the table off the list.
            return Order.CLOSE if view.phase in RESTING else _void_first(view, standing)
        case Wish.REMOVE:
            return None  # of a seat, not of the machine: see `dealer/seatkeeping.py`


def _void_first(view: TableView, standing: Standing) -> Order | None:
    """The round that runs is voided where the order says "now"; otherwise its end is waited for."""
    now = standing.wish in {Wish.PAUSE_NOW, Wish.CLOSE_NOW} and view.round == standing.round
    return Order.VOID if now and view.phase in VOIDABLE else None


def _void(view: TableView, standing: Standing) -> Order | Answer:
    if view.round != standing.round:
        return Answer(f"round {standing.round} is over")
    if view.phase in VOIDABLE:
        return Order.VOID
    voided = view.phase is Phase.VOIDING or (view.outcome is None and view.reason is not None)
    return Answer(DONE if voided else f"round {standing.round} is not in play")


def _abandon(view: TableView, standing: Standing) -> Order | Answer | None:
    """A shoe is abandoned between rounds; the round that the order was given in is voided first."""
    if view.phase is Phase.SHUFFLING and view.cut is None and view.shoe is not None:
        return None if view.shoe.end is None else Answer(DONE)
    if view.phase is Phase.SHUFFLING:
        return Answer(DONE)
    if view.phase is Phase.RESULT:
        runs = view.shoe is not None and view.shoe.end is None
        return Order.ABANDON if runs else Answer("there is no shoe")
    return Order.VOID if view.phase in VOIDABLE and view.round == standing.round else None
