"""A player's own books: payouts by the rules, bankrolls by arithmetic."""

import pytest
from msgspec.structs import replace

from croupier_client.load.account import Account
from croupier_client.load.book import Book
from croupier_client.load.tally import Count
from croupier_protocol.game.cards import parse_cards
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.game.settlement import BetResult, Result
from croupier_protocol.messages.to_client import SlipAccepted, TableView
from croupier_protocol.messages.values import HandView, Payout, Phase, RulesRef
from support.load_books import book_of

VEGAS = RulesRef("vegas", RULE_SETS["vegas"].digest)


@pytest.fixture
def book() -> Book:
    return book_of()


@pytest.fixture
def account(book) -> Account:
    """A seat with 100.00, which has 6.00 on Banker in round 7."""
    made = Account(book, "vegas")
    made.begin(10_000, 10_000)
    made.accepted(SlipAccepted(table="vegas", round=7, rev=1, bets={"banker": 600}, bankroll=9_400))
    return made


def result_of_round_7(rules: RulesRef = VEGAS) -> TableView:
    """Banker wins with a natural 9."""
    return TableView(
        table="vegas",
        epoch="e1",
        seq=9,
        rules=rules,
        phase=Phase.SETTLING,
        round=7,
        outcome="banker",
        player=HandView(parse_cards("Ks Qs"), 0),
        banker=HandView(parse_cards("9h Kd"), 9),
    )


def payout(returned: int = 1_150, bankroll: int = 10_550, commission: int = 50) -> Payout:
    """At vegas 6.00 on Banker win 6.00 less 0.30, rounded up to 0.50."""
    bet = BetResult("banker", 600, Result.WIN, 600, commission, returned)
    return Payout(table="vegas", round=7, bets=(bet,), returned=returned, bankroll=bankroll)


def faults(book: Book) -> dict[Count, int]:
    counts = {
        what: book.tally.count(what) for what in (Count.WRONG_PAYOUTS, Count.WRONG_BANKROLLS, Count.UNPAID)
    }
    return {what: number for what, number in counts.items() if number}


def test_a_payout_by_the_rules_is_right(account, book):
    account.see(result_of_round_7())
    account.paid(payout())
    account.left(wallet=90_000 + 10_550, wallet_before=90_000)
    account.close()
    assert faults(book) == {}
    assert (book.tally.count(Count.PAYOUTS), book.tally.count(Count.UNCHECKED)) == (1, 0)


def test_a_payout_that_is_a_cent_off_is_told_even_if_the_bankroll_agrees(account, book):
    account.see(result_of_round_7())
    account.paid(payout(returned=1_149, bankroll=10_549, commission=51))
    assert faults(book) == {Count.WRONG_PAYOUTS: 1}
    assert book.tally.examples[Count.WRONG_PAYOUTS] == (
        "vegas: round 7 returned 1149 cents; by the rules banker 600 returns 1150"
    )


def test_a_bankroll_that_is_a_cent_off_is_told(account, book):
    account.see(result_of_round_7())
    account.paid(payout(bankroll=10_551))
    assert faults(book) == {Count.WRONG_BANKROLLS: 1}


def test_a_payout_that_comes_before_its_cards_is_checked_when_they_come(account, book):
    account.paid(payout(returned=1_149, bankroll=10_549, commission=51))
    assert account.unchecked_rounds == [7]
    assert faults(book) == {}
    account.see(result_of_round_7())
    assert faults(book) == {Count.WRONG_PAYOUTS: 1}


def test_a_void_round_returns_the_stakes(account, book):
    account.see(replace(result_of_round_7(), phase=Phase.VOIDING, outcome=None))
    bet = BetResult("banker", 600, Result.REFUND, 0, 0, 600)
    account.paid(Payout(table="vegas", round=7, bets=(bet,), returned=600, bankroll=10_000))
    assert faults(book) == {}


def test_rules_that_are_not_known_here_are_said_and_no_fault(account, book):
    account.see(result_of_round_7(RulesRef("house", "f" * 64)))
    account.paid(payout())
    assert faults(book) == {}
    assert book.tally.count(Count.UNCHECKED) == 1


def test_a_slip_that_is_never_settled_is_told_once_its_round_is_over(account, book):
    account.see(replace(result_of_round_7(), phase=Phase.RESULT))
    account.close()
    assert faults(book) == {Count.UNPAID: 1}


def test_a_slip_on_a_round_that_still_runs_is_not_unpaid(account, book):
    account.see(result_of_round_7())
    account.close()
    assert faults(book) == {}


def test_a_payout_that_is_told_twice_counts_once(account, book):
    account.see(result_of_round_7())
    account.paid(payout())
    account.paid(payout())
    assert book.tally.count(Count.PAYOUTS) == 1
    assert faults(book) == {}


def test_a_payout_that_overtakes_the_answer_to_its_slip_is_checked_with_it(account, book):
    account.see(result_of_round_7())
    account.paid(payout())
    account.see(replace(result_of_round_7(), round=8))
    bet = BetResult("banker", 600, Result.WIN, 600, 51, 1_149)
    account.paid(Payout(table="vegas", round=8, bets=(bet,), returned=1_149, bankroll=11_099))
    assert faults(book) == {}
    account.accepted(SlipAccepted(table="vegas", round=8, rev=2, bets={"banker": 600}, bankroll=9_950))
    assert faults(book) == {Count.WRONG_PAYOUTS: 1}
    assert account.open_rounds == []


def test_an_answer_that_is_given_again_after_the_payout_opens_nothing(account, book):
    account.see(result_of_round_7())
    account.paid(payout())
    account.accepted(SlipAccepted(table="vegas", round=7, rev=1, bets={"banker": 600}, bankroll=9_400))
    assert account.open_rounds == []
    assert (book.tally.count(Count.SLIPS), faults(book)) == (1, {})


def test_a_wallet_that_lacks_a_cent_of_the_seats_chips_is_told(account, book):
    account.see(result_of_round_7())
    account.paid(payout())
    account.left(wallet=90_000 + 10_549, wallet_before=90_000)
    assert faults(book) == {Count.WRONG_BANKROLLS: 1}


def test_chips_bought_beside_an_open_slip_make_the_next_bankroll_believed(account, book):
    account.buying()
    account.bought(2_000)
    account.see(result_of_round_7())
    account.paid(payout(bankroll=12_550))
    account.accepted(SlipAccepted(table="vegas", round=8, rev=3, bets={"tie": 100}, bankroll=12_450))
    assert faults(book) == {}
