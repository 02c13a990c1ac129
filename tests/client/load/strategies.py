"""Ways of betting that a test hands to the load tester by name."""

from croupier_client.errors import BettingClosedError


async def one_chip_on_tie(seat) -> None:
    """Bets a unit on the tie, round after round."""
    round_ = None
    while True:
        round_ = await seat.window(after=round_)
        try:
            await seat.bet(tie=100)
        except BettingClosedError:
            continue


async def broken(seat) -> None:
    """Throws."""
    raise LookupError(f"no idea what to do at {seat.table}")
