"""The steps of a round, from its window to the settlement: what each publishes, and when the next is due."""

from typing import Final

from croupier_protocol.fairness.cards import proof_of
from croupier_protocol.fairness.chain import VOID, add_round
from croupier_protocol.game.coup import Coup, Outcome, Side
from croupier_protocol.messages.events import (
    BetsChanged,
    BettingClosed,
    BettingOpened,
    CardDealt,
    RoundResult,
    RoundSettled,
    RoundVoided,
)
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import HandView, RoundRecord
from croupier_server.table.moment import Made, Moment
from croupier_server.table.state import Bets, SettledTotals
from croupier_server.table.transitions import Trigger

WINDOW_LATE_MS: Final = 25
"""A window at most this late closes as planned; a later one is moved, so that it has its full length."""

WINDOW_COMMIT_MS: Final = 50
"""The store refuses a window that reaches it more than this after its opening time."""

ABANDONED_REASON: Final = "abandoned"
"""The reason of a round that is voided because nobody dealt it."""


def coup_on(view: TableView) -> Coup:
    """The coup on the table, finished or not, as a value."""
    hands = (view.player.cards, view.banker.cards)
    return Coup(tuple(hand[index] for index in range(3) for hand in hands if index < len(hand)))


def betting_opened(moment: Moment) -> Made:
    """A window of its full length; in a series, every coup begins a deck."""
    if moment.trigger is Trigger.CLOCK_STEPPED:
        return _betting_again(moment)
    shoe = moment.running_shoe
    opens_ms = moment.base_ms(WINDOW_LATE_MS)
    closes_at_ms = opens_ms + moment.settings.pace.betting_ms
    coup = moment.view.coup + 1
    position = shoe.start if shoe.coups is not None else moment.state.position
    event = BettingOpened(
        round=moment.view.round + 1,
        shoe=moment.shoe_number,
        coup=coup,
        closes_at_ms=closes_at_ms,
        last=shoe.is_last_coup(position, coup),
        **moment.header(),
    )
    return Made(
        event,
        closes_at_ms,
        position=position,
        not_after_ms=opens_ms + WINDOW_COMMIT_MS,
        limits=moment.settings.limits,
    )


def _betting_again(moment: Moment) -> Made:
    """The same window on a clock that stepped: it closes after what was left of it, at most its length."""
    left_ms = min(max(moment.state.due_ms - moment.now_ms, 0), moment.settings.pace.betting_ms)
    closes_at_ms = moment.now_ms + left_ms
    event = BettingOpened(
        round=moment.view.round,
        shoe=moment.shoe_number,
        coup=moment.view.coup,
        closes_at_ms=closes_at_ms,
        last=moment.view.last,
        **moment.header(),
    )
    return Made(event, closes_at_ms)


def betting_closed(moment: Moment) -> Made:
    """The slips are final: not before the window's end by the store's clock, unless every seat is ready."""
    event = BettingClosed(round=moment.view.round, **moment.header())
    due_ms = moment.base_ms() + moment.settings.pace.closing_ms
    early = moment.trigger is Trigger.EVERYBODY_READY
    return Made(event, due_ms, not_before_ms=0 if early else moment.state.due_ms)


def bets_changed(moment: Moment) -> Made:
    """What is on the table now, in sums: nobody's own bets."""
    bets = moment.inputs.bets or Bets()
    return Made(
        BetsChanged(
            round=moment.view.round,
            totals=bets.totals,
            bettors=bets.bettors,
            ready=bets.ready,
            **moment.header(),
        )
    )


def card_dealt(moment: Moment) -> Made:
    """The next card of the shoe, to the hand that draws it, with its proof."""
    coup, shoe, position = coup_on(moment.view), moment.running_shoe, moment.state.position
    side = coup.next_side
    if side is None:
        raise ValueError(f"{moment.settings.table}: the coup of round {moment.view.round} is complete")
    card = shoe.card(moment.view.coup, position)
    grown = coup.add(card)
    hand, total = (
        (grown.player, grown.player_total) if side is Side.PLAYER else (grown.banker, grown.banker_total)
    )
    event = CardDealt(
        round=moment.view.round,
        hand=side,
        index=len(hand) - 1,
        card=card,
        total=total,
        proof=proof_of(position, shoe.salt(moment.view.coup, position)),
        **moment.header(),
    )
    due_ms = moment.base_ms() + moment.settings.pace.card_ms
    return Made(event, due_ms, position=position + 1)


def result(moment: Moment) -> Made:
    """How the coup came out; from here on the round cannot be voided."""
    coup = coup_on(moment.view)
    event = RoundResult(
        round=moment.view.round,
        outcome=coup.outcome,
        player=HandView(coup.player, coup.player_total),
        banker=HandView(coup.banker, coup.banker_total),
        natural=coup.natural,
        player_pair=coup.player_pair,
        banker_pair=coup.banker_pair,
        **moment.header(),
    )
    record = _record(moment, coup.outcome)
    return Made(event, moment.base_ms(), record=record, chain=_chained(moment, record))


def settled(moment: Moment) -> Made:
    """The bank has paid everybody, or returned all stakes."""
    bank = moment.inputs.settled or SettledTotals()
    event = RoundSettled(
        round=moment.view.round,
        staked=bank.staked,
        returned=bank.returned,
        paid=bank.paid,
        **moment.header(),
    )
    return Made(event, moment.base_ms() + moment.settings.pace.result_ms)


def voided(moment: Moment) -> Made:
    """The round ends without an outcome; the cards shown stay in history."""
    reason = ABANDONED_REASON if moment.trigger is Trigger.ABANDONED else moment.inputs.reason
    event = RoundVoided(round=moment.view.round, reason=reason, **moment.header())
    record = _record(moment, None, reason)
    return Made(event, moment.now_ms, record=record, chain=_chained(moment, record))


def _chained(moment: Moment, record: RoundRecord) -> bytes:
    outcome = VOID if record.outcome is None else record.outcome.value
    return add_round(
        moment.state.chain, record.round, record.coup, outcome, record.player.cards, record.banker.cards
    )


def _record(moment: Moment, outcome: Outcome | None, reason: str | None = None) -> RoundRecord:
    view, coup = moment.view, coup_on(moment.view)
    return RoundRecord(
        round=view.round,
        shoe=moment.shoe_number,
        coup=view.coup,
        rules=view.rules,
        player=view.player,
        banker=view.banker,
        outcome=outcome,
        natural=outcome is not None and coup.natural,
        player_pair=outcome is not None and coup.player_pair,
        banker_pair=outcome is not None and coup.banker_pair,
        ended_at_ms=moment.now_ms,
        reason=reason,
    )
