"""Each player's own reckoning: from what it staked and the cards that everybody saw, to the cent.

The rules are the seeds' words (`support.seed_rules`); nothing that the server computes is believed.
"""

from collections.abc import Mapping, Sequence

from support.chaos.players import BUY_IN, WALLET, Player, Sitting
from support.seed_rules import returned

RESULTS_KEPT = 20
"""Payouts that a seat keeps for a player who is away."""

AT_ONCE_S = 0.5
"""Within this long no twenty rounds are played: payouts that come so were told together."""

Coups = Mapping[int, Sequence[str] | None]
"""The cards of each round of a table in the order they came; None for a round that was void."""


def reckon(player: Player, coups: Coups) -> int:
    """Checks every payout of a player who has left, and returns what the wallet must hold, in cents."""
    wallet = WALLET
    for sitting in player.sittings:
        left = wallet - BUY_IN
        assert sitting.wallet in {left, None}, f"{player} was told of {sitting.wallet}, and reckons {left}"
        wallet += _sitting(player, sitting, coups)
    return wallet


def _sitting(player: Player, sitting: Sitting, coups: Coups) -> int:
    """Checks one sitting and returns what it brought, in cents."""
    assert sitting.over, f"{player} never heard the end of a sitting"
    bankroll = BUY_IN
    missed = sitting.missed
    if missed:
        _excuse(player, sitting, missed)
    for round_ in sorted(sitting.payouts.keys() | missed):
        assert round_ in sitting.stakes, f"{player} was paid for round {round_}, where it staked nothing"
        possible, payout = sitting.stakes[round_].possible, sitting.payouts.get(round_)
        if payout is None:
            assert len(possible) == 1, f"{player} does not know what stood on round {round_}"
            for bet, stake in possible[0].items():
                bankroll += _back(player.table.rules, coups[round_], bet, stake) - stake
            continue
        staked = {one.bet: one.stake for one in payout.bets}
        assert staked in possible, f"{player}, round {round_}: {staked} was settled, and asked for {possible}"
        for one in payout.bets:
            back = _back(player.table.rules, coups[round_], one.bet, one.stake)
            assert one.returned == back, f"{player}, round {round_}: {one} should return {back}"
            bankroll += back - one.stake
        assert payout.bankroll == bankroll, f"{player}, round {round_}: {payout.bankroll}, not {bankroll}"
    return bankroll - BUY_IN


def _excuse(player: Player, sitting: Sitting, missed: set[int]) -> None:
    """Payouts may be missed only beyond those that a seat keeps: then as many follow, all at once."""
    later = sorted(round_ for round_ in sitting.payouts if round_ > min(missed))[:RESULTS_KEPT]
    heard = [sitting.heard_s[round_] for round_ in later]
    at_once = len(later) == RESULTS_KEPT and max(heard) - min(heard) < AT_ONCE_S
    around = {
        round_: f"{heard_s:.2f}" for round_, heard_s in sitting.heard_s.items() if round_ >= min(missed) - 5
    }
    assert at_once, f"{player} had slips accepted on {sorted(missed)}, never paid; others were at {around}"


def _back(rules: str, cards: Sequence[str] | None, bet: str, stake: int) -> int:
    return stake if cards is None else returned(rules, cards, bet, stake)
