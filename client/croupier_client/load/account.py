"""One player's own books: what each payout should be, and each bankroll. No I/O.

Rules:

1. What a round brings follows from the slip that was accepted last, the cards that everybody saw and the
   table's rules: bet for bet, to the cent.
2. A bankroll is what was bought, less stakes, plus returns. Where chips are bought while a slip is open, or
   the table's stream begins a new life, what is told next is believed, since it cannot be said in which order
   the server did the two.
3. Whatever slip was accepted is settled, once the table has finished its round.
"""

from collections import OrderedDict
from typing import Final

from msgspec import Struct

from croupier_client.load.book import Book
from croupier_client.load.tally import Count
from croupier_protocol.game.cards import Card
from croupier_protocol.game.coup import Coup, CoupError
from croupier_protocol.game.rules import RULE_SETS, RuleSet
from croupier_protocol.game.settlement import SlipError, refund, settle
from croupier_protocol.messages.to_client import SlipAccepted, SlipChanged, TableView
from croupier_protocol.messages.values import Payout, Phase, RoundRecord
from croupier_protocol.view import settled_round

ROUNDS_KEPT: Final = 50
"""Finished rounds remembered: a payout comes within one or two, or is told again after a reconnection."""


class Finished(Struct, frozen=True):
    """A round's cards, player's and banker's, and its rules' digest; a void one has neither."""

    cards: tuple[tuple[Card, ...], tuple[Card, ...]] | None
    digest: str


