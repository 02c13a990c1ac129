"""A step as the store takes it: what `lua/commit.lua` writes, and what it compares before it does."""

from typing import Final

from croupier_protocol.codec import encode_untimed
from croupier_protocol.messages.events import (
    BettingOpened,
    CardDealt,
    CutListed,
    RoundResult,
    RoundVoided,
    ShoeCommitted,
    ShoeEnded,
    ShoeOpened,
    TableEvent,
)
from croupier_protocol.messages.to_client import TableView
from croupier_server.store.records import Commit, Sealed
from croupier_server.table.listing import listing_digest
from croupier_server.table.machine import Step
from croupier_server.table.state import encode_state

TOLD_OF_SHOES: Final = (
    *(ShoeCommitted, CutListed, ShoeOpened, ShoeEnded),
    *(BettingOpened, CardDealt, RoundResult, RoundVoided),
)
"""The events that are kept with their shoe: all that is needed to check it."""


def commit_of(step: Step, event: TableEvent, sealed: Sealed | None, rules_digest: str) -> Commit:
    """What to commit for `step` and its event.

    `sealed` is the seed of a shoe that this step commits to; `rules_digest` names the rules in force, under
    which slips are to be checked.
    """
    view = step.state.view
    return Commit(
        seq=event.seq - 1,
        epoch=event.epoch,
        phase=view.phase,
        round=view.round,
        closes_at_ms=view.closes_at_ms or 0,
        state=encode_state(step.state),
        event=encode_untimed(event),
        sealed=sealed,
        record=step.record,
        not_before_ms=step.not_before_ms,
        not_after_ms=step.not_after_ms,
        early=step.early,
        listing=listing_digest(rules_digest, step.state.limits),
        cut=_cut_stage(event),
        cut_rev=None if step.cut is None else step.cut.rev,
        shoe=_shoe_told(view) if isinstance(event, TOLD_OF_SHOES) else 0,
        commitments=step.commitments,
    )


def _cut_stage(event: TableEvent) -> str | None:
    """What the record says of the cut after `event`: which shoe, what is taken, and until when."""
    match event:
        case ShoeCommitted(cut_until_ms=None):
            return f"{event.shoe}|"
        case ShoeCommitted():
            return f"{event.shoe}|hashes|{event.cut_until_ms}"
        case CutListed():
            return f"{event.shoe}|values|{event.reveal_until_ms}"
        case ShoeOpened():
            return f"{event.shoe}|over|0"
    return None


def _shoe_told(view: TableView) -> int:
    """The shoe that an event belongs to which has led to `view`."""
    if view.cut is not None:
        return view.cut.shoe
    return 0 if view.shoe is None else view.shoe.number
