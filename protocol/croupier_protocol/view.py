"""The fold of events into a table's view: the one used by dealers, gateways, clients and tests.

`snapshot(k)` and the events `k+1 … n` give `snapshot(n)`, for every k: there is no other way to a view than
`opening_view` and `fold`.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from croupier_protocol.game.coup import Side
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
    UnknownEvent,
)
from croupier_protocol.messages.to_client import CutView, ShoeView, TableView
from croupier_protocol.messages.values import Epoch, HandView, PastCoup, Phase, RulesRef, TableId, TakenSeat


class GapError(ValueError):
    """An event does not follow the view: another epoch, or not the next `seq`."""


def opening_view(table: TableId, epoch: Epoch, rules: RulesRef) -> TableView:
    """The view of a table before its first event."""
    return TableView(table=table, epoch=epoch, seq=0, rules=rules, phase=Phase.RESULT)


BETWEEN_ROUNDS: Final = frozenset({Phase.RESULT, Phase.SHUFFLING, Phase.PAUSED})
"""Phases in which the last round is settled, and the next has not begun."""


def settled_round(view: TableView) -> int:
    """The last round whose bets are settled, as far as the phase tells; 0 before the first."""
    return view.round if view.phase in BETWEEN_ROUNDS else max(view.round - 1, 0)


def fold(view: TableView, event: TableEvent | UnknownEvent) -> TableView:
    """The view after `event`.

    Raises:
        GapError: when the event is not the next one of the same table and epoch.
    """
    if event.seq != view.seq + 1 or event.epoch != view.epoch or event.table != view.table:
        raise GapError(
            f"{event.table} {event.epoch}/{event.seq} does not follow {view.table} {view.epoch}/{view.seq}"
        )
    change = _CHANGES.get(type(event))
    changes = {} if change is None else change(view, event)
    return replace(view, seq=event.seq, **changes)


def _committed(_view: TableView, event: ShoeCommitted) -> dict[str, Any]:
    cut = CutView(
        shoe=event.shoe,
        rules=event.rules,
        commitment=event.commitment,
        previous=event.previous,
        until_ms=event.cut_until_ms,
        beacon=event.beacon,
    )
    return {"phase": Phase.SHUFFLING, "cut": cut}


def _listed(view: TableView, event: CutListed) -> dict[str, Any]:
    if view.cut is None:
        return {}
    listed = replace(view.cut, listed=True, contributions=event.contributions, until_ms=event.reveal_until_ms)
    return {"cut": listed}


def _shoe(view: TableView, event: ShoeOpened) -> dict[str, Any]:
    cut = view.cut
    dealt = 0 if event.burn is None else 1 + event.burn.burnt
    shoe = ShoeView(
        number=event.shoe,
        decks=event.decks,
        cards=event.cards,
        burn=event.burn,
        cut_at=event.cut_at,
        coups=event.coups,
        dealt=dealt,
        commitment=b"" if cut is None else cut.commitment,
        previous=None if cut is None else cut.previous,
        contributions=event.contributions,
        digest=event.digest,
        beacon=event.beacon,
    )
    return {
        **_CLEARED,
        "phase": Phase.SHUFFLING,
        "shoe": shoe,
        "cut": None,
        "rules": event.rules,
        "coup": 0,
        "last": False,
        "closes_at_ms": None,
        "past": (),
    }


def _shoe_ended(view: TableView, event: ShoeEnded) -> dict[str, Any]:
    if view.cut is not None:
        return {"shoe": _never_opened(view.cut, event), "cut": None}
    shoe = None if view.shoe is None else replace(view.shoe, end=event.chain)
    return {"phase": Phase.SHUFFLING, "shoe": shoe}


def _never_opened(cut: CutView, event: ShoeEnded) -> ShoeView:
    return ShoeView(
        number=event.shoe,
        decks=0,
        cards=0,
        burn=None,
        cut_at=None,
        coups=None,
        dealt=0,
        commitment=cut.commitment,
        previous=cut.previous,
        contributions=event.contributions,
        digest=b"",
        end=event.chain,
        beacon=event.beacon,
    )


def _betting(view: TableView, event: BettingOpened) -> dict[str, Any]:
    shoe = view.shoe
    if shoe is not None and shoe.coups is not None:
        shoe = replace(shoe, dealt=0)
    if event.round == view.round:  # announced again after a clock stepped: the bets stand
        return {"closes_at_ms": event.closes_at_ms}
    return {
        **_CLEARED,
        **_NO_BETS,
        "phase": Phase.BETTING,
        "round": event.round,
        "shoe": shoe,
        "coup": event.coup,
        "last": event.last,
        "closes_at_ms": event.closes_at_ms,
    }


def _bets(_view: TableView, event: BetsChanged) -> dict[str, Any]:
    return {"totals": event.totals, "bettors": event.bettors, "ready": event.ready}


def _seat(view: TableView, event: SeatChanged) -> dict[str, Any]:
    others = [taken for taken in view.seats if taken.seat != event.seat]
    if event.player is not None:
        others.append(TakenSeat(seat=event.seat, player=event.player))
    return {"seats": tuple(sorted(others, key=lambda taken: taken.seat))}


def _closed(_view: TableView, _event: BettingClosed) -> dict[str, Any]:
    return {"phase": Phase.CLOSED}


def _card(view: TableView, event: CardDealt) -> dict[str, Any]:
    hand = view.player if event.hand is Side.PLAYER else view.banker
    grown = HandView(cards=(*hand.cards, event.card), total=event.total)
    shoe = None if view.shoe is None else replace(view.shoe, dealt=view.shoe.dealt + 1)
    return {"phase": Phase.DEALING, "shoe": shoe, event.hand.value: grown}


def _result(view: TableView, event: RoundResult) -> dict[str, Any]:
    coup = PastCoup(
        round=event.round,
        outcome=event.outcome,
        player_total=event.player.total,
        banker_total=event.banker.total,
        natural=event.natural,
        player_pair=event.player_pair,
        banker_pair=event.banker_pair,
    )
    return {
        "phase": Phase.SETTLING,
        "player": event.player,
        "banker": event.banker,
        "outcome": event.outcome,
        "natural": event.natural,
        "player_pair": event.player_pair,
        "banker_pair": event.banker_pair,
        "past": (*view.past, coup),
    }


def _settled(_view: TableView, _event: RoundSettled) -> dict[str, Any]:
    return {"phase": Phase.RESULT}


def _voided(_view: TableView, event: RoundVoided) -> dict[str, Any]:
    return {"phase": Phase.VOIDING, "reason": event.reason}


def _paused(_view: TableView, event: Paused) -> dict[str, Any]:
    return {"phase": Phase.PAUSED, "reason": event.reason}


def _resumed(_view: TableView, _event: Resumed) -> dict[str, Any]:
    return {"phase": Phase.RESULT, "reason": None}


def _ended(_view: TableView, event: TableClosed) -> dict[str, Any]:
    return {"phase": Phase.ENDED, "reason": event.reason}


_NO_BETS: Final[dict[str, Any]] = {"totals": {}, "bettors": 0, "ready": 0}

_CLEARED: Final[dict[str, Any]] = {
    "player": HandView(),
    "banker": HandView(),
    "outcome": None,
    "natural": False,
    "player_pair": False,
    "banker_pair": False,
    "reason": None,
}

_CHANGES: Final[dict[type, Callable[[TableView, Any], dict[str, Any]]]] = {
    ShoeCommitted: _committed,
    CutListed: _listed,
    ShoeOpened: _shoe,
    ShoeEnded: _shoe_ended,
    BettingOpened: _betting,
    BetsChanged: _bets,
    SeatChanged: _seat,
    BettingClosed: _closed,
    CardDealt: _card,
    RoundResult: _result,
    RoundSettled: _settled,
    RoundVoided: _voided,
    Paused: _paused,
    Resumed: _resumed,
    TableClosed: _ended,
}
