"""One step of a table, as a pure function.

The caller asks `wake_at` when to come back, calls `advance` then (or when an input arrives), commits what it
returns, and calls again. Until the commit is in the store nothing has happened: on any failure the caller
drops the step and starts again from the record.
"""

from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier_protocol.codec import UNTIMED
from croupier_protocol.messages.events import TableEvent
from croupier_protocol.messages.values import Phase, RoundRecord
from croupier_protocol.view import fold
from croupier_server.table.held import Held
from croupier_server.table.moment import Moment
from croupier_server.table.pace import Pace
from croupier_server.table.round_steps import coup_on
from croupier_server.table.shoe_steps import revealed
from croupier_server.table.state import NOTHING, CutSeen, Inputs, Order, TableSettings, TableState
from croupier_server.table.steps import MAKERS
from croupier_server.table.transitions import TRANSITIONS, Trigger

STEP_MS: Final = 250
"""A step due this much further away than any step can be means that the clock went back."""

ABANDONED_MS: Final = 600_000
"""A window that ended this long ago, with nobody to close it, is voided: its players have gone home."""

BETS_EVERY_MS: Final = 250
"""Bets are published at most this often, however many are made."""

_ORDERED: Final = {
    Order.PAUSE: Trigger.PAUSE_ORDERED,
    Order.RESUME: Trigger.RESUME_ORDERED,
    Order.VOID: Trigger.VOID_ORDERED,
    Order.ABANDON: Trigger.ABANDON_ORDERED,
    Order.CLOSE: Trigger.CLOSE_ORDERED,
    Order.REOPEN: Trigger.REOPENED,
}

_UNTIMED: Final = frozenset({Phase.SETTLING, Phase.VOIDING, Phase.PAUSED, Phase.ENDED})
"""Phases in which no step comes by itself."""


class Step(NamedTuple):
    """What a call of the machine came to.

    `event` is None when nothing was due; then `state` differs from the one before at most in its due time.
    `record` is the round for history when this step ends one. The store may take the step from
    `not_before_ms` on and until `not_after_ms`; an `early` close only while every present seat is ready, and
    one with a `cut` only if that is still all there is. `commitments` are those to the cards of an opened
    shoe.
    """

    state: TableState
    held: Held | None
    event: TableEvent | None = None
    record: RoundRecord | None = None
    not_before_ms: int = 0
    not_after_ms: int = UNTIMED
    early: bool = False
    cut: CutSeen | None = None
    commitments: bytes = b""


def wake_at(settings: TableSettings, state: TableState, inputs: Inputs = NOTHING) -> int | None:
    """When to call `advance` again, in the store's milliseconds; None while only an input can bring a step.

    A step that is due counts, and one that `inputs` already ask for but that has to wait its turn.
    """
    phase = state.view.phase
    if phase in _UNTIMED or (inputs.order is Order.CLOSE and phase in {Phase.RESULT, Phase.SHUFFLING}):
        return None
    if state.view.cut is not None and _cut_trigger(state, inputs) is None:
        return None
    moments = [state.due_ms]
    if phase is Phase.SHUFFLING and _cut_is_complete(state, inputs):
        moments.append(0)
    if phase is Phase.BETTING:
        if _bets_differ(state, inputs):
            moments.append(state.bets_at_ms + BETS_EVERY_MS)
        if settings.early_close and inputs.all_ready:
            moments.append(_early_from_ms(settings.pace, state, inputs))
    return min(moments)


def trigger(  # noqa: PLR0911 - a way out for each kind of thing that happens
    settings: TableSettings, state: TableState, held: Held | None, now_ms: int, inputs: Inputs
) -> Trigger | None:
    """What happens to the table now; None when nothing does."""
    phase, pace = state.view.phase, settings.pace
    is_idle = inputs.order is Order.ABANDON and _is_without_shoe(state)
    if inputs.order is not None and (phase, _ORDERED[inputs.order]) in TRANSITIONS and not is_idle:
        return _closing_trigger(state, inputs) if inputs.order is Order.CLOSE else _ORDERED[inputs.order]
    if state.view.cut is not None and inputs.cut_damaged:
        return Trigger.CUT_DAMAGED
    if _cut_is_complete(state, inputs) and (happened := _cut_trigger(state, inputs)) is not None:
        return happened
    if phase in {Phase.SETTLING, Phase.VOIDING} and inputs.settled is not None:
        return Trigger.SETTLED
    if phase not in _UNTIMED:
        ahead_ms = state.due_ms - now_ms
        if phase is Phase.BETTING and (inputs.stepped_ms or ahead_ms > pace.betting_ms + STEP_MS):
            return Trigger.CLOCK_STEPPED
        is_due = ahead_ms <= 0 or ahead_ms > pace.longest_ms + STEP_MS
        if is_due and (happened := _due_trigger(state, held, inputs, ahead_ms)) is not None:
            return happened
    return _others_trigger(settings, state, now_ms, inputs)


