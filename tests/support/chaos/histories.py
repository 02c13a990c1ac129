"""What must hold of a table's history, whatever has happened to those who deal it.

The expected values are the rules of the game in the seeds' words; nothing of the product's game code is used
but the names of messages, and, for the order of a shoe, its seed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    RoundResult,
    RoundSettled,
    RoundVoided,
    ShoeOpened,
    TableEvent,
)
from croupier_protocol.shoe.shoe import Shoe
from support.chaos.tables import Table
from support.seed_rules import points, read_coup

FOLLOWS = {
    "shoe": {"betting"},
    "betting": {"closed", "betting", "void"},
    "closed": {"card", "void"},
    "card": {"card", "result", "void"},
    "result": {"settled"},
    "void": {"settled"},
    "settled": {"betting", "shoe"},
}
"""Which step of a round may follow which; seats and bets change in between."""

STEPS = {
    ShoeOpened: "shoe",
    BettingOpened: "betting",
    BettingClosed: "closed",
    CardDealt: "card",
    RoundResult: "result",
    RoundVoided: "void",
    RoundSettled: "settled",
}

DECKS = {"standard": 8, "single-deck": 1, "eight-deck": 8, "two-field": 8, "vegas": 8}


Deck = tuple[int, int]
"""A shoe's number, and the coup in it where each has a deck of its own, else 1."""


class Coups:
    """The rounds of one table, read from its events, and everything that must hold of them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.ended: dict[int, list[str] | None] = {}
        self.dealt: dict[Deck, list[str]] = {}
        self.whole: set[Deck] = set()
        self._shoe: int | None = None
        self._deck: Deck = (0, 0)
        self._step: str | None = None
        self._round: int | None = None
        self._cards: list[CardDealt] = []

    def read(self, events: Sequence[TableEvent]) -> None:
        """Reads events that follow one another and those read before."""
        for event in events:
            step = STEPS.get(type(event))
            if step is None:
                continue
            where = f"{self.table.name}, seq {event.seq}"
            if self._step is not None:
                assert step in FOLLOWS[self._step], f"{where}: {step} after {self._step}"
            self._step = step
            self._take(event, where)

    def _take(self, event: TableEvent, where: str) -> None:
        match event:
            case ShoeOpened():
                assert self._shoe is None or event.shoe == self._shoe + 1, f"{where}: shoe {event.shoe}"
                self._shoe = event.shoe
                self.whole.add((event.shoe, 1))
            case BettingOpened():
                again = event.round == self._round and event.round not in self.ended
                assert self._round is None or again or event.round == self._round + 1, f"{where}: {event}"
                self._round = event.round
                self._cards = []
                self._shoe = event.shoe
                self._deck = event.shoe, event.coup if self.table.series else 1
                self.dealt.setdefault(self._deck, [])
                if self.table.series:
                    self.whole.add(self._deck)
            case CardDealt() if self._round is not None:
                self._cards.append(event)
                self.dealt[self._deck].append(event.card)
                self._check_place(event, where)
            case RoundResult() if self._round is not None:
                self.ended[event.round] = self._check_coup(event, where)
            case RoundVoided() if self._round is not None:
                self.ended[event.round] = None

    def _check_place(self, event: CardDealt, where: str) -> None:
        """Player, Banker, Player, Banker, then third cards; each with its hand's total."""
        assert event.round == self._round, f"{where}: a card of round {event.round} in round {self._round}"
        place = (event.hand.value, event.index)
        expected = [("player", 0), ("banker", 0), ("player", 1), ("banker", 1)]
        number = len(self._cards)
        if number <= 4:
            assert place == expected[number - 1], f"{where}: card {number} went to {place}"
        hand = [card.card for card in self._cards if card.hand is event.hand]
        assert event.index == len(hand) - 1, f"{where}: {place} is card {len(hand)} of its hand"
        assert event.total == points(hand), f"{where}: {hand} make {points(hand)}, not {event.total}"

    def _check_coup(self, event: RoundResult, where: str) -> list[str]:
        cards = [one.card for one in self._cards]
        player, banker = read_coup(cards)
        shown = list(event.player.cards), list(event.banker.cards)
        assert shown == (player, banker), f"{where}: {shown} of {cards}"
        ours, theirs = points(player), points(banker)
        outcome = "tie" if ours == theirs else "player" if ours > theirs else "banker"
        assert event.outcome.value == outcome, f"{where}: {event.outcome} of {cards}"
        return cards

    def check_cards(self, shoes: Mapping[tuple[str, int], Shoe]) -> int:
        """No card twice, and cards in the order of their shoe; returns of how many decks that is known."""
        known = 0
        for deck, cards in self.dealt.items():
            number, coup = deck
            where = f"{self.table.name}, shoe {number}, coup {coup}"
            most, times = max(Counter(cards).items(), key=lambda one: one[1], default=("", 0))
            assert times <= DECKS[self.table.rules], f"{where}: {times} times {most}"
            shoe = shoes.get((self.table.name, number))
            if shoe is not None:
                order = list(shoe.order(coup)[shoe.start :])
                # Of a shoe that was not watched from its beginning, the beginning is not known.
                starts = [0] if deck in self.whole else range(len(order) - len(cards) + 1)
                assert any(order[start : start + len(cards)] == cards for start in starts), (
                    f"{where}: {cards} is not in the order of the shoe"
                )
                known += 1
        return known


def one_epoch(history: Mapping[str, Mapping[int, TableEvent]]) -> list[TableEvent]:
    """The events of a table that has lived in one epoch all the while, without a hole."""
    assert len(history) == 1, f"the stream ended: there are epochs {list(history)}"
    [events] = history.values()
    return without_hole(events)


def without_hole(events: Mapping[int, TableEvent]) -> list[TableEvent]:
    """The events of one epoch in order; fails when one is missing between the first and the last."""
    first, last = min(events), max(events)
    missing = [seq for seq in range(first, last + 1) if seq not in events]
    assert missing == [], f"events {missing[:10]} were never seen"
    return [events[seq] for seq in range(first, last + 1)]
