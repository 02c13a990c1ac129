"""What each step of a table publishes, and when the next one is due: one function per event."""

from collections.abc import Callable
from itertools import zip_longest
from typing import Final, NamedTuple, TypedDict

from msgspec.structs import replace

from croupier_protocol.codec import UNTIMED
from croupier_protocol.fairness.cards import list_digest
from croupier_protocol.fairness.chain import VOID, add_round, begin_shoe, end_shoe
from croupier_protocol.fairness.seeds import seed_commitment
from croupier_protocol.game.coup import Coup, Outcome, Side
from croupier_protocol.game.limits import Limits
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
from croupier_protocol.messages.to_client import CutView, TableView
from croupier_protocol.messages.values import Contribution, Epoch, HandView, RoundRecord, TableId
from croupier_protocol.shoe.shoe import Shoe
from croupier_server.table.held import Held
from croupier_server.table.state import (
    Bets,
    CutSeen,
    Inputs,
    SettledTotals,
    TableSettings,
    TableState,
    rules_ref,
)
from croupier_server.table.transitions import Trigger

LATE_MS: Final = 1_000
"""A step at most this late keeps the rhythm: the next one is due as if it had been on time. A later one,
after a pause of the process, starts a new rhythm instead of dealing several steps in a burst."""

WINDOW_LATE_MS: Final = 25
"""A window at most this late closes as planned; a later one is moved, so that it has its full length."""

WINDOW_COMMIT_MS: Final = 50
"""The store refuses a window that reaches it more than this after its opening time."""

ABANDONED_REASON: Final = "abandoned"
"""The reason of a round that is voided because nobody dealt it."""


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


class Moment(NamedTuple):
    """Everything a step can depend on."""

    settings: TableSettings
    state: TableState
    held: Held | None
    now_ms: int
    seed: bytes
    inputs: Inputs
    trigger: Trigger

    @property
    def view(self) -> TableView:
        """What everyone sees before the step."""
        return self.state.view

    @property
    def running_shoe(self) -> Shoe:
        """The shoe of the running round."""
        if self.held is None or self.held.shoe is None:
            raise ValueError(f"{self.settings.table} is in {self.view.phase} without a shoe")
        return self.held.shoe

    def base_ms(self, late_ms: int = LATE_MS) -> int:
        """The time from which the next step counts: when this one was due, unless it is too late for that."""
        return self.state.due_ms if 0 <= self.now_ms - self.state.due_ms <= late_ms else self.now_ms

    def header(self) -> "Header":
        """The fields that every event has."""
        due_ms = self.state.due_ms if 0 < self.state.due_ms <= self.now_ms else self.now_ms
        return {
            "table": self.view.table,
            "epoch": self.view.epoch,
            "seq": self.view.seq + 1,
            "due_ms": due_ms,
            "at_ms": UNTIMED,
        }


class Header(TypedDict):
    """The fields that every event has."""

    table: TableId
    epoch: Epoch
    seq: int
    due_ms: int
    at_ms: int


class Made(NamedTuple):
    """An event, and what changes besides the view: None means "as before"."""

    event: TableEvent
    due_ms: int | None = None
    position: int | None = None
    held: Held | None = None
    record: RoundRecord | None = None
    not_before_ms: int = 0
    not_after_ms: int = UNTIMED
    chain: bytes | None = None
    cut: CutSeen | None = None
    commitments: bytes = b""
    limits: Limits | None = None


def coup_on(view: TableView) -> Coup:
    """The coup on the table, finished or not, as a value."""
    hands = (view.player.cards, view.banker.cards)
    return Coup(tuple(hand[index] for index in range(3) for hand in hands if index < len(hand)))


def revealed(cut: CutView, seen: CutSeen | None) -> tuple[Contribution, ...]:
    """The listed contributions with the values that have come for them."""
    values = {} if seen is None else {one.player: one.value for one in seen.contributions}
    return tuple(replace(one, value=values.get(one.player)) for one in cut.contributions)