def _closing_trigger(state: TableState, inputs: Inputs) -> Trigger | None:
    """First everybody is cashed out, and everyone is told; then the shoe is ended, and at last the table.

    Until then nothing else happens.
    """
    view = state.view
    if view.seats or inputs.seats:
        changed = inputs.seats is not None and inputs.seats != view.seats
        return Trigger.SEAT_CHANGED if changed else None
    runs = view.cut is not None or (view.shoe is not None and view.shoe.end is None)
    return Trigger.CLOSE_WITH_SHOE if runs else Trigger.CLOSE_ORDERED


def _due_trigger(state: TableState, held: Held | None, inputs: Inputs, ahead_ms: int) -> Trigger | None:
    phase = state.view.phase
    if phase is Phase.SHUFFLING and state.view.cut is not None:
        return _cut_trigger(state, inputs)
    if phase in {Phase.RESULT, Phase.SHUFFLING} and _is_without_shoe(state):
        return Trigger.NO_SHOE
    if phase is Phase.BETTING and ahead_ms < -ABANDONED_MS:
        return Trigger.ABANDONED
    if phase is Phase.RESULT and is_shoe_over(state, held):
        return Trigger.SHOE_OVER
    if phase is Phase.DEALING and coup_on(state.view).complete:
        return Trigger.COUP_COMPLETE
    return Trigger.DUE


def _is_without_shoe(state: TableState) -> bool:
    shoe = state.view.shoe
    return state.view.cut is None and (shoe is None or shoe.end is not None)


def _cut_is_complete(state: TableState, inputs: Inputs) -> bool:
    """Whether everybody has sent what the cut takes now: there is nothing to wait for."""
    cut, seen = state.view.cut, inputs.cut
    if cut is None or seen is None:
        return False
    if not cut.listed:
        return seen.everybody
    return all(one.value is not None for one in revealed(cut, seen))


def _cut_trigger(state: TableState, inputs: Inputs) -> Trigger | None:
    """What follows when the time for hashes or for values is over; None while a beacon is waited for."""
    cut, seen = state.view.cut, inputs.cut
    if cut is not None and not cut.listed and seen is not None and seen.contributions:
        return Trigger.CUT_CLOSED
    is_awaited = cut is not None and cut.beacon is not None and inputs.beacon is None
    return None if is_awaited else Trigger.CUT_OVER


def _others_trigger(
    settings: TableSettings, state: TableState, now_ms: int, inputs: Inputs
) -> Trigger | None:
    """What players have done that everyone is to know."""
    phase = state.view.phase
    if inputs.seats is not None and inputs.seats != state.view.seats:
        return Trigger.SEAT_CHANGED
    if phase is Phase.BETTING:
        early = settings.early_close and inputs.all_ready
        if early and now_ms >= _early_from_ms(settings.pace, state, inputs):
            return Trigger.EVERYBODY_READY
        if _bets_differ(state, inputs) and now_ms >= state.bets_at_ms + BETS_EVERY_MS:
            return Trigger.BETS_CHANGED
    if phase is Phase.CLOSED and _bets_differ(state, inputs):
        return Trigger.BETS_CHANGED
    return None


def _bets_differ(state: TableState, inputs: Inputs) -> bool:
    view, bets = state.view, inputs.bets
    return bets is not None and (bets.totals, bets.bettors, bets.ready) != (
        view.totals,
        view.bettors,
        view.ready,
    )


def _early_from_ms(pace: Pace, state: TableState, inputs: Inputs) -> int:
    """From when on a window may close early: a lone seat's at once, others' after a third."""
    opened_ms = state.due_ms - pace.betting_ms
    return opened_ms if inputs.present <= 1 else opened_ms + pace.betting_ms // 3


def is_shoe_over(state: TableState, held: Held | None) -> bool:
    """Whether the next coup needs a new shoe: its last coup was played, or it runs short."""
    shoe = None if held is None else held.shoe
    if shoe is None or state.view.last:
        return True
    return shoe.coups is None and not shoe.can_start(state.position)


def advance(
    settings: TableSettings,
    state: TableState,
    held: Held | None,
    now_ms: int,
    seed: bytes,
    inputs: Inputs = NOTHING,
) -> Step:
    """The table's next step at `now_ms`, if one is due.

    `held` is what the dealer holds of the running shoe (None without one); `seed` is fresh entropy of 32
    bytes, used only when this step commits to a shoe.
    """
    if inputs.stepped_ms:
        state = replace(state, due_ms=state.due_ms + inputs.stepped_ms)
    happened = trigger(settings, state, held, now_ms, inputs)
    if happened is None:
        return Step(state, held)
    moment = Moment(settings, state, held, now_ms, seed, inputs, happened)
    made = MAKERS[TRANSITIONS[state.view.phase, happened].event](moment)
    return Step(
        state=TableState(
            view=fold(state.view, made.event),
            position=state.position if made.position is None else made.position,
            chain=state.chain if made.chain is None else made.chain,
            due_ms=state.due_ms if made.due_ms is None else made.due_ms,
            bets_at_ms=now_ms if happened is Trigger.BETS_CHANGED else state.bets_at_ms,
            limits=made.limits or state.limits,
        ),
        held=held if made.held is None else made.held,
        event=made.event,
        record=made.record,
        not_before_ms=made.not_before_ms,
        not_after_ms=made.not_after_ms,
        early=happened is Trigger.EVERYBODY_READY,
        cut=made.cut,
        commitments=made.commitments,
    )
