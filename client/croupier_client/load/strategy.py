"""How the players of a load test bet: ways of our own, or anybody's function that is given a seat."""

import asyncio
import importlib
import random
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from croupier_client.errors import BettingClosedError, RefusedError
from croupier_client.load.account import rules_of
from croupier_client.load.errors import StrategyError
from croupier_protocol.game.limits import LimitError, Limits
from croupier_protocol.game.settlement import SlipError, check_slip
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import SlipAccepted, TableView

_chance: Final = random.Random()  # noqa: S311 - bets of play money, for which nobody has to guess

RUSH_MS: Final = 1000.0
"""In a rush, every slip is placed in the last second of the window."""

RUSH_SHARE: Final = 0.8
"""Or in this last part of a window that is not much longer than that."""

STEADY_SHARES: Final = (0.1, 0.8)
"""Otherwise slips are spread over this part of the window."""

LARGEST_STAKE: Final = 5
"""Stakes are one to so many times the least that the table takes."""


class LoadSeat(Protocol):
    """What our own strategies use of a seat."""

    @property
    def bankroll(self) -> int: ...
    @property
    def view(self) -> TableView | None: ...
    @property
    def limits(self) -> Limits: ...
    @property
    def opened_ms(self) -> float: ...
    def steady_s(self, server_ms: float) -> float: ...
    def missed(self) -> None: ...
    async def window(self, *, after: int | None = None) -> int: ...
    async def bet_at(self, due_s: float, **bets: int) -> SlipAccepted: ...
    async def top_up(self, amount: int) -> None: ...


Strategy = Callable[..., Awaitable[object]]


def find_strategy(text: str) -> Strategy:
    """The function that ``module:function`` names; modules of the working directory are found too.

    Raises:
        StrategyError: there is none.
    """
    module, found, name = text.partition(":")
    if not found or not module or not name.isidentifier():
        raise StrategyError(f"{text!r} names no strategy; write module:function")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        strategy: object = getattr(importlib.import_module(module), name, None)
    except ImportError as error:
        raise StrategyError(f"{text!r} cannot be imported: {error}") from error
    if not callable(strategy):
        raise StrategyError(f"{module} has no function {name!r}")
    return strategy


async def steady(seat: LoadSeat) -> None:
    """Bets on every round, some time in its window."""
    await _bet_on_and_on(seat, lambda opened_ms, closes_ms: _between(opened_ms, closes_ms, *STEADY_SHARES))


async def rush(seat: LoadSeat) -> None:
    """Bets on every round, in the last second of its window."""
    await _bet_on_and_on(
        seat, lambda opened_ms, closes_ms: closes_ms - _chance.uniform(0, _rush_ms(closes_ms - opened_ms))
    )


async def _bet_on_and_on(seat: LoadSeat, moment_of: Callable[[float, float], float]) -> None:
    round_ = None
    while True:
        round_ = await seat.window(after=round_)
        view = seat.view
        if view is None or view.closes_at_ms is None:
            continue
        due_s = seat.steady_s(moment_of(seat.opened_ms, float(view.closes_at_ms)))
        await asyncio.sleep(max(0.0, due_s - time.monotonic()))
        if seat.bankroll < seat.limits.main_least and not await _buy(seat):
            return
        view = seat.view
        if view is None or view.round != round_:
            seat.missed()
            continue
        try:
            await seat.bet_at(due_s, **choose(view.rules.digest, seat.limits, seat.bankroll))
        except BettingClosedError:
            seat.missed()
        except RefusedError as refused:
            if refused.code is not ErrorCode.BANKROLL_SHORT:
                raise


async def _buy(seat: LoadSeat) -> bool:
    """Buys chips; whether the wallet had enough."""
    try:
        await seat.top_up(seat.limits.buy_in_least)
    except RefusedError as refused:
        if refused.code is ErrorCode.WALLET_SHORT:
            return False
        raise
    return True


def choose(digest: str, limits: Limits, bankroll: int) -> dict[str, int]:
    """A slip of one to three bets that the table takes; of Player alone where its rules are not known."""
    rules = rules_of(digest)
    offered = ["player"] if rules is None else list(rules.offered)
    slip: dict[str, int] = {}
    for bet in _chance.sample(offered, min(len(offered), _chance.randint(1, 3))):
        least, _ = limits.bounds(bet)
        wider = {**slip, bet: least * _chance.randint(1, LARGEST_STAKE)}
        try:
            if rules is not None:
                check_slip(rules, wider)
            limits.check_slip(wider)
        except (SlipError, LimitError):
            continue
        if sum(wider.values()) <= bankroll:
            slip = wider
    return slip or {"player": limits.main_least}


def _between(opened_ms: float, closes_ms: float, first: float, last: float) -> float:
    return opened_ms + (closes_ms - opened_ms) * _chance.uniform(first, last)


def _rush_ms(window_ms: float) -> float:
    return min(RUSH_MS, window_ms * RUSH_SHARE)
