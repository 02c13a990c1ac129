"""How what an archive answers is printed for people: a line each, money in units."""

from croupier_server.archive.check import Checked
from croupier_server.archive.queries import Balance, Bet, PlayedRound, TableRound, Total
from croupier_server.bank.amounts import write_amount
from croupier_server.operating import write_time


def round_lines(one: TableRound) -> list[str]:
    """A finished round."""
    what = one.outcome or f"void: {one.reason}"
    cards = _hands(one.player_cards, one.banker_cards)
    return [f"{write_time(one.ended_ms)}  {one.table} #{one.round}  {what}  {cards}"]


def played_lines(one: PlayedRound) -> list[str]:
    """A round that a player had bets in, and a line for each of them."""
    head = (
        f"{write_time(one.ended_ms)}  {one.table} #{one.round}  {one.outcome or 'void'}"
        f"  {_hands(one.player_cards, one.banker_cards)}  staked {write_amount(one.staked)}"
        f"  returned {write_amount(one.returned)}  then {write_amount(one.bankroll)}"
    )
    return [head, *(_bet_line(bet) for bet in one.bets)]


def _bet_line(bet: Bet) -> str:
    line = f"    {bet.bet} {write_amount(bet.stake)}: {bet.result}, {write_amount(bet.returned)} back"
    return f"{line}, {write_amount(bet.commission)} commission" if bet.commission else line


def total_lines(one: Total) -> list[str]:
    """What a table's slips of a day came to."""
    sums = {
        "staked": one.staked,
        "returned": one.returned,
        "commission": one.commission,
        "house": one.house,
    }
    told = "".join(f"  {name} {write_amount(cents):>14}" for name, cents in sums.items())
    return [f"{one.day}  {one.table:<20}{one.slips:>9} slips{told}"]


def balance_lines(one: Balance) -> list[str]:
    """An account of the ledger."""
    return [f"{one.pit}  {one.account:<48}{write_amount(one.cents):>24}"]


def checked_lines(checked: Checked) -> list[str]:
    """The outcome of a check."""
    lines = [f"MISMATCH {one.where}: {one.text}" for one in checked.mismatches]
    counted = f"{checked.accounts} accounts, {checked.postings} postings"
    if checked.clean:
        return [f"clean: {counted}"]
    return [*lines, f"mismatches: {len(checked.mismatches)}, in {counted}"]


def _hands(player: str, banker: str) -> str:
    return f"{player or '–'} / {banker or '–'}"