class Account:
    """See the module."""

    def __init__(self, book: Book, table: str) -> None:
        self._book = book
        self._table = table
        self._epoch: str | None = None
        self._chips: int | None = None
        self._open: dict[int, dict[str, int]] = {}
        self._finished: OrderedDict[int, Finished] = OrderedDict()
        self._untold: dict[int, tuple[Payout, dict[str, int]]] = {}
        self._early: OrderedDict[int, Payout] = OrderedDict()
        self._taken = (0, 0)
        self._done_round = 0

    @property
    def open_rounds(self) -> list[int]:
        """Rounds with an accepted slip of which no payout has come."""
        return sorted(self._open)

    @property
    def unchecked_rounds(self) -> list[int]:
        """Rounds whose payout has come but whose cards have not."""
        return sorted(self._untold)

    @property
    def chips(self) -> int | None:
        """Cents in front of the seat and on its slip, by these books; None when they have to be told."""
        return self._chips

    def begin(self, bankroll: int, asked: int) -> None:
        """A seat was taken with chips for `asked` cents; the server says that it has `bankroll`."""
        self._expect(bankroll, asked, "after the buy-in")

    def buying(self) -> None:
        """More chips were asked for: whether a slip is settled before or after that cannot be seen."""
        if self._open:
            self._chips = None

    def bought(self, amount: int) -> None:
        """They were bought."""
        if self._open:
            self._chips = None
        elif self._chips is not None:
            self._chips += amount

    def unsure(self) -> None:
        """What the seat has must be told: an operation was given up without its answer."""
        self._chips = None

    def accepted(self, slip: SlipAccepted | SlipChanged) -> None:
        """A slip stands in place of the round's earlier ones. The answer may be repeated, or come late."""
        if (slip.round, slip.rev) <= self._taken:
            return
        self._taken = slip.round, slip.rev
        if any(round_ != slip.round for round_ in self._open):
            self._chips = None  # an earlier round has been settled or not: its payout will say
        elif self._chips is not None:
            self._expect(slip.bankroll, self._chips - sum(slip.bets.values()), f"in round {slip.round}")
            self._chips = slip.bankroll + sum(slip.bets.values())
        self._book.tally.add(Count.SLIPS)
        if slip.bets:
            self._open[slip.round] = dict(slip.bets)
        else:
            self._open.pop(slip.round, None)
        early = self._early.pop(slip.round, None)
        if early is not None:
            self.paid(early)

    def see(self, view: TableView) -> None:
        """Takes the table as it is now."""
        if self._epoch is not None and view.epoch != self._epoch:
            self._new_life()
        self._epoch = view.epoch
        if view.phase is Phase.VOIDING:
            self._finish(view.round, Finished(None, view.rules.digest))
        elif view.outcome is not None:
            hands = (view.player.cards, view.banker.cards)
            self._finish(view.round, Finished(hands, view.rules.digest))
        self._done_round = max(self._done_round, settled_round(view))

    def read(self, record: RoundRecord) -> None:
        """Takes a round that was not seen from the table's history."""
        hands = None if record.outcome is None else (record.player.cards, record.banker.cards)
        self._finish(record.round, Finished(hands, record.rules.digest))

    def paid(self, payout: Payout) -> None:
        """A payout was told. One that comes before the answer to its slip counts with that, and once."""
        slip = self._open.pop(payout.round, None)
        if slip is None:
            self._early[payout.round] = payout
            if len(self._early) > ROUNDS_KEPT:
                self._early.popitem(last=False)
            return
        self._book.tally.add(Count.PAYOUTS)
        if self._chips is not None:
            expected = self._chips - sum(slip.values()) + payout.returned
            self._expect(payout.bankroll, expected, f"after round {payout.round}")
        self._chips = None if self._open else payout.bankroll
        finished = self._finished.get(payout.round)
        if finished is None:
            self._untold[payout.round] = payout, slip
        else:
            self._check(payout, slip, finished)

    def left(self, wallet: int | None, wallet_before: int | None) -> None:
        """The seat was given up: its chips must be in the wallet."""
        if wallet is not None and wallet_before is not None and self._chips is not None:
            self._expect(wallet, wallet_before + self._chips, "in the wallet after leaving")

    def close(self) -> None:
        """The end: what is still open counts as unpaid where its round is over, unchecked as unchecked."""
        for round_ in self.open_rounds:
            if round_ <= self._done_round:
                self._fault(Count.UNPAID, f"the slip {self._open[round_]} of round {round_} was not settled")
        self._book.tally.add(Count.UNCHECKED, len(self._untold))

    def _new_life(self) -> None:
        """A round that was played before may be played again: nothing of the old life counts."""
        self._chips = None
        self._open.clear()
        self._finished.clear()
        self._early.clear()
        self._taken = (0, 0)
        self._done_round = 0

    def _finish(self, round_: int, finished: Finished) -> None:
        self._finished[round_] = finished
        if len(self._finished) > ROUNDS_KEPT:
            self._finished.popitem(last=False)
        untold = self._untold.pop(round_, None)
        if untold is not None:
            self._check(*untold, finished)

    def _check(self, payout: Payout, slip: dict[str, int], finished: Finished) -> None:
        rules = rules_of(finished.digest)
        if finished.cards is not None and rules is None:
            self._book.tally.add(Count.UNCHECKED)
            return
        try:
            if finished.cards is None or rules is None:
                due = refund(slip)
            else:
                due = settle(rules, coup_of(*finished.cards), slip)
        except (SlipError, CoupError, ValueError) as error:
            self._fault(Count.WRONG_PAYOUTS, f"round {payout.round}: {error}")
            return
        told = {bet.bet: bet for bet in payout.bets}
        wrong = [bet for bet in due.bets if told.get(bet.bet) != bet]
        if wrong or len(told) != len(due.bets) or payout.returned != due.returned:
            bets = ", ".join(f"{bet.bet} {bet.stake} returns {bet.returned}" for bet in due.bets)
            text = f"round {payout.round} returned {payout.returned} cents; by the rules {bets}"
            self._fault(Count.WRONG_PAYOUTS, text)

    def _expect(self, told: int, expected: int, when: str) -> None:
        if told != expected:
            self._fault(Count.WRONG_BANKROLLS, f"{told} cents {when}, and not {expected}")
        self._chips = told

    def _fault(self, what: Count, text: str) -> None:
        self._book.tally.fault(what, f"{self._table}: {text}")


def rules_of(digest: str) -> RuleSet | None:
    """The rule set with that digest, if it comes with Croupier."""
    return next((rules for rules in RULE_SETS.values() if rules.digest == digest), None)


def coup_of(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Coup:
    """Two hands as they were dealt.

    >>> from croupier_protocol.game.cards import parse_cards
    >>> coup_of(parse_cards("2s 3d Kh"), parse_cards("4h Kc")) == Coup.of("2s 4h 3d Kc Kh")
    True
    """
    hands = (player, banker)
    return Coup(tuple(hand[index] for index in range(3) for hand in hands if index < len(hand)))
