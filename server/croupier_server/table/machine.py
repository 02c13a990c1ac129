"""One step of a table, as a pure function.

The caller asks `wake_at` when to come back, calls `advance` then (or when an input arrives), commits what it
returns, and calls again. Until the commit is in the store nothing has happened: on any failure the caller
drops the step and starts again from the record.
"""

from typing import Final

from msgspec.structs import replace

from croupier_protocol.messages.values import Phase
from croupier_protocol.shoe.shoe import Shoe
from croupier_protocol.view import fold
from croupier_server.table.pace import Pace
from croupier_server.table.state import NOTHING, Inputs, Order, TableSettings, TableState
from croupier_server.table.steps import MAKERS, Moment, Step, coup_on
from croupier_server.table.transitions import TRANSITIONS, Trigger

STEP_MS: Final = 250
"""A step due this much further away than any step can be means that the clock went back."""

ABANDONED_MS: Final = 600_000
"""A window that ended this long ago, with nobody to close it, is voided: its players have gone home."""

_ORDERED: Final = {
    Order.PAUSE: Trigger.PAUSE_ORDERED,
    Order.RESUME: Trigger.RESUME_ORDERED,
    Order.VOID: Trigger.VOID_ORDERED,
}


def trigger(state: TableState, shoe: Shoe | None, pace: Pace, now_ms: int, inputs: Inputs) -> Trigger | None:
    """What happens to the table now; None when nothing does."""
    phase = state.view.phase
    if inputs.order is not None and (phase, _ORDERED[inputs.order]) in TRANSITIONS:
        return _ORDERED[inputs.order]
    if phase in {Phase.SETTLING, Phase.VOIDING}:
        return None if inputs.settled is None else Trigger.SETTLED
    if phase is Phase.PAUSED:
        return None
    ahead_ms = state.due_ms - now_ms
    if phase is Phase.BETTING and (inputs.stepped_ms or ahead_ms > pace.betting_ms + STEP_MS):
        return Trigger.CLOCK_STEPPED
    if 0 < ahead_ms <= pace.longest_ms + STEP_MS:
        return None
    return _due_trigger(state, shoe, ahead_ms)


def _due_trigger(state: TableState, shoe: Shoe | None, ahead_ms: int) -> Trigger:
    phase = state.view.phase
    if phase is Phase.BETTING and ahead_ms < -ABANDONED_MS:
        return Trigger.ABANDONED
    if phase is Phase.RESULT and is_shoe_over(state, shoe):
        return Trigger.SHOE_OVER
    if phase is Phase.DEALING and coup_on(state.view).complete:
        return Trigger.COUP_COMPLETE
    return Trigger.DUE


def is_shoe_over(state: TableState, shoe: Shoe | None) -> bool:
    """Whether the next coup needs a new shoe: there is none, its last coup was played, or it runs short."""
    if shoe is None or state.view.last:
        return True
    return shoe.coups is None and not shoe.can_start(state.position)


def advance(
    settings: TableSettings,
    state: TableState,
    shoe: Shoe | None,
    now_ms: int,
    seed: bytes,
    inputs: Inputs = NOTHING,
) -> Step:
    """The table's next step at `now_ms`, if one is due.

    `shoe` is the running one (None before the first); `seed` is fresh entropy of 32 bytes, used only when
    this step opens a shoe.
    """
    if inputs.stepped_ms:
        state = replace(state, due_ms=state.due_ms + inputs.stepped_ms)
    happened = trigger(state, shoe, settings.pace, now_ms, inputs)
    if happened is None:
        return Step(state, shoe)
    moment = Moment(settings, state, shoe, now_ms, seed, inputs, happened)
    made = MAKERS[TRANSITIONS[state.view.phase, happened].event](moment)
    return Step(
        state=TableState(
            view=fold(state.view, made.event),
            position=state.position if made.position is None else made.position,
            due_ms=made.due_ms,
        ),
        shoe=made.shoe or shoe,
        event=made.event,
        record=made.record,
        not_before_ms=made.not_before_ms,
        not_after_ms=made.not_after_ms,
    )
