"""What the player bets at one table: a draft of the slip that is sent with every edit, or why it is not."""

from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from croupier_client.errors import BettingClosedError, CroupierError
from croupier_client.seat import Seat
from croupier_client.terminal.reasons import Reason, Why, reason_of
from croupier_client.terminal.slip import Draft, Edit, fault_of, stacks_of
from croupier_client.terminal.state import Own
from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.to_client import TableRules, TableView
from croupier_protocol.messages.values import Phase


class Situation(NamedTuple):
    """What there is to bet on and with, now; `live` is whether the server can be reached."""

    view: TableView | None
    rules: TableRules | None
    seat: Seat | None
    own: Own
    live: bool

    @property
    def bankroll(self) -> int:
        """Cents of the seat, those at stake included."""
        return 0 if self.seat is None else self.seat.bankroll + sum(self.seat.slip.values())

    @property
    def chips(self) -> tuple[int, ...]:
        return Limits().chips if self.rules is None else self.rules.limits.chips

    @property
    def refusal(self) -> Why | None:
        """Why no bet can be placed at the moment; None when one can."""
        if self.own is Own.UNKNOWN or self.view is None:
            return Why.UNKNOWN_YET
        if self.seat is None:
            return Why.NOT_SEATED
        if not self.live:
            return Why.OFFLINE
        if self.seat.me.leaving:
            return Why.LEAVING
        return None if self.view.phase is Phase.BETTING else Why.BETTING_CLOSED


class Ties(NamedTuple):
    """What betting needs of its session.

    `spawn` runs a task. `changed` is called whenever there may be something else to show, `edited` when a
    slip goes out, and `doubted` when the server has refused one: it may have other rules than are known here.
    """

    situation: Callable[[], Situation]
    spawn: Callable[[Coroutine[Any, Any, None]], None]
    changed: Callable[[], None]
    edited: Callable[[], None]
    doubted: Callable[[], None]


class Betting:
    """The slip on one table; `refused` is why the last edit came to nothing, as long as that stands."""

    def __init__(self, ties: Ties) -> None:
        self.refused: Reason | None = None
        self._ties = ties
        self._refused_at: tuple[int, Phase] | None = None
        self._draft = Draft()
        self._draft_round = 0
        self._sending = 0

    @property
    def sending(self) -> bool:
        """Whether something that the player wants is not accepted yet."""
        return self._sending > 0

    @property
    def wanted(self) -> dict[str, int]:
        """The slip as the player wants it: what stands, unless something else is on its way."""
        if self._sending:
            return self._draft.bets
        seat = self._ties.situation().seat
        return {} if seat is None else dict(seat.slip)

    def seated(self) -> None:
        """A seat is taken: nothing that was drafted before belongs to it."""
        self._draft = Draft()
        self.refused = None

    def over(self) -> None:
        """The seat or the table is no more: nothing is on its way to it."""
        self._sending = 0

    def seen(self, view: TableView) -> None:
        """The table went on: a refusal stands for the phase that it was given in."""
        if self._refused_at != (view.round, view.phase):
            self.refused = None

    def add(self, bet: str, chip: int) -> None:
        """Puts a chip on a bet."""
        self._edit(lambda draft: draft.add(bet, chip))

    def take_top(self, bet: str) -> None:
        """Takes the top chip off a bet."""
        rules = self._ties.situation().rules
        if rules is not None:
            self._edit(lambda draft: draft.take_top(bet, rules.limits))

    def all_in(self, bet: str) -> None:
        """Puts as much on a bet as table and bankroll allow."""
        now = self._ties.situation()
        rules, available = now.rules, now.bankroll
        if rules is not None:
            self._edit(lambda draft: draft.all_in(bet, rules.limits, available))

    def clear(self) -> None:
        self._edit(lambda draft: draft.clear())

    def double(self) -> None:
        self._edit(lambda draft: draft.double(), nothing=None if self.wanted else Why.NOTHING_TO_DOUBLE)

    def undo(self) -> None:
        self._sync()
        self._edit(lambda draft: draft.undo(), nothing=None if self._draft.before else Why.NOTHING_TO_UNDO)

    def rebet(self) -> None:
        """States the last settled slip again."""
        now = self._ties.situation()
        last, chips = {} if now.seat is None else now.seat.me.last_slip, now.chips
        self._edit(lambda draft: draft.replaced(last, chips), nothing=None if last else Why.NOTHING_TO_REBET)

    def deal(self) -> None:
        """Says that the seat is ready."""
        now = self._ties.situation()
        seat, why = now.seat, now.refusal
        if seat is None or why is not None:
            self._refuse(Reason(why or Why.NOT_SEATED))
        elif not seat.me.ready:
            self._ties.spawn(self._send_deal(seat))

    def _edit(self, edit: Edit, *, nothing: Why | None = None) -> None:
        now = self._ties.situation()
        why = now.refusal or nothing
        if why is not None or now.seat is None or now.rules is None:
            self._refuse(Reason(why or Why.UNKNOWN_YET))
            return
        self._sync()
        draft = edit(self._draft)
        bets = draft.bets
        if bets == self.wanted:
            self._draft = draft
            return
        fault = fault_of(bets, now.rules.limits, now.rules.offer, now.bankroll) if bets else None
        if fault is not None:
            self._refuse(fault)
            return
        self._draft = draft
        self.refused = None
        self._ties.edited()
        self._sending += 1
        self._ties.spawn(self._send(now.seat, bets))
        self._ties.changed()

    def _sync(self) -> None:
        """The draft follows what stands, wherever that did not come from an edit here."""
        now = self._ties.situation()
        round_ = 0 if now.view is None else now.view.round
        if round_ != self._draft_round:
            self._draft, self._draft_round = Draft(), round_
        wanted = self.wanted
        if self._draft.bets != wanted:
            self._draft = Draft(stacks_of(wanted, now.chips), self._draft.before)

    async def _send(self, seat: Seat, bets: dict[str, int]) -> None:
        try:
            await seat.bet(**bets)
        except CroupierError as error:
            self._refuse(reason_of(error))
            if self._draft.bets == bets:
                self._draft = self._draft.undo()  # it came to nothing, so there is nothing of it to undo
            self._ties.doubted()
        finally:
            self._sending = max(0, self._sending - 1)
            self._ties.changed()

    async def _send_deal(self, seat: Seat) -> None:
        try:
            await seat.deal()
        except BettingClosedError:
            return  # which is as good as dealt
        except CroupierError as error:
            self._refuse(reason_of(error))
        finally:
            self._ties.changed()

    def _refuse(self, reason: Reason) -> None:
        view = self._ties.situation().view
        self.refused = reason
        self._refused_at = None if view is None else (view.round, view.phase)
        self._ties.changed()
