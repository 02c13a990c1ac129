"""Every transition of a table.

Rules:

1. Everything that decides which phase follows which is in this file, and in `trigger` of the machine,
   which says what has happened. There is no other way from one phase to another.
2. A table is in exactly one phase. A transition publishes exactly one event, so a phase never changes
   unseen.
3. Who sits where, and what is bet, are other people's doing: the table only tells it.
4. A trigger that is not listed for a phase cannot happen in it: a round cannot be voided once settling has
   begun, and a pause or a closing waits for `result`.

Theory of operation: `result` is the hinge. Out of it a table goes on to the next window, to the shoe's end
when the last coup has been played, to a pause, or to its end, once nobody sits there. A new table starts
in `result` with no shoe, so its first step is the commitment to one. In `shuffling` a shoe is ended, the
next one committed to, cut and opened. A table that is closed ends its shoe first, so that it is open to
everyone. `settling` and `voiding` end when the bank has finished, whatever the time; all other steps come
when they are due, or when nothing is left to wait for.
"""

from enum import StrEnum
from typing import Final, NamedTuple

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
from croupier_protocol.messages.values import Phase


class Trigger(StrEnum):
    """What can happen to a table."""

    DUE = "due"
    COUP_COMPLETE = "coup complete"
    SHOE_OVER = "shoe over"
    NO_SHOE = "no shoe"
    CUT_CLOSED = "hashes are in"
    CUT_OVER = "cut is over"
    CUT_DAMAGED = "cut cannot be read"
    SETTLED = "bank has settled"
    CLOCK_STEPPED = "clock stepped"
    ABANDONED = "nobody dealt for 10 minutes"
    EVERYBODY_READY = "every present seat is ready"
    BETS_CHANGED = "bets changed"
    SEAT_CHANGED = "seat changed"
    VOID_ORDERED = "void ordered"
    PAUSE_ORDERED = "pause ordered"
    RESUME_ORDERED = "resume ordered"
    ABANDON_ORDERED = "abandon ordered"
    CLOSE_ORDERED = "close ordered"
    CLOSE_WITH_SHOE = "close ordered, shoe runs"
    REOPENED = "opened again"


class Transition(NamedTuple):
    """What a trigger leads to: the event that tells everyone, and the phase after it."""

    event: type[TableEvent]
    to: Phase


TRANSITIONS: Final[dict[tuple[Phase, Trigger], Transition]] = {
    (Phase.RESULT, Trigger.NO_SHOE): Transition(ShoeCommitted, Phase.SHUFFLING),
    (Phase.RESULT, Trigger.SHOE_OVER): Transition(ShoeEnded, Phase.SHUFFLING),
    (Phase.RESULT, Trigger.ABANDON_ORDERED): Transition(ShoeEnded, Phase.SHUFFLING),
    (Phase.SHUFFLING, Trigger.NO_SHOE): Transition(ShoeCommitted, Phase.SHUFFLING),
    (Phase.SHUFFLING, Trigger.CUT_CLOSED): Transition(CutListed, Phase.SHUFFLING),
    (Phase.SHUFFLING, Trigger.CUT_OVER): Transition(ShoeOpened, Phase.SHUFFLING),
    (Phase.SHUFFLING, Trigger.CUT_DAMAGED): Transition(ShoeEnded, Phase.SHUFFLING),
    (Phase.RESULT, Trigger.DUE): Transition(BettingOpened, Phase.BETTING),
    (Phase.RESULT, Trigger.PAUSE_ORDERED): Transition(Paused, Phase.PAUSED),
    (Phase.PAUSED, Trigger.RESUME_ORDERED): Transition(Resumed, Phase.RESULT),
    (Phase.RESULT, Trigger.CLOSE_WITH_SHOE): Transition(ShoeEnded, Phase.SHUFFLING),
    (Phase.PAUSED, Trigger.CLOSE_WITH_SHOE): Transition(ShoeEnded, Phase.SHUFFLING),
    (Phase.SHUFFLING, Trigger.CLOSE_WITH_SHOE): Transition(ShoeEnded, Phase.SHUFFLING),
    (Phase.RESULT, Trigger.CLOSE_ORDERED): Transition(TableClosed, Phase.ENDED),
    (Phase.PAUSED, Trigger.CLOSE_ORDERED): Transition(TableClosed, Phase.ENDED),
    (Phase.SHUFFLING, Trigger.CLOSE_ORDERED): Transition(TableClosed, Phase.ENDED),
    (Phase.ENDED, Trigger.REOPENED): Transition(Resumed, Phase.RESULT),
    (Phase.SHUFFLING, Trigger.DUE): Transition(BettingOpened, Phase.BETTING),
    (Phase.BETTING, Trigger.CLOCK_STEPPED): Transition(BettingOpened, Phase.BETTING),
    (Phase.BETTING, Trigger.DUE): Transition(BettingClosed, Phase.CLOSED),
    (Phase.BETTING, Trigger.EVERYBODY_READY): Transition(BettingClosed, Phase.CLOSED),
    (Phase.BETTING, Trigger.BETS_CHANGED): Transition(BetsChanged, Phase.BETTING),
    (Phase.CLOSED, Trigger.BETS_CHANGED): Transition(BetsChanged, Phase.CLOSED),
    (Phase.BETTING, Trigger.ABANDONED): Transition(RoundVoided, Phase.VOIDING),
    (Phase.BETTING, Trigger.VOID_ORDERED): Transition(RoundVoided, Phase.VOIDING),
    (Phase.CLOSED, Trigger.DUE): Transition(CardDealt, Phase.DEALING),
    (Phase.CLOSED, Trigger.VOID_ORDERED): Transition(RoundVoided, Phase.VOIDING),
    (Phase.DEALING, Trigger.DUE): Transition(CardDealt, Phase.DEALING),
    (Phase.DEALING, Trigger.COUP_COMPLETE): Transition(RoundResult, Phase.SETTLING),
    (Phase.DEALING, Trigger.VOID_ORDERED): Transition(RoundVoided, Phase.VOIDING),
    (Phase.SETTLING, Trigger.SETTLED): Transition(RoundSettled, Phase.RESULT),
    (Phase.VOIDING, Trigger.SETTLED): Transition(RoundSettled, Phase.RESULT),
    **{(phase, Trigger.SEAT_CHANGED): Transition(SeatChanged, phase) for phase in Phase},
}