def _committed(moment: Moment) -> Made:
    view, rules = moment.view, moment.settings.rules
    number = _shoe_number(view) + 1
    seated = view.seats if moment.inputs.seats is None else moment.inputs.seats
    opens_ms = moment.base_ms()
    until_ms = opens_ms + moment.settings.pace.cut_ms if seated else None
    event = ShoeCommitted(
        shoe=number,
        rules=rules_ref(rules),
        rules_text=rules.canonical_text,
        commitment=seed_commitment(view.table, number, rules.digest, moment.seed),
        previous=None if view.shoe is None else view.shoe.end,
        cut_until_ms=until_ms,
        **moment.header(),
    )
    return Made(event, until_ms or opens_ms, held=Held(rules, moment.seed))


def _cut_listed(moment: Moment) -> Made:
    seen = moment.inputs.cut or CutSeen(0, (), everybody=False)
    until_ms = moment.now_ms + moment.settings.pace.reveal_ms
    event = CutListed(
        shoe=_cut_on(moment.view).shoe,
        contributions=tuple(replace(one, value=None) for one in seen.contributions),
        reveal_until_ms=until_ms,
        **moment.header(),
    )
    return Made(event, until_ms, cut=seen)


def _shoe(moment: Moment) -> Made:
    cut = _cut_on(moment.view)
    if moment.held is None:
        raise ValueError(f"{moment.settings.table} is to open a shoe without its seed")
    contributions = revealed(cut, moment.inputs.cut)
    shoe, rules = moment.held.cut(contributions), moment.held.rules
    commitments = shoe.commitments()
    digest = list_digest(commitments)
    event = ShoeOpened(
        shoe=cut.shoe,
        decks=rules.decks,
        rules=rules_ref(rules),
        cards=shoe.cards,
        burn=shoe.burn,
        cut_at=shoe.cut_at,
        coups=shoe.coups,
        contributions=contributions,
        digest=digest,
        burn_salt=None if shoe.burn is None else shoe.salt(1, 0),
        **moment.header(),
    )
    return Made(
        event,
        moment.base_ms() + moment.settings.pace.shuffling_ms,
        position=shoe.start,
        held=Held(rules, moment.held.seed, shoe),
        chain=begin_shoe(cut.previous, cut.commitment, digest, shoe.cut_at),
        cut=moment.inputs.cut,
        commitments=commitments,
    )


def _shoe_ended(moment: Moment) -> Made:
    shoe, view, held = moment.running_shoe, moment.view, moment.held
    if held is None or view.shoe is None:
        raise ValueError(f"{moment.settings.table} has no shoe to end")
    reason = moment.inputs.reason if moment.trigger is Trigger.ABANDON_ORDERED else None
    event = ShoeEnded(
        shoe=view.shoe.number,
        reason=reason,
        seed=held.seed,
        contributions=view.shoe.contributions,
        burnt=shoe.burnt,
        chain=end_shoe(moment.state.chain, held.seed, reason),
        **moment.header(),
    )
    return Made(event, moment.base_ms())


def _cut_on(view: TableView) -> CutView:
    if view.cut is None:
        raise ValueError(f"{view.table} is not cutting a shoe")
    return view.cut


def _betting(moment: Moment) -> Made:
    if moment.trigger is Trigger.CLOCK_STEPPED:
        return _betting_again(moment)
    shoe = moment.running_shoe
    opens_ms = moment.base_ms(WINDOW_LATE_MS)
    closes_at_ms = opens_ms + moment.settings.pace.betting_ms
    coup = moment.view.coup + 1
    position = shoe.start if shoe.coups is not None else moment.state.position
    event = BettingOpened(
        round=moment.view.round + 1,
        shoe=_shoe_number(moment.view),
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
        shoe=_shoe_number(moment.view),
        coup=moment.view.coup,
        closes_at_ms=closes_at_ms,
        last=moment.view.last,
        **moment.header(),
    )
    return Made(event, closes_at_ms)


