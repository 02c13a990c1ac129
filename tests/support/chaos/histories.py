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
from croupier_protocol.messages.values import RoundRecord
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
    """The rounds of a table: `ended` has each round's cards, None where it was void; `dealt` each deck's."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.ended: dict[int, list[str] | None] = {}
        self.dealt: dict[Deck, list[str]] = {}
        self.whole: set[Deck] = set()

    def deck(self, shoe: int, coup: int) -> Deck:
        """Which deck a coup of a shoe is dealt from."""
        return shoe, coup if self.table.series else 1

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


class _Reading:
    """Reads events that follow one another, and checks that each may."""

    def __init__(self, coups: Coups) -> None:
        self.coups = coups
        self._shoe: int | None = None
        self._deck: Deck = (0, 0)
        self._step: str | None = None
        self._round: int | None = None
        self._cards: list[CardDealt] = []

    def read(self, event: TableEvent) -> None:
        step = STEPS.get(type(event))
        if step is None:
            return
        where = f"{event.table}, seq {event.seq}"
        if self._step is not None:
            assert step in FOLLOWS[self._step], f"{where}: {step} after {self._step}"
        self._step = step
        match event:
            case ShoeOpened():
                assert self._shoe is None or event.shoe == self._shoe + 1, f"{where}: shoe {event.shoe}"
                self._shoe = event.shoe
                self.coups.whole.add(self.coups.deck(event.shoe, 1))
            case BettingOpened():
                self._open(event, where)
            case CardDealt() if self._round is not None:
                self._deal(event, where)
            case RoundResult() if self._round is not None:
                self.coups.ended[event.round] = self._end(event, where)
            case RoundVoided() if self._round is not None:
                self.coups.ended[event.round] = None

    def _open(self, event: BettingOpened, where: str) -> None:
        again = event.round == self._round and event.round not in self.coups.ended
        assert self._round is None or again or event.round == self._round + 1, f"{where}: {event}"
        self._shoe, self._round, self._cards = event.shoe, event.round, []
        self._deck = self.coups.deck(event.shoe, event.coup)
        self.coups.dealt.setdefault(self._deck, [])
        if self.coups.table.series:
            self.coups.whole.add(self._deck)

    def _deal(self, event: CardDealt, where: str) -> None:
        """Player, Banker, Player, Banker, then third cards; each with its hand's total."""
        assert event.round == self._round, f"{where}: a card of round {event.round} in round {self._round}"
        self._cards.append(event)
        self.coups.dealt[self._deck].append(event.card)
        place = (event.hand.value, event.index)
        expected = [("player", 0), ("banker", 0), ("player", 1), ("banker", 1)]
        number = len(self._cards)
        if number <= 4:
            assert place == expected[number - 1], f"{where}: card {number} went to {place}"
        hand = [card.card for card in self._cards if card.hand is event.hand]
        assert event.index == len(hand) - 1, f"{where}: {place} is card {len(hand)} of its hand"
        assert event.total == points(hand), f"{where}: {hand} make {points(hand)}, not {event.total}"

    def _end(self, event: RoundResult, where: str) -> list[str]:
        cards = [one.card for one in self._cards]
        _check_coup(cards, event.player.cards, event.banker.cards, event.outcome.value, where)
        return cards


def _check_coup(
    cards: Sequence[str], player: Sequence[str], banker: Sequence[str], outcome: str, where: str
) -> None:
    """The hands are those that the cards, as they came, must have gone to, and the better one has won."""
    hands = read_coup(cards)
    assert (list(player), list(banker)) == hands, f"{where}: {player} and {banker} of {cards}"
    ours, theirs = map(points, hands)
    won = "tie" if ours == theirs else "player" if ours > theirs else "banker"
    assert outcome == won, f"{where}: {outcome} of {cards}"


def read_history(table: Table, history: Mapping[str, Mapping[int, TableEvent]]) -> Coups:
    """The rounds of a table that has lived in one epoch all the while, from events without a hole."""
    assert len(history) == 1, f"{table.name}: the stream ended, there are epochs {list(history)}"
    [events] = history.values()
    numbers = range(min(events), max(events) + 1)
    missing = [seq for seq in numbers if seq not in events]
    assert missing == [], f"{table.name}: events {missing[:10]} were never seen"
    reading = _Reading(Coups(table))
    for seq in numbers:
        reading.read(events[seq])
    return reading.coups


def read_records(
    table: Table, rounds: Sequence[RoundRecord], history: Mapping[str, Mapping[int, TableEvent]]
) -> Coups:
    """The rounds of a table from the first on, as the store has them; what was seen must be in them."""
    coups = Coups(table)
    assert [one.round for one in rounds] == list(range(1, len(rounds) + 1)), f"{table.name}: {rounds[0]}"
    kept: dict[tuple[int, str, int], str] = {}
    for one in rounds:
        hands = one.player.cards, one.banker.cards
        cards = [hand[index] for index in range(3) for hand in hands if index < len(hand)]
        if one.outcome is not None:
            _check_coup(cards, *hands, one.outcome.value, f"{table.name}, round {one.round}")
        coups.ended[one.round] = None if one.outcome is None else cards
        deck = coups.deck(one.shoe, one.coup)
        coups.whole.add(deck)
        coups.dealt.setdefault(deck, []).extend(cards)
        for name, hand in zip(("player", "banker"), hands, strict=True):
            kept.update({(one.round, name, index): card for index, card in enumerate(hand)})
    for epoch, events in history.items():
        for event in events.values():
            if isinstance(event, CardDealt) and event.round <= len(rounds):
                place = event.round, event.hand.value, event.index
                assert kept[place] == event.card, f"{table.name}, {epoch}: {event} is {kept[place]} now"
    return coups
