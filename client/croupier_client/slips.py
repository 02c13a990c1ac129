"""A seat's slips on their way: one in flight, and the newest wish after its answer.

Rules:

1. A slip states all bets of the seat, so only the newest wish counts. A wish that has not been sent when a
   newer one comes is given up for it, and whoever waits on the older one gets the outcome of the newer.
2. A slip is sent under one `op` until it is answered, through lost connections.
3. `slip_changed` brings the slip that stands. When that is not what was wished, and nothing newer is wished,
   the wish is sent once more, built on the new revision; the second time it is given up.
4. A wish belongs to the round in which it was made. It is never carried into another.
"""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping

from croupier_client.asker import Asker
from croupier_client.errors import BettingClosedError, ClosedError, RefusedError, SlipChangedError
from croupier_client.seating import Seating
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import SlipAccepted, SlipChanged
from croupier_protocol.messages.to_server import Slip
from croupier_protocol.messages.values import Language, Phase

Spawn = Callable[[Coroutine[None, None, None]], asyncio.Task[None]]
"""Starts a task that is cancelled when the client is left."""

TOO_LATE = frozenset({ErrorCode.BETTING_CLOSED, ErrorCode.WRONG_ROUND})


def new_op() -> str:
    """A name for one operation, as good as never used before."""
    return secrets.token_urlsafe(16)


class Slips:
    """The slips of one seat."""

    def __init__(self, seating: Seating, asker: Asker, spawn: Spawn, language: Language) -> None:
        self._seating = seating
        self._asker = asker
        self._spawn = spawn
        self._language = language
        self._next: _Wish | None = None
        self._task: asyncio.Task[None] | None = None

    def open_round(self) -> int:
        """The round that takes bets now.

        Raises:
            BettingClosedError: none does.
        """
        view = self._seating.view
        if view is None or view.phase is not Phase.BETTING:
            raise self._closed()
        return view.round

    async def state(self, bets: Mapping[str, int]) -> SlipAccepted:
        """States the whole slip of the open round and waits for what came of it.

        Cancelling the wait takes nothing back. Raises as `Seat.bet` does.
        """
        round_ = self.open_round()
        outcome: asyncio.Future[SlipAccepted] = asyncio.get_running_loop().create_future()
        waiting = [outcome]
        if self._next is not None:
            if self._next.round == round_:
                waiting = [*self._next.waiting, outcome]
            else:
                self._next.fail(self._closed())
        self._next = _Wish(round_, dict(bets), waiting)
        if self._task is None or self._task.done():
            self._task = self._spawn(self._send_all())
        return await outcome

    async def idle(self) -> None:
        """Waits until nothing is on its way."""
        while self._task is not None and not self._task.done():
            await asyncio.wait([self._task])

    async def _send_all(self) -> None:
        """Sends wishes until there is none; what becomes of each is told to those who wait on it."""
        while (wish := self._next) is not None:
            self._next = None
            try:
                answer = await self._send(wish)
            except asyncio.CancelledError:
                for each in (wish, self._next):
                    if each is not None:
                        each.fail(ClosedError("the client is closed"))
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, those who wait must see it
                wish.fail(error)
            else:
                if answer is not None:
                    wish.succeed(answer)

    async def _send(self, wish: "_Wish") -> SlipAccepted | None:
        """What came of a wish; None when it was given up for a newer one."""
        sent_again = False
        while True:
            answer = await self._send_once(wish)
            if isinstance(answer, SlipAccepted):
                return answer
            if answer.bets == wish.bets and answer.round == wish.round:
                return SlipAccepted(
                    table=answer.table,
                    round=answer.round,
                    rev=answer.rev,
                    bets=answer.bets,
                    bankroll=answer.bankroll,
                )
            if self._next is not None and self._next.round == wish.round:
                self._next.waiting[:0] = wish.waiting
                return None
            if self.open_round() != wish.round:
                raise self._closed()
            if sent_again:
                raise SlipChangedError(answer)
            sent_again = True

    async def _send_once(self, wish: "_Wish") -> SlipAccepted | SlipChanged:
        slip = Slip(
            table=self._seating.table,
            round=wish.round,
            rev=self._seating.place.me.rev,
            op=new_op(),
            bets=wish.bets,
        )
        try:
            answer: SlipAccepted | SlipChanged = await self._asker.perform(slip, SlipAccepted, SlipChanged)
        except RefusedError as refused:
            raise self.too_late(refused, wish.round) from refused
        return answer

    def too_late(self, refused: RefusedError, round_: int) -> RefusedError:
        """The refusal as the caller should see it: with phase and round where `round_` takes no bets."""
        return self._closed(refused, round_) if refused.code in TOO_LATE else refused

    def _closed(self, refused: RefusedError | None = None, round_: int | None = None) -> BettingClosedError:
        view = self._seating.view
        if view is None:
            return BettingClosedError(self._seating.table, Phase.CLOSED, 0, self._language, refused)
        # The server may know of the closing before this client does.
        ahead = view.phase is Phase.BETTING and view.round == round_
        phase = Phase.CLOSED if ahead else view.phase
        return BettingClosedError(self._seating.table, phase, view.round, self._language, refused)


class _Wish:
    """A slip that somebody wants on a round."""

    def __init__(
        self, round_: int, bets: dict[str, int], waiting: list[asyncio.Future[SlipAccepted]]
    ) -> None:
        self.round = round_
        self.bets = bets
        self.waiting = waiting

    def succeed(self, answer: SlipAccepted) -> None:
        for outcome in self.waiting:
            if not outcome.done():
                outcome.set_result(answer)

    def fail(self, error: Exception) -> None:
        for outcome in self.waiting:
            if not outcome.done():
                outcome.set_exception(error)
                outcome.exception()  # it counts as seen: whoever asked may have stopped waiting