def _closed(moment: Moment) -> Made:
    event = BettingClosed(round=moment.view.round, **moment.header())
    due_ms = moment.base_ms() + moment.settings.pace.closing_ms
    early = moment.trigger is Trigger.EVERYBODY_READY
    return Made(event, due_ms, not_before_ms=0 if early else moment.state.due_ms)


def _bets(moment: Moment) -> Made:
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


def _seat(moment: Moment) -> Made:
    """The first seat whose holder is not who everyone was told; both lists are in the order of seats."""
    both = zip_longest(moment.view.seats, moment.inputs.seats or ())
    told, now = next(pair for pair in both if pair[0] != pair[1])
    seat = min(one.seat for one in (told, now) if one is not None)
    player = now.player if now is not None and now.seat == seat else None
    return Made(SeatChanged(seat=seat, player=player, **moment.header()))


def _card(moment: Moment) -> Made:
    coup = coup_on(moment.view)
    side = coup.next_side
    if side is None:
        raise ValueError(f"{moment.settings.table}: the coup of round {moment.view.round} is complete")
    card = moment.running_shoe.card(moment.view.coup, moment.state.position)
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
        position=moment.state.position,
        salt=moment.running_shoe.salt(moment.view.coup, moment.state.position),
        **moment.header(),
    )
    due_ms = moment.base_ms() + moment.settings.pace.card_ms
    return Made(event, due_ms, position=moment.state.position + 1)


def _result(moment: Moment) -> Made:
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


def _settled(moment: Moment) -> Made:
    bank = moment.inputs.settled or SettledTotals()
    event = RoundSettled(
        round=moment.view.round,
        staked=bank.staked,
        returned=bank.returned,
        paid=bank.paid,
        **moment.header(),
    )
    return Made(event, moment.base_ms() + moment.settings.pace.result_ms)


def _void(moment: Moment) -> Made:
    reason = ABANDONED_REASON if moment.trigger is Trigger.ABANDONED else moment.inputs.reason
    event = RoundVoided(round=moment.view.round, reason=reason, **moment.header())
    record = _record(moment, None, reason)
    return Made(event, moment.now_ms, record=record, chain=_chained(moment, record))


def _paused(moment: Moment) -> Made:
    return Made(Paused(reason=moment.inputs.reason, **moment.header()), moment.now_ms)


def _resumed(moment: Moment) -> Made:
    return Made(Resumed(**moment.header()), moment.now_ms)


def _ended(moment: Moment) -> Made:
    return Made(TableClosed(reason=moment.inputs.reason, **moment.header()), moment.now_ms)


def _shoe_number(view: TableView) -> int:
    return 0 if view.shoe is None else view.shoe.number


def _chained(moment: Moment, record: RoundRecord) -> bytes:
    outcome = VOID if record.outcome is None else record.outcome.value
    return add_round(
        moment.state.chain, record.round, record.coup, outcome, record.player.cards, record.banker.cards
    )


def _record(moment: Moment, outcome: Outcome | None, reason: str | None = None) -> RoundRecord:
    view, coup = moment.view, coup_on(moment.view)
    return RoundRecord(
        round=view.round,
        shoe=_shoe_number(view),
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


MAKERS: Final[dict[type[TableEvent], Callable[[Moment], Made]]] = {
    ShoeCommitted: _committed,
    CutListed: _cut_listed,
    ShoeOpened: _shoe,
    ShoeEnded: _shoe_ended,
    BettingOpened: _betting,
    BetsChanged: _bets,
    BettingClosed: _closed,
    SeatChanged: _seat,
    CardDealt: _card,
    RoundResult: _result,
    RoundSettled: _settled,
    RoundVoided: _void,
    Paused: _paused,
    Resumed: _resumed,
    TableClosed: _ended,
}
