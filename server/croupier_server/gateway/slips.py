"""A slip on its way to the store: checked under the table's terms, then judged by the place script."""

from typing import Final, Protocol

from croupier_protocol.game.limits import LimitError
from croupier_protocol.game.settlement import (
    BadAmountError,
    CombinationError,
    SlipError,
    UnknownBetError,
    check_slip,
)
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_server import Slip
from croupier_protocol.messages.values import MAX_MONEY, Phase, PlayerId, TableId
from croupier_server.gateway.details import (
    NO_DETAIL,
    bet_name,
    combination_hit,
    limit_hit,
    running_phase,
    running_round,
)
from croupier_server.gateway.replies import RefusedError
from croupier_server.gateway.terms import Terms
from croupier_server.store.own_limits import OwnRecord
from croupier_server.store.placing import SlipQueue, SlipRefusal, SlipState, SlipToPlace

_CODES: Final = {
    "seat": ErrorCode.NOT_SEATED,
    "leaving": ErrorCode.LEAVING,
    "alarm": ErrorCode.ALARM,
    "phase": ErrorCode.BETTING_CLOSED,
    "round": ErrorCode.WRONG_ROUND,
    "short": ErrorCode.BANKROLL_SHORT,
    "excluded": ErrorCode.EXCLUDED,
    "own_round": ErrorCode.OWN_ROUND_STAKE,
    "own_day": ErrorCode.OWN_DAY_STAKE,
}

_OWN: Final = frozenset({"excluded", "own_round", "own_day"})
"""Refusals for what the player has limited, as the pit knows it: that may be looser by now."""


class OwnLimitsOf(Protocol):
    """How a pit gets to know a player's own limits: see `store.own_limits.OwnLimits.raise_day`."""

    async def __call__(self, player: PlayerId, wanted: int) -> OwnRecord: ...


async def place_slip(
    queue: SlipQueue, terms: Terms, own_limits: OwnLimitsOf, player: PlayerId, slip: Slip
) -> SlipState:
    """Puts `slip` on the table, or returns the one that has come before it.

    What is refused under the terms known here is checked once more under those that the store has now; so is
    what is refused for the player's own limits as the pit knows them.

    Raises:
        RefusedError: nothing has moved, and why.
        StoreError: as `SlipQueue.place`.
    """
    table = TableId(slip.table)
    refused = RefusedError(ErrorCode.UNAVAILABLE)
    for fresh in (False, True):
        under = await terms.of(table, fresh=fresh)
        if under is None:
            raise RefusedError(ErrorCode.BETTING_CLOSED, running_phase(Phase.SHUFFLING))
        try:
            check_slip(under.rules, slip.bets)
            under.limits.check_slip(slip.bets)
        except SlipError as error:
            refused = _fault(error)
            continue
        placing = SlipToPlace(player, slip.round, slip.rev, slip.op, under.listing, slip.bets)
        answer = await queue.place(table, placing)
        day_stake = None
        if isinstance(answer, SlipRefusal) and answer.why in _OWN:
            wanted = answer.own_limit if answer.why == "own_day" else 0
            day_stake = (await own_limits(player, wanted)).day_stake
            answer = await queue.place(table, placing)
        if isinstance(answer, SlipState):
            return answer
        if answer.why != "listing":
            raise refusal(answer, day_stake)
    raise refused


def refusal(refused: SlipRefusal, day_stake: int | None = None) -> RefusedError:
    """What a script's refusal of a slip or a ready mark says to the client."""
    detail, limit = NO_DETAIL, None
    match refused.why:
        case "phase":
            detail = running_phase(refused.phase)
        case "round":
            detail = running_round(refused.round)
        case "short":
            limit = refused.bankroll
        case "own_round":
            limit = refused.own_limit
        case "own_day":
            limit = day_stake
    return RefusedError(_CODES[refused.why], detail, limit=limit, server_ms=refused.now_ms)


def _fault(error: SlipError) -> RefusedError:
    """What a slip that the terms do not allow is answered."""
    match error:
        case LimitError():
            return RefusedError(ErrorCode.LIMIT, limit_hit(error), bet=error.bet, limit=error.value)
        case UnknownBetError():
            return RefusedError(ErrorCode.UNKNOWN_BET, bet_name(error.bet), bet=error.bet)
        case CombinationError():
            return RefusedError(ErrorCode.COMBINATION, combination_hit(error), limit=error.combination.most)
        case BadAmountError():
            return RefusedError(ErrorCode.LIMIT, bet_name(error.bet), bet=error.bet, limit=MAX_MONEY)
    raise error
