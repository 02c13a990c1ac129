"""Settles a round: what each slip returns is computed here, applied by a script in chunks, each slip once.

Whoever takes the table over in the middle finds the slips that are left and goes on with them.
"""

import asyncio
import logging
from typing import Final

from croupier_protocol.game.rules import RuleSet
from croupier_protocol.game.settlement import refund, settle
from croupier_protocol.messages.to_client import OwnRound, TableView
from croupier_protocol.messages.values import Payout, Phase, PlayerId, TableId
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.pit import Pit
from croupier_server.store.records import Lease
from croupier_server.store.seats import SlipToSettle
from croupier_server.store.settled import Paid, Settled
from croupier_server.store.significant import Kind, Significant
from croupier_server.table.round_steps import coup_on
from croupier_server.table.state import SettledTotals

CHUNK: Final = 25
"""Seats paid by one script call: about a millisecond of the store's time."""

KEEP_S: Final = 0.5
"""How long a table waits until players' own rounds are kept; what is left is kept after the next one."""

logger = logging.getLogger(__name__)


async def settle_round(
    pit: Pit, lease: Lease, rules: RuleSet, view: TableView, now_ms: int
) -> tuple[SettledTotals, frozenset[PlayerId]]:
    """Pays, or returns, every slip of the round on show that has not been paid yet.

    Returns what the whole round came to, and the players whose slips this call found.

    Raises:
        LeaseLostError: the table is somebody else's by now.
        StoreUnavailableError: some may have been paid; calling again goes on.
    """
    slips = await pit.seats.slips(view.table)
    totals = (0, 0, 0)
    for start in range(0, max(len(slips), 1), CHUNK):
        chunk = [paid(rules, view, slip, now_ms) for slip in slips[start : start + CHUNK]]
        void = view.phase is Phase.VOIDING
        totals = await pit.settled.settle(lease, view.round, chunk, void=void)
        for won in chunk:
            if won.net >= pit.large_win:
                await pit.significant.note(_large_win(view, won))
    staked, returned, seats_paid = totals
    players = frozenset(slip.player for slip in slips)
    return SettledTotals(staked=staked, returned=returned, paid=seats_paid), players


def _large_win(view: TableView, won: Paid) -> Significant:
    player = won.slip.player
    return Significant(Kind.LARGE_WIN, table=view.table, round=view.round, player=player, amount=won.net)


async def keep_own_rounds(settled: Settled, table: TableId) -> None:
    """Keeps what was settled with the players: perhaps on other servers, for which no table waits long."""
    try:
        async with asyncio.timeout(KEEP_S):
            await settled.empty_outbox(table)
    except (StoreUnavailableError, TimeoutError) as error:
        logger.warning("table %s: players' rounds are kept with them later: %r", table, error)


def paid(rules: RuleSet, view: TableView, slip: SlipToSettle, now_ms: int) -> Paid:
    """What `slip` comes to after the coup on the table, or all of it back when the round is void."""
    void = view.phase is Phase.VOIDING
    settlement = refund(slip.bets) if void else settle(rules, coup_on(view), slip.bets)
    payout = Payout(
        table=view.table, round=view.round, bets=settlement.bets, returned=settlement.returned, bankroll=0
    )
    return Paid(
        slip=slip,
        own_round=OwnRound(
            table=view.table,
            rules=view.rules,
            player=view.player,
            banker=view.banker,
            outcome=view.outcome,
            payout=payout,
            bankroll_before=0,
            ended_at_ms=now_ms,
        ),
    )
