"""Each player's own reckoning: from what it staked and the cards that everybody saw, to the cent.

The rules are the seeds' words (`support.seed_rules`); nothing that the server computes is believed.
"""

from collections.abc import Mapping, Sequence

from support.chaos.players import BUY_IN, WALLET, Player, Sitting
from support.seed_rules import returned

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
    unpaid = {round_ for round_, stakes in sitting.stakes.items() if stakes.accepted} - sitting.payouts.keys()
    assert not unpaid, f"{player} had slips accepted on rounds that were never paid: {sorted(unpaid)}"
    for round_, payout in sorted(sitting.payouts.items()):
        staked = {one.bet: one.stake for one in payout.bets}
        assert round_ in sitting.stakes, f"{player} was paid for round {round_}, where it staked nothing"
        possible = sitting.stakes[round_].possible
        assert staked in possible, f"{player}, round {round_}: {staked} was settled, and asked for {possible}"
        for one in payout.bets:
            back = _back(player.table.rules, coups[round_], one.bet, one.stake)
            assert one.returned == back, f"{player}, round {round_}: {one} should return {back}"
            bankroll += back - one.stake
        assert payout.bankroll == bankroll, f"{player}, round {round_}: {payout.bankroll}, not {bankroll}"
    return bankroll - BUY_IN


def _back(rules: str, cards: Sequence[str] | None, bet: str, stake: int) -> int:
    return stake if cards is None else returned(rules, cards, bet, stake)
