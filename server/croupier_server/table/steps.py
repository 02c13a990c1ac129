"""Which function makes which event; those of a shoe and of a round have files of their own."""

from collections.abc import Callable
from itertools import zip_longest
from typing import Final

from croupier_protocol.messages.events import (
    BetsChanged,
    BettingClosed,
    BettingOpened,
    CardDealt,
    CutListed,
    Paused,
    Resumed,
    RoundResult,
    RoundSettled,
    RoundVoided,
    SeatChanged,
    ShoeCommitted,
    ShoeEnded,
    ShoeOpened,
    TableClosed,
    TableEvent,
)
from croupier_server.table import round_steps, shoe_steps
from croupier_server.table.moment import Made, Moment


def _seat(moment: Moment) -> Made:
    """The first seat whose holder is not who everyone was told; both lists are in the order of seats."""
    both = zip_longest(moment.view.seats, moment.inputs.seats or ())
    told, now = next(pair for pair in both if pair[0] != pair[1])
    seat = min(one.seat for one in (told, now) if one is not None)
    player = now.player if now is not None and now.seat == seat else None
    return Made(SeatChanged(seat=seat, player=player, **moment.header()))


def _paused(moment: Moment) -> Made:
    return Made(Paused(reason=moment.inputs.reason, **moment.header()), moment.now_ms)


def _resumed(moment: Moment) -> Made:
    return Made(Resumed(**moment.header()), moment.now_ms)


def _closed(moment: Moment) -> Made:
    return Made(TableClosed(reason=moment.inputs.reason, **moment.header()), moment.now_ms)


MAKERS: Final[dict[type[TableEvent], Callable[[Moment], Made]]] = {
    ShoeCommitted: shoe_steps.committed,
    CutListed: shoe_steps.cut_listed,
    ShoeOpened: shoe_steps.opened,
    ShoeEnded: shoe_steps.ended,
    BettingOpened: round_steps.betting_opened,
    BetsChanged: round_steps.bets_changed,
    BettingClosed: round_steps.betting_closed,
    CardDealt: round_steps.card_dealt,
    RoundResult: round_steps.result,
    RoundSettled: round_steps.settled,
    RoundVoided: round_steps.voided,
    SeatChanged: _seat,
    Paused: _paused,
    Resumed: _resumed,
    TableClosed: _closed,
}
