"""Rounds as a table could deal them, made from a seed: for tests of views, clients and codecs."""

import random
from collections import deque
from collections.abc import Iterator

from msgspec.structs import replace

from croupier_protocol.fairness.cards import proof_of
from croupier_protocol.game.cards import DECK, PIPS, Card, parse_cards
from croupier_protocol.game.coup import Coup, Side
from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    CutListed,
    Paused,
    Resumed,
    RoundResult,
    RoundSettled,
    RoundVoided,
    ShoeCommitted,
    ShoeEnded,
    ShoeOpened,
    TableEvent,
)
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import (
    Beacon,
    Contribution,
    Epoch,
    HandView,
    PlayerId,
    RulesRef,
    TableId,
)
from croupier_protocol.shoe.shoe import Burn
from croupier_protocol.view import fold, opening_view

RULES = RulesRef(name="standard", digest="d" * 16)
START_MS = 1_700_000_000_000
BEACON = Beacon(source="https://beacon.example/{round}#randomness", round=7, due_ms=START_MS + 9_000)


class Dealer:
    """Deals one table, event after event; `view` is the table after all of them.

    `cards` come first, then random ones from `seed`.
    """

    def __init__(self, table: str = "standard", epoch: str = "e1", seed: int = 0, cards: str = "") -> None:
        self.table, self.epoch = TableId(table), Epoch(epoch)
        self.random = random.Random(seed)
        self.cards = deque(parse_cards(cards))
        self.view: TableView = opening_view(self.table, self.epoch, RULES)
        self.events: list[TableEvent] = []
        self.now_ms = START_MS

    def publish(self, kind: type[TableEvent], **fields) -> TableEvent:
        self.now_ms += 1_000
        event = kind(
            table=self.table,
            epoch=self.epoch,
            seq=self.view.seq + 1,
            due_ms=self.now_ms,
            at_ms=self.now_ms + 3,
            **fields,
        )
        self.view = fold(self.view, event)
        self.events.append(event)
        return event

    def deal(self, rounds: int = 1, faults: bool = False) -> list[TableEvent]:
        """Deals on for so many rounds and returns their events; `faults` adds voids, pauses and new shoes."""
        start = len(self.events)
        for _ in range(rounds):
            for _ in self.steps(faults):
                pass
        return self.events[start:]

    def steps(self, faults: bool = False) -> Iterator[TableEvent]:
        """The events of the next round, each dealt when it is asked for."""
        if self.view.shoe is None or (faults and self.random.random() < 0.2):
            yield from self._cut(faults)
            yield self.shoe(series=faults and self.random.random() < 0.5)
        number = self.view.round + 1
        shoe, coup = self.view.shoe.number, self.view.coup + 1
        last = faults and self.random.random() < 0.1
        window = {"round": number, "shoe": shoe, "coup": coup, "last": last}
        yield self.publish(BettingOpened, closes_at_ms=self.now_ms + 16_000, **window)
        if faults and self.random.random() < 0.1:
            yield self.publish(BettingOpened, closes_at_ms=self.now_ms + 9_000, **window)
        yield self.publish(BettingClosed, round=number)
        yield from self._coup(number, Coup(), void_chance=0.05 if faults else 0.0)
        yield self.publish(RoundSettled, round=number, staked=0, returned=0, paid=0)
        if faults and self.random.random() < 0.1:
            yield self.publish(Paused, reason="break")
            yield self.publish(Resumed)

    def card(self) -> Card:
        return self.cards.popleft() if self.cards else self.random.choice(DECK)

    def shoe(self, series: bool = False) -> TableEvent:
        shown = None if series else self.card()
        beacon = None if self.view.cut is None else self.view.cut.beacon
        return self.publish(
            ShoeOpened,
            shoe=1 if self.view.shoe is None else self.view.shoe.number + 1,
            decks=1 if series else 8,
            rules=RULES,
            cards=52 if series else 416,
            burn=shown and Burn(shown=shown, burnt=PIPS[shown]),
            cut_at=None if series else 400,
            coups=60 if series else None,
            contributions=(),
            digest=bytes(32),
            burn_salt=None if series else bytes(16),
            beacon=beacon and replace(beacon, value=b"v" * 32),
        )

    def _cut(self, faults: bool) -> Iterator[TableEvent]:
        """The end of a shoe and the cut of the next, where there is more to see than the shoe itself."""
        if not faults:
            return
        shoe = self.view.shoe
        if shoe is not None:
            ended = {"seed": bytes(32), "contributions": shoe.contributions, "burnt": (), "chain": b"e" * 32}
            yield self.publish(ShoeEnded, shoe=shoe.number, reason=None, **ended)
        yield from self._commitment(1 if shoe is None else shoe.number + 1, shoe and b"e" * 32)

    def _commitment(self, number: int, previous: bytes | None) -> Iterator[TableEvent]:
        """The beginning of a shoe, its cut, and perhaps its end before it was opened and the next one's."""
        yield self.publish(
            ShoeCommitted,
            shoe=number,
            rules=RULES,
            rules_text="{}",
            commitment=b"c" * 32,
            previous=previous,
            cut_until_ms=self.now_ms + 2_000,
            beacon=BEACON if self.random.random() < 0.5 else None,
        )
        if self.random.random() < 0.2:
            ended = {"seed": bytes(32), "contributions": (), "burnt": (), "chain": b"a" * 32}
            yield self.publish(ShoeEnded, shoe=number, reason="the cut cannot be read", **ended)
            yield from self._commitment(number + 1, b"a" * 32)
            return
        if self.random.random() < 0.5:
            contribution = Contribution(seat=3, player=PlayerId("ana"), hash=b"h" * 32)
            until_ms = self.now_ms + 2_000
            yield self.publish(
                CutListed, shoe=number, contributions=(contribution,), reveal_until_ms=until_ms
            )

    def _coup(self, number: int, coup: Coup, void_chance: float) -> Iterator[TableEvent]:
        while not coup.complete:
            if self.random.random() < void_chance:
                yield self.publish(RoundVoided, round=number, reason="order")
                return
            side = coup.next_side
            coup = coup.add(self.card())
            hand = coup.player if side is Side.PLAYER else coup.banker
            total = coup.player_total if side is Side.PLAYER else coup.banker_total
            yield self.publish(
                CardDealt,
                round=number,
                hand=side,
                index=len(hand) - 1,
                card=hand[-1],
                total=total,
                proof=proof_of(self.view.shoe.dealt, bytes([self.view.shoe.dealt % 256] * 16)),
            )
        yield self.publish(
            RoundResult,
            round=number,
            outcome=coup.outcome,
            player=HandView(coup.player, coup.player_total),
            banker=HandView(coup.banker, coup.banker_total),
            natural=coup.natural,
            player_pair=coup.player_pair,
            banker_pair=coup.banker_pair,
        )
